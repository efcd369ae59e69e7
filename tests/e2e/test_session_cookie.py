"""The `auth` cookie as a browser gets and sends it: its attributes, and every kind of foreign cookie."""

import re

import pytest

from tests.e2e.http_client import CLINICS, FORM_TOKEN, Visitor, grants, logged_in

pytestmark = pytest.mark.slow
KEY = re.compile(r"[a-z0-9]{32}")
CHOSEN = "0123456789abcdefghijklmnopqrstuv"
STRANGE = {
    "unknown": f"auth={CHOSEN}",
    "malformed": 'auth="\\000%00\\"; =x; ;;auth',
    "not ASCII": "auth=\u00e9\u00ff\u00a0\u00fe",
    "oversized": "auth=" + "a" * 5000,
    "empty": "auth=",
    "a path": "auth=../../../../etc/passwd",
    "JSON": 'auth={"isLoggedIn":true}',
    "base64 of JSON": "auth=eyJpc0xvZ2dlZEluIjp0cnVlLCJhZG1pbklkIjoiYS0xIn0=",
    "doubled": f"auth={CHOSEN}; auth={CHOSEN[::-1]}",
}


def attributes(response):
    """Return the attributes of the only Set-Cookie header for `auth`."""
    (header,) = [value for value in response.raw.headers.getlist("Set-Cookie") if value.startswith("auth=")]
    parts = [part.strip().partition("=") for part in header.split(";")]
    return {name.lower(): value for name, _, value in parts}


@pytest.mark.req("EN-12", "EN-20", "ST-01", "ST-02", "ST-03")
@pytest.mark.parametrize("keep", [True, False], ids=["kept", "not kept"])
def test_the_cookie_of_a_login(console, keep):
    cookie = attributes(Visitor(console).log_in(keep=keep))
    assert KEY.fullmatch(cookie.pop("auth"))
    if keep:
        assert cookie.pop("max-age") == "2592000"
        assert cookie.pop("expires")
    # The demo uses plain http, so there is no Secure; the unit tests of the settings cover https.
    assert cookie == {"httponly": "", "samesite": "Lax", "path": "/"}


@pytest.mark.req("ST-02", "ST-03", "ST-04")
@pytest.mark.parametrize("keep", [True, False], ids=["kept", "not kept"])
def test_a_refresh_keeps_the_kind_of_cookie(console, sandbox, keep):
    visitor = logged_in(console, keep=keep)
    sandbox.tokens(expire="access")
    answer = visitor.get(CLINICS)
    assert answer.status_code == 200
    if keep:
        cookie = attributes(answer)
        assert (cookie["auth"], cookie["max-age"]) == (visitor.auth, "2592000")
    else:
        assert "auth=" not in answer.headers.get("Set-Cookie", "")


@pytest.mark.req("EN-20", "ST-06")
def test_a_strange_cookie_is_no_login_and_no_error_and_dead_after_a_login(console, sandbox):
    faults = {}
    for kind, cookie in STRANGE.items():
        try:
            sandbox.clear_calls()
            check_strange(Visitor(console), cookie)
            assert sandbox.calls("/v1/biz") == []
            check_chosen(console, cookie)
        except AssertionError as error:
            faults[kind] = str(error)
    assert faults == {}
    assert len(STRANGE) == 9


def check_strange(visitor, cookie):
    """Check that a cookie is deleted, and that pages without a login are shown."""
    page = visitor.get(CLINICS, cookie=cookie)
    assert page.status_code == 302
    assert page.headers["Location"].startswith("/login?next=%2Fuser-manage%2Fclinic")
    assert attributes(page)["max-age"] == "0"
    island = visitor.get(CLINICS, json=True, cookie=cookie)
    assert island.status_code == 401
    assert attributes(island)["max-age"] == "0"
    for public in ("/", "/login", "/version", "/404", "/nowhere"):
        assert visitor.get(public, cookie=cookie).status_code in (200, 302, 404)


def check_chosen(console, cookie):
    """Check that a login replaces a cookie that someone else has chosen, which stays worthless."""
    victim = Visitor(console, cookie.removeprefix("auth=").encode("ascii", "ignore").decode())
    planted = victim.auth
    assert victim.log_in().status_code == 303
    assert KEY.fullmatch(victim.auth)
    assert victim.auth != planted
    assert victim.get(CLINICS).status_code == 200
    assert Visitor(console).get(CLINICS, cookie=f"csrf={FORM_TOKEN}; {cookie}").status_code == 302


@pytest.mark.req("EN-20")
def test_a_second_cookie_next_to_a_good_one_counts_as_tampering(console):
    visitor = logged_in(console)
    for cookie in (f"auth={visitor.auth}; auth={CHOSEN}", f"auth={CHOSEN}; theme=dark; auth={visitor.auth}"):
        answer = visitor.get(CLINICS, cookie=cookie)
        assert answer.status_code == 302
        assert attributes(answer)["max-age"] == "0"
    assert visitor.get(CLINICS).status_code == 200, "a planted cookie can't end somebody's session"


@pytest.mark.req("ST-06", "ST-20")
def test_a_cookie_is_dead_after_the_logout(console):
    visitor, before = logged_in(console), grants(console)
    answer = visitor.post("/logout")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/login")
    assert attributes(answer)["max-age"] == "0"
    assert grants(console) == before - 1
    assert visitor.get(CLINICS).status_code == 302


@pytest.mark.req("EN-20")
def test_two_logins_never_get_the_same_key(console):
    assert len({logged_in(console).auth for _ in range(5)}) == 5
