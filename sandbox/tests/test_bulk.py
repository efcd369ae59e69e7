"""Bulk actions: independent rows, at most a hundred, and a result for each."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import EMPTY, Client, refused

pytestmark = pytest.mark.slow

CLINICS, USERS = "/v1/bizMainGroups", "/v1/bizUsers"
KEY = "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"
LAB_NOT_A_PARTNER = "l-0"


def failures(answer: dict[str, Any]) -> dict[Any, Any]:
    """Return id or index, code and field of the rows that failed, and check the counts."""
    rows = answer["results"]
    assert answer["resultCount"] == len(rows)
    assert answer["okCount"] == sum(row["ok"] for row in rows)
    return {row.get("id", row.get("index")): (row["code"], row.get("field")) for row in rows if not row["ok"]}


def person(number: int, **changes: object) -> dict[str, Any]:
    clinic = {"mainGroupName": "seoul central DENTAL", "subGroupName": "front desk"}
    return {"name": f"P {number}", "userType": "STAFF", "email": f"p{number}@demo.example", **clinic, **changes}


ACTIONS = [
    (f"{CLINICS}/bulkDelete", {}),
    (f"{CLINICS}/bulkPermissions", {"permissions": {"allowExport": False}}),
    (f"{USERS}/bulkDelete", {}),
    (f"{USERS}/bulkUpdate", {"set": {"userType": "STAFF"}}),
    (f"{USERS}/bulkPermissions", {"permissions": {"allowExport": None}}),
    (f"{USERS}/bulkResendInvitation", {}),
    (f"{USERS}/bulkLock", {}),
    (f"{USERS}/bulkUnlock", {}),
]


@pytest.mark.parametrize(("path", "more"), ACTIONS)
def test_a_bulk_action_takes_one_to_a_hundred_ids(admin: Client, path, more):
    many = [f"x-{number}" for number in range(101)]
    refused(admin.call("POST", path, {"ids": many, **more}), 413, 10007)
    assert set(failures(admin.post(path, {"ids": many[:100], **more})).values()) == {(10004, None)}
    refused(admin.call("POST", path, {"ids": [], **more}), 400, 10003)
    refused(admin.call("POST", path, {"ids": [1], **more}), 400, 10002)
    refused(admin.call("POST", path, more), 400, 10001)


@pytest.mark.parametrize("path", [f"{CLINICS}/bulkCreate", f"{USERS}/bulkCreate"])
def test_bulk_creation_takes_one_to_a_hundred_items(admin: Client, path):
    refused(admin.call("POST", path, {"items": [{}] * 101}), 413, 10007)
    assert set(failures(admin.post(path, {"items": [{}] * 100})).values()) == {(10001, "name")}
    refused(admin.call("POST", path, {"items": []}), 400, 10003)
    refused(admin.call("POST", path, {"items": ["text"]}), 400, 10002)
    refused(admin.call("POST", path, {"items": [{}], "organizationId": "o-2"}), 404, 10004)


def test_deleting_many_continues_after_failures_and_says_why_each_failed(admin: Client):
    ids = ["u-1", "u-4", "u-9", "u-600", "u-0", "u-2", "u-1"]
    answer = admin.post(f"{USERS}/bulkDelete", {"ids": ids})
    assert failures(answer) == {
        "u-4": (13006, None),
        "u-9": (13003, None),
        "u-600": (10004, None),
        "u-0": (10004, None),
        "u-1": (10004, None),  # the second time
    }
    assert [row["id"] for row in answer["results"]] == ids
    assert [reason["reason"] for reason in answer["results"][1]["reasons"]] == [
        "ONGOING_ORDERED_CASE",
        "PARTNER_WITH_LAB",
    ]
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 38


def test_deleting_many_clinics_says_what_blocks_each(admin: Client):
    made = admin.post(CLINICS, {"organizationId": "o-1", "name": "New Smiles", "countryCode": "KR"})["id"]
    answer = admin.post(f"{CLINICS}/bulkDelete", {"ids": ["g-16", made, "g-24", "g-1"]})
    assert failures(answer) == {"g-16": (13001, None), "g-24": (13002, None), "g-1": (13006, None)}
    refused(admin.call("GET", f"{CLINICS}/{made}"), 404, 10004)


def test_a_fault_can_affect_one_row(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "bulkDelete/u-2$", "code": 10000})
    assert failures(admin.post(f"{USERS}/bulkDelete", {"ids": ["u-1", "u-2", "u-3"]})) == {"u-2": (10000, None)}
    assert failures(admin.post(f"{USERS}/bulkDelete", {"ids": ["u-2"]})) == {}


def test_a_replayed_bulk_action_is_carried_out_once(admin: Client):
    def act() -> Any:
        return admin.post(f"{USERS}/bulkDelete", {"ids": ["u-1"]}, headers={"Idempotency-Key": KEY})

    assert act() == act() == {"resultCount": 1, "okCount": 1, "results": [{"id": "u-1", "ok": True}]}


def test_many_users_change_type_team_and_clinic(admin: Client):
    body = {"ids": ["u-1", "u-4", "u-50"], "set": {"mainGroupId": "g-3", "userType": "STAFF"}}
    assert failures(admin.post(f"{USERS}/bulkUpdate", body)) == {"u-4": (13002, None)}
    for moved in ("u-1", "u-50"):
        user = admin.get(f"{USERS}/{moved}")
        assert (user["mainGroupId"], user["subGroupId"], user["userType"]) == ("g-3", None, "STAFF")
    assert admin.get(f"{USERS}/u-4")["userType"] == "DOCTOR"
    body = {"ids": ["u-2", "u-50"], "set": {"subGroupId": "t-3"}}
    assert failures(admin.post(f"{USERS}/bulkUpdate", body)) == {"u-50": (10002, "subGroupId")}


def test_a_missing_clinic_is_distinguished_from_a_missing_user(admin: Client):
    body = {"ids": ["u-1", "u-0"], "set": {"mainGroupId": "g-25"}}
    assert failures(admin.post(f"{USERS}/bulkUpdate", body)) == {"u-1": (10004, "mainGroupId"), "u-0": (10004, None)}


@pytest.mark.parametrize("given", [{}, {"name": "Same for all"}, {"userType": "NURSE"}, None])
def test_a_change_of_nothing_is_refused(admin: Client, given):
    response = admin.call("POST", f"{USERS}/bulkUpdate", {"ids": ["u-1"], "set": given})
    refused(response, 400, 10001 if given in ({}, {"name": "Same for all"}) else 10002)


def test_many_invitations_are_sent_again(admin: Client, sandbox: SandboxProcess):
    assert failures(admin.post(f"{USERS}/bulkResendInvitation", {"ids": ["u-5", "u-1", "u-12"]})) == {
        "u-1": (13009, None)
    }
    assert admin.get(f"{USERS}/u-12")["status"] == "INVITED"
    assert len(sandbox.mails()) == 2


def test_permissions_of_many_users_follow_the_clinic_again(admin: Client):
    off = {"ids": ["u-1", "u-2", "u-0"], "permissions": {"allowExport": False}}
    assert failures(admin.post(f"{USERS}/bulkPermissions", off)) == {"u-0": (10004, None)}
    export = admin.get(f"{USERS}/u-2/permissions")["permissions"]["allowExport"]
    assert export == {"value": False, "source": "OWN"}
    admin.post(f"{USERS}/bulkPermissions", {**off, "permissions": {"allowExport": None}})
    export = admin.get(f"{USERS}/u-2/permissions")["permissions"]["allowExport"]
    assert export == {"value": True, "source": "MAIN_GROUP"}


def test_permissions_of_many_clinics_change_and_only_partner_labs_are_allowed(admin: Client):
    off = {"ids": ["g-1", "g-2"], "permissions": {"allowExport": False}}
    assert failures(admin.post(f"{CLINICS}/bulkPermissions", off)) == {}
    assert not admin.get(f"{CLINICS}/g-2/permissions")["permissions"]["allowExport"]["value"]
    labs = admin.get(f"{CLINICS}/g-1/permissions")["orderLabs"]
    partner = next(lab["labId"] for lab in labs if lab["status"] == "ACCEPTED")
    choice = {"ids": ["g-1", "g-5"], "orderLabs": [{"labId": partner, "allowed": True}]}
    assert failures(admin.post(f"{CLINICS}/bulkPermissions", choice)) == {"g-5": (13010, partner)}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"permissions": {}},
        {"orderLabs": []},
        {"permissions": {"allowAll": True}},
        {"permissions": {"allowOrder": 1}},
    ],
)
def test_a_bulk_change_of_permissions_must_say_what_changes(admin: Client, change):
    response = admin.call("POST", f"{USERS}/bulkPermissions", {"ids": ["u-1"], **change})
    assert (response.status_code, response.json()["code"] // 10) == (400, 1000)
    refused(
        admin.call("POST", f"{CLINICS}/bulkPermissions", {"ids": ["g-1"], "permissions": {"allowOrder": None}}),
        400,
        10002,
    )


def test_a_dry_run_of_clinics_returns_the_same_as_the_run_and_creates_nothing(visitor: Client):
    visitor.log_in(*EMPTY)
    items = [
        {"name": "First", "countryCode": "KR", "info": "=SUM(A1)", "staffCount": 3},
        {"name": "Second"},
        {"name": "FIRST ", "countryCode": "KR"},
        {"name": "Third", "countryCode": "ZZ"},
        {"name": 4, "countryCode": "KR"},
        {"name": "Fifth", "countryCode": "KR", "serverLocation": "EU"},
        {"name": "Sixth", "countryCode": "DE"},
    ]
    expected = {1: (10001, "countryCode"), 2: (13007, "name"), 3: (10002, "countryCode"), 4: (10002, "name")}
    expected[5] = (12005, "serverLocation")
    dry = visitor.post(f"{CLINICS}/bulkCreate", {"dryRun": True, "items": items})
    assert failures(dry) == expected
    assert visitor.get(f"{CLINICS}?organizationId=o-4")["resultCount"] == 0
    done = visitor.post(f"{CLINICS}/bulkCreate", {"organizationId": "o-4", "items": items})
    assert failures(done) == expected
    rows = {row["id"]: row for row in visitor.get(f"{CLINICS}?organizationId=o-4")["results"]}
    assert [rows[row["id"]]["name"] for row in done["results"] if row["ok"]] == ["First", "Sixth"]
    assert failures(visitor.post(f"{CLINICS}/bulkCreate", {"dryRun": True, "items": items}))[0] == (13007, "name")


def test_a_dry_run_of_users_returns_the_same_as_the_run_and_invites_nobody(admin: Client, sandbox: SandboxProcess):
    items = [
        person(0),
        person(1, mainGroupName="Nowhere"),
        person(2, subGroupName="Nowhere"),
        person(3, email="hana.park@demo.example"),
        person(4, email="P0@demo.example"),
        person(5, userType="staff"),
        person(6, mainGroupName="Bavaria Dental"),  # in another organization
        person(7, email="half"),
        person(8, subGroupName=""),
        person(9, subGroupName=None),
    ]
    expected = {
        1: (10004, "mainGroupName"),
        2: (10004, "subGroupName"),
        3: (13008, "email"),
        4: (13008, "email"),
        5: (10002, "userType"),
        6: (10004, "mainGroupName"),
        7: (10002, "email"),
    }
    assert failures(admin.post(f"{USERS}/bulkCreate", {"dryRun": True, "items": items})) == expected
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 40
    assert sandbox.mails() == []
    done = admin.post(f"{USERS}/bulkCreate", {"dryRun": False, "items": items})
    assert failures(done) == expected
    made = [admin.get(f"{USERS}/{row['id']}") for row in done["results"] if row["ok"]]
    assert [(user["mainGroupId"], user["subGroupName"]) for user in made] == [
        ("g-1", "Front desk"),
        ("g-1", None),
        ("g-1", None),
    ]
    assert {mail["to"] for mail in sandbox.mails()} == {"p0@demo.example", "p8@demo.example", "p9@demo.example"}
