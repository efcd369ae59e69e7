"""After all kinds of logins, refreshes and failures, no token, password, address or query is left anywhere."""

import socket
from urllib.parse import quote, urlsplit

import pytest

from tests.e2e.http_client import (
    CLINIC_PERMISSIONS,
    CLINICS,
    USERS,
    Visitor,
    end_access,
    logged_in,
    received_tokens,
    refreshes,
    reset_attempts,
)
from tests.e2e.running import EMAIL, PASSWORD

pytestmark = pytest.mark.slow
WRONG = "Wr0ng-pass!"
SEARCHED = "hana.park@demo.example"
UPSTREAM_FAULTS = (
    {"status": 500},
    {"status": 520},
    {"status": 400, "code": 10002},
    {"code": 15001},
    {"fault": "html"},
    {"fault": "reset"},
    {"fault": "wrong-type"},
    {"status": 401},
)


@pytest.fixture
def run(console, sandbox):
    """Do everything that can succeed or fail; return the console's answers and its cookies."""
    reset_attempts(console)
    answers, cookies = [], set()

    def note(answer):
        answers.append(answer)
        return answer

    def enter(**form):
        visitor = Visitor(console)
        note(visitor.log_in(**form))
        cookies.add(visitor.auth)
        return visitor

    visitor = enter(keep=True)
    for path in (CLINICS, f"{USERS}?searchField=email&keyword={quote(SEARCHED)}", CLINIC_PERMISSIONS, "/nowhere?a=b"):
        for json in (False, True):
            note(visitor.get(path, json=json))
    note(visitor.post(CLINIC_PERMISSIONS, {"allow_export": "off"}))
    note(visitor.post(CLINIC_PERMISSIONS, {"csrfmiddlewaretoken": "no", "email": EMAIL}))
    enter(password=WRONG)
    enter(email="nobody@demo.example", password=WRONG)
    enter(email="member@demo.example", password="Member123!")
    end_access(console)
    note(visitor.get(CLINICS))
    for rule in UPSTREAM_FAULTS:
        sandbox.faults({"path": "/v1/bizUsers$", "times": 2, **rule})
        for json in (False, True):
            note(visitor.get(f"{USERS}?keyword={quote(SEARCHED)}", json=json))
        sandbox.no_faults()
    for rule in UPSTREAM_FAULTS:
        someone = enter()
        end_access(console)
        sandbox.faults({"path": "/requestToken", **rule})
        note(someone.get(CLINICS, json=True))
        sandbox.no_faults()
        note(someone.post("/logout"))
    note(visitor.get(CLINICS, cookie=f"auth={visitor.auth}; auth={visitor.auth}"))
    _send_nonsense(console.url)
    assert len(refreshes(sandbox)) >= len(UPSTREAM_FAULTS)
    return answers, cookies - {""}


def _send_nonsense(url):
    """Send a request line that the server itself rejects, containing what must not be logged."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(f"GET /login?email={EMAIL} HTTP/9.9\r\nCookie: auth={WRONG}\r\n\r\n".encode())
        line.recv(4096)


@pytest.mark.req("CA-39", "EN-21", "ER-36")
def test_nothing_secret_stays_anywhere(console, sandbox, run):
    answers, cookies = run
    tokens, passwords = received_tokens(sandbox), {PASSWORD, WRONG, "Member123!"}
    assert len(tokens) > 15
    assert len(cookies) > len(UPSTREAM_FAULTS)

    log = console.log.read_text()
    addresses = {EMAIL, SEARCHED, quote(EMAIL), quote(SEARCHED), "nobody@demo", "member@demo", "%40demo"}
    queries = {"keyword=", "searchField=", "?next=", "a=b"}
    assert "groups:user-list" in log
    assert [word for word in (*tokens, *passwords, *cookies, *addresses, *queries) if word in log] == []

    stored = b"".join(path.read_bytes() for path in sorted(console.data_dir.glob("console.sqlite3*")))
    assert b"CREATE TABLE" in stored
    private = {*tokens, *passwords, *cookies, EMAIL, SEARCHED, "nobody@demo", "member@demo"}
    assert [word for word in private if word.encode() in stored] == []

    bodies = "\n".join(answer.text for answer in answers)
    assert [word for word in (*tokens, *passwords, *cookies) if word in bodies] == []
    headers = "\n".join(f"{name}: {value}" for answer in answers for name, value in answer.headers.items())
    assert [word for word in (*tokens, *passwords) if word in headers] == []
    assert [a.text for a in answers if "Traceback" in a.text or a.status_code == 500] == []
    assert "Traceback" not in log


@pytest.mark.req("CA-05", "CA-06")
def test_a_token_goes_to_the_service_only_where_it_belongs(console, sandbox):
    visitor = logged_in(console)
    visitor.get(USERS)
    end_access(console)
    visitor.get(CLINICS)
    visitor.post("/logout")
    calls, secrets = sandbox.calls(), received_tokens(sandbox)
    assert {call["path"].rpartition("/")[2] for call in calls} >= {"requestToken", "expireToken", "bizUsers"}
    assert len(secrets) >= 3
    for call in calls:
        needs_token = call["path"].startswith("/v1/biz") or call["path"].endswith("/expireToken")
        assert ("authorization" in call["headers"]) is needs_token, call["path"]
        assert "cookie" not in call["headers"]
        assert secrets.isdisjoint(value for values in call["query"].values() for value in values)
