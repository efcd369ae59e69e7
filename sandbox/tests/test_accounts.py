"""The calls on accounts, with mails, links, sessions, and Idempotency-Keys."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, Client, refused

pytestmark = pytest.mark.slow

ADMINS = "/v1/bizOrganizationAdmins"
ME = f"{ADMINS}/a-1"
NEW = "new.address@demo.example"
SIGN_UP = "/v1/accounts/organizationAdmins/signUpWithOrganization"
ORGANIZATION = {"name": "New Smiles", "countryCode": "DE", "serverLocation": "EU"}
PASSWORD = {"currentPassword": DEMO[1], "newPassword": "Better456?"}
KEY = "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"


def sign_up(client: Client, key: str | None = None, **changes: Any):
    body = {
        "email": "first@new.example",
        "password": "Abc123!x",
        "name": "First Person",
        "organization": ORGANIZATION,
        "language": "de-DE",
        "agreements": {"terms": True, "privacy": True, "marketing": False, "termsVersion": "2026-01"},
    }
    return client.call("POST", SIGN_UP, {**body, **changes}, handler=True, headers={"Idempotency-Key": key})


def link_id(sandbox: SandboxProcess) -> str:
    """Return the uuid in the link of the newest mail."""
    return sandbox.mails()[0]["link"].rpartition("/")[2].partition("?")[0]


def activate(client: Client, uuid: str):
    return client.call("PUT", f"{ADMINS}/changeEmail/activate/{uuid}", open_call=True)


def ended(client: Client, uuid: str) -> str:
    """Return why a link does not work."""
    reason: str = refused(activate(client, uuid), 404, 11007)["details"]["reasons"][0]["reason"]
    return reason


def test_an_email_change_is_mailed_and_its_link_makes_it_take_effect(admin: Client, sandbox: SandboxProcess):
    sent = admin.put(f"{ME}/changeEmail", {"email": NEW})
    assert admin.get(ME)["pendingEmail"] == {"email": NEW, **sent}
    assert admin.get(ME)["email"] == DEMO[0]
    mail, uuid = sandbox.mails()[0], link_id(sandbox)
    assert (mail["to"], mail["kind"]) == (NEW, "CHANGE_EMAIL")
    assert mail["link"] == f"http://127.0.0.1:8000/change-email/{uuid}?r=KR"
    refused(
        admin.call("PUT", f"{ADMINS}/resetPassword", {"uuid": uuid, "newPassword": "x"}, open_call=True), 404, 11007
    )
    assert activate(admin, uuid).json() == {}
    assert (admin.get(ME)["email"], admin.get(ME)["pendingEmail"]) == (NEW, None)
    admin.log_in(NEW, DEMO[1])
    refused(admin.request_token(email=DEMO[0], password=DEMO[1], grantType="password"), 401, 11001)
    assert ended(admin, uuid) == "USED"
    for email, status, code in ((NEW, 422, 12003), ("OTHER@demo.example", 409, 12001), ("no address", 400, 10002)):
        refused(admin.call("PUT", f"{ME}/changeEmail", {"email": email}), status, code)


def test_an_email_change_is_sent_again_expires_and_is_withdrawn(admin: Client, sandbox: SandboxProcess):
    refused(admin.call("PUT", f"{ME}/changeEmail/resend"), 404, 10004)
    refused(admin.call("DELETE", f"{ME}/changeEmail"), 404, 10004)
    admin.put(f"{ME}/changeEmail", {"email": NEW})
    first = link_id(sandbox)
    sent = admin.put(f"{ME}/changeEmail/resend", {})
    assert admin.get(ME)["pendingEmail"] == {"email": NEW, **sent}
    assert sandbox.mails()[0]["to"] == NEW
    assert ended(admin, first) == "UNKNOWN"
    sandbox.advance(24 * 3600 + 1)
    assert ended(admin, link_id(sandbox)) == "EXPIRED"
    admin.log_in()
    admin.delete(f"{ME}/changeEmail")
    assert admin.get(ME)["pendingEmail"] is None
    assert ended(admin, link_id(sandbox)) == "UNKNOWN"


def test_a_forgotten_password_is_set_by_a_mailed_link(visitor: Client, sandbox: SandboxProcess):
    assert visitor.get(f"{ADMINS}/forgotPassword", {"email": "nobody@demo.example"}) == {}
    assert sandbox.mails() == []
    assert visitor.get(f"{ADMINS}/forgotPassword", {"email": DEMO[0]}) == {}
    assert "/reset-password/" in sandbox.mails()[0]["link"]
    path, body = f"{ADMINS}/resetPassword", {"uuid": link_id(sandbox), "newPassword": "Better456?"}
    refused(visitor.call("PUT", path, {**body, "newPassword": "weak"}), 422, 11009)
    refused(visitor.call("PUT", path, {**body, "newPassword": DEMO[1]}), 422, 11006)
    assert visitor.put(path, body) == {}
    refused(visitor.call("PUT", path, body), 404, 11007)
    visitor.log_in(DEMO[0], "Better456?")


def test_a_password_change_requires_the_current_password(admin: Client):
    path = f"{ME}/changePassword"
    for password in ("Ab1!xyz", "Ab1!567890123456x", "Abcdefg!", "Abcdefg1", "ab12345!", "pässwörd1!", "Abc 123!x"):
        refused(admin.call("PUT", path, {**PASSWORD, "newPassword": password}), 422, 11009)
    refused(admin.call("PUT", path, {**PASSWORD, "newPassword": DEMO[1]}), 422, 11006)
    assert admin.put(path, PASSWORD) == {}
    refused(admin.call("PUT", path, PASSWORD), 422, 11004)
    admin.log_in(DEMO[0], "Better456?")
    for old, new in (("Better456?", "Abc1!567"), ("Abc1!567", "abc1!5678901234~"), ("abc1!5678901234~", "a1b2c3-_")):
        assert admin.put(path, {"currentPassword": old, "newPassword": new}) == {}


def test_signing_up_creates_an_organization_and_its_administrator(visitor: Client, sandbox: SandboxProcess):
    made = sign_up(visitor).json()
    visitor.log_in("first@new.example", "Abc123!x")
    assert visitor.service_id == 2
    admin = visitor.get(f"{ADMINS}/{made['adminId']}")
    assert (admin["organizationId"], admin["type"], admin["language"]) == (made["organizationId"], 1, "de-DE")
    organization = visitor.get(f"/v1/bizOrganizations/{made['organizationId']}")
    assert (organization["name"], organization["serverLocation"]) == ("New Smiles", "EU")
    assert visitor.get("/v1/bizMainGroups", {"organizationId": made["organizationId"]})["results"] == []
    assert (sandbox.mails()[0]["to"], sandbox.mails()[0]["kind"]) == ("first@new.example", "SIGN_UP")


def test_the_european_location_is_also_that_of_countries_outside_of_the_union(visitor: Client):
    (europe,) = (row for row in visitor.get("/v1/commons/serverLocations")["results"] if row["code"] == "EU")
    assert {"DE", "CH", "GB", "NO"} <= set(europe["countryCodes"])


def test_a_sign_up_is_refused(visitor: Client):
    for changes, status, code in (
        ({"email": DEMO[0]}, 409, 12001),
        ({"email": "nothing"}, 400, 10002),
        ({"password": "weak"}, 422, 11009),
        ({"agreements": {"terms": True, "privacy": False}}, 422, 12007),
        ({"organization": {**ORGANIZATION, "name": "demo dental GROUP"}}, 409, 12002),
        ({"organization": {**ORGANIZATION, "serverLocation": "MOON"}}, 422, 10002),
    ):
        refused(sign_up(visitor, **changes), status, code)
    for path, query, count in (
        (ADMINS, {"email": DEMO[0].upper()}, 1),
        (ADMINS, {"email": "free@demo.example"}, 0),
        ("/v1/bizOrganizations", {"name": " demo dental group "}, 1),
        ("/v1/bizOrganizations", {"name": "Free Dental"}, 0),
    ):
        assert visitor.get(f"{path}/exist", query)["resultCount"] == count


def test_a_call_with_a_key_is_executed_once_within_a_day(visitor: Client, sandbox: SandboxProcess):
    refused(sign_up(visitor, KEY, password="short"), 422, 11009)  # a refused call may be tried again with its key
    first, second = sign_up(visitor, KEY), sign_up(visitor, KEY)
    assert first.status_code == second.status_code == 200
    assert first.json() == second.json()
    refused(sign_up(visitor, KEY, name="Someone else"), 409, 10006)
    refused(sign_up(visitor, KEY.replace("5f", "6f")), 409, 12001)
    sandbox.advance(24 * 3600 + 1)
    refused(sign_up(visitor, KEY), 409, 12001)


def test_an_admin_changes_only_the_fields_that_are_sent(admin: Client):
    before = admin.get(ME)
    change = {"timeZone": "Asia/Seoul", "dashboardUrl": "https://dashboard.demo.example/o-1"}
    version = admin.put(ME, change)["version"]
    after = admin.get(ME)
    assert after == {**before, **change, "version": version}
    admin.put(ME, {**after, "dashboardUrl": None})
    assert admin.get(ME)["dashboardUrl"] is None
    for body, code in (
        ({"dashboardUrl": "https://evil.example/"}, 12006),
        ({"dashboardUrl": "http://dashboard.demo.example/"}, 12006),
        ({"dashboardUrl": "https://dashboard.demo.example@evil.example/"}, 12006),
        ({"dashboardUrl": "https://[bad"}, 12006),
        ({"language": "en-GB"}, 10002),
        ({"timeZone": "Mars/Olympus"}, 10002),
    ):
        refused(admin.call("PUT", ME, body), 422, code)


def test_an_organization_is_renamed(admin: Client):
    path = "/v1/bizOrganizations/o-1"
    version = admin.put(path, {"name": "Better Name", "serverLocation": "KR"})["version"]
    organization = admin.get(path)
    assert (organization["name"], organization["version"]) == ("Better Name", version)
    refused(admin.call("PUT", path, {"name": "Third"}, headers={"If-Match": f'"{version - 1}"'}), 412, 10005)
    for body, status, code in (
        ({"name": "Better Name"}, 422, 12004),
        ({"name": "other dental care"}, 409, 12002),
        ({"serverLocation": "EU"}, 422, 12005),
    ):
        refused(admin.call("PUT", path, body), status, code)


def test_an_administrators_own_sessions_are_listed_and_ended(admin: Client, sandbox: SandboxProcess):
    other = Client(sandbox)
    for end in ("{id}", "?except=current"):
        other.log_in(*DEMO)
        rows = admin.get(f"{ME}/sessions")["results"]
        assert sorted(row["current"] for row in rows) == [False, True]
        id = next(row["id"] for row in rows if not row["current"])
        admin.delete(f"{ME}/sessions/{end}".format(id=id).replace("/?", "?"))
        refused(admin.call("DELETE", f"{ME}/sessions/{id}"), 404, 10004)
        refused(other.call("GET", ME), 401, 11002)
    other.close()
    refused(admin.call("DELETE", f"{ME}/sessions"), 400, 10001)
    refused(admin.call("GET", f"{ADMINS}/a-2/sessions"), 404, 10004)
