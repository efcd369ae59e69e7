"""Recovering an account: requesting an email, and setting a password by its link."""

import gc
import json
import re
import time
import weakref
from datetime import timedelta
from html import unescape

import pytest
from django.test import override_settings
from django.utils import timezone

from accounts import links
from accounts.tests.conftest import FORGOT, RESET
from console.config.logging import JsonFormatter
from console.models import Attempt
from tests.support import factories
from tests.support.reading import words

pytestmark = pytest.mark.sql

ASK, LINK = "/confirm-password", "/reset-password/7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"
LOOKUP = "/v1/accounts/search"
EMAIL = "ada@clinic.example"
NEW = {"new_password": "Demo456!", "confirm_password": "Demo456!"}


def known(service):
    service.answers("POST", LOOKUP, factories.REGION)


def unknown(service):
    service.answers("POST", LOOKUP, factories.refusal(10004), status=404)


def unknown_emptily(service):
    service.answers("POST", LOOKUP, {})


def without_address(service):
    service.answers("POST", LOOKUP, {"serviceDomainId": 1, "domainUrls": {"1": "https://eu.example"}})


def list_requests(service):
    """Return the method and path of each call, in order."""
    return [(c.method, c.url.split("?")[0].split("example")[-1]) for c in service.calls() if "maintenance" not in c.url]


@pytest.mark.req("RT-03")
def test_the_page_asks_for_the_email(visit, service):
    page = visit(ASK)
    assert page.fields["email"]["autocomplete"] == "username"
    assert "autofocus" in page.fields["email"]
    assert page.response.headers["Cache-Control"] == "no-store"


@pytest.mark.req("CA-22", "CA-23", "RT-03")
def test_the_mail_is_requested_in_the_region_of_the_account(client, service):
    known(service)
    response = client.post(ASK, {"email": EMAIL})
    assert response.status_code == 303
    (call,) = service.calls("GET", FORGOT)
    assert call.url.startswith(factories.REGION_API)
    assert call.params == {"email": EMAIL}
    assert call.headers["service-id"] == "7"
    assert "Authorization" not in call.headers


@pytest.mark.req("SEC-81", "ER-13")
def test_a_known_and_an_unknown_email_make_the_same_calls_and_get_the_same_page(client, service):
    pages, calls = [], []
    for answer in (known, unknown, unknown_emptily, without_address):
        answer(service)
        before = len(service.calls())
        response = client.post(ASK, {"email": EMAIL})
        assert response.status_code == 303
        page = client.get(response.headers["Location"])
        calls.append(list_requests(service)[before:])
        html = re.sub(
            r'name="csrfmiddlewaretoken" value="\w+"|\?[^"]*for=[^"]*|[0-9a-f-]{36}', "", page.content.decode()
        )
        pages.append((page.status_code, html))
        Attempt.objects.all().delete()
    assert calls[0] == [("POST", LOOKUP), ("GET", FORGOT)]
    assert [page == calls[0] for page in calls] == [True] * 4
    assert [page == pages[0] for page in pages] == [True] * 4


@pytest.mark.req("SEC-81")
@pytest.mark.parametrize("answer", [known, unknown])
def test_the_response_takes_the_same_time_for_known_and_unknown_emails(client, service, answer, monkeypatch):
    monkeypatch.setattr("accounts.views.recovery.ANSWER_TAKES", 0.2)
    answer(service)
    began = time.monotonic()
    client.post(ASK, {"email": EMAIL})
    assert time.monotonic() - began >= 0.2


@pytest.mark.req("SEC-81")
def test_a_service_that_does_not_know_the_email_is_not_quoted(client, service):
    known(service)
    service.answers("GET", FORGOT, factories.refusal(10004), status=404)
    assert client.post(ASK, {"email": EMAIL}).status_code == 303


@pytest.mark.req("RT-03", "AX-06")
def test_the_next_page_shows_the_typed_email_which_is_not_in_the_url(client, service):
    known(service)
    response = client.post(ASK, {"email": EMAIL})
    assert "clinic.example" not in response.headers["Location"]
    page = client.get(response.headers["Location"])
    text = words(page).replace("\u2068", "").replace("\u2069", "")
    assert f"If there's an account for {EMAIL}, we'll send a link to that address." in text
    assert f'value="{EMAIL}"' in page.content.decode()


