"""All faults of the sandbox."""

import itertools
import time

import pytest
import requests

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, refused

pytestmark = pytest.mark.slow

USERS = "/v1/bizUsers?mainGroupId=g-1"
PERMISSIONS = "/v1/bizUsers/u-1/permissions"
EIGHT_MIB = 8 * 1024 * 1024


def test_a_fault_applies_to_a_path_and_a_method_so_many_times_or_until_it_is_deleted(
    admin: Client, sandbox: SandboxProcess
):
    sandbox.faults({"path": "/bizUsers", "status": 500, "times": 2})
    assert [admin.call("GET", USERS).status_code for _ in range(3)] == [500, 500, 200]
    sandbox.faults({"path": "^/v1/bizUsers$", "status": 503, "code": 18001, "times": -1})
    for _ in range(3):
        refused(admin.call("GET", USERS), 503, 18001)
    assert admin.call("GET", "/v1/bizUsers/u-1").status_code == 200
    sandbox.no_faults()
    assert admin.call("GET", USERS).status_code == 200
    sandbox.faults({"path": "/permissions$", "method": "PUT", "code": 10005})
    assert admin.call("GET", PERMISSIONS).status_code == 200
    refused(admin.call("PUT", PERMISSIONS, {}), 412, 10005)
    sandbox.faults({"path": "/v1/maintenance", "status": 500})
    refused(admin.call("GET", "/v1/maintenance", handler=True), 500, 10000)


def test_a_fault_can_have_a_status_a_code_a_body_and_headers(admin: Client, sandbox: SandboxProcess):
    for rule, status, code in (
        ({"code": 15001}, 520, 15001),
        ({"code": 15001, "status": 401}, 401, 15001),
        ({"status": 524}, 524, 10000),
    ):
        sandbox.faults({"path": "/bizUsers", **rule})
        refused(admin.call("GET", USERS), status, code)
    for body, text in (({"resultCount": 7}, '{"resultCount":7}'), ('{"resultCount": ', '{"resultCount": ')):
        sandbox.faults({"path": "/bizUsers", "body": body})
        assert admin.call("GET", USERS).text == text
    for more, seconds in (({}, "30"), ({"headers": {"Retry-After": "5"}}, "5")):
        sandbox.faults({"path": "/bizUsers", "code": 10008, **more})
        response = admin.call("GET", USERS)
        refused(response, 429, 10008)
        assert response.headers["Retry-After"] == seconds


def test_a_delay_delays_one_call_only(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "delay": 0.3}, {"path": "/bizUsers", "delay": 5})
    started = time.monotonic()
    assert admin.get(USERS)["resultCount"] == 40
    assert time.monotonic() - started >= 0.3
    with pytest.raises(requests.ReadTimeout):
        admin.http.get(sandbox.api_url + USERS, timeout=0.2)
    started = time.monotonic()
    admin.get("/v1/bizMainGroups?organizationId=o-1")
    assert time.monotonic() - started < 2


def test_a_fault_happens_before_the_call_or_after_it(admin: Client, sandbox: SandboxProcess):
    for after in (False, True):
        sandbox.faults({"path": "/permissions", "method": "PUT", "status": 520, "after": after})
        assert admin.call("PUT", PERMISSIONS, {"permissions": {"allowExport": False}}).status_code == 520
        assert admin.get(PERMISSIONS)["permissions"]["allowExport"]["value"] is not after


def test_the_connection_is_closed_without_a_response_or_in_the_middle_of_it(admin: Client, sandbox: SandboxProcess):
    for fault, cause in (("close", "RemoteDisconnected"), ("reset", "ConnectionResetError")):
        sandbox.faults({"path": "/bizUsers", "fault": fault})
        with pytest.raises(requests.ConnectionError, match=cause):
            admin.call("GET", USERS)
        assert sandbox.calls("/bizUsers")[-1]["status"] is None
    sandbox.faults({"path": "/bizUsers", "fault": "truncate"})
    with pytest.raises(requests.exceptions.ChunkedEncodingError, match="IncompleteRead"):
        admin.call("GET", USERS)
    assert admin.get(USERS)["resultCount"] == 40


def test_a_response_drips_one_byte_at_a_time(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "/bizUsers", "fault": "drip"})
    headers = {"service-id": "1", "Content-Type": "application/json", "Authorization": f"Bearer {admin.token}"}
    started = time.monotonic()
    with admin.http.get(sandbox.api_url + USERS, headers=headers, stream=True, timeout=5) as response:
        assert int(response.headers["Content-Length"]) > 1000
        assert [response.raw.read(1) for _ in range(2)] == [b"{", b'"']
    assert time.monotonic() - started >= 0.9


def test_a_response_is_a_page_of_wrong_types_or_a_redirect(admin: Client, sandbox: SandboxProcess):
    true = admin.get("/v1/bizUsers/u-1")
    sandbox.faults(*({"path": "/bizUsers", "fault": fault} for fault in ("html", "wrong-type", "redirect")))
    page = admin.call("GET", USERS)
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html")
    wrong = admin.get("/v1/bizUsers/u-1")
    assert wrong.keys() == true.keys()
    assert all(type(wrong[key]) is not type(true[key]) for key in true)
    response = admin.call("GET", USERS)
    assert (response.status_code, response.headers["Location"]) == (302, "http://192.0.2.1/elsewhere")


def test_a_response_is_far_too_large(admin: Client, sandbox: SandboxProcess):
    for fault, encoding in (("huge", None), ("gzip-bomb", "gzip")):
        sandbox.faults({"path": "/bizUsers", "fault": fault})
        with admin.http.get(
            sandbox.api_url + USERS, stream=True, timeout=10, headers={"Connection": "close"}
        ) as response:
            assert response.headers.get("Content-Encoding") == encoding
            read = itertools.accumulate(map(len, response.iter_content(65_536)))
            assert any(size > EIGHT_MIB for size in read)


def test_a_rule_that_makes_no_sense_is_refused(sandbox: SandboxProcess):
    for rule in ({"fault": "nonsense"}, {"path": "("}, {"times": "many"}, {"unknown": 1}):
        with pytest.raises(ValueError, match="400"):
            sandbox.faults(rule)
