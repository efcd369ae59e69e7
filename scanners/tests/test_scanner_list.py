"""The list of scanners: tabs, columns, filters, search, empty state, and files."""

import csv
import json
import re
from html import unescape

import pytest
from django.test.utils import CaptureQueriesContext

from scanners.bulk.decisions import WAITING_SCANNERS
from tests.support import factories
from tests.support.audit import audit
from tests.support.reading import one_line, preference_cookie

LIST, CALL = "/scanner-manage", "/v1/bizScanners"
JSON = {"Accept": "application/json"}
FACETS = {"status": {"PENDING": 3, "APPROVED": 4, "SOLD": 1}, "model": {"i900": 5, "i700 wireless": 3}}


def get_list(client, address=LIST):
    return client.get(address, headers=JSON).json()["item"]["list"]


def last_query(upstream):
    return upstream.calls("GET", CALL)[-1].params


def tabs(client, address=LIST):
    """Return label, count, URL and whether it is current of each tab."""
    (nav,) = re.findall(r"<nav class=\"tabs\".*?</nav>", one_line(client.get(address).content.decode()))
    link = r'<a href="([^"]*)"( aria-current="page")?>([^<]*)<span class="count">([^<]*)</span>'
    return [(label, count, unescape(href), bool(current)) for href, current, label, count in re.findall(link, nav)]


@pytest.mark.req("UC-07", "RT-15", "EN-46", "EN-47", "EN-48", "EN-50", "EN-52")
def test_a_row_has_all_facts_about_a_scanner(administrator, upstream, visit):
    upstream.has_scanners(factories.scanner(lastScannedDate="2026-11-02T08:30:00Z"))
    html = visit(LIST).response.content.decode()
    assert '<a href="scanner-manage/s-1"><bdi translate=no>EA1-1001</bdi></a>' in html
    view = get_list(administrator)
    cells = {c["name"]: cell["text"] for c, cell in zip(view["columns"], view["rows"][0]["cells"], strict=True)}
    assert cells == {
        "serial_number": "EA1-1001",
        "model": "i900",
        "clinic": "Clinic 1",
        "user": "User 1",
        "status": "Pending",
        "connected": "Nov 1, 2026",
        "last_scanned": "Nov 2, 2026",
    }
    assert view["facts"] == ["1 scanner"]
    assert (last_query(upstream)["sort"], last_query(upstream)["order"]) == ("connectedDate", "desc")


@pytest.mark.req("UC-07", "DM-35")
def test_decisions_are_in_sight_in_the_tab_of_what_waits_where_the_status_needs_no_column(administrator, upstream):
    upstream.has_scanners(factories.scanner(), factories.scanner(2))
    view = get_list(administrator, f"{LIST}?status=PENDING")
    assert [row["in_sight"] for row in view["rows"]] == [True, True]
    assert "status" not in [column["name"] for column in view["columns"]]
    assert view["facts"][-1] == "Status: \u2068Pending\u2069"
    view = get_list(administrator)
    assert "status" in [column["name"] for column in view["columns"]]
    assert not any(row.get("in_sight") for row in view["rows"])


@pytest.mark.req("DM-12", "EN-49", "EN-51")
def test_two_of_the_dates_are_hidden_by_default_and_stay_visible_once_shown(administrator):
    columns = "model.clinic.user.status.connected.approved.last_scanned.first_connected"
    everything = {"columns": columns, "column": columns.split(".")}
    response = administrator.get(LIST, everything)
    assert response.headers["Location"] == LIST
    names = [column["name"] for column in get_list(administrator)["columns"]]
    assert names == ["serial_number", *columns.split(".")], "that nothing is hidden is remembered, too"
    administrator.get(LIST, {"columns": columns, "column": ["model"]})
    assert [column["name"] for column in get_list(administrator)["columns"]] == ["serial_number", "model"]
    default = [name for name in columns.split(".") if name not in ("approved", "first_connected")]
    administrator.get(LIST, {"columns": columns, "column": default})
    assert preference_cookie(administrator.cookies, "columns").value == "", "what is so at first need not be remembered"
    administrator.get("/user-manage/clinic", {"columns": "country.users", "column": ["users"]})
    assert len(get_list(administrator)["columns"]) == 7, "another list changes nothing here"


@pytest.mark.req("UC-07", "LS-01")
def test_the_tabs_have_counts_and_keep_the_other_filters(administrator, upstream):
    upstream.has_scanners(factories.scanner(), facets=FACETS)
    assert tabs(administrator, f"{LIST}?keyword=ea&status=PENDING&clinic=g-1") == [
        ("Pending", "3", f"{LIST}?keyword=ea&clinic=g-1&status=PENDING", True),
        ("Approved", "4", f"{LIST}?keyword=ea&clinic=g-1&status=APPROVED", False),
        ("All", "8", f"{LIST}?keyword=ea&clinic=g-1", False),
    ]
    for query, current in (("", "All"), ("status=APPROVED", "Approved"), ("status=PENDING&status=APPROVED", "All")):
        assert [label for label, *_, is_current in tabs(administrator, f"{LIST}?{query}") if is_current] == [current]
    assert [tab["count"] for tab in get_list(administrator)["tabs"]] == ["3", "4", "8"]
    assert [chip["label"] for chip in get_list(administrator, f"{LIST}?status=PENDING")["chips"]] == []
    assert [chip["label"] for chip in get_list(administrator, f"{LIST}?status=DISAPPROVED")["chips"]] == [
        "Status: Disapproved"
    ]