@pytest.mark.req("SEC-81")
def test_a_second_mail_can_be_requested_only_after_a_minute(client, service):
    known(service)
    assert client.post(ASK, {"email": EMAIL}).status_code == 303
    response = client.post(ASK, {"email": EMAIL.upper()})
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert "Try again in 60 seconds." in words(response)
    assert len(service.calls("GET", FORGOT)) == 1
    Attempt.objects.update(blocked_until=timezone.now() - timedelta(seconds=1))
    assert client.post(ASK, {"email": EMAIL}).status_code == 303
    assert client.post(ASK, {"email": EMAIL}).headers["Retry-After"] == "60", "the wait does not grow"


@pytest.mark.req("SEC-81")
def test_mails_to_one_address_are_limited_across_networks(client, service):
    known(service)
    for number, wait in enumerate(("60", "60", "60", "60", "60", "600")):
        Attempt.objects.update(blocked_until=None)
        assert client.post(ASK, {"email": EMAIL}, REMOTE_ADDR=f"203.0.113.{number}").status_code == 303
        response = client.post(ASK, {"email": EMAIL}, REMOTE_ADDR="203.0.113.99")
        assert (response.status_code, response.headers["Retry-After"]) == (429, wait)


@pytest.mark.req("ER-18")
@pytest.mark.parametrize(
    ("path", "status"), [(LOOKUP, 500), (LOOKUP, 503), (FORGOT, 500), (FORGOT, 503), (FORGOT, 501)]
)
def test_a_mail_that_could_not_be_sent_is_reported(client, service, path, status):
    known(service)
    service.answers("POST" if path == LOOKUP else "GET", path, factories.refusal(10000), status=status)
    response = client.post(ASK, {"email": EMAIL})
    assert response.status_code in (502, 503)
    assert "Failed to send you a password reset email." in words(response)
    assert f'value="{EMAIL}"' in response.content.decode()
    assert "raw words" not in words(response)


@pytest.mark.req("ER-18", "CA-23")
def test_a_path_that_the_service_does_not_have_is_not_a_success(client, service):
    known(service)
    service.raw("GET", FORGOT, status=404, body="no such page")
    assert "Failed to send you a password reset email." in words(client.post(ASK, {"email": EMAIL}))


@pytest.mark.req("ER-18")
def test_no_request_is_sent_to_a_region_at_a_foreign_host(client, service):
    service.answers("POST", LOOKUP, {"domainUrls": {"2": "https://evil.test"}})
    assert "Failed to send you a password reset email." in words(client.post(ASK, {"email": EMAIL}))
    assert not service.calls("GET", FORGOT)


@pytest.mark.req("ER-18")
def test_a_lost_response_is_not_reported_as_a_failure(client, service):
    known(service)
    service.answers("GET", FORGOT, status=524)
    text = words(client.post(ASK, {"email": EMAIL}))
    assert "Send email We couldn't confirm whether this worked. Check your inbox" in text
    assert "Failed" not in text


@pytest.mark.req("CA-22")
@override_settings(CONSOLE_VARIANT="china")
def test_the_china_variant_calls_without_a_region(client, service):
    assert client.post(ASK, {"email": EMAIL}).status_code == 303
    assert not service.calls("POST", LOOKUP)
    assert service.calls("GET", FORGOT)[0].url.startswith("https://api.example/")


@pytest.mark.req("VA-34", "VA-15")
@pytest.mark.parametrize(("email", "text"), [("", "Enter email"), ("ada@clinic", "Invalid email")])
def test_an_invalid_email_is_reported_without_a_call(client, service, email, text):
    response = client.post(ASK, {"email": email})
    assert (response.status_code, text in words(response)) == (422, True)
    assert not service.calls("POST", LOOKUP)


@pytest.mark.req("AX-06")
def test_the_email_typed_to_log_in_is_filled_in_and_nothing_is_sent(client, service):
    response = client.post(ASK, {"carried": "1", "email": EMAIL, "password": "Secret123!"})
    assert response.status_code == 303
    assert not service.calls("GET", FORGOT)
    html = client.get(response.headers["Location"]).content.decode()
    assert f'value="{EMAIL}"' in html
    (back,) = re.findall(r'href="(/login[^"]*)"', html)
    assert f'value="{EMAIL}"' in client.get(unescape(back)).content.decode(), "and back"


@pytest.mark.req("SEC-81")
@pytest.mark.parametrize("token", ["", "x", "gAAAAA", "\u00e9"])
def test_a_forged_url_fills_in_nothing(client, service, token):
    response = client.get(ASK, {"sent": "1", "for": token})
    assert response.status_code == 200
    assert "Check your inbox" not in words(response)


