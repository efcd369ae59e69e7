"""Changing the password: the form, the call, and the sessions that end."""

import json

import pytest
from django.db import OperationalError
from django.test import Client

from console.sessions.models import Grant
from console.sessions.store import SessionStore
from tests.support import factories
from tests.support.reading import words

pytestmark = pytest.mark.sql

ADMIN = "/v1/bizOrganizationAdmins/a-1"
CHANGE, TOKEN, EXPIRE = f"{ADMIN}/changePassword", "/v2/oauth/requestToken", "/v2/oauth/expireToken"
PASSWORD = "/my-account/password"
FORM = {"current_password": "Demo123!", "new_password": "Demo456?", "confirm_password": "Demo456?"}


@pytest.fixture
def account(admin_client, upstream):
    upstream.answers("PUT", CHANGE)
    return upstream


def another_browser(upstream, **values):
    """Create a login in another browser."""
    upstream.may_log_in(**values)
    browser = Client()
    assert browser.post("/login", {"email": "admin@demo.example", "password": "Demo123!"}).status_code == 303
    return browser


@pytest.mark.req("CA-21", "UC-15")
def test_the_current_and_the_new_password_are_sent(admin_client, account):
    response = admin_client.post(PASSWORD, FORM)
    assert (response.status_code, response.headers["Location"]) == (303, "/my-account")
    (call,) = account.calls("PUT", CHANGE)
    assert json.loads(call.body) == {"currentPassword": "Demo123!", "newPassword": "Demo456?"}
    assert "Password changed." in words(admin_client.get("/my-account"))


@pytest.mark.req("VA-10", "ER-15")
def test_the_current_password_is_no_new_one(admin_client, account):
    same = {**FORM, "new_password": "Demo123!", "confirm_password": "Demo123!"}
    response = admin_client.post(PASSWORD, same)
    assert response.status_code == 422
    assert "Your new password cannot be the same as your current one." in words(response)
    assert account.calls("PUT", CHANGE) == []


@pytest.mark.req("ER-14", "ER-15", "ER-19", "VA-10")
@pytest.mark.parametrize(
    ("code", "field", "text"),
    [
        (11004, "current_password", "The password does not match."),
        (11006, "new_password", "Your new password cannot be the same as your current one."),
        (11009, "new_password", "Invalid new password"),
    ],
)
def test_the_services_refusal_of_a_password_is_shown_at_its_field(admin_client, account, code, field, text):
    account.answers("PUT", CHANGE, factories.refusal(code), status=422)
    response = admin_client.post(PASSWORD, FORM)
    page = response.content.decode()
    assert f'id="id_{field}_error"' in page
    assert text in words(response)
    assert "Failed to update your password." in words(response)
    assert all(password not in page for password in FORM.values())


@pytest.mark.req("ER-19")
def test_a_failure_is_reported_and_no_session_ends(admin_client, account):
    other = another_browser(account)
    account.answers("PUT", CHANGE, status=503)
    response = admin_client.post(PASSWORD, FORM)
    assert "Failed to update your password." in words(response)
    assert other.get("/my-account").status_code == 200


@pytest.mark.req("ER-14", "SEC-90")
@pytest.mark.parametrize(
    "refusal",
    [factories.refusal(11004), factories.refusal(10002, fields=[{"field": "currentPassword", "code": 11004}])],
    ids=["code", "field"],
)
def test_wrong_current_passwords_are_slowed_down(admin_client, account, refusal):
    account.answers("PUT", CHANGE, refusal, status=422)
    tries = [{**FORM, "current_password": f"Wrong{n}!!x"} for n in range(6)]
    assert [admin_client.post(PASSWORD, form).status_code for form in tries] == [422] * 5 + [429]


