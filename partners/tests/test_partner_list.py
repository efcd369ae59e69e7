"""The tabs of the partner list: contents, search, filters, sorting, pages and export."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support import factories

CALL = "/v1/bizPartnerships"
LIST = "/partner-manage/list"
TABS = {
    # tab: its URL, and the filters sent to the service
    "asking": (LIST, {"status": ["PENDING"], "requestedBy": ["LAB"]}),
    "partner": (f"{LIST}/partners", {"status": ["ACCEPTED"]}),
    "sent": (f"{LIST}/sent", {"status": ["PENDING"], "requestedBy": ["ORGANIZATION"]}),
    "past": (f"{LIST}/history", {"status": ["REJECTED", "CANCELLED", "ENDED"]}),
}
JSON = {"Accept": "application/json"}


def last_query(upstream, size="25"):
    calls = (parse_qs(urlsplit(call.url).query) for call in upstream.calls("GET", CALL))
    return next(query for query in calls if query["size"] == [size])


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.partnership()]))
    return administrator


@pytest.mark.req("RT-20")
def test_the_url_of_the_area_redirects_to_the_list(administrator):
    answer = administrator.get("/partner-manage")
    assert (answer.status_code, answer.headers["Location"]) == (302, LIST)


@pytest.mark.req("RT-18", "UC-11", "EN-67", "EN-68", "EN-69", "LS-01")
@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
@pytest.mark.parametrize("tab", TABS)
def test_each_tab_shows_its_own_partnerships(administrator, upstream, visit, tab, lng):
    path, only = TABS[tab]
    html = visit(path, lng=lng).response.content.decode()
    assert "Smile Lab" in html
    assert 'href="/user-manage/clinic/g-1/user"' in html
    query = last_query(upstream)
    assert query["organizationId"] == ["o-1"]
    assert {name: query[name] for name in ("status", "requestedBy") if name in query} == only
    assert f'<a href="{path}" aria-current="page">' in html


def test_the_first_tab_shows_the_waiting_count_on_every_tab(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.partnership()], total=41))
    for path, _only in TABS.values():
        assert '<span class="count">41</span>' in administrator.get(path).content.decode()


def test_the_list_is_shown_if_the_count_can_not_be_read(administrator, upstream):
    def answer(request):
        if "size=10&" in request.url:
            return 500, {}, "{}"
        return 200, {}, json.dumps(factories.listing([factories.partnership()]))

    upstream.callback("GET", CALL, answer)
    html = administrator.get(f"{LIST}/partners").content.decode()
    assert "Smile Lab" in html


@pytest.mark.req("DM-34", "LS-01")
def test_a_list_is_searched_filtered_sorted_and_paged_by_its_url(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.partnership()], total=80))
    query = "keyword=kim&searchField=clinic&clinic=g-1&requested_within=30&sort=owner_name&order=desc&page=2"
    html = administrator.get(f"{LIST}?{query}").content.decode()
    sent = last_query(upstream)
    assert (sent["keyword"], sent["searchField"], sent["mainGroupId"]) == (["kim"], ["clinic"], ["g-1"])
    assert (sent["requestedWithinDays"], sent["sort"], sent["order"]) == (["30"], ["ownerName"], ["desc"])
    assert sent["page"] == ["2"]
    assert "In the last 30 days" in html


def test_the_history_is_filtered_by_state(administrator, upstream):
    administrator.get(f"{LIST}/history?status=ENDED")
    assert last_query(upstream)["status"] == ["ENDED"]


@pytest.mark.req("EN-69")
def test_a_partnership_of_a_user_shows_and_links_to_the_user(administrator, upstream):
    owner = {"type": "USER", "id": "u-7", "name": "Doctor Kim"}
    upstream.answers("GET", CALL, factories.listing([factories.partnership(owner=owner)]))
    html = administrator.get(LIST).content.decode()
    assert '<a href="/user-manage/user?user=u-7"><bdi translate=no>Doctor Kim</bdi></a> <small>User</small>' in html
    assert ">Clinic or user<" in html


ROWS = [
    # requested by, status, possible actions
    ("LAB", "PENDING", ["/accept", "/reject"]),
    ("ORGANIZATION", "PENDING", ["/cancel"]),
    ("LAB", "ACCEPTED", ["/end"]),
    ("ORGANIZATION", "REJECTED", ["/send-again"]),
    ("ORGANIZATION", "CANCELLED", ["/send-again"]),
    ("LAB", "ENDED", ["/send-again"]),
    ("A_BROKER", "PENDING", []),
    ("LAB", "FROZEN", []),
]


@pytest.mark.req("ST-36", "ST-37", "ST-38", "ST-39", "ST-40", "ST-41")
@pytest.mark.parametrize(("requested_by", "status", "paths"), ROWS)
def test_a_row_offers_only_what_its_state_allows(administrator, upstream, requested_by, status, paths):
    row = factories.partnership(requestedBy=requested_by, status=status)
    upstream.answers("GET", CALL, factories.listing([row]))
    view = administrator.get(LIST, headers=JSON).json()["item"]["list"]
    assert [view["actions"][index]["path"] for index in view["rows"][0]["actions"]] == paths


@pytest.mark.req("UC-12")
def test_a_lab_that_left_has_a_row_that_says_so_without_actions(administrator, upstream):
    rows = [
        factories.partnership(status=status, labLeftDate="2026-01-01T00:00:00Z") for status in ("ACCEPTED", "ENDED")
    ]
    upstream.answers("GET", CALL, factories.listing(rows))
    answer = administrator.get(f"{LIST}/partners", headers=JSON).json()["item"]["list"]
    assert [row["actions"] for row in answer["rows"]] == [[], []]
    assert "Status: ⁨No longer available⁩" in answer["facts"]
    html = administrator.get(f"{LIST}/partners").content.decode()
    assert "Smile Lab" in html


HOSTILE = {
    "id": "a/b<script>",
    "labName": "x" * 400,
    "owner": {"type": "ROBOT", "id": "../..", "name": '"><img src=x onerror=alert(1)>'},
    "status": None,
    "message": "\u202e" + "<b>" * 200,
    "requestedDate": "soon",
    "endBlockers": "none",
}


@pytest.mark.parametrize("tab", TABS)
def test_an_odd_row_breaks_neither_the_list_nor_the_other_rows(administrator, upstream, visit, tab):
    rows: list[Any] = [HOSTILE, {"id": ""}, factories.partnership(), 5]
    upstream.answers("GET", CALL, factories.listing(rows))
    html = visit(TABS[tab][0]).response.content.decode()
    assert "Smile Lab" in html
    assert "<img src=x" not in html
    assert "<script>alert" not in html


@pytest.mark.parametrize("kind", ["export", "export/xlsx"])
@pytest.mark.parametrize("tab", TABS)
def test_each_tab_is_exported_with_its_filters(administrator, upstream, tab, kind):
    message = "=1+1 " + "long words " * 20
    upstream.answers("GET", CALL, factories.listing([factories.partnership(message=message)]))
    answer = administrator.get(f"{TABS[tab][0]}/{kind}?clinic=g-1")
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert answer.status_code == 200
    assert last_query(upstream, size="100")["mainGroupId"] == ["g-1"]
    if kind == "export":
        text = content.decode("utf-8-sig")
        assert "Smile Lab" in text
        assert ("'" + message.strip() in text) == (tab in ("asking", "sent"))


def test_an_empty_tab_says_what_it_is_for(administrator, upstream, visit):
    upstream.answers("GET", CALL, factories.listing([]))
    for path, text in ((LIST, "No requests from labs."), (f"{LIST}/partners", "No partners yet.")):
        assert text in visit(path).response.content.decode()


def test_a_partnership_of_another_organization_is_not_found(administrator, upstream):
    upstream.answers("GET", f"{CALL}/p-1", factories.partnership(organizationId="o-2"))
    assert administrator.get("/partner-manage/partnership/p-1").status_code == 404


@pytest.mark.req("EN-67", "EN-68", "EN-69", "DM-39")
def test_the_page_of_a_partnership_shows_all_facts(administrator, upstream, visit):
    upstream.answers(
        "GET",
        f"{CALL}/p-1",
        factories.partnership(status="ACCEPTED", contractDate="2026-03-01T00:00:00Z", message="A\nB"),
    )
    html = visit("/partner-manage/partnership/p-1").response.content.decode()
    for part in (
        "Smile Lab",
        "Clinic 1",
        "Accepted",
        "Mar 1, 2026",
        "The lab",
        "A\nB",
        "/end",
        "Edit labs for this clinic",
    ):
        assert part in html


@pytest.mark.req("DM-44", "UC-11")
@pytest.mark.parametrize("path", [*(path for path, _params in TABS.values()), f"{LIST}/mine", "/partner-manage/search"])
def test_after_an_action_the_tabs_are_counted_again_and_a_search_makes_no_further_call(administrator, upstream, path):
    upstream.answers("GET", "/v1/bizPartnerLists", factories.listing([]))
    upstream.answers("GET", "/v1/bizLabs", factories.listing([]))
    tabs = [
        administrator.get(path, query, headers=JSON).json()["item"]["list"]["tabs"] for query in ({}, {"counts": "1"})
    ]
    assert tabs[0] == []
    counts = {tab["href"]: tab["count"] for tab in tabs[1]}
    assert counts.pop(LIST) == "1"
    assert set(counts.values()) == {""}
    assert [tab["is_current"] for tab in tabs[1]].count(True) == 1
    counting = [call for call in upstream.calls("GET", CALL) if "size=10" in call.url]
    assert len(counting) == 1
