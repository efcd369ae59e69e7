"""Signing up: the form, the availability checks, the call, and the next page."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.forms.availability import proof
from accounts.tests.conftest import SIGN_UP
from console.models import Attempt, Submission
from tests.support import factories
from tests.support.reading import words

pytestmark = pytest.mark.sql

PATH = "/create-account"
EMAIL, NAME = "Ada@clinic.example", "Ada Dental"
EMAILS, NAMES = "/v1/bizOrganizationAdmins/exist", "/v1/bizOrganizations/exist"
FORM = {
    "form_id": "1f8f8c1e-6f60-4b52-8d2a-0f1f0d2a6c11",
    "organization_name": NAME,
    "country_code": "DE",
    "server_location": "EU",
    "name": "Ada Park",
    "email": EMAIL,
    "password": "Demo123!",
    "confirm_password": "Demo123!",
    "terms": "on",
    "privacy": "on",
    "terms_version": "placeholder",
    "organization_name_checked": proof("organization_name", NAME),
    "email_checked": proof("email", EMAIL),
}


def without(*names, **others):
    return {name: value for name, value in {**FORM, **others}.items() if name not in names}


def signed_up(service):
    """The bodies of the sign-ups that the service received."""
    return [json.loads(call.body) for call in service.calls("POST", SIGN_UP)]


@pytest.mark.req("RT-02", "VA-27", "VA-09", "VA-28", "RT-29")
def test_the_page_asks_for_an_organization_an_account_and_agreements(visit, service):
    page = visit(PATH)
    controls = page.fields
    assert [name for name in controls if "autofocus" in controls[name]] == ["organization_name"]
    assert controls["email"]["autocomplete"] == "username"
    assert page.one("[data-find-option=id_country_code]").attributes["aria-label"] == "Find a country"
    assert controls["password"]["autocomplete"] == controls["confirm_password"]["autocomplete"] == "new-password"
    html = page.response.content.decode()
    boxes = re.findall(r'<input type="checkbox"[^>]*>', html)
    assert len(boxes) == 3
    assert not any("checked" in box for box in boxes)
    assert "You can't change it after you create the account." in words(page.response)
    assert "Enter at least 8 characters" in words(page.response)
    for href in ("/terms", "/privacy"):
        assert f'<a href="{href}" target="_blank" rel="noopener">' in html
    assert page.response.headers["Cache-Control"] == "no-store"


@pytest.mark.req("UC-02", "CA-07", "CA-09", "CA-10", "VA-25", "VA-26", "AX-06")
def test_a_sign_up_is_one_call_and_the_login_follows_with_the_email(client, service):
    response = client.post(PATH, FORM)
    assert response.status_code == 303
    assert signed_up(service) == [
        {
            "email": EMAIL,
            "password": "Demo123!",
            "name": "Ada Park",
            "organization": {"name": NAME, "countryCode": "DE", "serverLocation": "EU"},
            "language": "en-US",
            "agreements": {"terms": True, "privacy": True, "marketing": False, "termsVersion": "placeholder"},
        }
    ]
    assert "clinic.example" not in response.headers["Location"], "an address stands in no log of a proxy"
    login = client.get(response.headers["Location"])
    assert "Account created." in words(login)
    assert "You can log in now without waiting for it." in words(login)
    assert f'value="{EMAIL}"' in login.content.decode()


@pytest.mark.req("VA-26")
def test_the_newsletter_is_sent_only_if_chosen(client, service):
    client.post(PATH, {**FORM, "marketing": "on"})
    assert signed_up(service)[0]["agreements"]["marketing"] is True


@pytest.mark.req("RT-37")
@pytest.mark.parametrize(("method", "status"), [("get", 302), ("post", 303)])
def test_a_logged_in_administrator_is_redirected(admin_client, service, method, status):
    response = getattr(admin_client, method)(PATH, FORM if method == "post" else None)
    assert (response.status_code, response.headers["Location"]) == (status, "/user-manage")
    assert not signed_up(service)


@pytest.mark.req("ER-07")
@pytest.mark.parametrize("method", ["get", "post"])
def test_the_page_redirects_while_signing_up_is_under_maintenance(client, service, method):
    service.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": ["SIGN_UP"]})
    assert getattr(client, method)(PATH).headers["Location"] == "/maintenance"
    assert client.get("/login").status_code == 200


@pytest.mark.req("ER-07")
def test_signing_up_works_while_the_login_is_under_maintenance(client, service):
    service.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": ["LOGIN"]})
    assert client.get(PATH).status_code == 200


@pytest.mark.req("VA-15", "VA-16", "VA-17", "VA-11", "VA-25", "VA-06", "VA-34", "VA-35", "DM-37", "ER-35")
@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"organization_name": ""}, "Enter organization name"),
        ({"name": "A\x00da"}, "Invalid your name"),
        ({"email": "ada@clinic"}, "Invalid email"),
        ({"password": "Demo1!", "confirm_password": "Demo1!"}, "Enter at least 8 characters"),
        ({"password": "Démo123!", "confirm_password": "Démo123!"}, "Invalid password"),
        ({"confirm_password": "Demo123?"}, "New Password and Confirm Password do not match"),
        ({"country_code": "XX"}, "Choose a country"),
        ({"server_location": "https://evil.test"}, "Choose a server location"),
        ({"terms": ""}, "Agree to the terms and conditions to continue."),
        ({"privacy": ""}, "Agree to the privacy policy to continue."),
    ],
)
def test_errors_are_shown_at_their_fields_and_no_other_value_is_lost(client, service, change, text):
    response = client.post(PATH, {**FORM, **change})
    html = response.content.decode()
    assert response.status_code == 422
    assert text in words(response)
    assert 'aria-invalid="true"' in html
    assert "<title>Error: " in html
    assert "Ada" in html
    assert "Demo123" not in html
    assert not signed_up(service)


@pytest.mark.req("VA-01", "ER-20")
def test_a_field_has_one_error_however_many_rules_it_breaks(client, service):
    text = words(client.post(PATH, {**FORM, "password": "a", "confirm_password": "a"}))
    assert "Fix 1 problem: Invalid password Enter at least 8 characters Use at least one number" in text
    text = words(client.post(PATH, {**FORM, "password": "a", "confirm_password": "b", "name": ""}))
    assert "Fix 3 problems:" in text


@pytest.mark.req("VA-12", "VA-13", "VA-14", "VA-18")
@pytest.mark.parametrize(("name", "label"), [("email", "email"), ("organization_name", "organization name")])
@pytest.mark.parametrize(
    "sent",
    ["", "made up", proof("email", "eve@clinic.example"), proof("name", EMAIL)],
    ids=["nothing", "made up", "of another email", "of another field"],
)
def test_a_value_that_was_not_checked_or_was_edited_since_has_to_be_checked(client, service, name, label, sent):
    response = client.post(PATH, {**FORM, f"{name}_checked": sent})
    assert response.status_code == 422
    assert f"Check the availability of {label}" in words(response)
    assert not signed_up(service)


@pytest.mark.req("VA-14")
def test_a_check_is_valid_for_an_hour(client, service, monkeypatch):
    monkeypatch.setattr("django.core.signing.time.time", lambda: timezone.now().timestamp() + 3601)
    assert "Check the availability of email" in words(client.post(PATH, FORM))


@pytest.mark.req("VA-12", "VA-13", "CA-11", "CA-13", "VA-19")
@pytest.mark.parametrize(
    ("name", "path", "label"), [("email", EMAILS, "email"), ("organization_name", NAMES, "organization name")]
)
@pytest.mark.parametrize("count", [0, 1])
def test_without_a_script_the_button_shows_the_form_with_the_result(client, service, name, path, label, count):
    service.answers("GET", path, {"resultCount": count})
    checked = without("email_checked", "organization_name_checked", check=name)
    response = client.post(PATH, checked)
    html = response.content.decode()
    (call,) = service.calls("GET", path)
    assert call.url.startswith("https://eu.api.example/"), "where the organization will be"
    text = f"This {label} is already in use" if count else f"This {label} is available"
    assert (response.status_code, text in words(response)) == (200, True)
    assert all(value in html for value in (EMAIL, NAME, "Ada Park"))
    assert 'value="on"' in html or "checked" in html
    assert "Enter password" not in html, "the rest is not judged before it is sent"
    match = re.search(rf'name="{name}_checked" value="([^"]*)"', html)
    assert match
    assert bool(match[1]) is not bool(count), "the form may be sent with it, or not"
    assert not signed_up(service)


@pytest.mark.req("VA-12", "VA-13", "VA-15", "VA-16")
@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("email", "ada@clinic", "Invalid email"),
        ("email", "", "Enter email"),
        ("organization_name", "", "Enter organization name"),
        ("organization_name", "Ada\x07", "Invalid organization name"),
    ],
)
def test_without_a_script_the_button_reports_invalid_values(client, service, name, value, text):
    response = client.post(PATH, {**FORM, "check": name, name: value})
    assert response.status_code == 200
    assert text in words(response)
    assert f'value="{value}"' in response.content.decode() or not value
    assert "Ada Park" in response.content.decode()
    assert service.calls("GET", ".*/exist") == []


@pytest.mark.req("VA-12", "VA-18", "VA-19", "VA-16")
@pytest.mark.parametrize(
    ("count", "email", "state"), [(0, EMAIL, "free"), (2, EMAIL, "taken"), (0, "ada@clinic", "invalid")]
)
def test_a_script_gets_only_the_result(client, service, count, email, state):
    service.answers("GET", EMAILS, {"resultCount": count})
    sent = {"check": "email", "email": email, "server_location": "KR"}
    response = client.post(PATH, sent, headers={"Accept": "application/json"})
    item = response.json()["item"]
    assert (response.status_code, item["state"]) == (200, state)
    assert bool(item["proof"]) is (state == "free")
    assert [call.url.split("/")[2] for call in service.calls("GET", EMAILS)] == ["kr.api.example"] * (
        state != "invalid"
    )


@pytest.mark.req("VA-14", "VA-19", "ER-17")
@pytest.mark.parametrize(("path", "label"), [(EMAILS, "email"), (NAMES, "organization name")])
def test_a_value_taken_since_the_check_is_reported_and_nothing_is_sent(client, service, path, label):
    service.answers("GET", path, {"resultCount": 1})
    response = client.post(PATH, FORM)
    assert response.status_code == 422
    assert "Failed to create your account." in words(response)
    assert f"This {label} is already in use" in words(response)
    assert not signed_up(service)


@pytest.mark.parametrize("fails", [{"status": 500}, {"status": 200, "body": {"resultCount": "?"}}, {"status": 429}])
def test_a_failed_check_is_reported_and_the_service_decides(client, service, fails):
    for path in (EMAILS, NAMES):
        service.answers("GET", path, fails.get("body", factories.refusal(10000)), status=fails["status"])
    response = client.post(PATH, {**FORM, "check": "email"})
    assert "We can't check this email right now." in words(response)
    match = re.search(r'name="email_checked" value="([^"]+)"', response.content.decode())
    assert match
    assert client.post(PATH, {**FORM, "email_checked": match[1]}).status_code == 303
    assert len(signed_up(service)) == 1


@pytest.mark.req("ER-17", "VA-19", "CA-10")
@pytest.mark.parametrize(
    ("status", "code", "field", "text"),
    [
        (409, 12001, "email", "This email is already in use"),
        (409, 12002, "organization.name", "This organization name is already in use"),
        (409, 12002, "", "This organization name is already in use"),
        (422, 11009, "password", "Invalid password"),
        (422, 12007, "agreements", "Agree to the terms and conditions to continue."),
        (400, 10002, "organization.serverLocation", "Invalid server location"),
        (500, 10000, "", ""),
        (404, 10004, "", ""),
        (401, 11001, "", ""),
    ],
)
def test_a_refusal_of_the_service_has_a_message_of_ours(client, service, status, code, field, text):
    details = {"fields": [{"field": field, "code": code}]} if field else {}
    service.answers("POST", SIGN_UP, factories.refusal(code, **details), status=status)
    response = client.post(PATH, FORM)
    assert response.status_code in (409, 422, 404, 502)
    assert "Failed to create your account." in words(response)
    assert text in words(response)
    assert "raw words" not in words(response)
    assert EMAIL in response.content.decode()


@pytest.mark.req("ER-17", "UC-02")
def test_a_lost_response_is_not_reported_as_a_failure_and_can_be_repeated(client, service):
    service.answers("POST", SIGN_UP, status=524)
    response = client.post(PATH, FORM)
    assert response.status_code == 504
    assert "Create account We couldn't confirm whether this worked. Check your inbox for our email" in words(response)
    assert "Failed to create your account." not in words(response)
    assert 'name="sent_before"' in response.content.decode()
    service.answers("GET", EMAILS, {"resultCount": 1})  # its own account, which must not block the repeat
    first = service.calls("POST", SIGN_UP)[0].headers["Idempotency-Key"]
    service.raw("POST", SIGN_UP, json={})
    assert client.post(PATH, {**FORM, "sent_before": "1"}).status_code == 303
    assert service.calls("POST", SIGN_UP)[-1].headers["Idempotency-Key"] == first


@pytest.mark.req("UC-02")
def test_a_double_submit_creates_one_account(client, service):
    first, second = client.post(PATH, FORM), client.post(PATH, FORM)
    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    assert len(signed_up(service)) == 1


def test_a_sign_up_sent_as_json_gets_the_same_result(client, service):
    response = client.post(PATH, FORM, headers={"Accept": "application/json"})
    assert response.json()["message"] == "Account created."
    assert response.json()["goto"].startswith("/login?reason=created&for=")


@pytest.mark.req("VA-28")
def test_the_operators_locations_that_the_service_offers_are_offered(client, service):
    service.answers("GET", "/v1/commons/serverLocations", {"results": [{"code": "KR"}, {"code": "MARS"}]})
    html = client.get(PATH).content.decode()
    assert '<option value="KR" selected>Korea</option>' in html, "the only one is chosen"
    assert "Europe" not in html
    assert "MARS" not in html


@pytest.mark.parametrize("answer", [{"results": "none"}, {"results": [{"code": "MARS"}]}, {}, None])
def test_without_a_usable_list_of_the_service_the_operators_locations_are_offered(client, service, answer):
    if answer is None:
        service.raw("GET", "/v1/commons/serverLocations", status=501)
    else:
        service.answers("GET", "/v1/commons/serverLocations", answer)
    html = client.get(PATH).content.decode()
    assert "Europe" in html
    assert "Korea" in html


def test_without_locations_of_the_operator_those_of_the_service_are_offered(client, service, settings):
    settings.SERVER_LOCATIONS = []
    assert '<option value="EU">European Union</option>' in client.get(PATH).content.decode()


def test_a_location_without_a_name_from_the_operator_has_the_name_of_its_country(client, service, settings):
    settings.SERVER_LOCATIONS = [{**row, "label": ""} for row in settings.SERVER_LOCATIONS]
    html = client.get(PATH + "?lng=de-DE").content.decode()
    assert '<option value="KR">Südkorea</option>' in html


def test_without_any_location_the_page_says_why_the_form_can_not_be_sent(client, service, settings):
    settings.SERVER_LOCATIONS = []
    service.raw("GET", "/v1/commons/serverLocations", status=500)
    assert "The server locations can't be loaded right now." in words(client.get(PATH))


def test_the_country_suggests_a_location_without_a_script_too(client, service):
    response = client.post(PATH, {**FORM, "server_location": ""})
    assert "Choose a server location" in words(response)
    assert '<option value="EU" selected>Europe</option>' in response.content.decode()
    assert not signed_up(service), "what can't be changed later is not chosen for anybody"


def test_the_page_promises_a_location_only_for_many_countries(client, service):
    assert "For many countries, we suggest a location." in words(client.get(PATH))


def test_the_list_of_locations_is_cached(client, service):
    for _ in range(3):
        client.get(PATH)
    assert len(service.calls("GET", "/v1/commons/serverLocations")) == 1


@pytest.mark.req("RT-29")
def test_the_accepted_version_of_the_terms_is_the_one_that_was_shown(client, service, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "terms.en-US.txt").write_text("Version: 2026-02\n\nBe kind.")
    response = client.post(PATH, {**FORM, "terms_version": "2026-01"})
    assert "The terms and conditions changed after you opened this page. Review them again." in words(response)
    assert 'name="terms_version" value="2026-02"' in response.content.decode()
    client.post(PATH, {**FORM, "terms_version": "2026-02"})
    assert signed_up(service)[0]["agreements"]["termsVersion"] == "2026-02"


@pytest.mark.req("AX-06")
def test_the_email_typed_to_log_in_is_filled_in(client, service):
    response = client.post(PATH, {"carried": "1", "email": EMAIL, "password": "Secret123!"})
    assert response.status_code == 303
    assert not signed_up(service)
    assert f'value="{EMAIL}"' in client.get(response.headers["Location"]).content.decode()


@pytest.mark.req("SEC-80")
def test_checking_many_emails_is_throttled(client, service):
    for number in range(50):
        item = check(client, f"{number}@clinic.example")
        assert item["state"] == "free"
    service.answers("GET", EMAILS, {"resultCount": 1})
    assert check(client, "ada@clinic.example")["state"] == "unknown"
    assert check(client, "ada@clinic.example", REMOTE_ADDR="203.0.113.9")["state"] == "taken"
    Attempt.objects.update(blocked_until=timezone.now() - timedelta(seconds=1))
    assert check(client, "ada@clinic.example")["state"] == "taken"
    assert check(client, "ada@clinic.example")["state"] == "unknown", "the pauses become longer"


def check(client, email, **more):
    sent = {"check": "email", "email": email}
    return client.post(PATH, sent, headers={"Accept": "application/json"}, **more).json()["item"]


@pytest.mark.req("SEC-80")
def test_signing_up_many_times_is_throttled_and_loses_no_value(client, service):
    service.answers("GET", EMAILS, {"resultCount": 1})
    for number in range(50):
        form_id = f"1f8f8c1e-6f60-4b52-8d2a-0f1f0d2a6c{number:02}"
        assert client.post(PATH, {**FORM, "form_id": form_id}).status_code == 422
    response = client.post(PATH, FORM)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert "Too many requests. Try again in 60 seconds." in words(response)
    assert "already in use" not in words(response)
    assert EMAIL in response.content.decode()
    assert not signed_up(service)


@pytest.mark.req("SEC-80")
def test_neither_password_nor_email_of_a_sign_up_is_stored(client, service):
    client.post(PATH, FORM)
    stored = " ".join(f"{row.key} {row.form} {row.answer}" for row in Submission.objects.all())
    assert stored
    assert "Demo123" not in stored
    assert "clinic.example" not in stored


@pytest.mark.parametrize("odd", ["x" * 5000, "<b>", "🙂", "%00", "\x00", "' or 1=1 --", "[]"])
@pytest.mark.parametrize("field", sorted(FORM))
def test_an_odd_value_causes_no_error(client, service, field, odd):
    assert client.post(PATH, {**FORM, field: odd}).status_code in (303, 422)
