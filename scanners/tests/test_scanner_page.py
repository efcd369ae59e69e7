"""The page of a scanner: its facts and its history."""

import re

import pytest

from tests.support import factories
from tests.support.reading import one_line

ONE = "/scanner-manage/s-1"
HISTORY = "/v1/bizScanners/s-1/history"


@pytest.fixture
def administrator(administrator, upstream):
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, factories.listing([]))
    return administrator


def facts(html):
    block, *_keys = re.findall(r'<dl class="facts">.*?</dl>', one_line(html))
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", block)
    return {label: re.sub(r"<[^>]*>", "", value) for label, value in pairs}


@pytest.mark.req("EN-46", "EN-47", "EN-48", "EN-49", "EN-50", "EN-51", "EN-52")
def test_all_facts_about_a_scanner_are_shown(administrator, upstream, visit):
    upstream.has_scanners(
        factories.scanner(
            status="APPROVED", approvedDate="2026-11-03T08:30:00Z", lastScannedDate="2026-11-04T08:30:00Z"
        )
    )
    html = visit(ONE).response.content.decode()
    assert facts(html) == {
        "Status": "Approved",
        "Model": "i900",
        "Software version": "3.1.4",
        "Clinic": "Clinic 1",
        "Connected by": "User 1",
        "Last connected": "Nov 1, 2026",
        "Approved": "Nov 3, 2026",
        "Last scan": "Nov 4, 2026",
        "First connected": "Oct 1, 2026",
    }
    assert 'href="/user-manage/clinic/g-1/user"' in html
    assert 'href="/user-manage/user?user=u-1"' in html


@pytest.mark.req("EN-52")
def test_a_missing_fact_is_a_dash(administrator, upstream, visit):
    upstream.has_scanners({"id": "s-1", "serialNumber": "X"})
    upstream.answers("GET", HISTORY, factories.listing([]))
    values = facts(visit(ONE).response.content.decode())
    assert set(values.values()) == {"–"}


@pytest.mark.req("UC-07")
def test_the_history_is_shown_in_words_in_the_services_order(administrator, upstream, visit):
    upstream.has_scanners(factories.scanner())
    events = [
        factories.scanner_event("REFUSED_ELSEWHERE", actorName=None, mainGroupName=None),
        factories.scanner_event("APPROVED", actorName="Dana Admin"),
        factories.scanner_event(),
        factories.scanner_event("SOLD_<b>", date="soon"),
        {"event": None},
    ]
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, factories.listing(events))
    html = visit(ONE).response.content.decode()
    heads = re.findall(r'<th scope="row"><bdi translate=no>(.*?)</bdi>', html)
    assert heads == ["Connection from another organization blocked", "Approved", "Connected", "SOLD_&lt;b&gt;"]
    assert "Dana Admin" in html


def test_the_history_is_in_the_language_of_the_page(administrator, upstream, visit):
    day = "2025-03-05T08:30:00Z"
    upstream.has_scanners(factories.scanner(firstConnectedDate=day))
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, factories.listing([factories.scanner_event(date=day)]))
    fact, event = re.findall(
        r'<time datetime="2025-03-05[^>]*>([^<]*)<', visit(ONE, lng="ko-KR").response.content.decode()
    )
    assert fact == event != "Mar 5, 2025"


def test_a_long_history_has_pages_that_keep_the_return_url(administrator, upstream, visit):
    upstream.has_scanners(factories.scanner())
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, factories.listing([factories.scanner_event()] * 25, total=60))
    html = visit(f"{ONE}?back=/scanner-manage%3Fstatus%3DPENDING&page=2").response.content.decode()
    assert upstream.calls("GET", HISTORY)[-1].params == {"page": "2", "size": "25"}
    way = "&amp;back=%2Fscanner-manage%3Fstatus%3DPENDING#history"
    assert f'href="{ONE}?page=1{way}">Newer</a>' in html
    assert f'href="{ONE}?page=3{way}">Older</a>' in html
    upstream.answers("GET", HISTORY, factories.listing([factories.scanner_event()] * 25))
    html = visit(ONE).response.content.decode()
    assert ">Older</a>" not in html
    assert ">Newer</a>" not in html


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_service_without_a_history_gets_a_sentence_and_no_further_call(administrator, upstream, visit, status):
    upstream.has_scanners(factories.scanner())
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, status=status)
    for _ in range(2):
        html = visit(ONE).response.content.decode()
        assert "This isn&#39;t available here." in html
        assert "EA1-1001" in html
    assert len(upstream.calls("GET", HISTORY)) == 1


@pytest.mark.parametrize("status", [500, 429, 403])
def test_the_page_is_shown_if_the_history_can_not_be_read(administrator, upstream, visit, status):
    upstream.has_scanners(factories.scanner())
    upstream.remove("GET", "/v1/bizScanners/[^/]+/history")
    upstream.answers("GET", HISTORY, status=status)
    html = visit(ONE).response.content.decode()
    assert "EA1-1001" in html
    assert 'id="history"' in html
