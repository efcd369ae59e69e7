"""Notifications and dashboards: the requests and the results of each method."""

import json
from datetime import UTC, datetime

import pytest

from upstream import errors
from upstream.errors import SessionEnded
from upstream.listing import ListParams
from upstream.tests.conftest import API

ALL = f"{API}/v1/bizNotifications"
ONE = {
    "id": "n-1",
    "type": "SCANNER_PENDING",
    "params": {"serialNumber": "ABC-123"},
    "target": {"type": "SCANNER", "id": "s-1"},
    "read": False,
    "createdDate": "2026-01-05T08:30:00Z",
}


def listing(*rows):
    return {"resultCount": len(rows), "page": 1, "size": 25, "results": list(rows)}


@pytest.mark.req("EN-71", "CA-34")
def test_a_notification_has_a_kind_a_target_and_the_values_of_its_sentence(up, http):
    http.get(ALL, json=listing(ONE))
    params = ListParams(sort="created_date", order="desc", filters={"read": ("false",), "kind": ("NOTICE",)})
    (notification,) = up.notifications.list(params, admin_id="a-1").results
    assert (notification.kind, notification.params, notification.is_read) == (
        "SCANNER_PENDING",
        {"serialNumber": "ABC-123"},
        False,
    )
    assert (notification.target.kind, notification.target.id) == ("SCANNER", "s-1")
    sent = http.calls[0].request.params
    assert sent["adminId"] == "a-1"
    assert (sent["read"], sent["type"]) == ("false", "NOTICE")


@pytest.mark.req("EN-71")
@pytest.mark.parametrize(
    "odd",
    [
        {"params": None},
        {"params": ["x"]},
        {"params": {"serialNumber": 7}},
        {"target": "s-1"},
        {"target": {"type": 3, "id": None}},
        {"type": None},
        {"read": "yes"},
        {"createdDate": "yesterday"},
        {"title": 5, "body": {}},
    ],
)
def test_an_odd_notification_takes_no_others_away(up, http, odd):
    http.get(ALL, json=listing({**ONE, **odd}, {**ONE, "id": "n-2"}))
    assert [row.id for row in up.notifications.list(ListParams(), admin_id="a-1").results] == ["n-1", "n-2"]


def test_one_is_found_by_its_id_or_is_not_there(up, http):
    http.get(ALL, json=listing({**ONE, "id": "n-2"}, ONE))
    assert up.notifications.get("n-1", admin_id="a-1").id == "n-1"
    assert http.calls[0].request.params["ids"] == "n-1"
    with pytest.raises(errors.NotFound):
        up.notifications.get("n-3", admin_id="a-1")


@pytest.mark.req("DM-33", "DM-50")
def test_one_is_marked_and_all_of_a_kind_that_are_no_newer(up, http):
    http.put(f"{ALL}/n-1/read", json={})
    http.put(f"{ALL}/n-1/unread", status=204)
    http.put(f"{ALL}/readAll", json={"resultCount": 12})
    up.notifications.set_read("n-1", True)
    up.notifications.set_read("n-1", False)
    up_to = datetime(2026, 1, 5, 8, 30, tzinfo=UTC)
    assert up.notifications.read_all(["NOTICE"], up_to=up_to, admin_id="a-1") == 12
    up.notifications.read_all([], up_to=up_to, admin_id="a-1")
    bodies = [json.loads(call.request.body) for call in http.calls[2:]]
    body = {"adminId": "a-1", "upToDate": "2026-01-05T08:30:00Z"}
    assert bodies == [{**body, "filter": {"type": ["NOTICE"]}}, {**body, "filter": {}}]


def test_one_that_is_gone_is_refused(up, http):
    http.put(f"{ALL}/n-1/read", json={"code": 17001}, status=404)
    with pytest.raises(errors.NotFound):
        up.notifications.set_read("n-1", True)


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_that_does_not_count_is_not_asked_to(up, http, status):
    http.get(f"{ALL}/unreadCount", status=status)
    assert up.notifications.has_unread_count
    with pytest.raises(errors.NotOffered):
        up.notifications.unread_count("a-1")
    assert not up.notifications.has_unread_count


@pytest.mark.req("UC-14", "VA-23")
def test_the_address_of_the_dashboard_is_read_and_stored(up, http):
    path = f"{API}/v1/bizDashboards/url"
    http.get(path, json={"url": None})
    http.put(path, json={"code": 12006}, status=422)
    assert up.dashboards.url("o-1") == ""
    with pytest.raises(errors.Refused) as caught:
        up.dashboards.set_url("o-1", "https://evil.example")
    assert caught.value.code == errors.Code.DASHBOARD_URL_REFUSED
    assert json.loads(http.calls[1].request.body) == {"organizationId": "o-1", "url": "https://evil.example"}


def test_counts_missing_from_the_summary_are_none(up, http):
    http.get(f"{API}/v1/bizDashboards/summary", json={"mainGroupCount": 3, "scannerCounts": {"PENDING": "x"}})
    summary = up.dashboards.summary("o-1")
    assert (summary.expired_invitation_count, summary.order_allowed_partner_count) == (None, None)
    assert summary.scanner_counts == {}


def test_a_started_read_returns_its_result_or_none(up, http):
    path = f"{API}/v1/bizDashboards/summary"
    http.get(path, json={"userCount": 4})
    assert up.start(lambda: up.dashboards.summary("o-1"))(5).user_count == 4
    for failing in ({"status": 500}, {"body": ConnectionError("no")}):
        http.upsert("GET", path, **failing)
        assert up.start(lambda: up.dashboards.summary("o-1"))(5) is None
    http.upsert("GET", path, status=401)
    with pytest.raises(SessionEnded):
        up.start(lambda: up.dashboards.summary("o-1"))(5)


def test_failed_breaker_neutral_reads_do_not_block_other_reads(up, http):
    for _ in range(6):
        up.start(lambda: up.dashboards.summary("o-1"))(5)  # nothing answers
    http.get(ALL, json=listing(ONE))
    assert up.notifications.list(ListParams(), admin_id="a-1").results
