"""Users are invited, changed, moved and deleted, one by one."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import Client, if_match, reasons, refused

pytestmark = pytest.mark.slow

USERS = "/v1/bizUsers"
NEW = {"mainGroupId": "g-1", "name": "New Person", "userType": "DOCTOR", "email": "new.person@demo.example"}
WEEK = 7 * 86_400


def make(client: Client, **changes: object) -> str:
    """Invite somebody and return their path."""
    return f"{USERS}/{client.post(USERS, {**NEW, **changes})['id']}"


def test_a_new_user_is_invited_by_mail(admin: Client, sandbox: SandboxProcess):
    path = make(admin, name=" New Person ", email="New.Person@demo.example", subGroupId="t-2", language="ko-KR")
    user = admin.get(path)
    assert (user["name"], user["email"], user["status"]) == ("New Person", "new.person@demo.example", "INVITED")
    assert (user["subGroupName"], user["accountType"], user["version"]) == ("Orthodontics", 3, 1)
    assert (user["lastLoginDate"], user["canDelete"]) == (None, True)
    assert [(mail["to"], mail["kind"]) for mail in sandbox.mails()] == [(user["email"], "INVITATION")]


def test_a_new_user_may_have_permissions_of_their_own(admin: Client):
    path = make(admin, permissions={"allowExport": False, "allowOrder": None})
    permissions = admin.get(f"{path}/permissions")["permissions"]
    assert permissions["allowExport"] == {"value": False, "source": "OWN"}
    assert permissions["allowOrder"] == {"value": True, "source": "MAIN_GROUP"}


@pytest.mark.parametrize(
    ("changes", "status", "code", "field"),
    [
        ({"email": "HANA.park@demo.example"}, 409, 13008, "email"),
        ({"email": "admin@demo.example"}, 409, 13008, "email"),
        ({"email": "other@demo.example"}, 409, 13008, "email"),
        ({"email": "no address"}, 400, 10002, "email"),
        ({"name": ""}, 400, 10003, "name"),
        ({"userType": "NURSE"}, 400, 10002, "userType"),
        ({"language": "xx-XX"}, 422, 10002, "language"),
        ({"mainGroupId": "g-25"}, 404, 10004, "mainGroupId"),
        ({"subGroupId": "t-0"}, 404, 10004, "subGroupId"),
        ({"subGroupId": "t-4"}, 422, 10002, "subGroupId"),
        ({"permissions": {"allowAll": True}}, 400, 10002, "allowAll"),
    ],
)
def test_a_user_that_breaks_a_rule_is_not_invited(admin: Client, sandbox, changes, status, code, field):
    error = refused(admin.call("POST", USERS, {**NEW, **changes}), status, code)
    assert error["details"]["fields"] == [{"field": field, "code": code}]
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 40
    assert sandbox.mails() == []


def test_an_address_in_use_anywhere_is_counted(admin: Client):
    def count(email: str) -> int:
        found: int = admin.get(f"{USERS}/exist", {"email": email})["resultCount"]
        return found

    assert [count("Hana.Park@demo.example"), count("other@demo.example"), count("free@demo.example")] == [1, 1, 0]
    refused(admin.call("GET", f"{USERS}/exist", query={"email": "half"}), 400, 10002)


def test_a_change_touches_the_fields_that_are_sent_and_raises_the_version(admin: Client):
    before = admin.get(f"{USERS}/u-1")
    change = {"name": "Hana Lee", "userType": "STAFF", "email": "not.changed@demo.example"}
    version = admin.put(f"{USERS}/u-1", change, headers=if_match(before["version"]))["version"]
    assert version == before["version"] + 1
    assert admin.get(f"{USERS}/u-1") == {**before, "name": "Hana Lee", "userType": "STAFF", "version": version}
    refused(admin.call("PUT", f"{USERS}/u-1", {"name": "X"}, headers=if_match(before["version"])), 412, 10005)
    refused(admin.call("DELETE", f"{USERS}/u-1", headers=if_match(before["version"])), 412, 10005)


def test_a_user_moves_to_another_team_even_with_an_ongoing_case_or_to_none(admin: Client):
    admin.put(f"{USERS}/u-4", {"subGroupId": "t-3"})
    assert admin.get(f"{USERS}/u-4")["subGroupName"] == "Front desk"
    admin.put(f"{USERS}/u-4", {"subGroupId": None})
    assert admin.get(f"{USERS}/u-4")["subGroupName"] is None


def test_a_user_moves_to_another_clinic_and_leaves_the_team(admin: Client):
    own = {"permissions": {"allowOrder": False}}
    admin.put(f"{USERS}/u-20/permissions", own)
    admin.put(f"{USERS}/u-20", {"mainGroupId": "g-16"})
    user = admin.get(f"{USERS}/u-20")
    assert (user["mainGroupName"], user["subGroupId"]) == ("Улыбка", None)
    assert admin.get(f"{USERS}/u-20/permissions")["permissions"]["allowOrder"] == {"value": False, "source": "OWN"}
    counts = [admin.get(f"/v1/bizMainGroups/{clinic}")["userCount"] for clinic in ("g-1", "g-16")]
    assert counts == [39, 1]
    pending = [reason["reason"] for reason in admin.get("/v1/bizMainGroups/g-16")["deleteBlockers"]]
    assert pending == ["CLINIC_HAS_PARTNER", "PENDING_ORDERED_CASE_WITH_LAB", "NOT_EMPTY"]
    admin.put(f"{USERS}/u-20", {"mainGroupId": "g-1", "subGroupId": "t-2"})
    assert admin.get(f"{USERS}/u-20")["subGroupName"] == "Orthodontics"


def test_a_user_with_an_ongoing_case_does_not_move_to_another_clinic(admin: Client):
    before = admin.get(f"{USERS}/u-4")
    error = refused(admin.call("PUT", f"{USERS}/u-4", {"name": "X", "mainGroupId": "g-2"}), 409, 13002)
    assert reasons(error) == {"ONGOING_ORDERED_CASE": 1}
    assert admin.get(f"{USERS}/u-4") == before


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"mainGroupId": "g-25"}, 404, 10004),
        ({"subGroupId": "t-4"}, 422, 10002),
        ({"mainGroupId": "g-2", "subGroupId": "t-1"}, 422, 10002),
        ({"mainGroupId": None}, 400, 10002),
        ({"userType": "doctor"}, 400, 10002),
    ],
)
def test_a_move_to_an_impossible_clinic_or_team_is_refused(admin: Client, change, status, code):
    before = admin.get(f"{USERS}/u-1")
    refused(admin.call("PUT", f"{USERS}/u-1", change), status, code)
    assert admin.get(f"{USERS}/u-1") == before


@pytest.mark.parametrize(
    ("user", "code", "names"),
    [
        ("u-15", 13002, ["ONGOING_ORDERED_CASE"]),
        ("u-9", 13003, ["PARTNER_WITH_LAB"]),
        ("u-20", 13004, ["PENDING_ORDERED_CASE_WITH_LAB"]),
        ("u-4", 13006, ["ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB"]),
    ],
)
def test_what_blocks_deleting_a_user_is_in_the_detail_and_in_the_refusal(admin: Client, user, code, names):
    told = admin.get(f"{USERS}/{user}")
    error = refused(admin.call("DELETE", f"{USERS}/{user}"), 409, code)
    assert list(reasons(error)) == names
    assert (told["canDelete"], told["deleteBlockers"]) == (False, error["details"]["reasons"])
    for reason in error["details"]["reasons"]:
        assert len(reason["refs"]) == reason["count"]
        assert all(set(ref) == {"type", "id", "label"} for ref in reason["refs"])
    assert admin.get(f"{USERS}/{user}") == told


def test_a_deleted_user_is_gone_and_their_address_is_free(admin: Client):
    email = admin.get(f"{USERS}/u-1")["email"]
    admin.put(f"{USERS}/u-1/permissions", {"permissions": {"allowOrder": False}})
    admin.delete(f"{USERS}/u-1")
    for path in (f"{USERS}/u-1", f"{USERS}/u-1/permissions"):
        refused(admin.call("GET", path), 404, 10004)
    assert admin.get("/v1/bizMainGroups/g-1")["userCount"] == 39
    path = make(admin, email=email)
    assert path != f"{USERS}/u-1"
    assert admin.get(f"{path}/permissions")["permissions"]["allowOrder"]["source"] == "MAIN_GROUP"


def test_accepting_an_invitation_makes_a_user_active_and_it_can_no_longer_be_sent_or_canceled(
    admin: Client, sandbox: SandboxProcess
):
    path = make(admin)
    sandbox.accept(NEW["email"])
    user = admin.get(path)
    assert (user["status"], user["version"]) == ("ACTIVE", 2)
    assert user["lastLoginDate"]
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
    again = admin.get(path)
    assert (again["status"], again["invitationExpiresDate"]) == ("INVITED", expires)
    assert again["version"] == ended["version"] + 1
    assert expires > ended["invitationExpiresDate"]
    assert len(sandbox.mails()) == 2
    assert sandbox.mails()[0]["link"] != sandbox.mails()[1]["link"]
    refused(admin.call("PUT", f"{path}/invitation/resend", {}, headers=if_match(ended["version"])), 412, 10005)
    sandbox.accept(NEW["email"])


@pytest.mark.req("SEC-53")
def test_an_invitation_that_is_resent_with_the_same_key_sends_one_mail(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    before = len(sandbox.mails())
    key = {"Idempotency-Key": "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"}
    first, again = (admin.put(f"{path}/invitation/resend", {}, headers=key) for _ in range(2))
    assert first == again
    assert len(sandbox.mails()) == before + 1


def test_a_canceled_invitation_removes_the_user_and_its_link_stops_working(admin: Client, sandbox: SandboxProcess):
    path = make(admin)
    admin.delete(f"{path}/invitation", headers=if_match(1))
    refused(admin.call("GET", path), 404, 10004)
    with pytest.raises(ValueError, match="UNKNOWN"):
        sandbox.accept(NEW["email"])
    refused(admin.call("DELETE", f"{USERS}/u-1/invitation"), 409, 13009)


def test_an_active_user_is_locked_and_a_locked_one_unlocked(admin: Client):
    path = f"{USERS}/u-1"
    before = admin.get(path)
    refused(admin.call("PUT", f"{path}/unlock", {}), 409, 13011)
    version = admin.put(f"{path}/lock", {}, headers=if_match(before["version"]))["version"]
    assert (admin.get(path)["status"], version) == ("LOCKED", before["version"] + 1)
    refused(admin.call("PUT", f"{path}/lock", {}), 409, 13011)
    refused(admin.call("PUT", f"{path}/unlock", {}, headers=if_match(before["version"])), 412, 10005)
    admin.put(f"{path}/unlock", {})
    assert admin.get(path)["status"] == "ACTIVE"


def test_many_are_locked_and_unlocked_row_by_row(admin: Client):
    ids = ["u-1", "u-5", "u-600"]  # active, invited, of another organization
    rows = admin.post(f"{USERS}/bulkLock", {"ids": ids})["results"]
    assert [row.get("code") for row in rows] == [None, 13011, 10004]
    rows = admin.post(f"{USERS}/bulkUnlock", {"ids": ids[:2]})["results"]
    assert [row["ok"] for row in rows] == [True, False]


FOREIGN: list[tuple[str, str, object]] = [
    ("PUT", "/v1/bizMainGroups/g-25", {}),
    ("DELETE", "/v1/bizMainGroups/g-25", None),
    ("PUT", "/v1/bizSubGroups/t-70", {}),
    ("DELETE", "/v1/bizSubGroups/t-70", None),
    ("PUT", f"{USERS}/u-600", {}),
    ("DELETE", f"{USERS}/u-600", None),
    ("PUT", f"{USERS}/u-600/invitation/resend", {}),
    ("DELETE", f"{USERS}/u-600/invitation", None),
    ("PUT", f"{USERS}/u-600/lock", {}),
    ("PUT", f"{USERS}/u-600/unlock", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), FOREIGN)
def test_what_belongs_to_another_organization_cannot_be_changed(admin: Client, method, path, body):
    refused(admin.call(method, path, body), 404, 10004)
