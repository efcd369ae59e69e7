"""A database that can be read but not written: full disk, read-only, or locked by another process."""

import json
import sqlite3
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from prometheus_client import REGISTRY

from console.models import Attempt
from console.sessions.identity import identity_key, sign_sender
from console.sessions.models import Grant, Session
from tests.support import factories
from tests.support.reading import words

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
PAGE = "/user-manage/clinic"
REFERER = f"http://testserver{PAGE}/new"
READ_ONLY = {
    "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    "postgresql": (
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
        "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    ),
}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.req("SEC-41"), pytest.mark.sql]


class Switch:
    """Makes the database of this connection read-only, and writable again."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._other: sqlite3.Connection | None = None

    def on(self) -> None:
        if self._kind == "locked":
            self._other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
            self._other.execute("BEGIN IMMEDIATE")
        else:
            connection.cursor().execute(READ_ONLY[connection.vendor][0])

    def off(self) -> None:
        if self._kind == "read-only":
            connection.cursor().execute(READ_ONLY[connection.vendor][1])
        elif self._other:
            self._other.close()
            self._other = None


@pytest.fixture(params=["read-only", *(["locked"] if connection.vendor == "sqlite" else [])])
def unwritable(request, monkeypatch):
    monkeypatch.setattr("console.sessions.deferred_writes.WAIT", 0.01)
    monkeypatch.setattr("console.sessions.deferred_writes.PAUSE", 0.0)
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.01)
        connection.close()  # so that it is opened with the new mode
    switch = Switch(request.param)
    yield switch
    switch.off()


def once_answered(upstream, switch, path, body, *, status=200, method="POST"):
    """Make the database unwritable when the service answers this call."""

    def answer(_request):
        switch.on()
        return status, {}, json.dumps(body)

    upstream.remove(method, path)
    upstream.callback(method, path, answer)


def ended(upstream):
    return [json.loads(call.body)["refreshToken"] for call in upstream.calls("POST", "/v2/oauth/expireToken")]


def test_pages_that_only_read_still_work_and_no_administrator_is_logged_out(administrator, upstream, unwritable):
    upstream.answers("PUT", "/v1/bizMainGroups/g-1/permissions", {"version": 3})
    administrator.post(PAGE + "/g-1/permissions", {"allow_export": "off"})
    Grant.objects.update(last_seen_at=timezone.now() - timedelta(minutes=5))
    cookie = administrator.cookies["auth"].value
    unwritable.on()
    for _ in range(2):
        response = administrator.get(PAGE)  # shows a message, and would delete it and update `last_seen_at`
        assert response.status_code == 200
        assert administrator.cookies["auth"].value == cookie
    unwritable.off()
    administrator.get(PAGE)
    assert Grant.objects.get().last_seen_at > timezone.now() - timedelta(minutes=1), "noted as soon as it can be"


def test_a_new_process_and_a_session_of_an_earlier_release_work(administrator, unwritable):
    Grant.objects.update(admin_id_hash="as an earlier release made it")
    identity_key.cache_clear()
    identity_key()  # created by an earlier process
    identity_key.cache_clear()
    unwritable.on()
    assert administrator.get(PAGE).status_code == 200
    unwritable.off()


def end_the_session_under_a_form(client):
    sender = sign_sender(Grant.objects.get().admin_id_hash)
    Grant.objects.all().delete()
    return lambda: client.post(f"{PAGE}/new", {"name": "Typed", "sender": sender}, headers={"Referer": REFERER})


def test_a_draft_that_can_not_be_stored_redirects_to_the_login_anyway(administrator, unwritable):
    send = end_the_session_under_a_form(administrator)
    unwritable.on()
    response = send()
    assert (response.status_code, response.headers["Location"].partition("?")[0]) == (302, "/login")
    assert "draft" not in response.cookies


def test_a_draft_that_can_not_be_deleted_is_restored_anyway(administrator, log_in, unwritable):
    end_the_session_under_a_form(administrator)()
    log_in()
    unwritable.on()
    assert 'value="Typed"' in administrator.get(f"{PAGE}/new").content.decode()


def test_a_login_that_can_not_be_stored_is_reported_and_keeps_the_form_data(client, upstream, unwritable, caplog):
    upstream.may_log_in()
    unwritable.on()
    caplog.clear()
    before = REGISTRY.get_sample_value("console_unstored_writes_total") or 0
    response = client.post("/login", FORM)
    assert response.status_code == 503
    (record,) = [record for record in caplog.records if record.name == "console.config.database_errors"]
    assert record.getMessage().partition("Error: ")[0] in {
        "a login could not be stored: Operational",
        "a login could not be stored: Internal",
    }
    assert record.exc_info is None
    assert REGISTRY.get_sample_value("console_unstored_writes_total") == before + 1, "the alert counts it"
    assert 'value="admin@demo.example"' in response.content.decode()
    assert upstream.calls("POST", "/v2/oauth/requestToken") == []


def test_tokens_of_a_login_that_can_not_be_stored_end(client, upstream, unwritable):
    upstream.may_log_in()
    once_answered(upstream, unwritable, "/v2/oauth/requestToken", factories.token())
    assert client.post("/login", FORM).status_code == 503
    assert ended(upstream) == ["refresh-1"]
    assert not Grant.objects.exists()


def check_login_error(response, client, upstream, *tokens):
    assert response.status_code == 503
    assert 'value="admin@demo.example"' in response.content.decode()
    assert ended(upstream) == list(tokens)
    assert client.get("/login").status_code == 200, "nobody is logged in"


def test_a_login_whose_session_can_not_be_stored_leaves_no_grant_and_no_token(client, upstream, monkeypatch):
    def refuse(execute, sql, params, many, context):
        if sql.startswith("INSERT") and '"session"' in sql:
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    upstream.may_log_in()
    with connection.execute_wrapper(refuse):
        response = client.post("/login", FORM)
    check_login_error(response, client, upstream, "refresh-1")
    assert "auth" not in response.cookies
    assert (Grant.objects.count(), Session.objects.count()) == (0, 0)


def test_a_failed_login_over_another_login_keeps_the_former_one(administrator, upstream, unwritable):
    once_answered(upstream, unwritable, "/v2/oauth/requestToken", factories.token(2))
    assert administrator.post("/login", FORM).status_code == 503
    assert ended(upstream) == ["refresh-2"]
    unwritable.off()
    assert administrator.get(PAGE).status_code == 200
    assert (Grant.objects.count(), Session.objects.count()) == (1, 1)


def test_a_login_whose_organization_can_not_be_stored_fails(client, upstream, unwritable):
    upstream.may_log_in(organizationId="")
    once_answered(upstream, unwritable, "/v1/bizOrganizationAdmins/a-1", factories.ADMIN, method="GET")
    response = client.post("/login", FORM)
    check_login_error(response, client, upstream, "refresh-1")
    assert "auth" not in response.cookies
    unwritable.off()
    assert client.get("/readyz").json()["database"]
    assert (Grant.objects.count(), Session.objects.count()) == (0, 0)


def test_a_login_whose_organizations_name_can_not_be_stored_succeeds(client, upstream, unwritable):
    upstream.may_log_in()
    upstream.has_clinic()
    once_answered(upstream, unwritable, "/v1/bizOrganizations/o-1", factories.organization(), method="GET")
    assert client.post("/login", FORM).status_code == 303
    assert client.get(PAGE).status_code == 200


def refuse_the_access_token_once(upstream, path, body, *, method="GET"):
    upstream.remove(method, path)
    upstream.answers_in_order(method, path, (401, {}), (200, body))


def test_a_pair_of_tokens_that_can_not_be_stored_ends_and_the_used_one_is_never_sent_again(
    administrator, upstream, unwritable
):
    refuse_the_access_token_once(upstream, "/v1/bizMainGroups", factories.listing([factories.clinic()]))
    once_answered(upstream, unwritable, "/v2/oauth/requestToken", factories.token(2))
    assert administrator.get(PAGE).status_code == 503
    assert ended(upstream) == ["refresh-2"]
    response = administrator.get(PAGE)
    assert response.headers["Location"].startswith("/login?"), "the session ends, because its tokens did"
    unwritable.off()
    assert administrator.get("/readyz").json()["database"]
    assert not Grant.objects.exists()
    sent = [json.loads(call.body).get("refreshToken") for call in upstream.calls("POST", "/v2/oauth/requestToken")]
    assert sent == ["refresh-1"], "one refresh"


def test_a_form_whose_new_tokens_can_not_be_stored_is_shown_again_with_its_data(administrator, upstream, unwritable):
    refuse_the_access_token_once(upstream, "/v1/bizMainGroups", {"id": "g-2"}, method="POST")
    once_answered(upstream, unwritable, "/v2/oauth/requestToken", factories.token(2))
    response = administrator.post(f"{PAGE}/new", {"name": "Typed", "country_code": "DE"})
    assert response.status_code == 503
    assert 'value="Typed"' in response.content.decode()


@pytest.mark.parametrize(
    ("body", "status", "goto"),
    [(factories.refusal(11003), 401, "/login"), (factories.refusal(15001), 401, "/520")],
)
def test_a_refused_refresh_redirects_as_usual(administrator, upstream, unwritable, body, status, goto):
    refuse_the_access_token_once(upstream, "/v1/bizMainGroups", factories.listing([factories.clinic()]))
    once_answered(upstream, unwritable, "/v2/oauth/requestToken", body, status=status)
    assert administrator.get(PAGE).headers["Location"].partition("?")[0] == goto


def test_a_success_message_is_shown_although_another_write_failed(administrator, upstream, unwritable, monkeypatch):
    monkeypatch.setattr("console.sessions.deferred_writes.PAUSE", 10.0)
    monkeypatch.setattr("console.sessions.deferred_writes._Pause.ends", 0.0)
    upstream.answers("PUT", "/v1/bizMainGroups/g-1/permissions", {"version": 3})
    Grant.objects.update(last_seen_at=timezone.now() - timedelta(minutes=5))
    unwritable.on()
    assert administrator.get(PAGE).status_code == 200
    unwritable.off()
    response = administrator.post(PAGE + "/g-1/permissions", {"allow_export": "off", "version": "2"})
    assert response.status_code == 303
    assert 'class="messages"' in administrator.get(response.headers["Location"]).content.decode()


SHOW_TIMEOUT = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}
SET = {"sqlite": "PRAGMA busy_timeout = 7000", "postgresql": "SET lock_timeout = '7s'"}


@pytest.mark.parametrize("writable", [True, False])
def test_the_operators_lock_timeout_is_restored(administrator, unwritable, writable):
    with connection.cursor() as cursor:
        cursor.execute(SET[connection.vendor])
        cursor.execute(SHOW_TIMEOUT[connection.vendor])
        before = cursor.fetchone()
    Grant.objects.update(last_seen_at=timezone.now() - timedelta(minutes=5))
    if not writable:
        unwritable.on()
    assert administrator.get(PAGE).status_code == 200
    unwritable.off()
    with connection.cursor() as cursor:
        cursor.execute(SHOW_TIMEOUT[connection.vendor])
        assert cursor.fetchone() == before
    connection.close()  # the next test gets the default timeout


def test_a_session_that_could_not_be_extended_reports_its_real_end(administrator, unwritable):
    nearly = timezone.now() - timedelta(hours=11, minutes=57)
    Grant.objects.update(last_seen_at=nearly)
    unwritable.on()
    assert administrator.post("/session").json()["item"]["seconds_left"] <= 180
    unwritable.off()
    assert administrator.post("/session").json()["item"]["seconds_left"] > 180


def test_readiness_writes_a_row_and_reports_a_failure(client, unwritable, settings, tmp_path):
    settings.ASSETS_MANIFEST = tmp_path / "manifest.json"
    settings.ASSETS_MANIFEST.touch()
    response = client.get("/readyz")
    assert (response.status_code, response.json()["database"]) == (200, True)
    assert Attempt.objects.count() == 1
    unwritable.on()
    response = client.get("/readyz")
    assert (response.status_code, response.json()["database"]) == (503, False)
    unwritable.off()
    assert client.get("/readyz").status_code == 200
    assert Attempt.objects.count() == 1


def test_a_logout_ends_token_and_cookie_and_the_rows_are_deleted_later(administrator, upstream, log_in, unwritable):
    cookie = administrator.cookies["auth"].value
    unwritable.on()
    response = administrator.post("/logout")
    assert (response.status_code, response.headers["Location"]) == (303, "/login")
    assert response.cookies["auth"]["max-age"] == 0
    assert len(upstream.calls("POST", "/v2/oauth/expireToken")) == 1
    assert Grant.objects.count() == 1
    administrator.cookies["auth"] = cookie
    assert administrator.get(PAGE).status_code == 302, "a copied cookie is dead all the same"
    unwritable.off()
    log_in()
    assert (Grant.objects.count(), Session.objects.count()) == (1, 1), "only those of the new login"


def test_a_changed_password_is_reported(administrator, upstream, unwritable):
    change = "/v1/bizOrganizationAdmins/a-1/changePassword"
    form_data = {"current_password": "Demo123!", "new_password": "Demo456?", "confirm_password": "Demo456?"}
    once_answered(upstream, unwritable, change, {}, method="PUT")
    response = administrator.post("/my-account/password", form_data)
    assert (response.status_code, response.headers["Location"]) == (303, "/my-account")
    unwritable.off()


def test_the_service_decides_whether_a_name_is_free_if_that_can_not_be_checked(client, upstream, unwritable):
    unwritable.on()
    response = client.post("/create-account", {"check": "email", "email": "ada@clinic.example"})
    assert response.status_code == 200
    assert "We can't check this" in words(response)
    assert upstream.calls("GET", "/v1/bizOrganizationAdmins/exist") == []


def test_a_reminder_that_can_not_be_stored_is_reported_and_keeps_the_form_data(administrator, unwritable):
    day = (timezone.now() + timedelta(days=30)).date().isoformat()
    path = f"{PAGE}/g-1/user/u-1/reminder/new"
    unwritable.on()
    response = administrator.post(path, {"about": "user", "day": day, "note": "Typed"})
    html = response.content.decode()
    unwritable.off()
    assert response.status_code == 503
    assert 'value="Typed"' in html
    assert f'value="{day}"' in html
    assert administrator.post(path, {"about": "user", "day": day, "note": "Typed"}).status_code == 303


def test_a_preset_that_can_not_be_stored_is_reported_and_stored_ones_can_be_read(administrator, unwritable):
    presets = "/user-manage/permissions/presets"
    chosen = {f"allow_{name}": "on" for name in ("order", "export", "case_converting", "case_talk", "download")}
    administrator.post(presets + "/new", {"name": "Reception", **chosen})
    unwritable.on()
    response = administrator.post(presets + "/new", {"name": "Front desk", **chosen})
    html = response.content.decode()
    assert response.status_code == 503
    assert "Failed to save the preset." in html
    assert 'value="Front desk"' in html
    assert "Reception" in administrator.get(presets).content.decode()
    assert "Reception" in administrator.post(PAGE + "/bulk/permissions", {"id": ["g-1"]}).content.decode()