@pytest.mark.req("SEC-81")
def test_an_email_in_a_url_expires_after_fifteen_minutes(client, service, monkeypatch):
    url = links.with_email(ASK, EMAIL, sent="1")
    assert EMAIL in client.get(url).content.decode()
    later = time.time() + links.EMAIL_TTL_S + 1
    monkeypatch.setattr("accounts.links.time.time", lambda: later)
    assert EMAIL not in client.get(url).content.decode()


@pytest.mark.req("RT-05", "VA-09", "AX-05", "SEC-82")
def test_the_page_of_a_link_shows_two_password_fields_and_makes_no_call(visit, service):
    page = visit(LINK + "?r=EU")
    controls = page.fields
    assert controls["new_password"]["autocomplete"] == controls["confirm_password"]["autocomplete"] == "new-password"
    assert "Enter at least 8 characters" in words(page.response)
    assert page.response.headers["Cache-Control"] == "no-store"
    assert page.response.headers["Referrer-Policy"] == "same-origin"
    assert list_requests(service) == []


@pytest.mark.req("CA-24", "CA-25", "RT-05")
def test_a_password_is_set_in_the_region_of_the_link_and_the_login_follows(client, service):
    page = client.get(LINK + "?r=KR")
    assert 'name="r" value="KR"' in page.content.decode()
    response = client.post(LINK, {**NEW, "r": "KR"})
    assert (response.status_code, response.headers["Location"]) == (303, "/login?reason=reset")
    (call,) = service.calls("PUT", RESET)
    assert call.url.startswith("https://kr.api.example/")
    assert json.loads(call.body) == {"uuid": LINK.split("/")[-1], "newPassword": "Demo456!"}
    assert "Authorization" not in call.headers
    assert "Password changed." in words(client.get("/login?reason=reset"))


@pytest.mark.req("SEC-82")
@pytest.mark.parametrize("location", ["", "MARS", "https://evil.test", "//evil.test", "kr.api.example", "EU\x00", "🙂"])
def test_the_location_of_a_link_is_a_code_and_never_a_url(client, service, location):
    client.post(LINK, {**NEW, "r": location})
    (call,) = service.calls("PUT", RESET)
    assert call.url.startswith("https://api.example/")


@pytest.mark.req("SEC-82")
def test_without_any_url_nothing_is_sent_and_the_page_says_so(client, service, settings):
    settings.SERVER_LOCATIONS = []
    settings.UPSTREAM = type(settings.UPSTREAM)(handler_url="https://handler.example", api_url="")
    response = client.post(LINK, NEW)
    assert (response.status_code, "Failed to update your password." in words(response)) == (503, True)


@pytest.mark.req("VA-01", "VA-02", "VA-03", "VA-04", "VA-05", "VA-06", "VA-07", "VA-11")
@pytest.mark.parametrize(
    ("password", "repeated", "text"),
    [
        ("Dem123!", "Dem123!", "Enter at least 8 characters"),
        ("Demo1234567890123!", "Demo1234567890123!", "Enter up to 16 characters"),
        ("Password!", "Password!", "Use at least one number"),
        ("Password1", "Password1", "Use at least one special character, such as ! or #"),
        ("ab123456!", "ab123456!", "Use at least three letters (A–Z)"),
        ("Démo123!", "Démo123!", "Use only letters (A–Z), numbers, and special characters. No spaces."),
        ("Demo456!", "Demo456?", "New Password and Confirm Password do not match"),
        ("", "", "Enter new password"),
    ],
)
def test_a_password_that_breaks_a_rule_is_reported_and_not_sent(client, service, password, repeated, text):
    response = client.post(LINK, {"new_password": password, "confirm_password": repeated, "r": "KR"})
    assert (response.status_code, text in words(response)) == (422, True)
    assert 'name="r" value="KR"' in response.content.decode()
    assert not password or password not in response.content.decode()
    assert not service.calls("PUT", RESET)


@pytest.mark.req("VA-10", "ER-19", "ER-15")
@pytest.mark.parametrize("details", [{}, {"fields": [{"field": "newPassword", "code": 11006}]}])
def test_the_current_password_is_no_new_one(client, service, details):
    service.answers("PUT", RESET, factories.refusal(11006, **details), status=422)
    response = client.post(LINK, NEW)
    assert response.status_code == 422
    assert "Failed to update your password." in words(response)
    assert "Your new password cannot be the same as your current one." in words(response)


@pytest.mark.req("ER-19", "VA-16")
def test_a_password_that_the_service_refuses_is_reported_with_the_rules(client, service):
    service.answers("PUT", RESET, factories.refusal(11009), status=422)
    response = client.post(LINK, NEW)
    assert "Invalid new password" in words(response)
    assert "Enter at least 8 characters" in words(response)


