"""Teams are created, changed and deleted; their users move to another team."""

import pytest

from sandbox.tests.client import Client, if_match, reasons, refused

pytestmark = pytest.mark.slow

TEAMS = "/v1/bizSubGroups"


def members(client: Client, team: str) -> set[str]:
    users = client.get("/v1/bizUsers", {"organizationId": "o-1", "subGroupId": team, "size": 100})["results"]
    return {user["id"] for user in users}


def make(client: Client, clinic: str = "g-1", name: str = "New team") -> str:
    team: str = client.post(TEAMS, {"mainGroupId": clinic, "name": name})["id"]
    return team


def test_a_team_is_created_with_a_name_that_is_free_in_its_clinic(admin: Client):
    team = admin.get(f"{TEAMS}/{make(admin, name=' New team ')}")
    assert (team["name"], team["teamType"], team["mainGroupName"]) == ("New team", "GENERAL", "Seoul Central Dental")
    assert (team["userCount"], team["canDelete"], team["version"]) == (0, True, 1)
    make(admin, "g-2")
    for changes, status, code in (
        ({"name": "FRONT desk"}, 409, 13007),
        ({"name": " "}, 400, 10002),
        ({"teamType": "SURGERY"}, 422, 10002),
        ({"mainGroupId": "g-25"}, 404, 10004),
    ):
        refused(admin.call("POST", TEAMS, {"mainGroupId": "g-1", "name": "Another", **changes}), status, code)
    assert admin.get(f"{TEAMS}?mainGroupId=g-1")["resultCount"] == 4
    for query, count in (
        ({"mainGroupId": "g-1", "name": "front DESK"}, 1),
        ({"mainGroupId": "g-1", "name": "front desk", "exceptId": "t-3"}, 0),
        ({"mainGroupId": "g-16", "name": "front desk"}, 0),
    ):
        assert admin.get(f"{TEAMS}/exist", query)["resultCount"] == count
    refused(admin.call("GET", f"{TEAMS}/exist", query={"mainGroupId": "g-25", "name": "x"}), 404, 10004)


def test_teams_of_all_clinics_are_listed_with_the_names_of_their_clinics(admin: Client):
    rows = admin.get(TEAMS, {"organizationId": "o-1", "size": 100})["results"]
    clinics = {row["id"]: row["name"] for row in admin.get("/v1/bizMainGroups?organizationId=o-1&size=100")["results"]}
    assert len({row["mainGroupId"] for row in rows}) > 10
    assert all(row["mainGroupName"] == clinics[row["mainGroupId"]] for row in rows)


def test_a_team_is_renamed_and_a_stale_change_refused(admin: Client):
    path = f"{TEAMS}/t-1"
    assert admin.put(path, {"name": "Crowns", "teamType": "IMPLANTOLOGY"}, headers=if_match(1)) == {"version": 2}
    refused(admin.call("PUT", path, {"name": "Bridges"}, headers=if_match(1)), 412, 10005)
    refused(admin.call("PUT", path, {"name": "front desk"}), 409, 13007)
    refused(admin.call("PUT", path, {"teamType": ""}), 422, 10002)
    team = admin.get(path)
    assert (team["name"], team["teamType"], team["version"]) == ("Crowns", "IMPLANTOLOGY", 2)
    assert admin.get("/v1/bizUsers/u-1")["subGroupName"] == "Crowns"


def test_an_empty_team_is_deleted_and_one_with_users_is_not(admin: Client):
    admin.delete(f"{TEAMS}/{make(admin)}", headers=if_match(1))
    detail = admin.get(f"{TEAMS}/t-3")
    error = refused(admin.call("DELETE", f"{TEAMS}/t-3"), 409, 13005)
    assert reasons(error) == {"NOT_EMPTY": 13}
    assert (detail["canDelete"], detail["deleteBlockers"]) == (False, error["details"]["reasons"])
    refused(admin.call("DELETE", f"{TEAMS}/t-3", headers=if_match(9)), 412, 10005)
    for target, status, code in (("t-3", 422, 10002), ("t-0", 404, 10004), ("t-90", 404, 10004), ("", 400, 10003)):
        error = refused(admin.call("DELETE", f"{TEAMS}/t-3", query={"moveUsersTo": target}), status, code)
        assert error["details"]["fields"] == [{"field": "moveUsersTo", "code": code}]
    assert len(members(admin, "t-3")) == 13


def test_users_move_within_the_clinic_or_to_another_unless_one_has_an_ongoing_case(admin: Client):
    target, leaving, staying = make(admin, "g-16"), members(admin, "t-1"), members(admin, "t-2")
    error = refused(admin.call("DELETE", f"{TEAMS}/t-1", query={"moveUsersTo": target}), 409, 13002)
    assert error["details"]["reasons"][0]["refs"] == [{"type": "CASE", "id": "c-1", "label": "Case 1"}]
    assert members(admin, "t-1") == leaving
    version = admin.get("/v1/bizUsers/u-4")["version"]
    admin.delete(f"{TEAMS}/t-1", query={"moveUsersTo": "t-2"})
    assert members(admin, "t-2") == leaving | staying
    assert admin.get("/v1/bizUsers/u-4")["version"] == version + 1
    free = make(admin)
    admin.put("/v1/bizUsers/u-1", {"subGroupId": free})
    admin.delete(f"{TEAMS}/{free}", query={"moveUsersTo": target})
    user = admin.get("/v1/bizUsers/u-1")
    assert (user["mainGroupId"], user["subGroupId"]) == ("g-16", target)
