"""Every fault of the service on every page and form: the right answer, in time, revealing nothing."""

import html
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from sandbox.faults import SPOILS_TRUE_ANSWER
from tests.e2e.http_client import (
    CLINIC_PERMISSIONS,
    CLINICS,
    USER_PERMISSIONS,
    USERS,
    Visitor,
    grants,
    logged_in,
    reset_attempts,
)
from tests.e2e.running import Console, Sandbox, start

pytestmark = pytest.mark.slow
DEADLINES = "connect=1,read=1,write=1,refresh=1,request=3"
IN_TIME = 6.0
"""Seconds: twice the deadline of a request, for a busy machine, and less than `DELAY`."""
DELAY = 9.0
"""Seconds until the service answers, for the fault of a slow answer."""
CANARY = "quetzalcoatl"
"""A word in the service's answers that no user may see."""
INTERNAL_DETAILS = (
    CANARY,
    "a fault of the sandbox",
    "Gateway",
    "192.0.2.1",
    "Traceback",
    'File "',
    "Exception",
    "msgspec",
)


def refusal(status, code):
    details = {"fields": [{"field": CANARY, "code": 10002}], "reasons": [{"reason": CANARY, "count": 1}]}
    return {"status": status, "body": {"code": code, "message": CANARY, "traceId": CANARY, "details": details}}


# A fault of the service, and the result of a call with a token: a status, or the page it redirects to.
FAULTS = {
    "400": (refusal(400, 10002), 422),
    "401": (refusal(401, 11002), "/login"),
    "403": (refusal(403, 11008), 422),
    "404": (refusal(404, 10004), 404),
    "409": (refusal(409, 13005), 409),
    "412": (refusal(412, 10005), 412),
    "422": (refusal(422, 12005), 422),
    "429": (refusal(429, 10008), 429),
    "500": (refusal(500, 10000), 502),
    "500 in words": ({"status": 500, "body": f"<h1>{CANARY}</h1>"}, 502),
    "503": (refusal(503, 10000), 502),
    "503 with 18001": (refusal(503, 18001), "/maintenance"),
    "520": (refusal(520, 10000), 502),
    "524": (refusal(524, 10000), 504),
    "200 with 15001": (refusal(200, 15001), "/520"),
    "400 with 15001": (refusal(400, 15001), "/520"),
    "401 with 15001": (refusal(401, 15001), "/520"),
    "500 with 15001": (refusal(500, 15001), "/520"),
    "close": ({"fault": "close"}, 502),
    "reset": ({"fault": "reset"}, 502),
    "truncate": ({"fault": "truncate"}, 502),
    "drip": ({"fault": "drip"}, 504),
    "html": ({"fault": "html"}, 502),
    "wrong type": ({"fault": "wrong-type"}, 502),
    "huge": ({"fault": "huge"}, 502),
    "gzip bomb": ({"fault": "gzip-bomb"}, 502),
    "redirect": ({"fault": "redirect"}, 502),
    "hang": ({"delay": DELAY, "status": 500}, 504),
}
SAMPLES = (
    *("401", "503", "520", "close", "reset", "truncate", "drip", "html", "wrong type"),
    *("huge", "gzip bomb", "redirect", "hang"),
)
"""Faults of the connection and of the body, and a few statuses; each has a test."""
JSON_STATUS = {"/login": 401, "/520": 520, "/maintenance": 503}
TITLES = {
    404: "Not found",
    409: "Changed in the meantime",
    412: "Changed in the meantime",
    422: "The service declined this request",
    429: "Too many requests",
    502: "Something went wrong",
    504: "The service took too long to respond",
}
# A call to the service, and the pages that make it.
READS = {
    "/v1/bizMainGroups$": [CLINICS],
    "/v1/bizMainGroups/g-1$": [USERS, CLINIC_PERMISSIONS, USER_PERMISSIONS],
    "/v1/bizSubGroups$": [USERS],
    "/v1/bizUsers$": [USERS],
    "/v1/bizMainGroups/g-1/permissions$": [CLINIC_PERMISSIONS],
    "/v1/bizUsers/u-1$": [USER_PERMISSIONS],
    "/v1/bizUsers/u-1/permissions$": [USER_PERMISSIONS],
}
DECORATION = "/v1/bizDashboards/summary$"


