"""Many requests of one session find the token expired: one refresh, all answered, nothing lost."""

import threading
from collections import Counter, defaultdict
from typing import Any

import pytest

from tests.e2e.http_client import (
    CLINIC_PERMISSIONS,
    CLINICS,
    ROUNDS,
    USER_PERMISSIONS,
    USERS,
    at_once,
    end_access,
    logged_in,
    refreshes,
    wait_until,
)

pytestmark = pytest.mark.slow
VISITORS = 50
REFRESH = "/v2/oauth/requestToken"


@pytest.fixture
def console(three_workers, sandbox):
    """The console with three workers, and a sandbox in its initial state."""
    return three_workers


def sent(call):
    """Return what must be the same when a call is repeated."""
    headers = call["headers"]
    compared = (headers["service-id"], headers["content-type"], headers.get("if-match"), headers.get("idempotency-key"))
    return call["method"], call["path"], repr(call["query"]), repr(call["body"]), *compared


def calls_by_request(sandbox, status):
    """Return the calls for data that were answered with this status, by request id."""
    calls: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for call in sandbox.calls("/v1/biz"):
        if call["status"] == status:
            calls[call["headers"]["x-request-id"]][sent(call)] += 1
    return calls


@pytest.mark.req("ST-08", "ST-11", "ST-12", "ST-15", "ER-01")
def test_fifty_requests_that_meet_an_ended_token_make_one_refresh(console):
    visitor, sandbox = logged_in(console), console.sandbox
    visitor.get(CLINICS)
    for _ in range(ROUNDS):
        end_access(console)
        sandbox.clear_calls()
        sandbox.faults({"path": REFRESH, "delay": 1.0})  # so that the others arrive in the meantime
        answers = at_once(VISITORS, lambda: visitor.get(CLINICS))
        assert Counter(answer.status_code for answer in answers) == {200: VISITORS}
        assert all("Seoul Central Dental" in answer.text for answer in answers)
        assert len(refreshes(sandbox)) == 1

        refused, done = calls_by_request(sandbox, 401), calls_by_request(sandbox, 200)
        assert len(refused) > 1, "too few requests found the token expired to prove anything"
        for request_id, calls in refused.items():
            assert calls <= done[request_id], "a call was not repeated unchanged"


@pytest.mark.req("ST-09", "ST-12", "ER-02")
@pytest.mark.parametrize("path", [CLINIC_PERMISSIONS, USER_PERMISSIONS])
@pytest.mark.parametrize("status", [401, 520])
def test_a_change_is_made_again_as_it_was(console, path, status):
    visitor, sandbox = logged_in(console), console.sandbox
    sandbox.clear_calls()
    sandbox.faults({"path": "/permissions$", "method": "PUT", "status": status})
    response = visitor.post(path, {"allow_export": "off", "version": "1"}, json=True)
    assert response.status_code == 200, response.text
    first, repeat = [call for call in sandbox.calls("/permissions$") if call["method"] == "PUT"]
    assert (first["status"], repeat["status"]) == (status, 200)
    assert sent(first) == sent(repeat)
    assert repeat["body"] == {"permissions": {"allowExport": False}}
    assert first["headers"]["authorization"] != repeat["headers"]["authorization"]
    assert len(refreshes(sandbox)) == 1


@pytest.mark.req("ST-12")
def test_a_change_whose_answer_was_lost_in_a_520_is_made_once(console):
    visitor, sandbox = logged_in(console), console.sandbox
    sandbox.faults({"path": "/permissions$", "method": "PUT", "status": 520, "after": True})
    response = visitor.post(CLINIC_PERMISSIONS, {"allow_export": "off", "version": "1"}, json=True)
    # The repeated call names a version that the first attempt has made obsolete. What is stored is what was sent: done.
    assert (response.status_code, response.json()["message"]) == (200, "Permissions updated.")
    item = response.json()["item"]
    assert item["version"] == 2
    assert [toggle["name"] for toggle in item["toggles"] if not toggle["value"]] == ["allow_export"]


