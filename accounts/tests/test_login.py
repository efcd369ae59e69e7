"""Logging in: region, token, session, and one response for every refusal."""

import hashlib
import json
import re
from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore as DjangoSessionStore
from django.contrib.sessions.serializers import JSONSerializer
from django.core import signing
from django.test import override_settings
from django.utils import timezone

from accounts import links
from console.models import Attempt
from console.sessions.crypto import StoredSession
from console.sessions.models import Grant, Session
from tests.support import factories
from tests.support.page import Page

pytestmark = pytest.mark.sql

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
MESSAGE = "Login failed. Check your ID and password again."


@pytest.fixture(autouse=True)
def quick_refusals(monkeypatch):
    """Skip the deliberate delay of refusals, which is not tested here."""
    monkeypatch.setattr("accounts.views.login.MIN_REFUSAL_S", 0.0)


@pytest.mark.req("RT-01", "UC-16", "AX-05")
@pytest.mark.django_db
def test_the_page_asks_for_email_and_password(visit, upstream):
    page = visit("/login")
    named = page.fields
    assert named["email"]["autocomplete"] == "username"
    assert named["password"]["autocomplete"] == "current-password"
    assert [name for name in named if "autofocus" in named[name]] == ["email"]


@pytest.mark.req("AX-06", "ER-35")
@pytest.mark.django_db
def test_the_focus_is_in_the_first_empty_field_or_on_the_errors(client, visit, upstream):
    page = visit(links.with_email("/login", "admin@demo.example", reason="email"))
    assert page.fields["email"]["value"] == "admin@demo.example"
    assert [node.attributes["name"] for node in page.all("[autofocus]")] == ["password"]
    refused = Page.from_response(client.post("/login", {"email": "admin@demo.example"}))
    assert refused.all("[autofocus]") == []
    assert refused.one("[data-focus]").attributes["role"] == "alert"


@pytest.mark.req("UC-03", "ST-01", "ST-22", "ST-23", "ST-24", "CA-26", "CA-31", "CA-03", "CA-06")
def test_a_login_looks_up_the_region_and_gets_its_token_there(client, log_in, upstream):
    response = log_in()
    assert response.headers["Location"] == "/user-manage"
    lookup, token = upstream.calls("POST")
    assert lookup.url == "https://handler.example/v1/accounts/search"
    assert json.loads(lookup.body) == {"email": "admin@demo.example", "type": 1, "env": "dev"}
    assert lookup.headers["service-id"] == "1"
    assert token.url == "https://eu.api.example/v2/oauth/requestToken"
    assert json.loads(token.body) == {"email": "admin@demo.example", "password": "Demo123!", "grantType": "password"}
    assert token.headers["service-id"] == "7"
    assert all("Authorization" not in call.headers for call in (lookup, token))
    stored = StoredSession.decrypt(Grant.objects.get().payload)
    assert stored.domainUrls == factories.REGION["domainUrls"]
    assert stored.serviceDomainId == 7
    assert stored.isLoggedIn
    assert stored.adminAuthDetail == factories.ADMIN


@pytest.mark.req("EN-12", "EN-20", "ST-03")
def test_a_login_without_keep_ends_with_the_browser(log_in):
    cookie = log_in().cookies["auth"]
    assert re.fullmatch(r"[a-z0-9]{32}", cookie.value)
    assert (cookie["max-age"], cookie["expires"]) == ("", "")
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["domain"]) == (True, "Lax", "/", "")


@pytest.mark.req("ST-02", "CO-03")
def test_a_kept_login_lasts_thirty_days(log_in):
    assert log_in(keep=True).cookies["auth"]["max-age"] == 2592000
    assert StoredSession.decrypt(Grant.objects.get().payload).isAuthPersist


def test_the_session_row_contains_no_token_no_email_and_no_usable_key(log_in, client):
    cookie = log_in().cookies["auth"].value
    row = Session.objects.get()
    assert cookie != row.session_key
    data = row.get_decoded()
    assert set(data) == {"grant", "organization_name", "_session_expiry"}
    assert "@" not in str(data)


@pytest.mark.req("SEC-48")
def test_the_session_row_has_no_identity(admin_client, upstream):
    upstream.has_clinic(name="Secret Dental")
    upstream.answers("DELETE", "/v1/bizMainGroups/g-1")
    admin_client.post("/user-manage/clinic/g-1/delete", {"typed_name": "Secret Dental", "version": "1"})
    row = Session.objects.get()
    assert "_messages" in row.get_decoded(), "a message is waiting to be shown"
    assert DjangoSessionStore().decode(row.session_data) == {}, "Django alone, which only encodes it, reads nothing"
    assert "Demo Dental Group" in admin_client.get("/user-manage/clinic").content.decode()


