"""Scanners: the requests and the results of each method."""

import json

import pytest

from upstream import errors
from upstream.errors import Reason
from upstream.listing import ListParams
from upstream.resources.scanners import ACTIONS, SCANNER_STATUSES
from upstream.tests.conftest import API

ALL = f"{API}/v1/bizScanners"
CALLS = dict(zip(ACTIONS, ("approve", "disapprove", "cancelApproval"), strict=True))
ALLOWED = {
    "PENDING": {"APPROVE", "DISAPPROVE"},
    "APPROVED": {"CANCEL_APPROVAL"},
    "DISAPPROVED": {"APPROVE"},
    "APPROVAL_CANCELLED": {"APPROVE"},
}


@pytest.fixture
def scanners(up):
    up.organization_id = "o-1"
    return up.scanners


def rows(*scanners):
    return {"resultCount": len(scanners), "results": list(scanners)}


@pytest.mark.req("EN-46", "EN-47", "EN-48", "EN-49", "EN-50", "EN-51", "EN-52")
def test_a_scanner_is_read_among_those_of_the_organization(scanners, http):
    scanner = {
        "id": 7,
        "serialNumber": "ABC-123",
        "model": "i900",
        "softwareVersion": "3.1",
        "status": "APPROVED",
        "mainGroupId": "g-1",
        "mainGroupName": "Clinic A",
        "connectedUserId": "u-1",
        "connectedUserName": "Doctor 1",
        "connectedDate": "2026-11-01T08:30:00Z",
        "approvedDate": None,
        "lastScannedDate": "2026-11-02T08:30:00Z",
        "firstConnectedDate": "2026-10-01T08:30:00Z",
    }
    http.get(ALL, json=rows(scanner))
    result = scanners.get("7")
    assert (result.id, result.serial_number, result.model, result.software_version) == ("7", "ABC-123", "i900", "3.1")
    assert (result.clinic_id, result.clinic_name, result.user_id, result.user_name) == (
        "g-1",
        "Clinic A",
        "u-1",
        "Doctor 1",
    )
    assert [date and date.day for date in (result.connected_date, result.approved_date)] == [1, None]
    assert (result.last_scanned_date.month, result.first_connected_date.month) == (11, 10)
    assert http.calls[0].request.params == {"organizationId": "o-1", "page": "1", "size": "100", "ids": "7"}


@pytest.mark.parametrize("answer", [rows(), rows({"id": "s-2"})])
def test_a_scanner_outside_the_organization_is_not_found(scanners, http, answer):
    http.get(ALL, json=answer)
    with pytest.raises(errors.NotFound):
        scanners.get("s-1")


@pytest.mark.req("ST-27", "ST-28", "ST-29", "ST-30")
@pytest.mark.parametrize("status", [*SCANNER_STATUSES, "LENT_OUT", ""])
def test_allowed_actions_follow_from_the_state_unless_the_service_names_them(scanners, http, status):
    actions = [None, [], ["APPROVE", "SELL", 5], "APPROVE"]
    result = rows(*({"id": f"s-{n}", "status": status, "allowedActions": sent} for n, sent in enumerate(actions)))
    http.get(ALL, json=result)
    results = scanners.list(ListParams(), organization_id="o-1").results
    by_state = ALLOWED.get(status, set())
    for scanner, allowed in zip(results, [by_state, set(), {"APPROVE"}, by_state], strict=True):
        assert {action for action in ACTIONS if scanner.allows(action)} == allowed


def test_a_list_sends_the_service_s_names(scanners, http):
    http.get(ALL, json=rows())
    filters = {"status": ("PENDING",), "clinic": ("g-1",), "model": ("i900", "i700"), "serial_number": ("A 1",)}
    params = ListParams(
        sort="last_scanned_date", order="desc", search_field="serial_number", keyword="A 1", filters=filters
    )
    scanners.list(params, organization_id="o-1")
    sent = http.calls[0].request.params
    assert (sent["searchField"], sent["sort"], sent["model"]) == ("serialNumber", "lastScannedDate", ["i900", "i700"])
    assert (sent["status"], sent["mainGroupId"], sent["serialNumbers"]) == ("PENDING", "g-1", "A 1")