@pytest.mark.req("RT-05", "ER-19")
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("USED", "This link was already used."),
        ("EXPIRED", "This link has expired."),
        ("UNKNOWN", "This link doesn't work."),
        ("SOMETHING", "This link doesn't work."),
        ("", "This link doesn't work."),
    ],
)
def test_a_link_that_no_longer_works_says_what_to_do_next(client, service, reason, text):
    details = {"reasons": [{"reason": reason}]} if reason else {}
    service.answers("PUT", RESET, factories.refusal(11007, **details), status=404)
    response = client.post(LINK, NEW)
    assert response.status_code == 404
    assert text in words(response)
    assert f'href="{ASK}"' in response.content.decode()
    assert 'name="new_password"' not in response.content.decode()


@pytest.mark.req("ER-19")
def test_a_failure_is_reported_and_a_lost_response_is_not_a_failure(client, service):
    service.answers("PUT", RESET, factories.refusal(10000), status=500)
    assert "Failed to update your password." in words(client.post(LINK, NEW))
    service.answers("PUT", RESET, status=524)
    text = words(client.post(LINK, NEW))
    assert "Set password We couldn't confirm whether this worked." in text
    assert "Failed to update your password." not in text


@pytest.mark.req("ER-19")
def test_a_link_used_after_a_lost_response_may_have_been_used_by_the_same_form(client, service):
    form = {**NEW, "form_id": "1f8f8c1e-6f60-4b52-8d2a-0f1f0d2a6c11"}
    service.answers("PUT", RESET, status=524)
    client.post(LINK, form)
    service.raw("PUT", RESET, status=404, json=factories.refusal(11007, reasons=[{"reason": "USED"}]))
    text = words(client.post(LINK, {**form, "sent_before": "1"}))
    assert "Set password We couldn't confirm whether this worked. Try logging in with the new password" in text


@pytest.mark.req("CA-24")
def test_a_double_submit_uses_a_link_once(client, service):
    form = {**NEW, "form_id": "1f8f8c1e-6f60-4b52-8d2a-0f1f0d2a6c11"}
    assert [client.post(LINK, form).status_code for _ in range(2)] == [303, 303]
    assert len(service.calls("PUT", RESET)) == 1


@pytest.mark.req("CA-24", "SEC-82")
def test_no_request_of_a_form_that_was_sent_twice_stays_in_memory(client, service):
    form = {**NEW, "form_id": "1f8f8c1e-6f60-4b52-8d2a-0f1f0d2a6c12"}
    requests = [weakref.ref(client.post(LINK, form).wsgi_request) for _ in range(2)]
    assert len(service.calls("PUT", RESET)) == 1
    gc.collect()
    assert [request() for request in requests] == [None, None]


@pytest.mark.req("SEC-82")
def test_guessing_links_is_throttled(client, service):
    service.answers("PUT", RESET, factories.refusal(11007), status=404)
    for _ in range(50):
        assert client.post(LINK, NEW).status_code == 404
    response = client.post(LINK, NEW)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert len(service.calls("PUT", RESET)) == 50


@pytest.mark.req("SEC-82")
def test_neither_link_nor_password_is_in_a_log(client, service, caplog):
    service.answers("PUT", RESET, factories.refusal(10000), status=500)
    client.get(LINK + "?r=EU")
    client.post(LINK, NEW)
    client.post(ASK, {"email": EMAIL})
    logged = "\n".join(map(JsonFormatter().format, caplog.records))
    assert "accounts:password-reset" in logged
    assert not [secret for secret in (LINK.split("/")[-1], "Demo456!", EMAIL) if secret in logged]


def test_a_logged_in_administrator_can_set_a_password(admin_client, service):
    response = admin_client.post(LINK, NEW)
    assert response.status_code == 303
    assert "Password changed." in words(admin_client.get("/user-manage/clinic", follow=True))


@pytest.mark.req("SEC-37")
def test_a_form_with_a_stale_token_is_shown_again_with_its_values(service):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    for path, sent in (
        (ASK, {"email": EMAIL}),
        ("/create-account", {"email": EMAIL, "password": "Demo123!"}),
        (LINK, NEW),
    ):
        response = strict.post(path, sent, headers={"Origin": "http://testserver"})
        assert (response.status_code, "form again." in words(response) or "Submit it again." in words(response)) == (
            403,
            True,
        )
        assert path == LINK or EMAIL in response.content.decode()
        assert not [secret for secret in ("Demo123!", "Demo456!") if secret in response.content.decode()]
    assert not service.calls("PUT", RESET)