def test_without_counts_the_tabs_have_no_numbers(administrator):
    assert [(label, count) for label, count, *_ in tabs(administrator)] == [
        ("Pending", ""),
        ("Approved", ""),
        ("All", ""),
    ]


@pytest.mark.req("LS-01", "LS-03")
def test_filters_are_sent_in_the_services_terms(administrator, upstream):
    upstream.has_scanners(factories.scanner(), facets=FACETS)
    html = administrator.get(f"{LIST}?clinic=g-1&model=i700+wireless&status=PENDING&last_scan=90").content.decode()
    sent = last_query(upstream)
    assert (sent["mainGroupId"], sent["model"], sent["status"]) == ("g-1", "i700 wireless", "PENDING")
    assert (sent["notScannedDays"], sent["neverScanned"]) == ("90", "true")
    for chip in ("Clinic: Clinic 1", "Model: i700 wireless", "Last scan: Not in the last 90 days, or never"):
        assert f">{chip}</span>" in html
    get_list(administrator, f"{LIST}?last_scan=never")
    assert "notScannedDays" not in last_query(upstream)
    for odd in ("model=%00", "status=SOLD", "last_scan=5", "clinic=a/b"):
        upstream.clear_calls()
        assert audit(administrator.get(f"{LIST}?{odd}").content.decode()).all("[data-notice]")
        assert not upstream.calls("GET", CALL)
    for odd in ("model=", "sort=x"):
        audit(administrator.get(f"{LIST}?{odd}").content.decode())
        assert not {"model", "status", "notScannedDays", "mainGroupId"} & last_query(upstream).keys()


@pytest.mark.req("DM-31")
@pytest.mark.parametrize("keyword", ["ea1 1001", "EA1-1001", "s-1"])
def test_a_search_sends_a_serial_number_or_id_as_typed(administrator, upstream, keyword):
    get_list(administrator, f"{LIST}?keyword={keyword}")
    assert (last_query(upstream)["keyword"], last_query(upstream)["searchField"]) == (keyword, "all")
    for field, service_field in (("serial_number", "serialNumber"), ("clinic", "clinic"), ("user", "user")):
        get_list(administrator, f"{LIST}?keyword={keyword}&searchField={field}")
        assert last_query(upstream)["searchField"] == service_field


@pytest.mark.req("LS-14")
@pytest.mark.parametrize(
    ("query", "title", "text", "action"),
    [
        ("", "No scanners yet.", "A scanner appears here when", ""),
        ("?status=PENDING", "No scanners waiting for approval.", "A scanner appears here when", ""),
        ("?status=APPROVED", "No approved scanners.", "A scanner appears here when", ""),
        ("?status=PENDING&keyword=x", "No matches.", "Try another keyword.", f"{LIST}?status=PENDING"),
        ("?status=DISAPPROVED", "No matches.", "Remove a filter.", LIST),
        ("?status=DISAPPROVED&keyword=x", "No matches.", "Try another keyword or remove a filter.", LIST),
    ],
)
def test_an_empty_list_says_why_and_how_scanners_are_added(administrator, upstream, visit, query, title, text, action):
    upstream.has_scanners()
    assert title in visit(LIST + query).response.content.decode()
    empty = get_list(administrator, LIST + query)["empty"]
    assert (empty["title"], empty["action_href"]) == (title, action)
    assert empty["text"].startswith(text)
    steps = [(step["label"], step["href"]) for step in empty["first_steps"]]
    assert steps == ([("Clear filters", f"{LIST}?keyword=x")] if "DISAPPROVED&" in query else []), "the search stays"


def test_a_failed_read_is_reported(administrator, upstream, visit):
    upstream.remove("GET", CALL)
    upstream.answers("GET", CALL, status=502)
    visit(LIST, status=502)


def test_the_list_is_shown_if_the_clinics_can_not_be_read(administrator, upstream, visit):
    upstream.answers("GET", "/v1/bizMainGroups", status=502)
    upstream.has_scanners(factories.scanner(mainGroupName=None))
    assert "EA1-1001" in visit(LIST).response.content.decode()


