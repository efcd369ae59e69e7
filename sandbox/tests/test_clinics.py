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
    sent = {"info": {"level": 3}, "dentistCount": 4, "staffCount": 9}
    path = make(admin, name="  New Smiles ", **sent)
    clinic = admin.get(path)
    assert {name: clinic[name] for name in sent} == sent
    assert (clinic["name"], clinic["serverLocation"], clinic["version"]) == ("New Smiles", "KR", 1)
    assert (clinic["userCount"], clinic["lastActivityDate"], clinic["canDelete"]) == (0, None, True)
    assert clinic["createdDate"] == clinic["updatedDate"]
    permissions = admin.get(f"{path}/permissions")["permissions"].values()
    assert {(one["value"], one["source"]) for one in permissions} == {(True, "OWN")}
    logins = [user["lastLoginDate"] or "" for user in admin.get("/v1/bizUsers?mainGroupId=g-1&size=100")["results"]]
    assert admin.get(f"{CLINICS}/g-1")["lastActivityDate"] == max(logins)


def test_a_clinic_that_breaks_a_rule_is_neither_created_nor_changed(admin: Client):
    before = admin.get(f"{CLINICS}/g-1")
    for changes, status, code in (
        ({"name": "smile ATELIER paris "}, 409, 13007),
        ({"name": "   "}, 400, 10002),
        ({"countryCode": "XX"}, 422, 10002),
        ({"staffCount": 10_000}, 400, 10002),
        ({"serverLocation": "KR"}, 422, 12005),
    ):
        (field,) = changes
        for response in (
            admin.call("POST", CLINICS, {**NEW, **changes}),
            admin.call("PUT", f"{CLINICS}/g-1", {"dentistCount": 99, **changes}),
        ):
            assert refused(response, status, code)["details"]["fields"] == [{"field": field, "code": code}]
    assert admin.get(f"{CLINICS}/g-1") == before
    refused(admin.call("POST", CLINICS, {**NEW, "organizationId": "o-2"}), 404, 10004)
    assert admin.get(CLINICS, {"organizationId": "o-1"})["resultCount"] == 24


def test_a_name_in_use_is_counted_but_not_that_of_the_clinic_being_edited(admin: Client):
    for query, count in (
        ({"name": "SÖDERMALM tandvard"}, 1),
        ({"name": "Södermalm"}, 0),
        ({"name": "Södermalm Tandvård", "exceptId": "g-3"}, 0),
        ({"name": "Södermalm Tandvård", "exceptId": "g-4"}, 1),
        ({"name": "Bavaria Dental"}, 0),
    ):
        assert admin.get(f"{CLINICS}/exist", {"organizationId": "o-1", **query})["resultCount"] == count
    refused(admin.call("GET", f"{CLINICS}/exist", query={"organizationId": "o-2", "name": "x"}), 404, 10004)


def test_a_change_touches_the_fields_that_are_sent_and_raises_the_version(admin: Client, sandbox: SandboxProcess):
    path = make(admin, info="kept")
    before = admin.get(path)
    sandbox.advance(60)
    assert admin.put(path, {"name": "Newer Smiles", "somethingElse": 1}, headers=if_match(1)) == {"version": 2}
    after = admin.get(path)
    assert after == {**before, "name": "Newer Smiles", "version": 2, "updatedDate": after["updatedDate"]}
    assert after["updatedDate"] > before["updatedDate"]
    admin.put(path, {"info": None, "staffCount": 5, "name": "NEWER smiles"})
    changed = admin.get(path)
    assert (changed["info"], changed["staffCount"], changed["name"]) == (None, 5, "NEWER smiles")
    refused(admin.call("PUT", path, {"staffCount": 2}, headers=if_match(1)), 412, 10005)
    refused(admin.call("DELETE", path, headers=if_match(1)), 412, 10005)
    admin.delete(path, headers=if_match(3))
    refused(admin.call("GET", path), 404, 10004)


def test_what_blocks_deleting_a_clinic_is_in_its_detail_and_in_the_refusal(admin: Client):
    every = {"CLINIC_HAS_PARTNER", "ONGOING_ORDERED_CASE", "PENDING_ORDERED_CASE_WITH_LAB", "NOT_EMPTY"}
    for clinic, code, names in (
        ("g-16", 13001, {"CLINIC_HAS_PARTNER"}),
        ("g-24", 13002, {"ONGOING_ORDERED_CASE"}),
        ("g-1", 13006, every),
    ):
        detail = admin.get(f"{CLINICS}/{clinic}")
        error = refused(admin.call("DELETE", f"{CLINICS}/{clinic}"), 409, code)
        assert set(reasons(error)) == names
        assert (detail["canDelete"], detail["deleteBlockers"]) == (False, error["details"]["reasons"])
        assert admin.get(f"{CLINICS}/{clinic}") == detail
    blockers = {reason["reason"]: reason for reason in detail["deleteBlockers"]}
    assert (blockers["NOT_EMPTY"]["count"], len(blockers["NOT_EMPTY"]["refs"])) == (40, 10)
    assert blockers["NOT_EMPTY"]["refs"][0] == {"type": "USER", "id": "u-1", "label": "Hana Park"}
    assert [ref["type"] for ref in blockers["CLINIC_HAS_PARTNER"]["refs"]] == ["PARTNERSHIP"] * 2
    assert blockers["ONGOING_ORDERED_CASE"]["refs"][0] == {"type": "CASE", "id": "c-1", "label": "Case 1"}


def test_a_clinic_with_a_user_is_not_deleted_and_one_without_is_with_its_teams(admin: Client):
    path = make(admin)
    clinic = path.rpartition("/")[2]
    team = admin.post("/v1/bizSubGroups", {"mainGroupId": clinic, "name": "Team"})["id"]
    person = {"mainGroupId": clinic, "name": "Only One", "userType": "STAFF", "email": "only@demo.example"}
    user = admin.post("/v1/bizUsers", person)["id"]
    assert reasons(refused(admin.call("DELETE", path), 409, 13005)) == {"NOT_EMPTY": 1}
    admin.delete(f"/v1/bizUsers/{user}")
    admin.delete(path)
    for gone in (path, f"{path}/permissions", f"/v1/bizSubGroups/{team}"):
        refused(admin.call("GET", gone), 404, 10004)


def test_an_organization_may_have_no_clinic_yet(visitor: Client):
    visitor.log_in(*EMPTY)
    for kind in ("bizMainGroups", "bizSubGroups", "bizUsers"):
        assert visitor.get(f"/v1/{kind}?organizationId=o-4")["results"] == []
    assert visitor.get("/v1/bizDashboards/summary?organizationId=o-4")["mainGroupCount"] == 0
    path = make(visitor, organizationId="o-4", name="Seoul Central Dental")
    assert visitor.get(f"{path}/permissions")["orderLabs"] == []
