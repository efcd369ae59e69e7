"""Every fault that the sandbox can be told to have."""

import time

import pytest
import requests

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

USERS = "/v1/bizUsers?mainGroupId=g-1"
PERMISSIONS = "/v1/bizUsers/u-1/permissions"
EIGHT_MIB = 8 * 1024 * 1024


def test_a_fault_applies_to_the_given_number_of_calls(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "status": 500, "times": 2})
    assert [admin.call("GET", USERS).status_code for _ in range(3)] == [500, 500, 200]


def test_a_fault_stays_until_it_is_deleted(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "^/v1/bizUsers$", "status": 503, "code": 18001, "times": -1})
    for _ in range(3):
        refused(admin.call("GET", USERS), 503, 18001)
    assert admin.call("GET", "/v1/bizUsers/u-1").status_code == 200
    sandbox.no_faults()
    assert admin.call("GET", USERS).status_code == 200


def test_a_fault_applies_to_one_method_only_if_it_has_one(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/permissions$", "method": "PUT", "code": 10005})
    assert admin.call("GET", PERMISSIONS).status_code == 200
    refused(admin.call("PUT", PERMISSIONS, {}), 412, 10005)


def test_a_code_implies_its_status_unless_another_is_given(admin: Client, sandbox: SandboxProcess):
    sandbox.faults(
        {"path": "/bizUsers", "code": 15001},
        {"path": "/bizUsers", "code": 15001, "status": 401},
        {"path": "/bizUsers", "status": 524},
    )
    refused(admin.call("GET", USERS), 520, 15001)
    refused(admin.call("GET", USERS), 401, 15001)
    refused(admin.call("GET", USERS), 524, 10000)


def test_a_fault_can_have_its_own_body(admin: Client, sandbox: SandboxProcess):
    sandbox.faults(
        {"path": "/bizUsers", "body": {"resultCount": 7}},
        {"path": "/bizUsers", "body": '{"resultCount": '},
    )
    assert admin.get(USERS) == {"resultCount": 7}
    assert admin.call("GET", USERS).text == '{"resultCount": '


def test_too_many_requests_says_how_long_to_wait(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "code": 10008})
    sandbox.faults({"path": "/bizUsers", "code": 10008, "headers": {"Retry-After": "5"}})
    for seconds in ("30", "5"):
        response = admin.call("GET", USERS)
        refused(response, 429, 10008)
        assert response.headers["Retry-After"] == seconds


def test_a_delay_alone_only_delays(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "delay": 0.3})
    started = time.monotonic()
    assert admin.get(USERS)["resultCount"] == 40
    assert time.monotonic() - started >= 0.3


def test_a_delayed_call_does_not_delay_others(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "delay": 5})
    with pytest.raises(requests.ReadTimeout):
        admin.http.get(sandbox.api_url + USERS, timeout=0.2)
    started = time.monotonic()
    admin.get("/v1/bizMainGroups?organizationId=o-1")
    assert time.monotonic() - started < 2


def test_faults_apply_to_the_domain_handler_too(visitor: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/v1/maintenance", "status": 500})
    refused(visitor.call("GET", "/v1/maintenance", handler=True), 500, 10000)


def test_a_fault_happens_before_the_act_or_after_it(admin: Client, sandbox: SandboxProcess):
    change = {"permissions": {"allowExport": False}}
    sandbox.faults({"path": "/permissions", "method": "PUT", "status": 520})
    assert admin.call("PUT", PERMISSIONS, change).status_code == 520
    assert admin.get(PERMISSIONS)["permissions"]["allowExport"]["value"]
    sandbox.faults({"path": "/permissions", "method": "PUT", "status": 520, "after": True})
    assert admin.call("PUT", PERMISSIONS, change).status_code == 520
    assert not admin.get(PERMISSIONS)["permissions"]["allowExport"]["value"]


@pytest.mark.parametrize(("fault", "cause"), [("close", "RemoteDisconnected"), ("reset", "ConnectionResetError")])
def test_the_connection_is_closed_without_an_answer(admin: Client, sandbox: SandboxProcess, fault, cause):
    sandbox.faults({"path": "/bizUsers", "fault": fault})
    with pytest.raises(requests.ConnectionError, match=cause):
        admin.call("GET", USERS)
    assert admin.get(USERS)["resultCount"] == 40


def test_an_answer_is_truncated(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "truncate"})
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="IncompleteRead"):
        admin.call("GET", USERS)


def test_an_answer_drips_one_byte_at_a_time(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "drip"})
    headers = {"service-id": "1", "Content-Type": "application/json", "Authorization": f"Bearer {admin.token}"}
    started = time.monotonic()
    with admin.http.get(sandbox.api_url + USERS, headers=headers, stream=True, timeout=5) as response:
        assert int(response.headers["Content-Length"]) > 1000
        assert [response.raw.read(1) for _ in range(2)] == [b"{", b'"']
    assert time.monotonic() - started >= 0.9


def test_an_answer_is_html(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "html"})
    response = admin.call("GET", USERS)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "text/html")
    assert response.text.startswith("<!doctype html>")


def test_an_answer_has_the_right_keys_and_wrong_types(admin: Client, sandbox: SandboxProcess):
    true = admin.get("/v1/bizUsers/u-1")
    sandbox.faults({"path": "/bizUsers", "fault": "wrong-type"})
    wrong = admin.get("/v1/bizUsers/u-1")
    assert wrong.keys() == true.keys()
    assert all(type(wrong[key]) is not type(true[key]) for key in true)


@pytest.mark.parametrize("fault", ["huge", "gzip-bomb"])
def test_an_answer_is_far_too_large(admin: Client, sandbox: SandboxProcess, fault):
    sandbox.faults({"path": "/bizUsers", "fault": fault})
    url = sandbox.api_url + USERS
    with admin.http.get(url, stream=True, timeout=10, headers={"Connection": "close"}) as response:
        assert response.headers.get("Content-Encoding") == ("gzip" if fault == "gzip-bomb" else None)
        read = 0
        for chunk in response.iter_content(65_536):
            read += len(chunk)
            if read > EIGHT_MIB:
                break
    assert read > EIGHT_MIB


def test_an_answer_redirects_elsewhere(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "redirect"})
    response = admin.call("GET", USERS)
    assert (response.status_code, response.headers["Location"]) == (302, "http://192.0.2.1/elsewhere")


@pytest.mark.parametrize("rule", [{"fault": "nonsense"}, {"path": "("}, {"times": "many"}, {"unknown": 1}])
def test_a_rule_that_makes_no_sense_is_refused(sandbox: SandboxProcess, rule):
    with pytest.raises(ValueError, match="400"):
        sandbox.faults(rule)
