"""Bulk actions: independent rows, at most a hundred, and a result for each."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import EMPTY, Client, refused

pytestmark = pytest.mark.slow

CLINICS, USERS = "/v1/bizMainGroups", "/v1/bizUsers"
KEY = "5f0c2a34-9d1e-4c57-8a6b-0f1e2d3c4b5a"
OFF = {"permissions": {"allowExport": False}}


def failures(answer: dict[str, Any]) -> dict[Any, Any]:
    """Return id or index, code and field of the rows that failed, and check the counts."""
    rows = answer["results"]
    assert answer["resultCount"] == len(rows)
    assert answer["okCount"] == sum(row["ok"] for row in rows)
    return {row.get("id", row.get("index")): (row["code"], row.get("field")) for row in rows if not row["ok"]}


def person(number: int, **changes: object) -> dict[str, Any]:
    clinic = {"mainGroupName": "seoul central DENTAL", "subGroupName": "front desk"}
    return {"name": f"P {number}", "userType": "STAFF", "email": f"p{number}@demo.example", **clinic, **changes}


def test_a_bulk_action_takes_one_to_a_hundred_rows(admin: Client):
    many = [f"x-{number}" for number in range(101)]
    actions: dict[str, dict[str, Any]] = {
        f"{CLINICS}/bulkDelete": {},
        f"{CLINICS}/bulkPermissions": OFF,
        f"{USERS}/bulkDelete": {},
        f"{USERS}/bulkUpdate": {"set": {"userType": "STAFF"}},
        f"{USERS}/bulkPermissions": OFF,
        f"{USERS}/bulkResendInvitation": {},
        f"{USERS}/bulkLock": {},
        f"{USERS}/bulkUnlock": {},
    }
    for path, more in actions.items():
        refused(admin.call("POST", path, {"ids": many, **more}), 413, 10007)
        assert set(failures(admin.post(path, {"ids": many[:100], **more})).values()) == {(10004, None)}
        refused(admin.call("POST", path, {"ids": [], **more}), 400, 10003)
    for path in (f"{CLINICS}/bulkCreate", f"{USERS}/bulkCreate"):
        refused(admin.call("POST", path, {"items": [{}] * 101}), 413, 10007)
        assert set(failures(admin.post(path, {"items": [{}] * 100})).values()) == {(10001, "name")}
        refused(admin.call("POST", path, {"items": [{}], "organizationId": "o-2"}), 404, 10004)


def test_deleting_many_continues_after_failures_and_says_why_each_failed(admin: Client):
    ids = ["u-1", "u-4", "u-9", "u-600", "u-2", "u-1"]
    answer = admin.post(f"{USERS}/bulkDelete", {"ids": ids})
    gone = (10004, None)  # of another organization, or for the second time
    assert failures(answer) == {"u-4": (13006, None), "u-9": (13003, None), "u-600": gone, "u-1": gone}
    assert [row["id"] for row in answer["results"]] == ids
    reasons = [reason["reason"] for reason in answer["results"][1]["reasons"]]
    assert reasons == ["ONGOING_ORDERED_CASE", "PARTNER_WITH_LAB"]
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 38
    made = admin.post(CLINICS, {"organizationId": "o-1", "name": "New Smiles", "countryCode": "KR"})["id"]
    answer = admin.post(f"{CLINICS}/bulkDelete", {"ids": ["g-16", made, "g-24", "g-1"]})
    assert failures(answer) == {"g-16": (13001, None), "g-24": (13002, None), "g-1": (13006, None)}
    refused(admin.call("GET", f"{CLINICS}/{made}"), 404, 10004)


def test_a_fault_can_affect_one_row(admin: Client, sandbox: SandboxProcess):
    sandbox.faults({"path": "bulkDelete/u-2$", "code": 10000})
    assert failures(admin.post(f"{USERS}/bulkDelete", {"ids": ["u-1", "u-2", "u-3"]})) == {"u-2": (10000, None)}
    assert failures(admin.post(f"{USERS}/bulkDelete", {"ids": ["u-2"]})) == {}


def test_a_repeated_bulk_action_is_executed_once(admin: Client):
    for _ in range(2):
        answer = admin.post(f"{USERS}/bulkDelete", {"ids": ["u-1"]}, headers={"Idempotency-Key": KEY})
        assert answer == {"resultCount": 1, "okCount": 1, "results": [{"id": "u-1", "ok": True}]}


def test_many_users_change_type_team_and_clinic(admin: Client):
    path = f"{USERS}/bulkUpdate"
    body = {"ids": ["u-1", "u-4", "u-50"], "set": {"mainGroupId": "g-3", "userType": "STAFF"}}
    assert failures(admin.post(path, body)) == {"u-4": (13002, None)}
    for moved in ("u-1", "u-50"):
        user = admin.get(f"{USERS}/{moved}")
        assert (user["mainGroupId"], user["subGroupId"], user["userType"]) == ("g-3", None, "STAFF")
    assert admin.get(f"{USERS}/u-4")["userType"] == "DOCTOR"
    body = {"ids": ["u-2", "u-50"], "set": {"subGroupId": "t-3"}}
    assert failures(admin.post(path, body)) == {"u-50": (10002, "subGroupId")}
    body = {"ids": ["u-1", "u-0"], "set": {"mainGroupId": "g-25"}}
    assert failures(admin.post(path, body)) == {"u-1": (10004, "mainGroupId"), "u-0": (10004, None)}
    for given, code in (({}, 10001), ({"name": "Same for all"}, 10001), ({"userType": "NURSE"}, 10002)):
        refused(admin.call("POST", path, {"ids": ["u-1"], "set": given}), 400, code)


def test_many_are_invited_again_or_locked_if_their_state_allows_it(admin: Client, sandbox: SandboxProcess):
    for action, ids, expected in (
        ("bulkResendInvitation", ["u-5", "u-1", "u-12"], {"u-1": (13009, None)}),
        ("bulkLock", ["u-1", "u-5"], {"u-5": (13011, None)}),
        ("bulkUnlock", ["u-1", "u-5"], {"u-5": (13011, None)}),
    ):
        assert failures(admin.post(f"{USERS}/{action}", {"ids": ids})) == expected
    assert admin.get(f"{USERS}/u-12")["status"] == "INVITED"
    assert len(sandbox.mails()) == 2


def test_permissions_of_many_change_and_must_be_known(admin: Client):
    path = f"{USERS}/bulkPermissions"
    for value, source in ((False, "OWN"), (None, "MAIN_GROUP")):
        body = {"ids": ["u-1", "u-2", "u-0"], "permissions": {"allowExport": value}}
        assert failures(admin.post(path, body)) == {"u-0": (10004, None)}
        export = admin.get(f"{USERS}/u-2/permissions")["permissions"]["allowExport"]
        assert export == {"value": value is None, "source": source}
    assert failures(admin.post(f"{CLINICS}/bulkPermissions", {"ids": ["g-1", "g-2"], **OFF})) == {}
    assert not admin.get(f"{CLINICS}/g-2/permissions")["permissions"]["allowExport"]["value"]
    labs = admin.get(f"{CLINICS}/g-1/permissions")["orderLabs"]
    partner = next(lab["labId"] for lab in labs if lab["status"] == "ACCEPTED")
    choice = {"ids": ["g-1", "g-5"], "orderLabs": [{"labId": partner, "allowed": True}]}
    assert failures(admin.post(f"{CLINICS}/bulkPermissions", choice)) == {"g-5": (13010, partner)}
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"permissions": {}},
        {"orderLabs": []},
        {"permissions": {"allowAll": True}},
    )
    for change in changes:
        assert admin.call("POST", path, {"ids": ["u-1"], **change}).status_code == 400
    follow = {"ids": ["g-1"], "permissions": {"allowOrder": None}}
    refused(admin.call("POST", f"{CLINICS}/bulkPermissions", follow), 400, 10002)


def test_a_dry_run_of_clinics_returns_the_same_as_the_run_and_creates_nothing(visitor: Client):
    visitor.log_in(*EMPTY)
    path, listed = f"{CLINICS}/bulkCreate", f"{CLINICS}?organizationId=o-4"
    items = [
        {"name": "First", "countryCode": "KR", "info": "=SUM(A1)", "staffCount": 3},
        {"name": "Second"},
        {"name": "FIRST ", "countryCode": "KR"},
        {"name": "Third", "countryCode": "ZZ"},
        {"name": "Fifth", "countryCode": "KR", "serverLocation": "EU"},
        {"name": "Sixth", "countryCode": "DE"},
    ]
    expected = {1: (10001, "countryCode"), 2: (13007, "name"), 3: (10002, "countryCode"), 4: (12005, "serverLocation")}
    assert failures(visitor.post(path, {"dryRun": True, "items": items})) == expected
    assert visitor.get(listed)["resultCount"] == 0
    assert failures(visitor.post(path, {"organizationId": "o-4", "items": items})) == expected
    assert [row["name"] for row in visitor.get(listed)["results"]] == ["First", "Sixth"]
    assert failures(visitor.post(path, {"dryRun": True, "items": items}))[0] == (13007, "name")


def test_a_dry_run_of_users_returns_the_same_as_the_run_and_sends_no_invitation(admin: Client, sandbox: SandboxProcess):
    path = f"{USERS}/bulkCreate"
    items = [
        person(0),
        person(1, mainGroupName="Nowhere"),
        person(2, subGroupName="Nowhere"),
        person(3, email="hana.park@demo.example"),
        person(4, email="P0@demo.example"),
        person(5, mainGroupName="Bavaria Dental"),  # in another organization
        person(6, email="half"),
        person(7, subGroupName=""),
        person(8, subGroupName=None),
    ]
    expected = {1: (10004, "mainGroupName"), 2: (10004, "subGroupName"), 3: (13008, "email"), 4: (13008, "email")}
    expected |= {5: (10004, "mainGroupName"), 6: (10002, "email")}
    assert failures(admin.post(path, {"dryRun": True, "items": items})) == expected
    assert admin.get(f"{USERS}?mainGroupId=g-1")["resultCount"] == 40
    assert sandbox.mails() == []
    done = admin.post(path, {"dryRun": False, "items": items})
    assert failures(done) == expected
    made = [admin.get(f"{USERS}/{row['id']}")["subGroupName"] for row in done["results"] if row["ok"]]
    assert made == ["Front desk", None, None]
    assert {mail["to"] for mail in sandbox.mails()} == {f"p{number}@demo.example" for number in (0, 7, 8)}
