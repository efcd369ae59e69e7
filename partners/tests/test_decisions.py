"""Labs' requests on the page of decisions, and the targets of notifications about them."""

from html import unescape

import pytest

from tests.support import factories

PAGE = "/decisions"
PATH = "/v1/bizPartnerships"


@pytest.fixture
def administrator(administrator, upstream):
    summary = factories.summary(partnershipCounts={"PENDING_IN": 2})
    upstream.answers("GET", "/v1/bizDashboards/summary", summary)
    requests = [factories.partnership(n, requestedDate=f"2026-01-0{n}T08:30:00Z") for n in (1, 2)]
    upstream.answers("GET", PATH, factories.listing(requests))
    upstream.answers("GET", f"{PATH}/p-1", requests[0])
    upstream.answers("PUT", f"{PATH}/p-1/accept", {})
    return administrator


def page(client):
    return unescape(client.get(PAGE).content.decode())


@pytest.mark.req("DM-44", "UC-11")
def test_requests_wait_with_their_age_and_are_counted(administrator, upstream):
    html = page(administrator)
    assert 'formaction="partner-manage/partnership/p-1/accept"' in html
    assert 'formaction="/partner-manage/list/bulk/reject"' in html
    assert 'Partners<span class="count">2</span>' in html
    params = upstream.calls("GET", PATH)[-1].params
    assert (params["status"], params["requestedBy"], params["order"]) == ("PENDING", "LAB", "asc")


@pytest.mark.req("UC-11")
def test_accepting_asks_who_can_order_and_keeps_the_return_url(administrator, upstream):
    response = administrator.post("/partner-manage/partnership/p-1/accept", {"back": PAGE, "confirmed": "1"})
    assert (response.status_code, response["Location"]) == (303, "/partner-manage/ordering?id=p-1&back=%2Fdecisions")
    assert len(upstream.calls("PUT", "/accept")) == 1


@pytest.mark.req("UC-11")
def test_a_confirmed_rejection_returns_to_the_page(administrator, upstream):
    upstream.answers("PUT", f"{PATH}/p-1/reject", {})
    response = administrator.post("/partner-manage/partnership/p-1/reject", {"back": PAGE, "confirmed": "1"})
    assert (response.status_code, response["Location"]) == (303, PAGE)


def test_a_failed_read_of_the_requests_is_reported(administrator, upstream):
    upstream.answers("GET", PATH, {}, status=501)
    assert "Couldn't load this." in page(administrator).partition('id="waits-requests"')[2].partition("</section>")[0]


@pytest.mark.req("EN-71")
def test_a_notification_about_a_request_opens_it(administrator, upstream):
    about = {"type": "PARTNERSHIP", "id": "p-1"}
    notification = factories.notification(
        1, type="PARTNERSHIP_REQUESTED", params={"lab": "Lab", "clinic": "A"}, target=about
    )
    upstream.answers("GET", "/v1/bizNotifications", factories.listing([notification]))
    upstream.answers("PUT", "/v1/bizNotifications/n-1/read", {})
    response = administrator.post("/notifications/n-1/open")
    assert (response.status_code, response["Location"]) == (303, "/partner-manage/partnership/p-1")
