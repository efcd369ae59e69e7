"""The CSRF secret changes with each login and logout, and no form data is lost."""

import re
from html import unescape

import pytest
from django.test import Client

from console.models import Draft
from tests.support import factories

pytestmark = pytest.mark.sql

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
PAGE = "/user-manage/clinic/new"
FORM_DATA = {"name": "Zahnärzte <Söhne>", "country_code": "DE", "info": "One line\nand another"}
SAME_ORIGIN = {
    "Origin": "http://testserver",
    "Referer": f"http://testserver{PAGE}?back=x",
    "Sec-Fetch-Site": "same-origin",
}
JSON = {"Accept": "application/json"}
NOTHING_SAVED = "This form has expired, so nothing was saved. Check it and submit it again."
DRAFT_TEXT = "Your entries are still here but not saved yet."
NO_LONGER_VALID = "This form has expired. Reload the page and submit it again."


def get_token(page):
    return re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[0]


def hidden(page):
    """Return the hidden fields of a page's form."""
    html = page.content.decode()
    html = html[html.index(f'action="{PAGE}"') :]
    return {name: unescape(value) for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html)}


@pytest.fixture
def visitor(db, upstream):
    """Return a logged-in browser whose forms are checked as in production."""
    client = Client(enforce_csrf_checks=True)
    log_in(client, upstream)
    return client


def log_in(client, upstream, *, id="a-1", headers=None):
    upstream.may_log_in()
    upstream.has_clinic()
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-2"})
    upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": id})
    token = get_token(client.get("/login"))
    response = client.post("/login", {**FORM, "csrfmiddlewaretoken": token}, headers=headers or {})
    assert response.status_code in (200, 303)
    return response


def log_out(client):
    token = get_token(client.get("/user-manage/clinic"))
    assert client.post("/logout", {"csrfmiddlewaretoken": token}).status_code == 303


def created(upstream):
    return upstream.calls("POST", "/v1/bizMainGroups")


NO_COOKIE = (
    "Your browser didn&#39;t send this site&#39;s cookie. Allow cookies for this site, then submit the form again."
)
CHANGED = "A proxy or browser extension removed or changed the page address that your browser sent with this form."


def test_each_public_form_explains_missing_cookies(db, upstream):
    client = Client(enforce_csrf_checks=True)
    for path in ("/login", "/create-account", "/confirm-password", "/translate/login"):
        token = get_token(client.get(path))
        client.cookies.clear()
        response = client.post(path, {"email": "kim@demo.example", "csrfmiddlewaretoken": token}, headers=SAME_ORIGIN)
        assert response.status_code == 403, path
        assert NO_COOKIE in response.content.decode(), path
        client.cookies.clear()
        response = client.post(path, {"csrfmiddlewaretoken": token}, headers={**SAME_ORIGIN, **JSON})
        assert unescape(NO_COOKIE) == response.json()["message"], path
    assert (
        "kim@demo.example" in client.post("/login", {"email": "kim@demo.example"}, headers=SAME_ORIGIN).content.decode()
    )


def test_a_proxy_that_changes_the_address_is_explained(visitor, upstream):
    changes = [
        {"Origin": "null"},
        {"Origin": "http://testserver:8443"},
        {"Origin": "https://testserver"},
        {"Origin": "http://internal.example"},
    ]
    token = get_token(visitor.get(PAGE))
    for change in changes:
        for fetch in ({"Sec-Fetch-Site": "same-origin"}, {}):
            headers = {**change, **fetch}
            response = visitor.post(PAGE, {**FORM_DATA, "csrfmiddlewaretoken": token}, headers=headers)
            assert response.status_code == 403, headers
            assert CHANGED in response.content.decode(), headers
        headers = {**change, "Sec-Fetch-Site": "cross-site"}
        response = visitor.post(PAGE, {**FORM_DATA, "csrfmiddlewaretoken": token}, headers=headers)
        assert (response.status_code, CHANGED in response.content.decode()) == (403, False), headers
    assert not created(upstream)


