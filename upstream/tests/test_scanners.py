"""Scanners: what each method sends, and what it returns."""

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
def ours(up):
    up.organization_id = "o-1"
    return up.scanners


def rows(*scanners):
    return {"resultCount": len(scanners), "results": list(scanners)}


@pytest.mark.req("EN-46", "EN-47", "EN-48", "EN-49", "EN-50", "EN-51", "EN-52")
def test_a_scanner_is_read_among_those_of_the_organization(ours, http):
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
    found = ours.get("7")
    assert (found.id, found.serial_number, found.model, found.software_version) == ("7", "ABC-123", "i900", "3.1")
    assert (found.clinic_id, found.clinic_name, found.user_id, found.user_name) == (
        "g-1",
        "Clinic A",
        "u-1",
        "Doctor 1",
    )
    assert [date and date.day for date in (found.connected_date, found.approved_date)] == [1, None]
    assert (found.last_scanned_date.month, found.first_connected_date.month) == (11, 10)
    assert http.calls[0].request.params == {"organizationId": "o-1", "page": "1", "size": "100", "ids": "7"}


@pytest.mark.parametrize("answer", [rows(), rows({"id": "s-2"})])
def test_one_that_is_not_among_them_is_not_there(ours, http, answer):
    http.get(ALL, json=answer)
    with pytest.raises(errors.NotFound):
        ours.get("s-1")


@pytest.mark.req("ST-27", "ST-28", "ST-29", "ST-30")
@pytest.mark.parametrize("status", [*SCANNER_STATUSES, "LENT_OUT", ""])
def test_what_is_allowed_follows_from_the_state_unless_the_service_says_it(ours, http, status):
    said = [None, [], ["APPROVE", "SELL", 5], "APPROVE"]
    found = rows(*({"id": f"s-{n}", "status": status, "allowedActions": sent} for n, sent in enumerate(said)))
    http.get(ALL, json=found)
    results = ours.list(ListParams(), organization_id="o-1").results
    by_state = ALLOWED.get(status, set())
    for scanner, allowed in zip(results, [by_state, set(), {"APPROVE"}, by_state], strict=True):
        assert {action for action in ACTIONS if scanner.allows(action)} == allowed


def test_what_is_asked_is_said_in_the_services_words(ours, http):
    http.get(ALL, json=rows())
    filters = {"status": ("PENDING",), "clinic": ("g-1",), "model": ("i900", "i700"), "serial_number": ("A 1",)}
    params = ListParams(
        sort="last_scanned_date", order="desc", search_field="serial_number", keyword="A 1", filters=filters
    )
    ours.list(params, organization_id="o-1")
    sent = http.calls[0].request.params
    assert (sent["searchField"], sent["sort"], sent["model"]) == ("serialNumber", "lastScannedDate", ["i900", "i700"])
    assert (sent["status"], sent["mainGroupId"], sent["serialNumbers"]) == ("PENDING", "g-1", "A 1")


@pytest.mark.parametrize(
    ("last_scan", "sent"),
    [("30", {"notScannedDays": "30", "neverScanned": "true"}), ("never", {"neverScanned": "true"})],
)
def test_what_has_not_scanned_for_long_may_never_have(ours, http, last_scan, sent):
    http.get(ALL, json=rows())
    ours.list(ListParams(filters={"last_scan": (last_scan,)}), organization_id="o-1")
    asked = http.calls[0].request.params
    assert {name: asked[name] for name in asked if "canned" in name} == sent


@pytest.mark.req("ST-31", "ST-32", "ST-33")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_scanner_is_decided_about(ours, http, action):
    http.put(f"{ALL}/s%2F1/{CALLS[action]}", json={"status": "APPROVED"})
    ours.decide("s/1", action, version=3)
    assert http.calls[0].request.headers["If-Match"] == '"3"'


@pytest.mark.parametrize(
    ("now", "reasons"),
    [
        (rows({"id": "s-1", "status": "APPROVED"}), (Reason("SCANNER_IS_APPROVED"),)),
        (rows({"id": "s-1", "status": "LENT_OUT"}), ()),
        (rows(), ()),
    ],
)
def test_a_lost_race_tells_the_state_of_now(ours, http, now, reasons):
    http.put(f"{ALL}/s-1/approve", json={"code": 14001}, status=409)
    http.get(ALL, json=now)
    with pytest.raises(errors.Conflict) as caught:
        ours.decide("s-1", "APPROVE")
    assert (caught.value.code, caught.value.reasons) == (14001, reasons)


@pytest.mark.parametrize("status", [502, 429, 404])
def test_a_lost_race_whose_state_can_not_be_read_is_still_one(ours, http, status):
    http.put(f"{ALL}/s-1/approve", json={"code": 14001}, status=409)
    http.get(ALL, json={}, status=status)
    with pytest.raises(errors.Conflict) as caught:
        ours.decide("s-1", "APPROVE")
    assert caught.value.reasons == ()


def test_what_another_organization_has_approved_is_refused_without_another_look(ours, http):
    http.put(f"{ALL}/s-1/approve", json={"code": 14002}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        ours.decide("s-1", "APPROVE")
    assert (caught.value.code, len(http.calls)) == (14002, 1)


@pytest.mark.req("DM-35")
@pytest.mark.parametrize("action", ACTIONS)
def test_many_are_decided_in_one_call_or_in_single_ones(ours, http, action):
    many = f"{ALL}/bulk{CALLS[action][0].upper()}{CALLS[action][1:]}"
    http.post(many, json={"results": [{"id": "s-1", "ok": True}, {"id": "s-2", "ok": False, "code": 14001}]})
    http.post(many, status=501)
    http.get(ALL, json=rows({"id": "s-2", "status": "DISAPPROVED"}))
    http.put(f"{ALL}/s-1/{CALLS[action]}", json={})
    http.put(f"{ALL}/s-2/{CALLS[action]}", json={"code": 14001}, status=409)
    for _ in range(2):
        done, refused = ours.bulk_decide(["s-1", "s-2"], action).rows
        assert done.ok
        assert (refused.ok, refused.code, refused.reasons) == (False, 14001, (Reason("SCANNER_IS_DISAPPROVED"),))
    assert json.loads(http.calls[0].request.body) == {"ids": ["s-1", "s-2"]}


def test_the_history_is_read_page_by_page(ours, http):
    events = [{"date": "2026-11-01T08:30:00Z", "event": "APPROVED", "actorName": "Dana"}, {"event": "SOLD", "date": 5}]
    http.get(f"{ALL}/s-1/history", json={"resultCount": 12, "results": events})
    found = ours.history("s-1", page=2, size=10)
    assert http.calls[0].request.params == {"page": "2", "size": "10"}
    assert [(event.event, event.actor_name, event.date and event.date.day) for event in found.results] == [
        ("APPROVED", "Dana", 1),
        ("SOLD", None, None),
    ]


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_a_history_is_not_asked_for_it_again(ours, http, status):
    http.get(f"{ALL}/s-1/history", status=status)
    assert ours.has_history
    with pytest.raises(errors.NotOffered):
        ours.history("s-1", page=1, size=10)
    assert not ours.has_history


def test_a_scanner_that_is_gone_is_no_sign_of_a_service_without_a_history(ours, http):
    http.get(f"{ALL}/s-1/history", json={"code": 10004}, status=404)
    with pytest.raises(errors.NotFound):
        ours.history("s-1", page=1, size=10)
    assert ours.has_history