@pytest.mark.req("EN-52")
def test_odd_or_missing_values_are_omitted_and_the_rest_is_shown(administrator, upstream, visit):
    evil = "<script>\u202e\n"
    upstream.has_scanners(
        {"id": "s-1"},
        {"id": "s/2", "serialNumber": "x" * 400, "status": "SOLD", "model": 7, "connectedDate": "soon"},
        {"id": None, "serialNumber": None, "status": None, "mainGroupId": {}, "allowedActions": "APPROVE"},
        factories.scanner(4, serialNumber=evil, model=evil, status=evil, mainGroupName=evil, connectedUserName=evil),
        factories.scanner(5),
    )
    html = visit(LIST).response.content.decode()
    assert "<script>\u202e" not in html
    view = get_list(administrator)
    rows = view["rows"]
    assert [row["id"] for row in rows] == ["s-1", "", "", "s-4", "s-5"]
    assert [row["actions"] for row in rows] == [[], [], [], [], [0, 1]]
    assert rows[1]["cells"][4]["text"] == "SOLD"


def test_no_filter_offers_an_empty_choice(administrator, upstream):
    upstream.has_scanners(factories.scanner(model=""), facets={"model": {"": 3, " ": 1, "\u200b": 1, "i700": 2}})
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([factories.clinic(name=" ")]))
    html = one_line(administrator.get(LIST).content.decode())
    offered = re.findall(r'type=checkbox name="(?:model|clinic)" value="([^"]*)"[^>]*><span[^>]*>(.*?)</span>', html)
    assert [(value, text.partition(" <")[0]) for value, text in offered] == [("g-1", "g-1"), ("i700", "i700")]


@pytest.mark.parametrize("kind", ["", "/xlsx"])
@pytest.mark.req("DM-13", "LS-10")
def test_the_list_is_exported_with_all_its_columns(administrator, upstream, kind):
    upstream.has_scanners(factories.scanner(serialNumber="=1+1"), factories.scanner(2))
    response = administrator.get(f"{LIST}/export{kind}?status=PENDING")
    content = response.getvalue()
    assert last_query(upstream)["status"] == "PENDING"
    if kind:
        assert content.startswith(b"PK")
        return
    head, first, _second = csv.reader(content.decode("utf-8-sig").splitlines())
    assert dict(zip(head, first, strict=True)) == {
        "Serial number": "'=1+1",
        "Model": "i900",
        "Clinic": "Clinic 1",
        "Connected by": "User 1",
        "Status": "Pending",
        "Expected": "",
        "Last connected": "2026-11-01T08:30:00+00:00",
        "Approved": "",
        "Last scan": "Never",
        "First connected": "2026-10-01T08:30:00+00:00",
    }


@pytest.mark.req("RT-15")
def test_the_navigation_links_to_the_list(administrator):
    page = administrator.get("/user-manage/clinic").content.decode()
    assert re.search(r'<a href="/scanner-manage">.*?Scanners</a>', page)


PAGER = re.compile(r'<ul class="pager-pages">(.*?)</ul>', re.DOTALL)
LARGER = (("4,976 to 5,000", "76 to 100"), ("5,000", "100"), ("5000", "100"), ("page=200", "page=4"))
"""Texts that are longer on a page of five thousand than on one of a hundred: the numbers."""


@pytest.mark.req("LS-01")
@pytest.mark.parametrize("query", ["", "keyword=ea1", "status=PENDING", "page={last}"])
def test_five_thousand_scanners_cost_the_same_as_a_hundred(administrator, upstream, query):
    """Expect the same upstream calls, the same SQL and, except for the pager, the same bytes."""
    from django.db import connection

    costs = []
    for total in (100, 5_000):
        many(upstream, total)
        address = f"{LIST}?{query.format(last=total // 25)}"
        administrator.get(address)
        before = len(upstream.calls())
        with CaptureQueriesContext(connection) as queries:
            html = administrator.get(address).content.decode()
        calls = [call.url.split("?")[0] for call in upstream.calls()[before:]]
        costs.append((sorted(calls), len(queries), len(without_numbers(html).encode())))
    few, thousands = costs
    assert few == thousands
    assert len(few[0]) == 3, "the scanners, the clinics to choose from, and what the navigation counts"


def without_numbers(html):
    body = PAGER.sub("", html)
    for larger, smaller in LARGER:
        body = body.replace(larger, smaller)
    return body


def many(upstream, total):
    """Answer with this many scanners; the rows of every page have the same length."""

    def answer(_request):
        rows = [factories.scanner(n) for n in range(25)]
        facets = {"status": {"PENDING": total}}
        return 200, {}, json.dumps({**factories.listing(rows, total=total), "facets": facets})

    upstream.remove("GET", CALL)
    upstream.callback("GET", CALL, answer)


@pytest.mark.req("DM-44")
def test_the_link_from_the_decisions_sorts_the_list_in_the_same_order(administrator, upstream):
    upstream.has_scanners(factories.scanner())
    administrator.get(WAITING_SCANNERS.all_href())
    assert (last_query(upstream)["status"], last_query(upstream)["sort"], last_query(upstream)["order"]) == (
        "PENDING",
        "connectedDate",
        "asc",
    )
