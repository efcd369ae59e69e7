"""Clinics are created, changed and deleted, one by one."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import EMPTY, Client, if_match, reasons, refused

pytestmark = pytest.mark.slow

CLINICS = "/v1/bizMainGroups"
NEW = {"organizationId": "o-1", "name": "New Smiles", "countryCode": "KR"}


def make(client: Client, **changes: object) -> str:
    """Create a clinic and return its path."""
    return f"{CLINICS}/{client.post(CLINICS, {**NEW, **changes})['id']}"


def test_a_new_clinic_has_what_was_sent_and_the_server_of_its_organization(admin: Client):
    path = make(admin, name="  New Smiles ", info={"level": 3}, dentistCount=4, staffCount=9)
    clinic = admin.get(path)
    assert (clinic["name"], clinic["info"], clinic["dentistCount"], clinic["staffCount"]) == (
        "New Smiles",
        {"level": 3},
        4,
        9,
    )
    assert (clinic["serverLocation"], clinic["version"], clinic["userCount"]) == ("KR", 1, 0)
    assert clinic["createdDate"] == clinic["updatedDate"]
    assert (clinic["lastActivityDate"], clinic["canDelete"], clinic["deleteBlockers"]) == (None, True, [])
    permissions = admin.get(f"{path}/permissions")["permissions"].values()
    assert {(one["value"], one["source"]) for one in permissions} == {(True, "OWN")}


def test_a_clinics_last_activity_is_the_last_login_of_its_users(admin: Client):
    logins = [user["lastLoginDate"] or "" for user in admin.get("/v1/bizUsers?mainGroupId=g-1&size=100")["results"]]
    assert admin.get(f"{CLINICS}/g-1")["lastActivityDate"] == max(logins)


@pytest.mark.parametrize(
    ("changes", "status", "code", "field"),
    [
        ({"name": "seoul CENTRAL dental "}, 409, 13007, "name"),
        ({"name": ""}, 400, 10003, "name"),
        ({"name": "   "}, 400, 10002, "name"),
        ({"name": "a" * 101}, 400, 10002, "name"),
        ({"countryCode": "kr"}, 400, 10002, "countryCode"),
        ({"countryCode": "XX"}, 422, 10002, "countryCode"),
        ({"dentistCount": -1}, 400, 10002, "dentistCount"),
        ({"staffCount": 10_000}, 400, 10002, "staffCount"),
        ({"info": "a" * 1001}, 400, 10002, "info"),
        ({"serverLocation": "KR"}, 422, 12005, "serverLocation"),
        ({"organizationId": ""}, 400, 10003, "organizationId"),
    ],
)
def test_a_clinic_that_breaks_a_rule_is_not_created(admin: Client, changes, status, code, field):
    error = refused(admin.call("POST", CLINICS, {**NEW, **changes}), status, code)
    assert error["details"]["fields"] == [{"field": field, "code": code}]
    assert admin.get(CLINICS, {"organizationId": "o-1"})["resultCount"] == 24


def test_a_clinic_is_created_in_ones_own_organization_only(admin: Client):
    refused(admin.call("POST", CLINICS, {**NEW, "organizationId": "o-2"}), 404, 10004)


def test_a_name_in_use_is_counted_but_not_that_of_the_clinic_being_edited(admin: Client):
    def count(name: str, **more: str) -> int:
        found: int = admin.get(f"{CLINICS}/exist", {"organizationId": "o-1", "name": name, **more})["resultCount"]
        return found

    assert (count("SÖDERMALM tandvard"), count("Södermalm")) == (1, 0)
    assert (count("Södermalm Tandvård", exceptId="g-3"), count("Södermalm Tandvård", exceptId="g-4")) == (0, 1)
    assert count("Bavaria Dental") == 0
    refused(admin.call("GET", f"{CLINICS}/exist", query={"organizationId": "o-2", "name": "x"}), 404, 10004)
    refused(admin.call("GET", f"{CLINICS}/exist", query={"organizationId": "o-1"}), 400, 10001)


def test_a_change_touches_the_fields_that_are_sent_and_raises_the_version(admin: Client, sandbox: SandboxProcess):
    path = make(admin, info="kept")
    before = admin.get(path)
    sandbox.advance(60)
    version = admin.put(path, {"name": "Newer Smiles", "somethingElse": 1}, headers=if_match(1))["version"]
    after = admin.get(path)
    assert after == {**before, "name": "Newer Smiles", "version": version, "updatedDate": after["updatedDate"]}
    assert version == 2
    assert after["updatedDate"] > before["updatedDate"]
    admin.put(path, {"info": None, "staffCount": 5, "name": "NEWER smiles"}, headers=if_match(2))
    changed = admin.get(path)
    assert (changed["info"], changed["staffCount"], changed["name"]) == (None, 5, "NEWER smiles")
    admin.put(path, {"staffCount": None})
    assert admin.get(path)["staffCount"] is None


def test_a_stale_change_or_delete_is_refused(admin: Client):
    path = make(admin)
    admin.put(path, {"staffCount": 1}, headers=if_match(1))
    refused(admin.call("PUT", path, {"staffCount": 2}, headers=if_match(1)), 412, 10005)
    refused(admin.call("DELETE", path, headers=if_match(1)), 412, 10005)
    assert admin.get(path)["staffCount"] == 1
    admin.delete(path, headers=if_match(2))
    refused(admin.call("GET", path), 404, 10004)


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"serverLocation": "KR"}, 422, 12005),
        ({"serverLocation": "EU"}, 422, 12005),
        ({"name": "Smile Atelier Paris"}, 409, 13007),
        ({"name": None}, 400, 10002),
        ({"countryCode": "ZZ"}, 422, 10002),
    ],
)
def test_a_change_that_breaks_a_rule_changes_nothing(admin: Client, change, status, code):
    before = admin.get(f"{CLINICS}/g-1")
    refused(admin.call("PUT", f"{CLINICS}/g-1", {"staffCount": 99, **change}), status, code)
    assert admin.get(f"{CLINICS}/g-1") == before


@pytest.mark.parametrize(
    ("clinic", "code", "names"),
    [
        ("g-16", 13001, {"CLINIC_HAS_PARTNER"}),
        ("g-24", 13002, {"ONGOING_ORDERED_CASE"}),
        ("g-1", 13006, {"CLINIC_HAS_PARTNER", "ONGOING_ORDERED_CASE", "PENDING_ORDERED_CASE_WITH_LAB", "NOT_EMPTY"}),
    ],
)
def test_what_blocks_deleting_a_clinic_is_in_its_detail_and_in_the_refusal(admin: Client, clinic, code, names):
    told = admin.get(f"{CLINICS}/{clinic}")
    error = refused(admin.call("DELETE", f"{CLINICS}/{clinic}"), 409, code)
    assert set(reasons(error)) == names
    assert (told["canDelete"], told["deleteBlockers"]) == (False, error["details"]["reasons"])
    assert admin.get(f"{CLINICS}/{clinic}") == told


def test_reasons_list_the_first_ten_objects_that_they_count(admin: Client):
    blockers = {reason["reason"]: reason for reason in admin.get(f"{CLINICS}/g-1")["deleteBlockers"]}
    assert blockers["NOT_EMPTY"]["count"] == 40
    assert len(blockers["NOT_EMPTY"]["refs"]) == 10
    assert blockers["NOT_EMPTY"]["refs"][0] == {"type": "USER", "id": "u-1", "label": "Hana Park"}
    assert [ref["type"] for ref in blockers["CLINIC_HAS_PARTNER"]["refs"]] == ["PARTNERSHIP"] * 2
    assert blockers["ONGOING_ORDERED_CASE"]["refs"][0] == {"type": "CASE", "id": "c-1", "label": "Case 1"}


def test_a_clinic_with_a_user_is_not_deleted_and_one_without_is_with_its_teams(admin: Client):
    path = make(admin)
    clinic = path.rpartition("/")[2]
    team = admin.post("/v1/bizSubGroups", {"mainGroupId": clinic, "name": "Team"})["id"]
    person = {"mainGroupId": clinic, "name": "Only One", "userType": "STAFF", "email": "only@demo.example"}
    user = admin.post("/v1/bizUsers", person)["id"]
    error = refused(admin.call("DELETE", path), 409, 13005)
    assert reasons(error) == {"NOT_EMPTY": 1}
    admin.delete(f"/v1/bizUsers/{user}")
    admin.delete(path)
    refused(admin.call("GET", f"/v1/bizSubGroups/{team}"), 404, 10004)
    refused(admin.call("GET", f"{path}/permissions"), 404, 10004)
    refused(admin.call("DELETE", path), 404, 10004)


def test_an_organization_may_have_no_clinic_yet(visitor: Client):
    visitor.log_in(*EMPTY)
    for kind in ("bizMainGroups", "bizSubGroups", "bizUsers"):
        assert visitor.get(f"/v1/{kind}?organizationId=o-4")["results"] == []
    assert visitor.get("/v1/bizDashboards/summary?organizationId=o-4")["mainGroupCount"] == 0
    path = make(visitor, organizationId="o-4", name="Seoul Central Dental")
    assert visitor.get(f"{path}/permissions")["orderLabs"] == []
