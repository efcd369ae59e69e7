"""Bulk actions on requests: the plan, the result, and the next step after an acceptance."""

from html import unescape

import pytest

from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, field, has_rows, next_step

LIST = "/partner-manage/list"
CALL = "/v1/bizPartnerships"


def has_requests(upstream, count, **second):
    owners = [{"type": "MAIN_GROUP", "id": f"g-{n}", "name": f"Clinic {n}"} for n in range(count + 1)]
    rows = [
        factories.partnership(n, owner=owners[n], **(second if n == 2 else {"requestedBy": "LAB"}))
        for n in range(1, count + 1)
    ]
    has_rows(upstream, CALL, rows)


@pytest.mark.req("UC-11", "DM-34")
def test_accepting_many_requests_links_to_who_can_order(administrator, upstream):
    has_requests(upstream, 3)
    answer_bulk_call(upstream, f"{CALL}/bulkAccept", refused=["p-3"], code=16006)
    html = administrator.post(f"{LIST}/bulk/accept", {"id": ["p-1", "p-2", "p-3"], "back": LIST}).content.decode()
    assert "Accept 3 requests" in html
    html = administrator.post(f"{LIST}/bulk/accept", next_step(html), follow=True).content.decode()
    for part in ("2 requests accepted.", "1 request wasn&#39;t accepted.", "This request is no longer pending."):
        assert part in html
    assert "Who can order from these labs?" in html
    assert "/partner-manage/ordering?id=p-1&amp;id=p-2&amp;back=" in html
    assert bodies(upstream, f"{CALL}/bulkAccept") == [{"ids": ["p-1", "p-2", "p-3"]}]


@pytest.mark.req("UC-11", "ER-32")
def test_if_all_requests_were_accepted_the_list_links_to_who_may_order(administrator, upstream):
    has_requests(upstream, 2)
    answer_bulk_call(upstream, f"{CALL}/bulkAccept")
    html = administrator.post(f"{LIST}/bulk/accept", {"id": ["p-1", "p-2"], "back": LIST}).content.decode()
    html = administrator.post(f"{LIST}/bulk/accept", next_step(html), follow=True).content.decode()
    message = html.partition('id="messages"')[2].partition("</ul>")[0]
    assert "2 requests accepted." in message
    assert '<a href="/partner-manage/ordering?id=p-1&amp;id=p-2' in message


@pytest.mark.req("UC-11", "ER-32")
def test_rejecting_many_requests_has_no_next_step(administrator, upstream):
    has_requests(upstream, 2)
    answer_bulk_call(upstream, f"{CALL}/bulkReject")
    html = administrator.post(f"{LIST}/bulk/reject", {"id": ["p-1", "p-2"]}).content.decode()
    html = administrator.post(f"{LIST}/bulk/reject", next_step(html), follow=True).content.decode()
    assert "2 requests rejected." in html
    assert "Who can order from" not in html


@pytest.mark.req("UC-10", "ER-27")
def test_our_requests_that_match_a_query_are_canceled(administrator, upstream):
    has_rows(upstream, CALL, [factories.partnership(n, requestedBy="ORGANIZATION") for n in range(1, 4)])
    answer_bulk_call(upstream, f"{CALL}/bulkCancel")
    query = unescape(field(administrator.get(f"{LIST}/sent").content.decode(), "query"))
    html = administrator.post(f"{LIST}/sent/bulk/cancel", {"all": "1", "query": query}).content.decode()
    html = administrator.post(f"{LIST}/sent/bulk/cancel", next_step(html), follow=True).content.decode()
    assert "3 requests canceled." in html
    read = [call.url for call in upstream.calls("GET", CALL) if "size=100" in call.url]
    assert all("requestedBy=ORGANIZATION" in url for url in read)


@pytest.mark.req("UC-11")
def test_a_request_answered_concurrently_is_reported_with_its_new_state(administrator, upstream):
    has_requests(upstream, 2, status="REJECTED")
    html = administrator.post(f"{LIST}/bulk/accept", {"id": ["p-1", "p-2"]}).content.decode()
    assert "1 request can&#39;t be accepted." in html
    assert "Current status: Rejected." in html


@pytest.mark.req("ER-32")
def test_a_failed_acceptance_has_no_next_step(administrator, upstream):
    has_requests(upstream, 2)
    upstream.answers("POST", f"{CALL}/bulkAccept", factories.refusal(10000), status=500)
    html = administrator.post(f"{LIST}/bulk/accept", {"id": ["p-1", "p-2"]}).content.decode()
    answer = administrator.post(f"{LIST}/bulk/accept", next_step(html))
    assert "Failed to accept the partnership request." in answer.content.decode()
    assert "Who can order from" not in answer.content.decode()


def test_the_history_and_the_partners_have_no_bulk_actions(administrator, upstream):
    has_requests(upstream, 1)
    for tab in ("partners", "history"):
        html = administrator.get(f"{LIST}/{tab}").content.decode()
        assert "Smile Lab" in html
        assert "data-selection=" not in html
