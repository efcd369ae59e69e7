"""Scanners connect, wait, and are decided about; the state table of the contract, section 7."""

import itertools

import pytest

from sandbox.process import SandboxProcess
from sandbox.scanners import STATES
from sandbox.tests.client import OTHER, Client, if_match, refused

pytestmark = pytest.mark.slow

SCANNERS = "/v1/bizScanners"
ORGANIZATION = {"organizationId": "o-1"}
ACTIONS = ("approve", "disapprove", "cancelApproval")
NEXT_STATUS = {
    ("PENDING", "approve"): "APPROVED",
    ("PENDING", "disapprove"): "DISAPPROVED",
    ("APPROVED", "cancelApproval"): "APPROVAL_CANCELLED",
    ("DISAPPROVED", "approve"): "APPROVED",
    ("APPROVAL_CANCELLED", "approve"): "APPROVED",
}


def search(client: Client, **query):
    """Return the serial numbers that a query finds, and the answer."""
    answer = client.get(SCANNERS, {**ORGANIZATION, "size": 100, **query})
    return [row["serialNumber"] for row in answer["results"]], answer


def one_in(client: Client, state: str) -> str:
    """Return the path of a scanner in this state."""
    return f"{SCANNERS}/{search(client, status=state)[1]['results'][0]['id']}"


def unread(client: Client, sandbox: SandboxProcess) -> int:
    summary = client.get("/v1/bizDashboards/summary", ORGANIZATION)
    count: int = summary["unreadNotificationCount"]
    return count


@pytest.mark.req("ST-34")
@pytest.mark.parametrize(("state", "action"), list(itertools.product(STATES, ACTIONS)))
def test_each_decision_in_each_state(admin: Client, state, action):
    path = one_in(admin, state)
    before = admin.get(path)
    word = {"approve": "APPROVE", "disapprove": "DISAPPROVE", "cancelApproval": "CANCEL_APPROVAL"}[action]
    target = NEXT_STATUS.get((state, action))
    assert (word in before["allowedActions"]) == bool(target)
    if not target:
        refused(admin.call("PUT", f"{path}/{action}", {}), 409, 14001)
        assert admin.get(path) == before
        return
    assert admin.put(f"{path}/{action}", {})["status"] == target
    after = admin.get(path)
    assert (after["status"], after["version"]) == (target, before["version"] + 1)
    event = admin.get(f"{path}/history")["results"][0]
    assert (event["event"], event["actorName"]) == (target, "Demo Administrator")


def test_a_stale_version_is_refused(admin: Client):
    path = one_in(admin, "PENDING")
    refused(admin.call("PUT", f"{path}/approve", {}, headers=if_match(7)), 412, 10005)
    admin.put(f"{path}/approve", {}, headers=if_match(1))


@pytest.mark.req("ST-34")
@pytest.mark.parametrize(
    ("state", "after", "notified"),
    [("PENDING", "PENDING", 0), ("APPROVED", "APPROVED", 0), ("DISAPPROVED", "PENDING", 1), ("", "PENDING", 1)],
)
def test_a_new_connection_by_the_state(admin: Client, sandbox: SandboxProcess, state, after, notified):
    serial = admin.get(one_in(admin, state))["serialNumber"] if state else "NEW-1"
    before = unread(admin, sandbox)
    made = sandbox.connect(serial, "g-1", user="u-1")
    assert made["status"] == after
    assert unread(admin, sandbox) - before == notified
    scanner = admin.get(f"{SCANNERS}/{made['id']}")
    assert (scanner["mainGroupId"], scanner["connectedUserId"]) == ("g-1", "u-1")
    assert admin.get(f"{SCANNERS}/{made['id']}/history")["results"][0]["event"] == "CONNECTED"