@pytest.fixture(scope="module")
def short_deadlines(sandbox_process, tmp_path_factory):
    console, process = start(tmp_path_factory.mktemp("short"), sandbox_process, UPSTREAM_DEADLINES=DEADLINES)
    yield console
    process.stop()


@pytest.fixture
def console(short_deadlines, sandbox):
    """A console with short deadlines, and a sandbox in its initial state."""
    reset_attempts(short_deadlines)
    return short_deadlines


def timed(send):
    """Return the answer, which must arrive in time and reveal nothing about the service or the program."""
    started = time.monotonic()
    answer = send()
    took = time.monotonic() - started
    assert took <= IN_TIME, f"{took:.1f} s"
    response = html.unescape(answer.text) + str(answer.headers)
    assert [word for word in INTERNAL_DETAILS if word in response] == []
    return answer


def check(answer, expected, *, text="", json=False):
    """Check that the answer is the page, message or redirect that the table of errors asks for."""
    if json:
        data = answer.json()
        assert answer.status_code == JSON_STATUS.get(expected, expected)
        assert data["ok"] is False
        assert data["traceId"] == answer.headers["X-Request-ID"]
        if isinstance(expected, str):
            assert data["goto"].split("?")[0] == expected
        else:
            assert data["goto"] == ""
            assert text in data["message"] if text else data["message"]
    elif isinstance(expected, str):
        assert answer.status_code == 302
        assert answer.headers["Location"].split("?")[0] == expected
    else:
        assert answer.status_code == expected
        assert (text or TITLES[expected]) in html.unescape(answer.text)
        assert answer.headers["X-Request-ID"] in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert ("Max-Age=0" in answer.headers.get("Set-Cookie", "")) is (expected == "/login")


def run_in_batches(cases):
    """Run four cases at a time: not enough timeouts in a row to open a worker's circuit breaker."""
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(case) for case in cases]:
            future.result()


def session_for(console, expected):
    """Return a function that returns a logged-in visitor: a new one each time if the fault ends the session."""
    first = logged_in(console)
    return (lambda: logged_in(console)) if expected == "/login" else (lambda: first)


def check_pages(console: Console, fault: str) -> None:
    rule, expected = FAULTS[fault]
    sessions = session_for(console, expected)

    def visit(path, json):
        visitor = sessions()
        check(timed(lambda: visitor.get(path, json=json)), expected, json=json)

    for call, paths in READS.items():
        visitors = [(path, json) for path in paths for json in (False, True)]
        console.sandbox.faults({"method": "GET", "path": call, "times": -1, **rule})
        run_in_batches([lambda path=path, json=json: visit(path, json) for path, json in visitors])
        console.sandbox.no_faults()
    console.sandbox.faults({"path": DECORATION, "times": -1, **rule})
    answer = timed(lambda: sessions().get(CLINICS))
    if isinstance(expected, int):
        assert answer.status_code == 200, f"{answer.status_code}, and not the list without its summary"
        assert "Seoul Central Dental" in answer.text
    else:
        check(answer, expected)
    console.sandbox.no_faults()
    after = {path: sessions().get(path) for path in (CLINICS, USERS, USER_PERMISSIONS)}
    assert {path: a.text[:200] for path, a in after.items() if a.status_code != 200} == {}


UNKNOWN = {"500 in words", "520", "524", "close", "reset", "html", "huge", "gzip bomb", "redirect", "hang"}
"""The faults after which it is unknown whether a change was made."""


