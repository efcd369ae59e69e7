"""The service's own log: changes, administrators, old and new values."""

from typing import Any

import pytest

from sandbox.process import SandboxProcess
from sandbox.store import Row
from sandbox.tests.client import OTHER, Client, refused

pytestmark = pytest.mark.slow

ALL = "/v1/bizAuditLogs"
MINE = {"organizationId": "o-1"}


def entries(client: Client, **query: Any) -> list[Row]:
    rows: list[Row] = client.get(ALL, {**MINE, "size": 100, **query})["results"]
    return rows


def test_a_change_is_logged_with_the_old_value(admin: Client):
    before = admin.get("/v1/bizUsers/u-1")
    admin.put("/v1/bizUsers/u-1", {"name": "Somebody Else"})
    newest = entries(admin)[0]
    assert newest["actorId"] == "a-1"
    assert newest["changes"] == [{"field": "name", "old": before["name"], "new": "Somebody Else"}]
    assert {k: newest[k] for k in ("action", "targetType", "targetId", "targetName", "mainGroupId", "result")} == {
        "action": "UPDATE",
        "targetType": "USER",
        "targetId": "u-1",
        "targetName": "Somebody Else",
        "mainGroupId": before["mainGroupId"],
        "result": "DONE",
    }


def test_a_move_is_logged_in_both_clinics_with_their_names(admin: Client):
    before = admin.get("/v1/bizUsers/u-1")
    admin.put("/v1/bizUsers/u-1", {"mainGroupId": "g-2"})
    (before_move,), (after_move,) = ([entries(admin, mainGroupId=id)[0]] for id in (before["mainGroupId"], "g-2"))
    assert before_move == after_move
    moved = next(change for change in before_move["changes"] if change["field"] == "mainGroupId")
    assert moved["old"] == before["mainGroupName"]
    assert moved["new"] == admin.get("/v1/bizMainGroups/g-2")["name"]


def test_unchanged_rows_and_refusals_are_not_logged(admin: Client):
    count = len(entries(admin))
    name = admin.get("/v1/bizUsers/u-1")["name"]
    admin.put("/v1/bizUsers/u-1", {"name": name})
    refused(admin.call("DELETE", "/v1/bizUsers/u-15"), 409, 13002)
    assert len(entries(admin)) == count


def test_decisions_permissions_and_bulk_rows_have_their_own_actions(admin: Client):
    admin.post("/v1/bizUsers/bulkLock", {"ids": ["u-1", "u-9", "u-15"]})
    admin.put("/v1/bizUsers/u-1/permissions", {"permissions": {"allowExport": False}})
    switched, *locked = entries(admin)[:4]
    assert switched["changes"] == [{"field": "allowExport", "old": None, "new": False}]
    assert {row["action"] for row in locked} == {"LOCK"}
    assert {row["targetId"] for row in locked} == {"u-1", "u-9", "u-15"}
    assert entries(admin, action="LOCK", targetId="u-9")[0]["changes"][0]["old"] == "ACTIVE"


def test_the_log_is_filtered_by_days_and_people(admin: Client):
    dates = [row["date"] for row in entries(admin)]
    assert dates == sorted(dates, reverse=True)
    middle = dates[len(dates) // 2]
    after, until = entries(admin, **{"from": middle}), entries(admin, to=middle)
    assert len(after) + len(until) == len(dates)
    assert all(row["date"] >= middle for row in after)
    assert {row["actorId"] for row in entries(admin, actorId="a-5")} == {"a-5"}


def test_the_log_of_another_organization_is_not_found(admin: Client, sandbox: SandboxProcess):
    admin.put("/v1/bizUsers/u-1", {"name": "Somebody Else"})
    refused(admin.call("GET", ALL, query={"organizationId": "o-2"}), 404, 10004)
    other = Client(sandbox)
    other.log_in(*OTHER)
    rows = other.get(ALL, {"organizationId": "o-2", "size": 100})["results"]
    other.close()
    assert rows
    assert not [row for row in rows if row["targetId"] == "u-1"]
