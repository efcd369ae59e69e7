"""The administrator's sessions: how they are listed and ended."""

import pytest
from django.test import Client

from console.sessions.browsers import browser_and_system
from console.sessions.models import Grant
from tests.support import factories
from tests.support.page import get_text
from tests.support.reading import words

pytestmark = pytest.mark.sql

SESSIONS = "/my-account/sessions"
SERVICE = "/v1/bizOrganizationAdmins/a-1/sessions"
EXPIRE = "/v2/oauth/expireToken"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1"


@pytest.fixture
def account(admin_client, upstream):
    upstream.answers("GET", SERVICE, status=404)
    return upstream


@pytest.fixture
def other(account):
    """A second login of the same administrator."""
    browser = Client(headers={"user-agent": FIREFOX})
    assert browser.post("/login", {"email": "admin@demo.example", "password": "Demo123!"}).status_code == 303
    return browser


def offers_sessions(upstream):
    times = {"createdDate": "2026-01-05T08:30:00Z", "lastUsedDate": "2026-01-06T08:30:00Z"}
    rows = [
        {"id": "e-2", "device": "Scanner program", "current": False, **times},
        {"id": "e-1", "device": "Enterprise for Admin", "current": True, **times},
    ]
    upstream.answers("GET", SERVICE, {"resultCount": 2, "results": rows})


@pytest.mark.req("DM-21", "UC-15")
def test_each_session_is_shown_with_browser_and_system_and_this_one_is_marked(visit, account, other):
    text = words(visit(SESSIONS).response)
    assert text.count("Current session") == 1
    assert "Firefox on Windows" in text
    assert text.count("Started ") == 2
    assert text.count("Last seen ") == 2
    assert "All apps" not in text


def test_the_description_of_a_browser_is_stored_encrypted_and_without_its_version(account, other):
    assert all("Firefox" not in row.device for row in Grant.objects.all())


@pytest.mark.req("DM-21")
def test_ending_a_session_asks_first_and_takes_effect_at_its_next_request(admin_client, account, other, visit):
    (grant,) = Grant.objects.exclude(pk=this_session(admin_client))
    address = f"{SESSIONS}/{grant.pk}/end"
    names_its_session(visit, address)
    assert other.get("/my-account").status_code == 200
    response = admin_client.post(address)
    assert (response.status_code, response.headers["Location"]) == (303, SESSIONS)
    assert len(account.calls("POST", EXPIRE)) == 1
    assert other.get("/my-account").headers["Location"].endswith("reason=expired")
    assert admin_client.get("/my-account").status_code == 200


@pytest.mark.req("DM-21")
def test_all_other_sessions_end_at_once(admin_client, account, other):
    assert admin_client.post(f"{SESSIONS}/end-others").status_code == 303
    assert Grant.objects.count() == 1
    assert other.get("/my-account").status_code == 302
    assert admin_client.get("/my-account").status_code == 200


def test_this_session_and_an_ended_one_are_not_ended_by_their_url(admin_client, account):
    mine = this_session(admin_client)
    for session in (mine, "f" * 32):
        address = f"{SESSIONS}/{session}/end"
        assert admin_client.get(address).headers["Location"] == SESSIONS
        assert admin_client.post(address).status_code == 303
        is_reported = "Session ended." in words(admin_client.get(SESSIONS))
        assert is_reported is (session != mine), "reported, but not true"
    assert Grant.objects.filter(pk=mine).exists()
    assert account.calls("POST", EXPIRE) == []


@pytest.mark.req("DM-21", "PM-20", "SEC-91")
def test_the_session_of_another_administrator_cannot_be_ended(admin_client, account):
    account.answers("POST", "/v2/oauth/requestToken", {**factories.token(5, id="a-2"), "adminId": "a-2"})
    account.answers("GET", "/v1/bizOrganizationAdmins/a-2", {**factories.ADMIN, "id": "a-2"})
    somebody = Client()
    somebody.post("/login", {"email": "b@demo.example", "password": "Demo123!"})
    (other_grant,) = Grant.objects.exclude(pk=this_session(admin_client))
    admin_client.post(f"{SESSIONS}/{other_grant.pk}/end")
    admin_client.post(f"{SESSIONS}/end-others")
    assert Grant.objects.filter(pk=other_grant.pk).exists()
    assert other_grant.pk not in admin_client.get(SESSIONS).content.decode()


def test_a_session_is_ended_in_the_console_while_the_service_is_down(admin_client, account, other):
    account.answers("POST", EXPIRE, status=503)
    assert admin_client.post(f"{SESSIONS}/end-others").status_code == 303
    assert other.get("/my-account").status_code == 302


@pytest.mark.req("DM-21")
def test_the_sessions_that_the_service_lists_are_in_a_separate_list(visit, account):
    offers_sessions(account)
    page = visit(SESSIONS).response
    assert "All apps" in words(page)
    assert "Scanner program" in words(page)
    assert "/my-account/service-sessions/e-2/end" in page.content.decode()
    assert "/my-account/service-sessions/e-1/end" not in page.content.decode()
    assert "Your sessions in this console are also listed here" in words(page)
    account.answers("GET", SERVICE, status=500)
    assert "Couldn't load this." in words(visit(SESSIONS).response)


@pytest.mark.req("DM-21")
def test_the_end_of_a_session_at_the_service_says_which_one_if_that_can_be_read(visit, account):
    offers_sessions(account)
    address = "/my-account/service-sessions/e-2/end"
    names_its_session(visit, address)
    account.answers("GET", SERVICE, status=500)
    assert visit(address).heading == "End the “Unknown app” session?"


def names_its_session(visit, address):
    """Check that the question names a session as the list does, whose names can be the same."""
    row = next(row for row in visit(SESSIONS).all(".sessions li") if row.css(f"a[href='{address}']"))
    page = visit(address)
    assert page.heading == f"End the “{get_text(row.css_first('b'))}” session?"
    assert "".join(page.texts("form.card p")[:2]) == get_text(row.css_first("p.muted"))
    assert not page.all("form.card dl"), "no table without rows"


@pytest.mark.req("DM-21")
@pytest.mark.parametrize(("path", "query"), [("e-2/end", "/e-2"), ("end-others", "")])
def test_sessions_at_the_service_are_ended_there(admin_client, account, path, query):
    account.answers("DELETE", SERVICE + query)
    assert admin_client.post(f"/my-account/service-sessions/{path}").status_code == 303
    (call,) = account.calls("DELETE", SERVICE + query)
    assert call.params == ({} if query else {"except": "current"})


def test_a_session_that_the_service_no_longer_has_counts_as_ended(admin_client, account):
    offers_sessions(account)
    account.answers("DELETE", f"{SERVICE}/e-9", factories.refusal(10004), status=404)
    assert admin_client.post("/my-account/service-sessions/e-9/end").status_code == 303


CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "names"),
    [
        (FIREFOX, ("Firefox", "Windows")),
        (SAFARI, ("Safari", "iPhone")),
        (CHROME, ("Chrome", "Linux")),
        (f"{CHROME} Edg/140.0", ("Microsoft Edge", "Linux")),
        (CHROME.replace("X11; Linux x86_64", "Linux; Android 10; K"), ("Chrome", "Android")),
        (CHROME.replace("X11; Linux x86_64", "Macintosh; Intel Mac OS X 10_15_7"), ("Chrome", "Mac")),
        ("curl/8.5", ("", "")),
        ("", ("", "")),
    ],
)
def test_browsers_and_systems_have_their_common_names(user_agent, names):
    assert browser_and_system(user_agent) == names


def this_session(client):
    """The ID of the login of this browser."""
    return client.session["grant"]