def test_a_serial_number_is_found_in_any_spelling_and_an_id_unchanged(admin: Client):
    scanner = admin.get(f"{SCANNERS}/s-3")
    serial = scanner["serialNumber"]
    for written in (serial, serial.lower(), serial.replace("-", " "), serial.replace("-", ""), " ".join(serial)):
        assert search(admin, keyword=written)[0] == [serial]
        assert search(admin, keyword=written, searchField="serialNumber")[0] == [serial]
        assert search(admin, serialNumbers=[written, "?"])[0] == [serial]
    assert search(admin, keyword="s-3")[0] == [serial]
    assert search(admin, keyword="s-3", searchField="user")[0] == []
    assert serial in search(admin, keyword=scanner["mainGroupName"].lower(), searchField="clinic")[0]
    assert serial in search(admin, keyword=scanner["connectedUserName"])[0]


def test_the_list_is_filtered_counted_and_sorted_by_the_newest_connection(admin: Client):
    _, everything = search(admin)
    dates = [row["connectedDate"] for row in everything["results"]]
    assert dates == sorted(dates, reverse=True)
    _, pending = search(admin, status="PENDING", model=["i500", "i900"])
    assert {row["status"] for row in pending["results"]} == {"PENDING"}
    assert pending["facets"]["status"].keys() == set(STATES)
    assert sum(everything["facets"]["status"].values()) == everything["resultCount"] == 75
    never, idle, either = (
        set(search(admin, **query)[0])
        for query in (
            {"neverScanned": "true"},
            {"notScannedDays": 30},
            {"notScannedDays": 30, "neverScanned": "true"},
        )
    )
    assert never
    assert idle
    assert not never & idle
    assert either == never | idle
    clinic = everything["results"][0]["mainGroupId"]
    assert {row["mainGroupId"] for row in search(admin, mainGroupId=clinic)[1]["results"]} == {clinic}
    refused(admin.call("GET", SCANNERS, query={**ORGANIZATION, "mainGroupId": "g-25"}), 404, 10004)


def test_many_are_decided_and_those_in_other_states_are_refused(admin: Client):
    pending, approved = (one_in(admin, state).rpartition("/")[2] for state in ("PENDING", "APPROVED"))
    answer = admin.post(f"{SCANNERS}/bulkDisapprove", {"ids": [pending, approved, "s-0"]})
    assert [(row["ok"], row.get("code")) for row in answer["results"]] == [(True, None), (False, 14001), (False, 10004)]
    answer = admin.post(f"{SCANNERS}/bulkCancelApproval", {"ids": [approved]})
    assert answer["okCount"] == 1
    assert admin.post(f"{SCANNERS}/bulkApprove", {"ids": [pending, approved]})["okCount"] == 2


def test_a_scanner_that_another_organization_approved_can_not_be_approved(admin: Client, sandbox: SandboxProcess):
    made = sandbox.connect("SHARED-1")
    assert sandbox.approve_elsewhere("SHARED-1")["refused"] is False
    refused(admin.call("PUT", f"{SCANNERS}/{made['id']}/approve", {}), 409, 14002)
    assert sandbox.connect("SHARED-1") == {"refused": True}
    admin.put(f"{SCANNERS}/{made['id']}/disapprove", {})


def test_a_connection_elsewhere_of_an_approved_scanner_is_refused_with_a_notification(
    admin: Client, sandbox: SandboxProcess
):
    made = sandbox.connect("OURS-1")
    path = f"{SCANNERS}/{made['id']}"
    admin.put(f"{path}/approve", {})
    before = unread(admin, sandbox)
    assert sandbox.approve_elsewhere("OURS-1") == {"refused": True}
    assert unread(admin, sandbox) == before + 1
    events = [event["event"] for event in admin.get(f"{path}/history", {"size": 10})["results"]]
    assert events == ["REFUSED_ELSEWHERE", "APPROVED", "CONNECTED"]


def test_scanners_of_another_organization_are_not_found(admin: Client, visitor: Client, sandbox: SandboxProcess):
    foreign = sandbox.connect("THEIRS-1", "g-25")
    path = f"{SCANNERS}/{foreign['id']}"
    for method, more in (("GET", ""), ("GET", "/history"), ("PUT", "/approve")):
        refused(admin.call(method, path + more, {} if method == "PUT" else None), 404, 10004)
    visitor.log_in(*OTHER)
    assert visitor.get(path)["serialNumber"] == "THEIRS-1"
