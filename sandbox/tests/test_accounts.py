"""The calls on accounts work, including mails and links."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, Client, refused

pytestmark = pytest.mark.slow

ADMINS = "/v1/bizOrganizationAdmins"
ME = f"{ADMINS}/a-1"
NEW = "new.address@demo.example"
SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"


def sign_up_body() -> dict[str, Any]:
    return {
        "email": "first@new.example",
        "password": "Abc123!x",
        "name": "First Person",
        "organization": {"name": "New Smiles", "countryCode": "DE", "serverLocation": "EU"},
        "language": "de-DE",
        "agreements": {"terms": True, "privacy": True, "marketing": False, "termsVersion": "2026-01"},
    }


def link_id(sandbox: SandboxProcess) -> str:
    """Return the uuid in the link of the newest mail."""
    return sandbox.mails()[0]["link"].rpartition("/")[2].partition("?")[0]


def activate(client: Client, uuid: str):
    return client.call("PUT", f"{ADMINS}/changeEmail/activate/{uuid}", open_call=True)


def test_an_email_change_is_mailed_and_its_link_makes_it_take_effect(admin: Client, sandbox: SandboxProcess):
    sent = admin.put(f"{ME}/changeEmail", {"email": NEW})
    assert admin.get(ME)["pendingEmail"] == {"email": NEW, **sent}
    assert admin.get(ME)["email"] == DEMO[0]
    mail = sandbox.mails()[0]
    assert (mail["to"], mail["kind"]) == (NEW, "CHANGE_EMAIL")
    assert mail["link"] == f"http://127.0.0.1:8000/change-email/{link_id(sandbox)}?r=KR"
    assert activate(admin, link_id(sandbox)).json() == {}
    assert (admin.get(ME)["email"], admin.get(ME)["pendingEmail"]) == (NEW, None)
    admin.log_in(NEW, DEMO[1])
    refused(admin.request_token(email=DEMO[0], password=DEMO[1], grantType="password"), 401, 11001)


def test_a_link_says_why_it_no_longer_works(admin: Client, sandbox: SandboxProcess):
    def reason(uuid):
        return refused(activate(admin, uuid), 404, 11007)["details"]["reasons"][0]["reason"]

    admin.put(f"{ME}/changeEmail", {"email": NEW})
    used = link_id(sandbox)
    activate(admin, used)
    assert reason(used) == "USED"
    admin.put(f"{ME}/changeEmail", {"email": "another@demo.example"})
    replaced = link_id(sandbox)
    admin.put(f"{ME}/changeEmail", {"email": "one.more@demo.example"})
    assert reason(replaced) == "UNKNOWN"
    sandbox.advance(24 * 3600 + 1)
    assert reason(link_id(sandbox)) == "EXPIRED"


@pytest.mark.parametrize(
    ("email", "status", "code"),
    [(DEMO[0], 422, 12003), ("OTHER@demo.example", 409, 12001), ("no address", 400, 10002)],
)
def test_an_email_change_is_refused(admin, email, status, code):
    refused(admin.call("PUT", f"{ME}/changeEmail", {"email": email}), status, code)


def test_a_forgotten_password_is_set_by_a_mailed_link(visitor: Client, sandbox: SandboxProcess):
    assert visitor.get(f"{ADMINS}/forgotPassword", {"email": DEMO[0]}) == {}
    assert "/reset-password/" in sandbox.mails()[0]["link"]
    body = {"uuid": link_id(sandbox), "newPassword": "Better456?"}
    refused(visitor.call("PUT", f"{ADMINS}/resetPassword", {**body, "newPassword": "weak"}), 422, 11009)
    refused(visitor.call("PUT", f"{ADMINS}/resetPassword", {**body, "newPassword": DEMO[1]}), 422, 11006)
    assert visitor.put(f"{ADMINS}/resetPassword", body) == {}
    refused(visitor.call("PUT", f"{ADMINS}/resetPassword", body), 404, 11007)
    visitor.log_in(DEMO[0], "Better456?")


def test_a_link_for_one_thing_does_not_do_another(admin: Client, sandbox: SandboxProcess):
    admin.put(f"{ME}/changeEmail", {"email": NEW})
    body = {"uuid": link_id(sandbox), "newPassword": "Better456?"}
    refused(admin.call("PUT", f"{ADMINS}/resetPassword", body, open_call=True), 404, 11007)


def test_an_unknown_address_gets_the_same_answer_and_no_mail(visitor: Client, sandbox: SandboxProcess):
    assert visitor.get(f"{ADMINS}/forgotPassword", {"email": "nobody@demo.example"}) == {}
    assert sandbox.mails() == []


def test_a_password_is_changed_by_somebody_who_knows_the_current_one(admin: Client):
    body = {"currentPassword": DEMO[1], "newPassword": "Better456?"}
    assert admin.put(f"{ME}/changePassword", body) == {}
    refused(admin.call("PUT", f"{ME}/changePassword", body), 422, 11004)
    admin.log_in(DEMO[0], "Better456?")


@pytest.mark.parametrize(
    "password",
    [
        "Ab1!xyz",
        "Ab1!567890123456x",
        "Abcdefg!",
        "Abcdefg1",
        "1234567!",
        "ab12345!",
        "pässwörd1!",
        "Abc 123!x",
        "éèê12345!",
    ],
)
def test_a_new_password_must_follow_the_rule(admin, password):
    body = {"currentPassword": DEMO[1], "newPassword": password}
    refused(admin.call("PUT", f"{ME}/changePassword", body), 422, 11009)


@pytest.mark.parametrize("password", ["Abc1!567", "abc1!5678901234~", "a1b2c3-_"])
def test_a_password_at_the_limit_of_the_rule_is_accepted(admin, password):
    assert admin.put(f"{ME}/changePassword", {"currentPassword": DEMO[1], "newPassword": password}) == {}


def test_the_new_password_may_not_be_the_current_one(admin):
    body = {"currentPassword": DEMO[1], "newPassword": DEMO[1]}
    refused(admin.call("PUT", f"{ME}/changePassword", body), 422, 11006)


def test_signing_up_creates_an_organization_and_its_administrator(visitor: Client, sandbox: SandboxProcess):
    made = visitor.call("POST", SIGN_UP, sign_up_body(), handler=True).json()
    visitor.log_in("first@new.example", "Abc123!x")
    assert visitor.service_id == 2
    admin = visitor.get(f"{ADMINS}/{made['adminId']}")
    assert (admin["organizationId"], admin["type"], admin["language"]) == (made["organizationId"], 1, "de-DE")
    organization = visitor.get(f"/v1/bizOrganizations/{made['organizationId']}")
    assert (organization["name"], organization["serverLocation"]) == ("New Smiles", "EU")
    assert visitor.get("/v1/bizMainGroups", {"organizationId": made["organizationId"]})["results"] == []
    assert (sandbox.mails()[0]["to"], sandbox.mails()[0]["kind"]) == ("first@new.example", "SIGN_UP")


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"email": DEMO[0]}, 409, 12001),
        ({"email": "nothing"}, 400, 10002),
        ({"password": "weak"}, 422, 11009),
        ({"agreements": {"terms": True, "privacy": False}}, 422, 12007),
        ({"agreements": {"privacy": True}}, 400, 10001),
        ({"organization": {"name": "demo dental GROUP", "countryCode": "DE", "serverLocation": "EU"}}, 409, 12002),
        ({"organization": {"name": "", "countryCode": "DE", "serverLocation": "EU"}}, 400, 10003),
        ({"organization": {"name": "New", "countryCode": "DE", "serverLocation": "MOON"}}, 422, 10002),
    ],
)
def test_a_sign_up_is_refused(visitor, changes, status, code):
    refused(visitor.call("POST", SIGN_UP, {**sign_up_body(), **changes}, handler=True), status, code)


def test_availability_counts_addresses_and_names_that_are_in_use(visitor):
    def count(path, **query):
        return visitor.get(path, query)["resultCount"]

    assert count(f"{ADMINS}/exist", email=DEMO[0].upper()) == 1
    assert count(f"{ADMINS}/exist", email="free@demo.example") == 0
    assert count("/v1/bizOrganizations/exist", name=" demo dental group ") == 1
    assert count("/v1/bizOrganizations/exist", name="Free Dental") == 0
    refused(visitor.call("GET", f"{ADMINS}/exist", query={"email": "nothing"}), 400, 10002)
    refused(visitor.call("GET", f"{ADMINS}/exist"), 400, 10001)


def test_an_admin_changes_only_the_fields_that_are_sent(admin):
    before = admin.get(ME)
    version = admin.put(ME, {"timeZone": "Asia/Seoul", "dashboardUrl": "https://dashboard.demo.example/o-1"})["version"]
    after = admin.get(ME)
    assert after == {
        **before,
        "timeZone": "Asia/Seoul",
        "dashboardUrl": "https://dashboard.demo.example/o-1",
        "version": version,
    }
    admin.put(ME, {**after, "dashboardUrl": None})
    assert admin.get(ME)["dashboardUrl"] is None


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"dashboardUrl": "https://evil.example/"}, 12006),
        ({"dashboardUrl": "http://dashboard.demo.example/"}, 12006),
        ({"dashboardUrl": "https://dashboard.demo.example@evil.example/"}, 12006),
        ({"dashboardUrl": "https://[bad"}, 12006),
        ({"language": "en-GB"}, 10002),
        ({"timeZone": "Mars/Olympus"}, 10002),
    ],
)
def test_an_admins_field_that_breaks_a_rule_is_refused(admin, body, code):
    refused(admin.call("PUT", ME, body), 422, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": "Demo Dental Group"}, 422, 12004),
        ({"name": "other dental care"}, 409, 12002),
        ({"serverLocation": "EU"}, 422, 12005),
        ({"name": "x" * 101}, 400, 10002),
    ],
)
def test_an_organization_change_is_refused(admin, body, status, code):
    refused(admin.call("PUT", "/v1/bizOrganizations/o-1", body), status, code)


def test_an_organization_is_renamed(admin):
    version = admin.put("/v1/bizOrganizations/o-1", {"name": "Better Name", "serverLocation": "KR"})["version"]
    organization = admin.get("/v1/bizOrganizations/o-1")
    assert (organization["name"], organization["version"]) == ("Better Name", version)
    stale = {"If-Match": f'"{version - 1}"'}
    refused(admin.call("PUT", "/v1/bizOrganizations/o-1", {"name": "Third"}, headers=stale), 412, 10005)
