"""Users are invited, changed, moved and deleted, one by one."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, if_match, reasons, refused

pytestmark = pytest.mark.slow

USERS = "/v1/bizUsers"
NEW = {"mainGroupId": "g-1", "name": "New Person", "userType": "DOCTOR", "email": "new.person@demo.example"}
WEEK = 7 * 86_400


def make(client: Client, **changes: object) -> str:
    """Invite a user and return their path."""
    return f"{USERS}/{client.post(USERS, {**NEW, **changes})['id']}"


def test_a_new_user_is_invited_by_mail(admin: Client, sandbox: SandboxProcess):
    more: dict[str, Any] = {"permissions": {"allowExport": False, "allowOrder": None}}
    path = make(admin, name=" New Person ", email="New.Person@demo.example", subGroupId="t-2", **more)
    user = admin.get(path)
    assert (user["name"], user["email"], user["status"]) == ("New Person", "new.person@demo.example", "INVITED")
    assert (user["subGroupName"], user["accountType"], user["version"]) == ("Orthodontics", 3, 1)
    assert (user["lastLoginDate"], user["canDelete"]) == (None, True)
    assert [(mail["to"], mail["kind"]) for mail in sandbox.mails()] == [(user["email"], "INVITATION")]
    permissions = admin.get(f"{path}/permissions")["permissions"]
    assert permissions["allowExport"] == {"value": False, "source": "OWN"}
    assert permissions["allowOrder"] == {"value": True, "source": "MAIN_GROUP"}


def test_a_user_that_breaks_a_rule_is_not_invited(admin: Client, sandbox: SandboxProcess):
    for changes, status, code, field in (
        ({"email": "HANA.park@demo.example"}, 409, 13008, "email"),
        ({"email": "other@demo.example"}, 409, 13008, "email"),
        ({"email": "no address"}, 400, 10002, "email"),
        ({"language": "xx-XX"}, 422, 10002, "language"),
        ({"mainGroupId": "g-25"}, 404, 10004, "mainGroupId"),
        ({"subGroupId": "t-0"}, 404, 10004, "subGroupId"),
        ({"subGroupId": "t-4"}, 422, 10002, "subGroupId"),
        ({"permissions": {"allowAll": True}}, 400, 10002, "allowAll"),
    ):
        error = refused(admin.call("POST", USERS, {**NEW, **changes}), status, code)
        assert error["details"]["fields"] == [{"field": field, "code": code}]
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 40
    assert sandbox.mails() == []
    for email, count in (("Hana.Park@demo.example", 1), ("other@demo.example", 1), ("free@demo.example", 0)):
        assert admin.get(f"{USERS}/exist", {"email": email})["resultCount"] == count


def test_a_change_touches_the_fields_that_are_sent_and_raises_the_version(admin: Client):
    path = f"{USERS}/u-1"
    before = admin.get(path)
    change = {"name": "Hana Lee", "userType": "STAFF", "email": "not.changed@demo.example"}
    version = admin.put(path, change, headers=if_match(before["version"]))["version"]
    assert version == before["version"] + 1
    assert admin.get(path) == {**before, "name": "Hana Lee", "userType": "STAFF", "version": version}
    for method, more in (("PUT", ""), ("DELETE", ""), ("PUT", "/lock"), ("PUT", "/invitation/resend")):
        refused(admin.call(method, path + more, {}, headers=if_match(before["version"])), 412, 10005)


def test_a_user_moves_to_another_clinic_and_leaves_the_team(admin: Client):
    path = f"{USERS}/u-20"
    admin.put(f"{path}/permissions", {"permissions": {"allowOrder": False}})
    admin.put(path, {"mainGroupId": "g-16"})
    user = admin.get(path)
    assert (user["mainGroupName"], user["subGroupId"]) == ("Улыбка", None)
    assert admin.get(f"{path}/permissions")["permissions"]["allowOrder"] == {"value": False, "source": "OWN"}
    pending = [reason["reason"] for reason in admin.get("/v1/bizMainGroups/g-16")["deleteBlockers"]]
    assert pending == ["CLINIC_HAS_PARTNER", "PENDING_ORDERED_CASE_WITH_LAB", "NOT_EMPTY"]
    admin.put(path, {"mainGroupId": "g-1", "subGroupId": "t-2"})
    assert admin.get(path)["subGroupName"] == "Orthodontics"


def test_a_move_is_refused_for_an_ongoing_case_or_an_impossible_target(admin: Client):
    for user, change, status, code in (
        ("u-4", {"name": "X", "mainGroupId": "g-2"}, 409, 13002),
        ("u-1", {"mainGroupId": "g-25"}, 404, 10004),
        ("u-1", {"subGroupId": "t-4"}, 422, 10002),
        ("u-1", {"mainGroupId": "g-2", "subGroupId": "t-1"}, 422, 10002),
        ("u-1", {"mainGroupId": None}, 400, 10002),
    ):
        before = admin.get(f"{USERS}/{user}")
        refused(admin.call("PUT", f"{USERS}/{user}", change), status, code)
        assert admin.get(f"{USERS}/{user}") == before
    admin.put(f"{USERS}/u-4", {"subGroupId": "t-3"})  # within the clinic, a case is no obstacle
    assert admin.get(f"{USERS}/u-4")["subGroupName"] == "Front desk"


def test_what_blocks_deleting_a_user_is_in_the_detail_and_in_the_refusal(admin: Client):
    for user, code, names in (
        ("u-15", 13002, ["ONGOING_ORDERED_CASE"]),
        ("u-9", 13003, ["PARTNER_WITH_LAB"]),
        ("u-20", 13004, ["PENDING_ORDERED_CASE_WITH_LAB"]),
        ("u-4", 13006, ["ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB"]),
    ):
        detail = admin.get(f"{USERS}/{user}")
        error = refused(admin.call("DELETE", f"{USERS}/{user}"), 409, code)
        assert list(reasons(error)) == names
        assert (detail["canDelete"], detail["deleteBlockers"]) == (False, error["details"]["reasons"])
        assert all(len(reason["refs"]) == reason["count"] for reason in error["details"]["reasons"])
        assert admin.get(f"{USERS}/{user}") == detail


def test_a_deleted_user_is_gone_and_their_address_is_free(admin: Client):
    email = admin.get(f"{USERS}/u-1")["email"]
    admin.put(f"{USERS}/u-1/permissions", {"permissions": {"allowOrder": False}})
    admin.delete(f"{USERS}/u-1")
    for path in (f"{USERS}/u-1", f"{USERS}/u-1/permissions"):
        refused(admin.call("GET", path), 404, 10004)
    path = make(admin, email=email)
    assert path != f"{USERS}/u-1"
    assert admin.get(f"{path}/permissions")["permissions"]["allowOrder"]["source"] == "MAIN_GROUP"


def test_an_accepted_invitation_can_no_longer_be_sent_or_canceled(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    sandbox.accept(NEW["email"])
    user = admin.get(path)
    assert (user["status"], user["version"], bool(user["lastLoginDate"])) == ("ACTIVE", 2, True)
    refused(admin.call("PUT", f"{path}/invitation/resend", {}), 409, 13009)
    refused(admin.call("DELETE", f"{path}/invitation"), 409, 13009)
    with pytest.raises(ValueError, match="USED"):
        sandbox.accept(NEW["email"])


def test_an_invitation_expires_after_a_week_and_can_be_sent_again(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    sandbox.advance(WEEK + 1)
    admin.log_in()
    ended = admin.get(path)
    assert ended["status"] == "INVITATION_EXPIRED"
    with pytest.raises(ValueError, match="EXPIRED"):
        sandbox.accept(NEW["email"])
    expires = admin.put(f"{path}/invitation/resend", {}, headers=if_match(ended["version"]))["invitationExpiresDate"]
    resent = admin.get(path)
    assert (resent["status"], resent["invitationExpiresDate"]) == ("INVITED", expires)
    assert (resent["version"], expires > ended["invitationExpiresDate"]) == (ended["version"] + 1, True)
    newest, first = sandbox.mails()
    assert newest["link"] != first["link"]
    sandbox.accept(NEW["email"])


@pytest.mark.req("SEC-53")
def test_an_invitation_that_is_resent_with_the_same_key_sends_one_mail(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    before = len(sandbox.mails())
    key = {"Idempotency-Key": "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"}
    first, second = (admin.put(f"{path}/invitation/resend", {}, headers=key) for _ in range(2))
    assert first == second
    assert len(sandbox.mails()) == before + 1


def test_a_canceled_invitation_removes_the_user_and_its_link_stops_working(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    admin.delete(f"{path}/invitation", headers=if_match(1))
    refused(admin.call("GET", path), 404, 10004)
    with pytest.raises(ValueError, match="UNKNOWN"):
        sandbox.accept(NEW["email"])


def test_an_active_user_is_locked_and_a_locked_one_unlocked(admin: Client):
    path = f"{USERS}/u-1"
    refused(admin.call("PUT", f"{path}/unlock", {}), 409, 13011)
    version = admin.get(path)["version"]
    assert admin.put(f"{path}/lock", {}, headers=if_match(version)) == {"version": version + 1}
    assert admin.get(path)["status"] == "LOCKED"
    refused(admin.call("PUT", f"{path}/lock", {}), 409, 13011)
    admin.put(f"{path}/unlock", {})
    assert admin.get(path)["status"] == "ACTIVE"


def test_what_belongs_to_another_organization_cannot_be_changed(admin: Client):
    for path in ("/v1/bizMainGroups/g-25", "/v1/bizSubGroups/t-70", f"{USERS}/u-600", f"{USERS}/u-600/invitation"):
        refused(admin.call("DELETE", path), 404, 10004)
        if not path.endswith("/invitation"):
            refused(admin.call("PUT", path, {}), 404, 10004)
    for action in ("invitation/resend", "lock", "unlock"):
        refused(admin.call("PUT", f"{USERS}/u-600/{action}", {}), 404, 10004)
