"""Anonymous users leave nothing in the database, whatever they request or send."""

import json

import pytest
from django.apps import apps
from django.http import HttpResponse
from django.test import Client

from console.config.logging import JsonFormatter
from console.sessions.identity import identity_key
from console.sessions.models import Session
from console.shell.session_middleware import SessionMiddleware
from console.web import maintenance
from tests.support.cases import faults
from tests.support.page import Page
from tests.support.routes import ROUTES

SAME_ORIGIN = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
STALE = {"email": "nobody@demo.example", "password": "x", "name": "Typed", "csrfmiddlewaretoken": "a" * 64}
STALE_FORM_TEXT = "This form has expired. Submit it again."

pytestmark = [pytest.mark.django_db, pytest.mark.req("SEC-33"), pytest.mark.sql]


def rows():
    return {model._meta.db_table: model._default_manager.count() for model in apps.get_models()}


@pytest.fixture
def stranger():
    identity_key()  # created at the start of each process
    return Client(enforce_csrf_checks=True)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [[], ["LOGIN"]], ids=["open", "under maintenance"])
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_no_anonymous_request_creates_a_row_or_a_session(stranger, upstream, accept, closed):
    token = Page.from_response(stranger.get("/login")).form().values["csrfmiddlewaretoken"]
    upstream.answers("GET", "/v1/maintenance", {"active": True, "unavailableServices": closed})
    headers = {**SAME_ORIGIN, "Accept": accept, "Referer": "http://testserver/login"}

    def check(route):
        maintenance.clear_cache()
        before = rows()
        for _ in range(2):
            stranger.get(route.path(), headers=headers)
            for form in (STALE, {}, {"csrfmiddlewaretoken": token}):
                stranger.post(route.path(), form, headers=headers)
        assert rows() == before
        assert "auth" not in stranger.cookies

    routes = [route for route in ROUTES if route.name != "readyz"]  # its row is shared by all
    assert faults(routes, check, at_least=170) == {}


def test_anonymous_session_data_is_not_stored(rf):
    def view(request):
        request.session["noted"] = "something"
        return HttpResponse()

    assert "auth" not in SessionMiddleware(view)(rf.get("/")).cookies
    assert not Session.objects.exists()


def test_only_the_page_of_the_form_itself_says_that_it_was_not_valid(administrator):
    administrator.handler.enforce_csrf_checks = True
    for path in ("/login", "/session", "/session"):
        administrator.post(path, STALE, headers=SAME_ORIGIN)
    assert STALE_FORM_TEXT not in administrator.get("/user-manage/clinic").content.decode()


@pytest.mark.req("SEC-37")
def test_the_log_has_the_method_of_a_refused_form(stranger, upstream, caplog):
    caplog.set_level("INFO", "console.request")
    stranger.get("/login")
    caplog.clear()
    assert STALE_FORM_TEXT in stranger.post("/login", STALE, headers=SAME_ORIGIN).content.decode()
    (line,) = [json.loads(JsonFormatter().format(record)) for record in caplog.records if record.msg == "request"]
    assert (line["method"], line["route"], line["status"]) == ("POST", "accounts:login", 403)