def get_change_message(fault, expected):
    if fault in UNKNOWN:
        return "We couldn't confirm whether this worked."
    match expected:
        case 429:
            return "Too many requests. Try again in "
        case 404:
            return "This item no longer exists, or it belongs to another organization."
        case 412:
            return "Someone else changed this in the meantime."
    return "Failed to update the permissions."


def check_change(console: Console, fault: str) -> None:
    rule, expected = FAULTS[fault]
    sessions = session_for(console, expected)
    reader, paths = logged_in(console), (CLINIC_PERMISSIONS, USER_PERMISSIONS)
    console.sandbox.clear_calls()
    console.sandbox.faults({"method": "PUT", "path": "/permissions$", "times": -1, **rule})

    def send(path, form, json):
        visitor = sessions()
        answer = timed(lambda: visitor.post(path, form, json=json))
        if rule.get("fault") in SPOILS_TRUE_ANSWER:
            # The change was made, and its answer is odd, or got lost: then what is stored now says that it is done.
            message = "“Allow exports” is off for " if fault == "wrong type" else "Permissions updated."
            assert answer.json()["message"].startswith(message) if json else (answer.status_code == 303)
            return
        check(answer, expected, json=json, text=get_change_message(fault, expected))
        if isinstance(expected, int) and expected != 404 and not json:
            choice = '<input type="radio" name="allow_export" value="off" checked>'
            assert choice in answer.text, "the choice is lost"

    for json in (False, True):  # one after the other: each change names the version that the one before left
        forms = [(path, reader.change(path, {"allow_export": "off"})) for path in paths]
        run_in_batches([lambda path=path, form=form, json=json: send(path, form, json) for path, form in forms])
    made = [call for call in console.sandbox.calls("/permissions$") if call["method"] == "PUT"]
    assert len(made) == 2 * len(paths) * (2 if fault in ("401", "520") else 1), "sent too often"


LOGIN_FAILED = "Login failed. Check your ID and password again."
GENERIC = "An error has occurred. Try again later, or contact support at support@demo.example."


def check_login(console: Console, fault: str, *, call: str) -> None:
    rule, expected = FAULTS[fault]
    before = grants(console)
    console.sandbox.faults({"path": call, "times": -1, **rule})
    visitor = Visitor(console)
    answer = timed(visitor.log_in)
    if isinstance(expected, str) and expected != "/login":
        check(answer, expected)
    else:
        refused = expected in ("/login", 404, 409, 412, 422)
        assert answer.status_code == (422 if refused else expected)
        assert (LOGIN_FAILED if refused else GENERIC) in answer.text
        assert answer.headers["X-Request-ID"] in answer.text
        assert "Demo123!" not in answer.text
    assert (visitor.auth, grants(console)) == ("", before)


def check_organization(console: Console, fault: str) -> None:
    """Check the login while the name of the organization can't be read."""
    rule, expected = FAULTS[fault]
    console.sandbox.faults({"path": "/v1/bizOrganizations/", "times": -1, **rule})
    visitor = Visitor(console)
    answer = timed(visitor.log_in)
    if expected == "/login":
        assert answer.status_code == 502
        assert GENERIC in answer.text, "the tokens that it gave are refused by the service itself"
    elif isinstance(expected, str):
        assert answer.headers["Location"].split("?")[0] == expected
    else:
        assert (answer.status_code, answer.headers["Location"]) == (303, "/user-manage"), (
            "a missing name does not prevent a login"
        )
    assert visitor.get(CLINICS).status_code == (302 if expected == "/login" else 200)


def check_logout(console: Console, fault: str) -> None:
    rule, _ = FAULTS[fault]
    visitor, island = logged_in(console), logged_in(console)
    before = grants(console)
    console.sandbox.faults({"path": "/v2/oauth/expireToken$", "times": -1, **rule})
    page = timed(lambda: visitor.post("/logout"))
    assert (page.status_code, page.headers["Location"]) == (303, "/login")
    json = timed(lambda: island.post("/logout", json=True))
    assert (json.status_code, json.json()["goto"]) == (200, "/login")
    for answer in (page, json):
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert grants(console) == before - 2
    assert visitor.get(CLINICS).status_code == 302
    assert island.get(CLINICS).status_code == 302