@pytest.mark.req("SEC-48")
@pytest.mark.django_db
def test_trying_emails_does_not_reveal_who_tried_to_log_in(client, upstream):
    upstream.may_log_in()
    refuse_password(upstream)
    client.post("/login", FORM)
    email, address = FORM["email"], "127.0.0.1"
    tried = [["pair", email, address], ["address", address], ["account", email]]
    guesses = {hashlib.sha256("\n".join(["login", *parts]).encode()).hexdigest() for parts in tried}
    keys = set(Attempt.objects.values_list("key", flat=True))
    assert len(keys) == len(guesses)
    assert not keys & guesses


@pytest.mark.req("SEC-48")
def test_a_row_stored_before_encryption_can_still_be_read(admin_client, upstream):
    row = Session.objects.get()
    data = row.get_decoded()
    row.session_data = signing.dumps(data, salt="django.contrib.sessions.SessionStore", serializer=JSONSerializer)
    row.save()
    assert row.get_decoded() == data


@pytest.mark.req("RT-37")
def test_a_logged_in_administrator_is_redirected(admin_client):
    response = admin_client.get("/login")
    assert (response.status_code, response.headers["Location"]) == (302, "/user-manage")


@pytest.mark.req("SEC-43")
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_a_wrong_password_of_a_logged_in_administrator_is_refused_and_changes_nothing(admin_client, upstream, accept):
    refuse_password(upstream)
    response = admin_client.post("/login", {**FORM, "password": "wrong"}, headers={"Accept": accept})
    assert response.status_code == 422
    assert MESSAGE in response.content.decode()
    assert Grant.objects.count() == 1
    assert admin_client.get("/login").status_code == 302, "still logged in"


@pytest.mark.req("SEC-43")
def test_logging_in_again_opens_a_new_session_and_ends_the_old_one_everywhere(admin_client, upstream):
    cookie, grant = admin_client.cookies["auth"].value, Grant.objects.get().pk
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(2))
    assert admin_client.post("/login", FORM).status_code == 303
    assert admin_client.cookies["auth"].value != cookie
    assert Grant.objects.get().pk != grant
    assert StoredSession.decrypt(Grant.objects.get().payload).accessToken == "access-2"
    (ended,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert json.loads(ended.body) == {"refreshToken": "refresh-1"}
    assert ended.headers["Authorization"] == "Bearer access-1"


@pytest.mark.req("SEC-43")
@pytest.mark.parametrize("path", ["/v1/accounts/search", "/v2/oauth/requestToken"])
def test_logging_in_again_keeps_the_old_session_if_the_service_fails(admin_client, upstream, path):
    upstream.answers("POST", path, factories.refusal(10000), status=500)
    assert admin_client.post("/login", FORM).status_code == 502
    assert admin_client.get("/login").status_code == 302, "still logged in"


@pytest.mark.req("SEC-43")
@pytest.mark.django_db
def test_a_login_without_an_organization_leaves_no_token_behind(client, upstream):
    upstream.may_log_in(organizationId="")
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", factories.refusal(10000), status=500)
    assert client.post("/login", FORM).status_code == 502
    assert not Grant.objects.exists()
    (ended,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert json.loads(ended.body) == {"refreshToken": "refresh-1"}


@pytest.mark.req("SEC-43", "ER-31")
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize(
    ("path", "known"), [("/v1/bizOrganizationAdmins/a-1", ""), ("/v1/bizOrganizations/o-1", "o-1")]
)
@pytest.mark.parametrize("refreshes", [True, False])
@pytest.mark.django_db
def test_a_token_that_is_refused_at_once_is_reported_and_ended(client, upstream, path, known, refreshes, accept):
    upstream.may_log_in(organizationId=known)
    second = (200, factories.token(2, organizationId=known)) if refreshes else (401, factories.refusal(11003))
    upstream.remove("POST", "/v2/oauth/requestToken")
    upstream.answers_in_order("POST", "/v2/oauth/requestToken", (200, factories.token(organizationId=known)), second)
    upstream.answers("GET", path, factories.refusal(11003), status=401)
    response = client.post("/login", FORM, headers={"Accept": accept})
    comes_back(response)
    ended = [json.loads(call.body)["refreshToken"] for call in upstream.calls("POST", "/v2/oauth/expireToken")]
    assert ended == (["refresh-2"] if refreshes else [])


@pytest.mark.req("SEC-43", "ER-31")
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.django_db
def test_an_administrator_unknown_to_the_service_is_reported_and_the_form_keeps_its_values(client, upstream, accept):
    upstream.may_log_in(organizationId="")
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", factories.refusal(10004), status=404)
    comes_back(client.post("/login", FORM, headers={"Accept": accept}))


def comes_back(response):
    """Check that the login page reports a failure and that no session was opened."""
    text = response.content.decode()
    assert response.status_code == 502
    assert "An error has occurred. Try again later, or contact support at support@console.example." in text
    assert response.headers["Content-Type"] == "application/json" or 'value="admin@demo.example"' in text
    assert "auth" not in response.cookies
    assert (Grant.objects.count(), Session.objects.count()) == (0, 0)


def refuse_region(upstream, status=401):
    upstream.answers("POST", "/v1/accounts/search", factories.refusal(10004), status=404)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11001), status=status)


