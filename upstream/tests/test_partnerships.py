"""Partnerships: the requests and the results of each method, and the actions in each state."""

import json

import pytest

from upstream import errors
from upstream.client import Upstream
from upstream.listing import ListParams
from upstream.resources.partnerships import Action, Partnership, Party, State
from upstream.tests.conftest import API

ALL = f"{API}/v1/bizPartnerships"
ONE = f"{ALL}/p-1"
CLINIC = Party(type="MAIN_GROUP", id="g-1")


@pytest.fixture
def org(up: Upstream) -> Upstream:
    up.organization_id = "o-1"
    return up


@pytest.mark.req("ST-36", "ST-37", "ST-38", "ST-39", "ST-40", "ST-41", "EN-68", "EN-69")
@pytest.mark.parametrize(
    ("status", "requested_by", "state", "allowed"),
    [
        ("PENDING", "ORGANIZATION", State.REQUEST_SENT, {Action.CANCEL}),
        ("PENDING", "LAB", State.PENDING, {Action.ACCEPT, Action.REJECT}),
        ("ACCEPTED", "LAB", State.ACCEPTED, {Action.END}),
        ("REJECTED", "ORGANIZATION", State.REJECTED, {Action.SEND}),
        ("CANCELLED", "ORGANIZATION", State.CANCELED, {Action.SEND}),
        ("ENDED", "LAB", State.ENDED, {Action.SEND}),
        ("PENDING", "A_BROKER", "", set()),
        ("FROZEN", "LAB", "", set()),
        ("REQUEST_SENT", "LAB", "", set()),
        ("", "", "", set()),
    ],
)
def test_a_state_allows_the_actions_of_the_contract_and_an_unknown_one_none(status, requested_by, state, allowed):
    partnership = Partnership(id="p-1", status=status, requested_by=requested_by)
    assert (partnership.state, set(partnership.allowed_actions)) == (state, allowed)


def test_nothing_can_be_done_with_a_lab_that_left(org, http):
    http.get(ONE, json={"id": "p-1", "status": "ACCEPTED", "labLeftDate": "2026-01-01T00:00:00Z"})
    partnership = org.partnerships.get("p-1")
    assert (partnership.is_lab_gone, partnership.allowed_actions) == (True, frozenset())


@pytest.mark.req("DM-34")
def test_a_list_sends_the_service_s_names_and_survives_an_odd_row(org, http):
    rows = [
        {"id": 7, "labName": None, "owner": None, "message": 5, "endBlockers": [{"reason": 1}], "version": "x"},
        {"id": "p-2", "labId": "l-1", "owner": {"type": "USER", "id": 9, "name": "Kim"}, "contractDate": "soon"},
    ]
    http.get(ALL, json={"resultCount": 2, "results": rows, "facets": {"status": {"PENDING": 2}}})
    params = ListParams(
        sort="owner_name",
        search_field="clinic",
        keyword="kim",
        filters={"status": ("PENDING",), "requested_by": ("LAB",), "clinic": ("g-1",), "requested_within": ("30",)},
    )
    first, second = org.partnerships.list(params).results
    assert (first.id, first.owner, first.message, first.version) == ("7", Party(), "", -1)
    assert (second.owner.is_user, second.owner.id, second.contract_date) == (True, "9", None)
    assert http.calls[0].request.params == {
        "organizationId": "o-1", "page": "1", "size": "25", "sort": "ownerName", "order": "asc", "keyword": "kim",
        "searchField": "clinic", "status": "PENDING", "requestedBy": "LAB", "mainGroupId": "g-1",
        "requestedWithinDays": "30",
    }  # fmt: skip


def test_a_partnership_of_another_organization_is_not_found(org, http):
    http.get(ONE, json={"id": "p-1", "organizationId": "o-2", "labName": "Lab"})
    with pytest.raises(errors.NotFound):
        org.partnerships.get("p-1")


@pytest.mark.req("UC-10", "DM-39")
def test_a_request_is_sent_with_a_message(org, http):
    http.post(ALL, json={"id": "p-9"})
    assert org.partnerships.send(lab_id="l-1", owner=CLINIC, message="Hello", idempotency_key="k-1") == "p-9"
    request = http.calls[0].request
    assert json.loads(request.body) == {
        "labId": "l-1",
        "owner": {"type": "MAIN_GROUP", "id": "g-1"},
        "message": "Hello",
    }
    assert request.headers["Idempotency-Key"] == "k-1"


def test_several_clinics_send_one_call_or_single_ones(org, http):
    owners = [CLINIC, Party(type="MAIN_GROUP", id="g-2")]
    http.post(ALL, json={"results": [{"index": 1, "ok": False, "code": 16004}, {"index": 0, "ok": True, "id": "p-1"}]})
    http.post(ALL, status=501)
    http.post(ALL, json={"id": "p-1"})
    http.post(ALL, json={"code": 16004}, status=409)
    for _ in range(2):
        sent = org.partnerships.bulk_send(lab_id="l-1", owners=owners, message="", idempotency_key="k-1")
        assert [(row.id, row.ok, row.code) for row in sent.rows] == [("g-1", True, None), ("g-2", False, 16004)]
    assert json.loads(http.calls[0].request.body)["owners"][1] == {"type": "MAIN_GROUP", "id": "g-2"}
    assert "message" not in json.loads(http.calls[0].request.body)


@pytest.mark.req("UC-10", "UC-11", "UC-12")
@pytest.mark.parametrize("action", [Action.CANCEL, Action.ACCEPT, Action.REJECT, Action.END])
def test_an_action_sends_the_version(org, http, action):
    http.put(f"{ONE}/{action}", json={"version": 4})
    assert org.partnerships.change("p-1", action, version=3) == 4
    assert http.calls[0].request.headers["If-Match"] == '"3"'


@pytest.mark.req("UC-11")
@pytest.mark.parametrize(
    ("action", "path"),
    [
        (Action.ACCEPT, "bulkAccept"),
        (Action.REJECT, "bulkReject"),
        (Action.CANCEL, "bulkCancel"),
    ],
)
def test_many_are_changed_with_one_call_or_with_single_ones(org, http, action, path):
    http.post(f"{ALL}/{path}", json={"results": [{"id": "p-1", "ok": True}]})
    http.post(f"{ALL}/{path}", status=404)
    http.put(f"{ONE}/{action}", json={})
    for _ in range(2):
        assert [row.ok for row in org.partnerships.bulk_change(["p-1"], action).rows] == [True]


def test_orders_that_block_the_end_of_a_partnership_are_reported(org, http):
    reasons = [
        {"reason": "ONGOING_ORDERED_CASE", "count": 2, "refs": [{"type": "CASE", "id": "c-1", "label": "Case 1"}]}
    ]
    http.put(f"{ONE}/end", json={"code": 16007, "details": {"reasons": reasons}}, status=409)
    with pytest.raises(errors.Conflict) as caught:
        org.partnerships.change("p-1", Action.END)
    assert (caught.value.code, caught.value.reasons[0].count) == (errors.Code.END_HAS_ONGOING_ORDER, 2)