# What a fault can hit: each is a function of a console and the fault's name.
WRITES: dict[str, Callable[[Console, str], None]] = {
    "change": check_change,
    "region at the login": partial(check_login, call="/v1/accounts/search$"),
    "token at the login": partial(check_login, call="/v2/oauth/requestToken$"),
    "organization at the login": check_organization,
}
TARGETS = {"pages": check_pages, **WRITES, "logout": check_logout}


def failures(console: Console, fault: str, targets: dict[str, Callable[[Console, str], None]]) -> dict[Any, str]:
    """Let a fault hit each target; return what was wrong."""
    wrong = {}
    for name, target in targets.items():
        console.sandbox.renew()
        reset_attempts(console)
        try:
            target(console, fault)
        except AssertionError as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno
            wrong[fault, name] = f"line {line}: {error}"
    return wrong


@pytest.mark.req("RT-34", "ER-01", "ER-02", "ER-05", "ER-34", "ER-36", "ST-13", "CA-38")
@pytest.mark.req("ER-12", "ER-13", "ER-29", "ER-30", "ER-33", "ST-01", "ST-20", "ST-21")
@pytest.mark.parametrize("fault", SAMPLES)
def test_a_fault_is_answered_rightly_and_in_time(console, fault):
    assert failures(console, fault, TARGETS) == {}


@pytest.mark.req("ER-03", "ER-05", "ER-12", "ER-13", "ER-29", "ER-30", "ER-33", "ER-34")
@pytest.mark.req("RT-34", "ST-01", "ST-10")
def test_a_status_or_code_is_answered_rightly(console):
    statuses = FAULTS.keys() - set(SAMPLES)
    assert len(statuses) == len(FAULTS) - len(SAMPLES) == 15
    wrong: dict[Any, str] = {}
    for fault in sorted(statuses):
        wrong |= failures(console, fault, WRITES)
    assert wrong == {}


@pytest.mark.req("ST-01", "PM-20")
def test_a_login_whose_organization_stays_unknown_opens_no_session(console, sandbox):
    before = grants(console)
    pair = {"accessToken": "x" * 30, "refreshToken": "y" * 30, "adminId": "a-1", "adminDetail": {"type": 1}}
    sandbox.faults({"path": "/requestToken", "body": pair}, {"path": "/v1/bizOrganizationAdmins/a-1$", "status": 500})
    visitor = Visitor(console)
    answer = visitor.log_in()
    assert answer.status_code == 502
    assert GENERIC in answer.text
    assert grants(console) == before
    assert visitor.get(CLINICS).status_code == 302


@pytest.mark.req("ST-21", "ER-30", "RT-42")
def test_with_the_service_down_users_see_an_error_and_can_log_out(tmp_path):
    sandbox = Sandbox(data_dir=tmp_path / "sandbox").start()
    try:
        console, process = start(tmp_path / "console", sandbox, workers=1, UPSTREAM_DEADLINES=DEADLINES)
        try:
            visitor = logged_in(console)
            sandbox.stop()
            for json in (False, True):
                check(timed(lambda json=json: visitor.get(CLINICS, json=json)), 503, json=json, text="can't be reached")
            answer = timed(Visitor(console).log_in)
            assert answer.status_code == 503
            assert GENERIC in answer.text
            assert timed(lambda: visitor.post("/logout")).status_code == 303
            assert visitor.get(CLINICS).status_code == 302
            assert visitor.get("/login").status_code == 200
            assert visitor.get("/readyz").status_code == 200
        finally:
            process.stop()
    finally:
        sandbox.stop()
