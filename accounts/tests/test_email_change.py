"""Changing the email: requesting, sending again, withdrawing, and activating by the mailed link."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.tests.conftest import EU
from console.models import Attempt
from console.sessions.models import Grant
from tests.support import factories
from tests.support.reading import words

pytestmark = pytest.mark.sql

ADMIN = "/v1/bizOrganizationAdmins/a-1"
CHANGE, RESEND = f"{ADMIN}/changeEmail", f"{ADMIN}/changeEmail/resend"
TOKEN, EXPIRE = "/v2/oauth/requestToken", "/v2/oauth/expireToken"
UUID = "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"
ACTIVATE = f"/v1/bizOrganizationAdmins/changeEmail/activate/{UUID}"
EMAIL, LINK = "/my-account/email", f"/change-email/{UUID}"
NEW = {"email": "ada@clinic.example", "current_password": "Demo123!"}


@pytest.fixture
def account(admin_client, service):
    service.answers("GET", ADMIN, factories.ADMIN)
    service.answers("PUT", CHANGE, {"sentDate": "2026-01-05T08:30:00Z", "expiresDate": "2026-01-06T08:30:00Z"})
    service.answers("PUT", RESEND)
    service.answers("DELETE", CHANGE)
    service.answers("PUT", ACTIVATE)
    return service


def waits(service, *, hours=24):
    """Let an email wait for activation; its link expires after this number of hours."""
    now = timezone.now()
    pending = {
        "email": "ada@clinic.example",
        "sentDate": now.isoformat(),
        "expiresDate": (now + timedelta(hours=hours)).isoformat(),
    }
    service.answers("GET", ADMIN, {**factories.ADMIN, "pendingEmail": pending})


def second_token(service, status=200, body=None):
    """Set the answer to a check of the current password."""
    service.answers("POST", TOKEN, body or factories.token(9), status=status)


@pytest.mark.req("CA-19", "ST-45")
def test_the_new_email_is_sent_after_the_password_was_checked_by_a_pair_of_tokens_that_ends_at_once(
    admin_client, account
):
    second_token(account)
    calls_before = len(account.calls("POST", TOKEN))
    response = admin_client.post(EMAIL, NEW)
    assert (response.status_code, response.headers["Location"]) == (303, "/my-account")
    assert [json.loads(call.body) for call in account.calls("PUT", CHANGE)] == [{"email": "ada@clinic.example"}]
    (tried,) = account.calls("POST", TOKEN)[calls_before:]
    assert json.loads(tried.body) == {
        "email": "admin@demo.example",
        "password": "Demo123!",
        "grantType": "password",
    }
    (ended,) = account.calls("POST", EXPIRE)
    assert json.loads(ended.body) == {"refreshToken": "refresh-9"}
    assert ended.headers["Authorization"] == "Bearer access-9"
    assert account.calls("PUT", CHANGE)[0].headers["Authorization"] == "Bearer access-1"
    assert admin_client.get(EMAIL).status_code == 200


@pytest.mark.req("ER-14", "SEC-90")
def test_a_wrong_password_is_reported_at_its_field_and_no_mail_is_sent(admin_client, account):
    second_token(account, 401, factories.refusal(11001))
    response = admin_client.post(EMAIL, NEW)
    assert response.status_code == 422
    assert 'id="id_current_password_error"' in response.content.decode()
    assert "The password does not match." in words(response)
    assert 'value="ada@clinic.example"' in response.content.decode()
    assert "Demo123!" not in response.content.decode()
    assert account.calls("PUT", CHANGE) == []
    assert admin_client.get(EMAIL).status_code == 200  # still logged in


@pytest.mark.req("SEC-90")
def test_wrong_passwords_are_slowed_down_as_at_the_login(admin_client, account):
    second_token(account, 401, factories.refusal(11001))
    statuses = [admin_client.post(EMAIL, {**NEW, "email": f"a{n}@clinic.example"}).status_code for n in range(6)]
    assert statuses == [422] * 5 + [429]
    second_token(account)
    assert admin_client.post(EMAIL, NEW).status_code == 429


@pytest.mark.req("CA-19")
def test_an_operator_can_turn_off_the_password(admin_client, account, settings):
    settings.EMAIL_CHANGE_ASKS_PASSWORD = False
    calls_before = len(account.calls("POST", TOKEN))
    assert "current_password" not in admin_client.get(EMAIL).content.decode()
    assert admin_client.post(EMAIL, {"email": NEW["email"]}).status_code == 303
    assert len(account.calls("POST", TOKEN)) == calls_before
    assert len(account.calls("PUT", CHANGE)) == 1


@pytest.mark.req("VA-20", "ER-16")
def test_the_current_email_is_rejected_as_unchanged(admin_client, account):
    response = admin_client.post(EMAIL, {**NEW, "email": "ADMIN@demo.example"})
    assert "is the same as your current one" in words(response)
    assert account.calls("PUT", CHANGE) == []


@pytest.mark.req("ER-16", "VA-19", "VA-20")
@pytest.mark.parametrize(
    ("code", "status", "text"), [(12001, 409, "is already in use"), (12003, 422, "is the same as your current one")]
)
def test_the_services_refusal_of_an_email_is_shown_at_its_field(admin_client, account, code, status, text):
    second_token(account)
    account.answers("PUT", CHANGE, factories.refusal(code), status=status)
    response = admin_client.post(EMAIL, NEW)
    assert 'id="id_email_error"' in response.content.decode()
    assert text in words(response)
    assert "Failed to change the email address." in words(response)


@pytest.mark.req("ST-45")
def test_a_lost_answer_is_settled_by_what_waits(admin_client, account):
    second_token(account)
    account.answers("PUT", CHANGE, status=504)
    assert "Change email address We couldn't confirm whether this worked. Check the inbox of the new address" in words(
        admin_client.post(EMAIL, NEW)
    )
    waits(account)
    assert admin_client.post(EMAIL, NEW).status_code == 303


@pytest.mark.req("ST-47")
def test_the_address_that_waits_is_shown_with_its_end_and_what_can_be_done(visit, account, admin_client):
    waits(account)
    page = visit(EMAIL).response
    assert "is waiting to be verified." in words(page)
    assert "The link is valid until" in words(page)
    assert "Until you verify it, log in with" in words(page)
    assert "/my-account/email/resend" in page.content.decode()
    assert "/my-account/email/cancel" in page.content.decode()
    waits(account, hours=-1)
    assert "The link expired on" in words(visit(EMAIL).response)


@pytest.mark.req("ST-47")
def test_the_mail_is_sent_again_once_a_minute(admin_client, account):
    waits(account)
    assert admin_client.post(f"{EMAIL}/resend").status_code == 303
    assert admin_client.post(f"{EMAIL}/resend").status_code == 429
    assert len(account.calls("PUT", RESEND)) == 1
    Attempt.objects.update(blocked_until=None)
    assert admin_client.post(f"{EMAIL}/resend").status_code == 303


@pytest.mark.req("ST-47")
def test_a_pending_change_is_withdrawn_after_a_question(admin_client, account, visit):
    waits(account)
    assert "Keep your current email address?" in words(visit(f"{EMAIL}/cancel").response)
    assert account.calls("DELETE", CHANGE) == []
    assert admin_client.post(f"{EMAIL}/cancel").status_code == 303
    assert len(account.calls("DELETE", CHANGE)) == 1


@pytest.mark.req("ST-47")
@pytest.mark.parametrize("status", [404, 501])
def test_a_service_without_these_calls_is_called_only_once(admin_client, account, status):
    waits(account)
    account.answers("PUT", RESEND, status=status)
    account.answers("DELETE", CHANGE, status=status)
    for action in ("resend", "cancel"):
        assert "This isn't available here." in words(admin_client.post(f"{EMAIL}/{action}"))
    page = admin_client.get(EMAIL).content.decode()
    assert "/my-account/email/resend" not in page
    assert "/my-account/email/cancel" not in page


@pytest.mark.req("RT-04", "RT-40", "SEC-92")
@pytest.mark.parametrize("is_logged_in", [True, False])
def test_opening_the_link_activates_nothing(visit, account, client, is_logged_in):
    if not is_logged_in:
        client.cookies.clear()
    for _ in range(2):
        page = visit(f"{LINK}?r=EU").response
        assert page.headers["Cache-Control"] == "no-store"
    assert account.calls("PUT", ACTIVATE) == []


@pytest.mark.req("RT-40")
def test_a_post_without_the_button_activates_nothing(client, account):
    client.cookies.clear()
    assert client.post(LINK, {"r": "EU"}).status_code == 422
    assert account.calls("PUT", ACTIVATE) == []


@pytest.mark.req("CA-20", "ST-46", "CO-09")
def test_the_button_activates_at_the_location_of_the_link_without_a_token(client, account):
    client.cookies.clear()
    response = client.post(LINK, {"r": "EU", "activate": "1"})
    assert (response.status_code, response.headers["Location"]) == (303, "/login?reason=email")
    (call,) = account.calls("PUT", ACTIVATE)
    assert call.url.startswith(EU)
    assert json.loads(call.body) == {}
    assert "Authorization" not in call.headers
    assert call.headers["service-id"] == "1"


@pytest.mark.req("ST-47", "AX-06")
def test_activation_logs_this_browser_out_and_the_login_page_says_why_with_the_new_email(admin_client, account):
    waits(account)
    response = admin_client.post(LINK, {"r": "EU", "activate": "1"})
    page = admin_client.get(response.headers["Location"])
    assert "Email address changed." in words(page)
    assert 'value="ada@clinic.example"' in page.content.decode()
    assert not Grant.objects.exists()
    assert admin_client.get("/my-account").status_code == 302


@pytest.mark.req("RT-04", "ST-47")
@pytest.mark.parametrize("is_logged_in", [True, False])
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("USED", "This link was already used"),
        ("EXPIRED", "This link has expired."),
        ("UNKNOWN", "This link doesn't work."),
        ("ANOTHER", "This link doesn't work."),
    ],
)
def test_a_link_that_does_not_work_says_why_and_what_to_do_next(admin_client, account, is_logged_in, reason, text):
    if not is_logged_in:
        admin_client.cookies.clear()
    account.answers("PUT", ACTIVATE, factories.refusal(11007, reasons=[{"reason": reason}]), status=404)
    response = admin_client.post(LINK, {"r": "EU", "activate": "1"})
    assert response.status_code == 404
    assert text in words(response)
    href = "/my-account/email" if is_logged_in else "/login?next=/my-account/email"
    assert f'href="{href}"' in response.content.decode()
    assert (admin_client.get("/my-account").status_code == 200) is is_logged_in


def test_an_email_taken_since_the_form_was_sent_is_reported(admin_client, account):
    account.answers("PUT", ACTIVATE, factories.refusal(12001), status=409)
    response = admin_client.post(LINK, {"r": "EU", "activate": "1"})
    assert "Another account now uses this email address." in words(response)


@pytest.mark.req("SEC-92")
@pytest.mark.parametrize("location", ["https://evil.example", "//evil.example", "evil.example", "XX", ""])
def test_the_location_of_a_link_is_a_code_never_a_host(client, account, location):
    client.cookies.clear()
    client.post(LINK, {"r": location, "activate": "1"})
    assert all("evil" not in call.url for call in account.calls())
    assert len(account.calls("PUT", ACTIVATE)) == 1


@pytest.mark.req("CA-19")
def test_the_new_email_is_checked_when_the_field_is_left(admin_client, account, visit):
    assert visit(EMAIL).one("[name=email]").attributes["data-error"] == "Invalid new email address"
