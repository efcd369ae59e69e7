"""Logging in again over an open page: the requests of its dialog, and the responses."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from console.models import Attempt
from console.sessions.identity import sign_sender
from console.sessions.models import Grant
from tests.support import factories

pytestmark = pytest.mark.sql

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
JSON = {"Accept": "application/json"}
MESSAGE = "Login failed. Check your ID and password again."


@pytest.fixture(autouse=True)
def quick_refusals(monkeypatch):
    """Skip the deliberate delay of refusals, which is not tested here."""
    monkeypatch.setattr("accounts.views.login.MIN_REFUSAL_S", 0.0)


def refuse_password(upstream):
    upstream.may_log_in()
    upstream.answers("POST", "/v2/oauth/requestToken", factories.refusal(11001), status=401)


@pytest.mark.req("ER-11", "AX-09")
def test_an_open_session_is_reported_without_a_call_to_the_service(admin_client, upstream):
    before = len(upstream.calls())
    response = admin_client.get("/session", headers=JSON)
    assert (response.status_code, response.json()["ok"]) == (200, True)
    assert response.json()["item"]["sender"] == sign_sender(Grant.objects.get().admin_id_hash)
    assert response.headers["Cache-Control"] == "no-store"
    assert len(upstream.calls()) == before


@pytest.mark.req("ER-11", "AX-09")
@pytest.mark.parametrize("end", ["deleted", "idle"])
def test_an_ended_session_is_reported_without_an_owner(admin_client, end):
    if end == "idle":
        Grant.objects.update(last_seen_at=timezone.now() - timedelta(hours=13))
    else:
        Grant.objects.all().delete()
    response = admin_client.get("/session", headers=JSON)
    assert (response.status_code, response.json()["ok"], response.json()["goto"]) == (401, False, "")
    assert response.json()["item"]["sender"] == ""


@pytest.mark.req("ER-11", "PM-21")
def test_the_dialogs_login_brings_a_token_that_a_form_may_send(db, upstream):
    upstream.may_log_in()
    upstream.has_clinic()
    browser = Client(enforce_csrf_checks=True)
    token = browser.get("/session", headers=JSON).json()["item"]["csrf_token"]
    response = browser.post("/login", {**FORM, "csrfmiddlewaretoken": token}, headers=JSON)
    assert (response.status_code, response.json()["ok"], response.json()["goto"]) == (200, True, "")
    item = response.json()["item"]
    assert item["sender"] == sign_sender(Grant.objects.get().admin_id_hash)
    sent = browser.post("/user-manage/clinic/new", {"csrfmiddlewaretoken": item["csrf_token"]}, headers=JSON)
    assert sent.status_code == 422, "the token was taken, and the form was looked at"


@pytest.mark.req("ER-11", "ER-12")
def test_a_wrong_password_has_the_same_message_as_on_the_page(client, db, upstream):
    refuse_password(upstream)
    response = client.post("/login", FORM, headers=JSON)
    assert (response.status_code, response.json()["ok"], response.json()["message"]) == (422, False, MESSAGE)
    assert not Grant.objects.exists()


@pytest.mark.req("ER-11", "VA-16")
def test_missing_values_are_reported_with_their_fields(client, db, upstream):
    answer = client.post("/login", {"email": FORM["email"]}, headers=JSON).json()
    assert (answer["message"], answer["errors"]) == ("Enter password", {"password": ["Enter password"]})


@pytest.mark.req("ER-11", "CO-19")
def test_the_dialog_and_the_page_share_one_throttle(client, db, upstream):
    refuse_password(upstream)
    for _ in range(5):
        client.post("/login", FORM)
    response = client.post("/login", FORM, headers=JSON)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert response.json()["message"] == f"{MESSAGE} Too many attempts. Try again in 1 minute."
    upstream.may_log_in()
    assert client.post("/login", FORM, headers=JSON).status_code == 429
    Attempt.objects.update(blocked_until=timezone.now() - timedelta(seconds=1))
    assert client.post("/login", FORM, headers=JSON).status_code == 200


@pytest.mark.req("ER-11")
def test_a_login_in_another_tab_is_used(admin_client, upstream):
    sender = sign_sender(Grant.objects.get().admin_id_hash)
    answer = admin_client.post("/login", FORM, headers=JSON).json()
    assert (answer["ok"], answer["item"]["sender"]) == (True, sender)
    refused = admin_client.post("/login", {"email": "", "password": ""}, headers=JSON)
    assert (refused.status_code, refused.json()["ok"]) == (422, False), "not without the password"


@pytest.mark.req("ER-07", "ER-11")
def test_the_dialog_does_not_redirect_while_logging_in_is_under_maintenance(client, db, upstream):
    upstream.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": ["LOGIN"]})
    response = client.post("/login", FORM, headers=JSON)
    assert (response.status_code, response.json()["goto"]) == (503, "")
    assert response.json()["message"] == "The service is under maintenance."


@pytest.mark.req("ER-11", "PM-06")
def test_a_page_names_its_administrator_and_a_public_page_does_not(client, log_in, upstream):
    assert "data-sender" not in client.get("/login").content.decode()
    log_in()
    upstream.has_clinic()
    page = client.get("/user-manage/clinic").content.decode()
    assert f'data-sender="{sign_sender(Grant.objects.get().admin_id_hash)}"' in page
    assert json.dumps(FORM["email"]) not in page


@pytest.mark.req("ER-11", "AX-09")
def test_an_open_page_gets_the_dialogs_in_its_language_after_the_session_ended(client, db):
    page = client.get("/session/dialogs?lng=de-DE").content.decode()
    assert re.findall(r'<dialog[^>]* id="([\w-]+)"', page) == ["log-in-again", "session-ends"]
    assert '<html lang="de-DE"' in page