@pytest.mark.req("DM-21")
def test_the_administrators_other_sessions_end_and_the_page_says_so_before(admin_client, account, visit):
    others = [another_browser(account) for _ in range(2)]
    assert "When you save, your other sessions in this console will end." in words(visit(PASSWORD).response)
    before = admin_client.cookies["auth"].value
    response = admin_client.post(PASSWORD, FORM)
    assert admin_client.cookies["auth"].value != before
    copied = Client()
    copied.cookies["auth"] = before
    assert copied.get("/my-account").status_code == 302
    assert "2 other sessions in this console were ended." in words(admin_client.get(response.headers["Location"]))
    assert len(account.calls("POST", EXPIRE)) == 2
    for other in others:
        assert other.get("/my-account").headers["Location"].startswith("/login")


@pytest.mark.req("DM-21", "SEC-91")
@pytest.mark.parametrize(
    "other",
    [{"region": {**factories.REGION, "serviceDomainId": 8}}, {"organizationId": "o-2"}, {"id": "a-2"}],
    ids=["region", "organization", "administrator"],
)
def test_another_administrators_session_continues_whatever_its_id(admin_client, account, other):
    region = other.pop("region", factories.REGION) if "region" in other else factories.REGION
    account.may_log_in(**other)
    account.answers("POST", "/v1/accounts/search", region)
    account.answers("POST", TOKEN, {**factories.token(5, **other), "adminId": other.get("id", "a-1")})
    account.answers("GET", "/v1/bizOrganizations/o-2", factories.organization(id="o-2"))
    somebody = Client()
    assert somebody.post("/login", {"email": "b@demo.example", "password": "Demo123!"}).status_code == 303
    admin_client.post(PASSWORD, FORM)
    assert Grant.objects.count() == 2
    assert "Firefox" not in admin_client.get("/my-account/sessions").content.decode()
    assert somebody.get("/my-account/sessions").status_code == 200


def test_a_changed_password_is_reported_while_the_database_cannot_be_written(admin_client, account, monkeypatch):
    def cannot_write(*_args, **_more):
        raise OperationalError("read-only")

    monkeypatch.setattr(SessionStore, "create", cannot_write)
    assert admin_client.post(PASSWORD, FORM).status_code == 303
    assert "Password changed." in words(admin_client.get("/my-account"))


@pytest.mark.req("ER-19")
@pytest.mark.parametrize(("new_one_works", "status"), [(True, 303), (False, 502)])
def test_after_a_lost_response_the_new_password_is_tried(admin_client, account, new_one_works, status):
    account.answers("PUT", CHANGE, status=504)
    answer = (factories.token(9), 200) if new_one_works else (factories.refusal(11001), 401)
    account.answers("POST", TOKEN, answer[0], status=answer[1])
    response = admin_client.post(PASSWORD, FORM)
    assert response.status_code == status
    assert (
        "Change password We couldn't confirm whether this worked. Next time you log in" in words(response)
    ) is not new_one_works
    if new_one_works:
        assert json.loads(account.calls("POST", EXPIRE)[0].body) == {"refreshToken": "refresh-9"}


@pytest.mark.req("VA-01", "VA-11")
def test_the_rules_and_the_repetition_of_a_new_password_apply_here_too(admin_client, account):
    response = admin_client.post(PASSWORD, {**FORM, "new_password": "short", "confirm_password": "other"})
    assert "Invalid new password" in words(response)
    assert "New Password and Confirm Password do not match" in words(response)
    assert account.calls("PUT", CHANGE) == []


def test_a_double_submit_changes_the_password_once(admin_client, account):
    form = {**FORM, "form_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11"}
    assert [admin_client.post(PASSWORD, form).status_code for _ in range(2)] == [303, 303]
    assert len(account.calls("PUT", CHANGE)) == 1


@pytest.mark.req("VA-37")
def test_password_managers_find_the_email_of_these_passwords(visit, account):
    controls = [control.attributes for control in visit(PASSWORD).all("input")]
    assert ("username", "admin@demo.example") in [(c.get("autocomplete"), c.get("value")) for c in controls]
    kinds = {c.get("name"): c.get("autocomplete") for c in controls}
    assert kinds["current_password"] == "current-password"
    assert kinds["new_password"] == kinds["confirm_password"] == "new-password"