def slow_toast(visitor):
    """Save a permission without scripts; its message is kept in the session for the next page."""
    answer = visitor.post(CLINIC_PERMISSIONS, visitor.change(CLINIC_PERMISSIONS, {"allow_export": "off"}))
    assert answer.status_code == 303
    return lambda: "“Allow exports” is off for" in visitor.get(CLINICS).text


@pytest.mark.req("ST-15")
def test_a_slow_request_that_saves_its_session_late_loses_no_refreshed_token(console):
    visitor, sandbox = logged_in(console), console.sandbox
    method, path, checks = "PUT", "/permissions$", []
    for _ in range(ROUNDS):
        sandbox.clear_calls()
        sandbox.faults({"method": method, "path": path, "delay": 0.7})
        slow = threading.Thread(target=lambda: checks.append(slow_toast(visitor)))
        slow.start()
        wait_until(lambda: any(call["method"] == method for call in sandbox.calls(path)))
        end_access(console)
        assert visitor.get(CLINICS).status_code == 200
        slow.join()
        assert len(refreshes(sandbox)) == 1
        sandbox.clear_calls()
        assert checks.pop()(), "the slow request's message is lost"
        assert visitor.get(CLINICS).status_code == 200, "the session is lost"
        assert {call["status"] for call in sandbox.calls("/v1/biz")} == {200}


@pytest.mark.req("ST-20", "ST-21")
@pytest.mark.parametrize("json", [False, True], ids=["page", "JSON"])
def test_a_request_whose_session_is_logged_out_while_it_runs_leads_to_the_login(console, json):
    visitor, sandbox, answers = logged_in(console), console.sandbox, []
    sandbox.clear_calls()
    sandbox.faults({"path": "/v1/bizUsers$", "delay": 0.7})
    slow = threading.Thread(target=lambda: answers.append(visitor.get(USERS, json=json)))
    slow.start()
    wait_until(lambda: sandbox.calls("/v1/bizUsers$"))
    assert visitor.post("/logout").status_code == 303
    slow.join()
    (answer,) = answers
    if json:
        assert answer.status_code == 401
        assert answer.json()["goto"].startswith("/login?")
    else:
        assert answer.status_code in (302, 303)
        assert answer.headers["Location"].startswith("/login?")
    assert visitor.get(CLINICS).status_code == 302


@pytest.mark.req("ST-20", "ST-21")
def test_a_form_whose_session_is_logged_out_while_it_runs_leads_to_the_login(console):
    """The service did not hear of the logout, so its answer is a success."""
    visitor, sandbox, answers = logged_in(console), console.sandbox, []
    form = visitor.change(CLINIC_PERMISSIONS, {"allow_export": "off"})
    sandbox.clear_calls()
    sandbox.faults(
        {"method": "PUT", "path": "/permissions$", "delay": 0.7}, {"path": "/expireToken", "status": 500, "times": -1}
    )
    slow = threading.Thread(target=lambda: answers.append(visitor.post(CLINIC_PERMISSIONS, form)))
    slow.start()
    wait_until(lambda: any(call["method"] == "PUT" for call in sandbox.calls("/permissions$")))
    assert visitor.post("/logout").status_code == 303
    slow.join()
    (answer,) = answers
    assert answer.status_code in (302, 303)
    assert answer.headers["Location"].startswith("/login?")


@pytest.mark.req("ST-21")
def test_a_pair_that_arrives_after_the_logout_is_ended_upstream(console):
    visitor, sandbox, answers = logged_in(console), console.sandbox, []
    end_access(console)
    sandbox.clear_calls()
    sandbox.faults({"path": REFRESH, "delay": 0.7})
    # Log out of the console only; otherwise the refresh token would no longer be valid.
    sandbox.faults({"path": "/expireToken", "status": 500})
    slow = threading.Thread(target=lambda: answers.append(visitor.get(CLINICS)))
    slow.start()
    wait_until(lambda: refreshes(sandbox))
    assert visitor.post("/logout").status_code == 303
    slow.join()
    assert answers[0].headers["Location"].startswith("/login?")
    (_, ended) = sandbox.calls("/expireToken")
    assert ended["status"] == 200
    assert ended["body"]["refreshToken"] != refreshes(sandbox)[0]["body"]["refreshToken"]