def refuse_region_emptily(upstream, status=401):
    refuse_region(upstream, status)
    upstream.answers("POST", "/v1/accounts/search", {})


def refuse_region_without_address(upstream, status=401):
    refuse_region(upstream, status)
    upstream.answers("POST", "/v1/accounts/search", {"serviceDomainId": 1, "domainUrls": {"1": "https://eu.example"}})


def refuse_password(upstream, status=401):
    upstream.answers("POST", "/v1/accounts/search", factories.REGION)
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11001), status=status)


def refuse_type(upstream):
    upstream.may_log_in(type=2)


@pytest.mark.req("ER-13", "SEC-83")
@pytest.mark.parametrize("refuse", [refuse_region, refuse_type])
@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.django_db
def test_tokens_that_can_not_be_used_are_ended_and_failures_are_logged(client, upstream, refuse, status, caplog):
    refuse(upstream)
    detail = {"type": 2} if refuse is refuse_type else {}
    upstream.answers("POST", "/v2/oauth/requestToken", factories.token(5, **detail))
    upstream.answers("POST", "/v2/oauth/expireToken", status=status)
    assert client.post("/login", FORM).status_code == 422
    (call,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert json.loads(call.body) == {"refreshToken": "refresh-5"}
    messages = [record.getMessage() for record in caplog.records if "could not be ended" in record.getMessage()]
    assert len(messages) == (status == 500)
    assert "refresh-5" not in caplog.text


@pytest.mark.req("ER-12", "ER-13", "UC-01", "PM-05", "AX-08", "ER-35", "EN-33")
@pytest.mark.parametrize(
    "refuse",
    [refuse_region, refuse_region_emptily, refuse_region_without_address, refuse_password, refuse_type],
)
@pytest.mark.django_db
def test_every_refusal_reads_the_same(client, upstream, refuse):
    upstream.answers("POST", "/v2/oauth/expireToken")
    refuse(upstream)
    response = client.post("/login", FORM)
    html = response.content.decode()
    assert response.status_code == 422
    assert MESSAGE in html
    assert Page.from_response(response).all(".error-summary ul") == [], "a list without items would be read aloud"
    assert 'value="admin@demo.example"' in html, "what was typed stays"
    assert "Demo123!" not in html
    assert "raw words" not in html
    assert "<title>Error: " in html
    assert "auth" not in response.cookies
    assert not Grant.objects.exists()


@pytest.mark.req("ER-13", "SEC-83")
@pytest.mark.parametrize("status", [401, 404, 429, 500, 524])
@pytest.mark.django_db
def test_an_unknown_email_and_a_wrong_password_make_the_same_calls_and_get_the_same_bytes(client, upstream, status):
    pages, calls = [], []
    for refuse in (refuse_password, refuse_region, refuse_region_emptily, refuse_region_without_address):
        refuse(upstream, status)
        before = len(upstream.calls())
        response = client.post("/login", FORM)
        calls.append([(call.method, call.path_url) for call in upstream.calls()[before:]])
        html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|[0-9a-f]{32}', "", response.content.decode())
        pages.append((response.status_code, html))
        Attempt.objects.all().delete()
    assert calls[0][-2:] == [("POST", "/v1/accounts/search"), ("POST", "/v2/oauth/requestToken")]
    assert [made[-2:] == calls[0][-2:] for made in calls] == [True] * 4
    assert [page == pages[0] for page in pages] == [True] * 4


@pytest.mark.req("ER-13", "SEC-83")
@pytest.mark.django_db
def test_a_token_for_an_email_without_a_known_region_ends_at_once(client, upstream):
    upstream.may_log_in()
    upstream.answers("POST", "/v1/accounts/search", {})
    response = client.post("/login", FORM)
    assert (response.status_code, "auth" in response.cookies) == (422, False)
    (ended,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert ended.headers["Authorization"] == "Bearer access-1"
    assert not Grant.objects.exists()


@pytest.mark.req("EN-78", "PM-01", "PM-05", "EN-79", "EN-80")
@pytest.mark.parametrize("kind", [2, 3, "x"])
@pytest.mark.django_db
def test_the_token_of_another_account_type_is_ended(client, upstream, kind):
    upstream.may_log_in(type=kind)
    client.post("/login", FORM)
    (ended,) = upstream.calls("POST", "/v2/oauth/expireToken")
    assert json.loads(ended.body) == {"refreshToken": "refresh-1"}
    assert ended.headers["Authorization"] == "Bearer access-1"


@pytest.mark.req("ER-30", "ER-31")
@pytest.mark.django_db
def test_a_failing_service_is_not_reported_as_a_wrong_password(client, upstream):
    upstream.answers("POST", "/v1/accounts/search", factories.refusal(10000), status=500)
    html = client.post("/login", FORM).content.decode()
    assert "An error has occurred. Try again later, or contact support at support@console.example." in html
    assert MESSAGE not in html


@pytest.mark.req("EN-24")
@pytest.mark.parametrize(
    "url",
    [
        "https://evil.test",
        "http://eu.api.example",
        "https://api.example.evil.test",
        "https://127.0.0.1",
        "https://u@x.example",
    ],
)
@pytest.mark.django_db
def test_a_lookup_with_a_foreign_host_is_refused_and_no_request_is_sent_there(client, upstream, url):
    upstream.answers("POST", "/v1/accounts/search", {"serviceDomainId": 1, "domainUrls": {"2": url}})
    response = client.post("/login", FORM)
    assert response.status_code == 502
    assert len(upstream.calls("POST")) == 1
    assert not Grant.objects.exists()


@pytest.mark.req("ST-25", "ST-26")
@override_settings(CONSOLE_VARIANT="china")
@pytest.mark.django_db
def test_the_china_variant_logs_in_directly_and_stores_no_domain_data(client, upstream):
    upstream.may_log_in()
    assert client.post("/login", FORM).status_code == 303
    assert not upstream.calls("POST", "/v1/accounts/search")
    assert upstream.calls("POST", "/v2/oauth/requestToken")[0].url.startswith("https://api.example/")
    stored = StoredSession.decrypt(Grant.objects.get().payload)
    assert (stored.domainUrls, stored.serviceDomainId, stored.variant) == ({}, 0, "china")


@pytest.mark.req("VA-08")
@pytest.mark.parametrize("password", [" ", "x", "한글", "a" * 200])
@pytest.mark.django_db
def test_any_password_that_is_not_empty_is_sent_unchanged(client, upstream, password):
    upstream.may_log_in()
    client.post("/login", {**FORM, "password": password})
    assert json.loads(upstream.calls("POST", "/v2/oauth/requestToken")[0].body)["password"] == password


@pytest.mark.req("VA-15", "VA-16", "ER-35", "VA-34")
@pytest.mark.parametrize(
    ("form", "text"),
    [({}, "Enter email"), ({"email": "a@b.example"}, "Enter password"), ({**FORM, "email": "nobody"}, "Invalid email")],
)
@pytest.mark.django_db
def test_missing_values_are_reported_at_their_fields_without_a_call(client, upstream, form, text):
    response = client.post("/login", form)
    assert response.status_code == 422
    assert text in response.content.decode()
    assert 'aria-invalid="true"' in response.content.decode()
    assert not upstream.calls("POST")


@pytest.mark.req("RT-32", "DM-22")
@pytest.mark.parametrize(
    ("path", "goto"),
    [
        ("/user-manage/clinic?page=2&keyword=a%20b", "/user-manage/clinic?page=2&keyword=a%20b"),
        ("//evil.test", "/user-manage"),
        ("https://evil.test/x", "/user-manage"),
        ("/\\evil.test", "/user-manage"),
        ("javascript:alert(1)", "/user-manage"),
        ("/%09/evil.test", "/%09/evil.test"),
        ("/\t/evil.test", "/user-manage"),
        ("user-manage", "/user-manage"),
        ("/login?next=/login", "/user-manage"),
        ("", "/user-manage"),
    ],
)
def test_the_return_url_redirects_to_this_site_only(client, upstream, db, path, goto):
    upstream.may_log_in()
    response = client.post("/login", {**FORM, "next": path})
    assert response.headers["Location"] == goto


@pytest.mark.req("CO-19")
@pytest.mark.django_db
def test_the_sixth_wrong_password_has_to_wait_and_is_not_sent(client, upstream):
    refuse_password(upstream)
    for _ in range(5):
        assert client.post("/login", FORM).status_code == 422
    tried = len(upstream.calls("POST"))
    response = client.post("/login", FORM)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert MESSAGE in response.content.decode()
    assert len(upstream.calls("POST")) == tried
    upstream.may_log_in()
    assert client.post("/login", FORM).status_code == 429, "the right password waits as well"
    Attempt.objects.update(blocked_until=timezone.now() - timedelta(seconds=1))
    assert client.post("/login", FORM).status_code == 303


@pytest.mark.req("CO-19", "VA-34")
@pytest.mark.django_db
def test_all_spellings_of_an_email_count_as_one(client, upstream):
    refuse_password(upstream)
    for spelling in (
        "{}\u200b",
        "\u202a{}\u202c",
        "ADMIN@demo.example",
        "adm\u00adin@demo.example",
        "ａｄｍｉｎ＠demo.example",
    ):
        assert client.post("/login", {**FORM, "email": spelling.format(FORM["email"])}).status_code == 422
    assert {json.loads(call.body)["email"].lower() for call in upstream.calls("POST")} == {FORM["email"]}
    assert client.post("/login", FORM).status_code == 429


@pytest.mark.req("CO-19")
@pytest.mark.django_db
def test_a_stranger_cannot_lock_the_owner_out(client, upstream):
    refuse_password(upstream)
    for _ in range(8):
        client.post("/login", FORM, REMOTE_ADDR="203.0.113.9")
    upstream.may_log_in()
    assert client.post("/login", FORM, REMOTE_ADDR="198.51.100.7").status_code == 303


@pytest.mark.req("CO-19")
@pytest.mark.django_db
def test_one_ipv6_network_counts_as_one_and_a_browser_cannot_choose_its_address(client, upstream):
    refuse_password(upstream)
    for number in range(5):
        client.post("/login", FORM, REMOTE_ADDR=f"2001:db8::{number + 1}", HTTP_X_FORWARDED_FOR=f"9.9.9.{number}")
    assert client.post("/login", FORM, REMOTE_ADDR="2001:db8::ffff").status_code == 429


def test_a_new_login_gets_a_new_key_and_ends_the_previous_one(client, log_in):
    first = log_in().cookies["auth"].value
    client.cookies.pop("csrf", None)
    Grant.objects.update(created_at=timezone.now() - timedelta(days=2))
    second = log_in().cookies["auth"].value
    assert first != second


def test_a_chosen_cookie_is_never_adopted(client, log_in):
    client.cookies["auth"] = "a" * 32
    assert log_in().cookies["auth"].value != "a" * 32
    client.cookies["auth"] = "a" * 32
    assert client.get("/user-manage/clinic").status_code == 302


@pytest.mark.req("EN-03", "CA-15")
def test_an_administrator_without_organization_id_is_completed(client, upstream, db):
    upstream.may_log_in()
    token = factories.token()
    del token["adminDetail"]["organizationId"]
    upstream.answers("POST", "/v2/oauth/requestToken", token)
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", factories.ADMIN)
    assert client.post("/login", FORM).status_code == 303
    assert StoredSession.decrypt(Grant.objects.get().payload).adminAuthDetail["organizationId"] == "o-1"


@pytest.mark.req("SEC-43")
@pytest.mark.parametrize("odd", [None, "", [], {}])
def test_an_administrator_without_an_organization_is_not_logged_in(client, upstream, db, odd):
    upstream.may_log_in(organizationId="")
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", {"id": "a-1", "organizationId": odd})
    assert client.post("/login", FORM).status_code == 502
    assert not Grant.objects.exists()
    assert len(upstream.calls("POST", "/v2/oauth/expireToken")) == 1


def test_a_login_succeeds_without_the_organizations_name(client, upstream, db):
    upstream.may_log_in()
    upstream.answers("GET", "/v1/bizOrganizations/o-1", factories.refusal(10000), status=500)
    assert client.post("/login", FORM).status_code == 303


@pytest.mark.req("ER-07")
@pytest.mark.django_db
def test_the_login_page_redirects_while_logging_in_is_under_maintenance(client, upstream):
    upstream.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": ["LOGIN"]})
    assert client.get("/login").headers["Location"] == "/maintenance"


@pytest.mark.req("ER-07")
@pytest.mark.django_db
def test_maintenance_of_another_part_is_only_announced(client, upstream):
    upstream.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": ["SHARE"]})
    response = client.get("/login")
    assert response.status_code == 200
    assert "/maintenance" in response.content.decode()