@pytest.mark.parametrize(
    ("last_scan", "sent"),
    [("30", {"notScannedDays": "30", "neverScanned": "true"}), ("never", {"neverScanned": "true"})],
)
def test_the_filter_by_last_scan_includes_scanners_that_never_scanned(scanners, http, last_scan, sent):
    http.get(ALL, json=rows())
    scanners.list(ListParams(filters={"last_scan": (last_scan,)}), organization_id="o-1")
    params = http.calls[0].request.params
    assert {name: params[name] for name in params if "canned" in name} == sent


@pytest.mark.req("ST-31", "ST-32", "ST-33")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_decision_is_one_call(scanners, http, action):
    http.put(f"{ALL}/s%2F1/{CALLS[action]}", json={"status": "APPROVED"})
    scanners.decide("s/1", action, version=3)
    assert http.calls[0].request.headers["If-Match"] == '"3"'


@pytest.mark.parametrize(
    ("now", "reasons"),
    [
        (rows({"id": "s-1", "status": "APPROVED"}), (Reason("SCANNER_IS_APPROVED"),)),
        (rows({"id": "s-1", "status": "LENT_OUT"}), ()),
        (rows(), ()),
    ],
)
def test_a_refused_decision_reports_the_current_state(scanners, http, now, reasons):
    http.put(f"{ALL}/s-1/approve", json={"code": 14001}, status=409)
    http.get(ALL, json=now)
    with pytest.raises(errors.Conflict) as caught:
        scanners.decide("s-1", "APPROVE")
    assert (caught.value.code, caught.value.reasons) == (14001, reasons)


@pytest.mark.parametrize("status", [502, 429, 404])
def test_a_refused_decision_without_a_readable_state_stays_a_conflict(scanners, http, status):
    http.put(f"{ALL}/s-1/approve", json={"code": 14001}, status=409)
    http.get(ALL, json={}, status=status)
    with pytest.raises(errors.Conflict) as caught:
        scanners.decide("s-1", "APPROVE")
    assert caught.value.reasons == ()


def test_a_scanner_of_another_organization_is_refused_without_another_call(scanners, http):
    http.put(f"{ALL}/s-1/approve", json={"code": 14002}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        scanners.decide("s-1", "APPROVE")
    assert (caught.value.code, len(http.calls)) == (14002, 1)


@pytest.mark.req("DM-35")
@pytest.mark.parametrize("action", ACTIONS)
def test_many_are_decided_in_one_call_or_in_single_ones(scanners, http, action):
    many = f"{ALL}/bulk{CALLS[action][0].upper()}{CALLS[action][1:]}"
    http.post(many, json={"results": [{"id": "s-1", "ok": True}, {"id": "s-2", "ok": False, "code": 14001}]})
    http.post(many, status=501)
    http.get(ALL, json=rows({"id": "s-2", "status": "DISAPPROVED"}))
    http.put(f"{ALL}/s-1/{CALLS[action]}", json={})
    http.put(f"{ALL}/s-2/{CALLS[action]}", json={"code": 14001}, status=409)
    for _ in range(2):
        done, refused = scanners.bulk_decide(["s-1", "s-2"], action).rows
        assert done.ok
        assert (refused.ok, refused.code, refused.reasons) == (False, 14001, (Reason("SCANNER_IS_DISAPPROVED"),))
    assert json.loads(http.calls[0].request.body) == {"ids": ["s-1", "s-2"]}


def test_the_history_is_read_page_by_page(scanners, http):
    events = [{"date": "2026-11-01T08:30:00Z", "event": "APPROVED", "actorName": "Dana"}, {"event": "SOLD", "date": 5}]
    http.get(f"{ALL}/s-1/history", json={"resultCount": 12, "results": events})
    result = scanners.history("s-1", page=2, size=10)
    assert http.calls[0].request.params == {"page": "2", "size": "10"}
    assert [(event.event, event.actor_name, event.date and event.date.day) for event in result.results] == [
        ("APPROVED", "Dana", 1),
        ("SOLD", None, None),
    ]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_missing_history_is_not_requested_again(scanners, http, status):
    http.get(f"{ALL}/s-1/history", status=status)
    assert scanners.has_history
    with pytest.raises(errors.NotOffered):
        scanners.history("s-1", page=1, size=10)
    assert not scanners.has_history


def test_a_scanner_that_is_gone_is_no_sign_of_a_service_without_a_history(scanners, http):
    http.get(f"{ALL}/s-1/history", json={"code": 10004}, status=404)
    with pytest.raises(errors.NotFound):
        scanners.history("s-1", page=1, size=10)
    assert scanners.has_history