def test_a_removed_referer_over_https_is_explained(db, upstream):
    client = Client(enforce_csrf_checks=True)
    token = get_token(client.get("/login", secure=True))
    for headers in (
        {},
        {"Referer": "http://testserver/login"},
        {"Referer": "https://other.example/"},
        {"Referer": "x"},
    ):
        response = client.post("/login", {**FORM, "csrfmiddlewaretoken": token}, headers=headers, secure=True)
        assert (response.status_code, CHANGED in response.content.decode()) == (403, True), headers


@pytest.mark.req("SEC-36", "PM-21")
def test_the_secret_changes_with_the_login_and_with_the_logout(db, upstream):
    client = Client(enforce_csrf_checks=True)
    client.get("/login")
    secrets = [client.cookies["csrf"].value]
    log_in(client, upstream)
    secrets.append(client.cookies["csrf"].value)
    log_out(client)
    secrets.append(client.cookies["csrf"].value)
    assert len(set(secrets)) == 3


@pytest.mark.req("SEC-36")
def test_a_token_from_before_the_login_executes_nothing(db, upstream):
    client = Client(enforce_csrf_checks=True)
    before = get_token(client.get("/login"))
    log_in(client, upstream)
    assert client.post(PAGE, {**FORM_DATA, "csrfmiddlewaretoken": before}).status_code == 403
    assert created(upstream) == []


@pytest.mark.req("SEC-37", "AX-09")
def test_after_a_new_login_elsewhere_the_form_is_shown_again_with_its_data(visitor, upstream):
    form = {**hidden(visitor.get(PAGE)), **FORM_DATA}
    log_out(visitor)
    log_in(visitor, upstream)
    response = visitor.post(PAGE, form, headers=SAME_ORIGIN)
    assert (response.status_code, response.headers["Location"]) == (303, f"{PAGE}?back=x")
    assert created(upstream) == []
    page = visitor.get(response.headers["Location"])
    html = page.content.decode()
    assert NOTHING_SAVED in html
    assert DRAFT_TEXT in html
    assert 'value="Zahnärzte &lt;Söhne&gt;"' in html
    assert "One line\nand another" in html
    assert visitor.post(PAGE, {**FORM_DATA, **hidden(page)}, headers=SAME_ORIGIN).status_code == 303
    assert len(created(upstream)) == 1
    assert not Draft.objects.exists()


@pytest.mark.req("SEC-37", "AX-09")
def test_after_a_logout_elsewhere_a_login_shows_the_form_again(visitor, upstream):
    form = {**hidden(visitor.get(PAGE)), **FORM_DATA}
    log_out(visitor)
    response = visitor.post(PAGE, form, headers=SAME_ORIGIN)
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login?next=%2Fuser-manage%2Fclinic%2Fnew")
    log_in(visitor, upstream)
    assert "One line\nand another" in visitor.get(PAGE).content.decode()
    assert created(upstream) == []


@pytest.mark.req("SEC-36", "SEC-37", "PM-06")
def test_a_form_of_one_administrator_is_never_sent_or_shown_as_that_of_another(visitor, upstream):
    form = {**hidden(visitor.get(PAGE)), **FORM_DATA}
    log_out(visitor)
    log_in(visitor, upstream, id="a-2")
    response = visitor.post(PAGE, form, headers=SAME_ORIGIN)
    assert response.status_code == 403
    assert NO_LONGER_VALID in response.content.decode()
    assert "Zahnärzte" not in visitor.get(PAGE).content.decode()
    assert created(upstream) == []


@pytest.mark.req("SEC-37")
def test_an_island_checks_the_session_and_then_repeats_its_call(visitor, upstream):
    log_out(visitor)
    log_in(visitor, upstream)
    response = visitor.post(PAGE, FORM_DATA, headers={**SAME_ORIGIN, **JSON, "X-CSRFToken": "a" * 64})
    assert response.status_code == 401
    assert response.json()["goto"] == "/login"
    assert visitor.get("/user-manage/clinic").status_code == 200, "the session goes on"
    token = visitor.get("/session", headers=JSON).json()["item"]["csrf_token"]
    second = visitor.post(PAGE, FORM_DATA, headers={**SAME_ORIGIN, **JSON, "X-CSRFToken": token})
    assert second.json()["ok"]


@pytest.mark.req("SEC-37")
def test_a_login_page_from_before_a_logout_is_shown_again_with_its_data(visitor, upstream):
    tries = len(upstream.calls("POST", "/v2/oauth/requestToken"))
    log_out(visitor)
    stale = {**FORM, "next": PAGE, "keep": "on", "csrfmiddlewaretoken": "a" * 64}
    response = visitor.post("/login", stale, headers=SAME_ORIGIN)
    html = response.content.decode()
    assert response.status_code == 403
    assert 'value="admin@demo.example"' in html
    assert f'name="next" value="{PAGE}"' in html
    assert "Demo123!" not in html
    assert "This form has expired. Submit it again." in html
    assert len(upstream.calls("POST", "/v2/oauth/requestToken")) == tries
    upstream.may_log_in()
    second = visitor.post("/login", {**stale, "csrfmiddlewaretoken": get_token(response)}, headers=SAME_ORIGIN)
    assert (second.status_code, second.headers["Location"]) == (303, PAGE)


@pytest.mark.req("SEC-37")
def test_the_login_of_a_dialog_gets_the_token_for_another_try(visitor, upstream):
    log_out(visitor)
    stale = {**FORM, "csrfmiddlewaretoken": "a" * 64}
    answer = visitor.post("/login", stale, headers={**SAME_ORIGIN, **JSON})
    assert (answer.status_code, answer.json()["ok"], answer.json()["goto"]) == (403, False, "")
    token = answer.json()["item"]["csrf_token"]
    upstream.may_log_in()
    assert visitor.post("/login", {**stale, "csrfmiddlewaretoken": token}, headers={**SAME_ORIGIN, **JSON}).json()["ok"]


@pytest.mark.req("SEC-36", "PM-21")
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.test", "Referer": f"http://testserver{PAGE}"},
        {"Origin": "null", "Referer": f"http://testserver{PAGE}"},
        {"Referer": "https://evil.test/user-manage/clinic/new"},
        {"Referer": "http://["},
        {"Origin": "http://testserver", "Sec-Fetch-Site": "same-site"},
        {},
    ],
)
@pytest.mark.parametrize("path", [PAGE, "/login"])
def test_foreign_forms_are_refused_and_not_stored(visitor, upstream, headers, path):
    form = {**hidden(visitor.get(PAGE)), **FORM_DATA, "csrfmiddlewaretoken": "a" * 64}
    response = visitor.post(path, form, headers=headers)
    assert response.status_code == 403
    assert any(text in response.content.decode() for text in (NO_LONGER_VALID, CHANGED))
    assert not Draft.objects.exists()
    answer = visitor.post(path, form, headers={**headers, **JSON})
    assert (answer.status_code, answer.json()["item"]) == (403, None)


@pytest.mark.req("SEC-37")
def test_a_form_that_can_not_be_stored_is_reported_so_that_going_back_still_shows_it(visitor, upstream):
    form = {**hidden(visitor.get(PAGE)), **FORM_DATA, "info": "x" * 20_001}
    log_out(visitor)
    log_in(visitor, upstream)
    response = visitor.post(PAGE, form, headers=SAME_ORIGIN)
    assert response.status_code == 403
    assert NO_LONGER_VALID in response.content.decode()


@pytest.mark.req("SEC-37")
@pytest.mark.parametrize(
    "path", ["/nothing/here", "/robots.txt", "/i18n/en-US/0", "/520", "/healthz", "/version", "/static/x"]
)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_forms_to_addresses_without_a_form_cause_no_internal_error(visitor, path, accept):
    answer = visitor.post(path, {}, headers={**SAME_ORIGIN, "Accept": accept})
    assert 400 <= answer.status_code < 500
