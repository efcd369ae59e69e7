"""Scanners that wait for a decision and are on the purchase list: marked, selected, never approved automatically."""

import csv
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scanners.models import ExpectedSerial
from scanners.tests.stored_serials import expect
from tests.support import factories

SCANNERS = "/scanner-manage"
CALL = "/v1/bizScanners"

pytestmark = [pytest.mark.req("DM-43"), pytest.mark.sql]


def scanner(number, serial, status="PENDING", clinic="g-1"):
    named = {"mainGroupId": clinic, "mainGroupName": "Clinic 1"}
    return {"id": f"s-{number}", "serialNumber": serial, "status": status, **named}


@pytest.fixture
def administrator(administrator, upstream):
    rows = [
        scanner(1, "abc 1"),
        scanner(2, "ABC-2"),
        scanner(3, "ABC-3", "APPROVED"),
        scanner(4, "ABC-4", clinic="g-2"),
        scanner(5, ""),
        scanner(6, "x" * 400),
    ]
    upstream.answers("GET", CALL, factories.listing(rows))
    return administrator


def marks(client):
    """Return the mark and note of each row by serial number, from the JSON of the list."""
    view = client.get(SCANNERS, headers={"Accept": "application/json"}).json()["item"]["list"]
    indexes = [index for index, column in enumerate(view["columns"]) if column["name"] == "expected"]
    cells = {row["cells"][0]["text"]: row["cells"][index] for row in view["rows"] for index in indexes}
    return {serial: (cell["text"], cell.get("note")) for serial, cell in cells.items() if cell["text"]}


def test_a_waiting_scanner_that_is_expected_is_marked_with_the_note(administrator, visit):
    expect("ABC-1", note="Room 4")
    expect("ABC-3", "ABC-9")
    expect("ABC-4", clinic="g-1")
    assert marks(administrator) == {"abc 1": ("Expected", "Room 4"), "ABC-4": ("Expected at another clinic", None)}
    assert "Room 4" in visit(SCANNERS).response.content.decode()


@pytest.mark.parametrize("is_any", [True, False])
def test_an_export_has_the_marks_and_always_the_column(administrator, is_any):
    if is_any:
        expect("ABC-1")
        expect("ABC-4", clinic="g-1")
    answer = administrator.get(f"{SCANNERS}/export")
    header, *rows = csv.reader(answer.getvalue().decode("utf-8-sig").splitlines())
    marks = {row[0]: row[header.index("Expected")] for row in rows}
    labels = ("Expected", "Expected at another clinic") if is_any else ("", "")
    assert (marks["abc 1"], marks["ABC-4"], marks["ABC-3"]) == (*labels, "")


def test_a_link_selects_only_the_expected_scanners(administrator, visit):
    expect("ABC-1", "ABC-2")
    expect("ABC-4", clinic="g-1")
    page = visit(f"{SCANNERS}?status=PENDING")
    assert "Select expected scanners on this page" in page.links
    html = page.response.content.decode()
    (href,) = re.findall(r'href="([^"]*)" data-expected="Expected"', html)
    query = parse_qs(urlsplit(href.replace("&amp;", "&")).query)
    assert query == {"status": ["PENDING"], "serial_number": ["abc 1", "ABC-2"]}


def test_from_all_scanners_a_link_leads_to_those_that_wait_for_approval(administrator, visit):
    expect("ABC-1")
    page = visit(f"{SCANNERS}?clinic=g-1")
    assert page.links["View pending scanners"] == f"{SCANNERS}?clinic=g-1&status=PENDING"
    assert "Select expected scanners on this page" not in page.links


def test_that_link_filters_by_these_serial_numbers(administrator, upstream, visit):
    visit(f"{SCANNERS}?status=PENDING&serial_number=abc+1&serial_number=ABC-2")
    query = parse_qs(urlsplit(upstream.calls("GET", CALL)[-1].url).query)
    assert (query["serialNumbers"], query["status"]) == (["abc 1", "ABC-2"], ["PENDING"])


def test_without_expected_serial_numbers_there_is_no_mark_and_no_column(administrator, visit):
    assert marks(administrator) == {}
    html = visit(SCANNERS).response.content.decode()
    assert "data-expected" not in html
    assert f'href="{SCANNERS}/expected"' in html


def test_expected_scanners_are_never_approved_automatically(administrator, upstream):
    expect("ABC-1")
    administrator.get(SCANNERS)
    administrator.get(f"{SCANNERS}/expected")
    administrator.post(f"{SCANNERS}/expected/check")
    assert {call.method for call in upstream.calls(path="/v1/bizScanners.*")} == {"GET"}
    assert ExpectedSerial.objects.count() == 1


def test_the_marks_of_a_page_cost_one_query(administrator):
    expect("ABC-1", "ABC-2")
    with CaptureQueriesContext(connection) as captured:
        administrator.get(SCANNERS)
    assert sum('FROM "expected_serial"' in query["sql"] for query in captured.captured_queries) == 1


def test_the_page_of_all_decisions_has_the_marks(administrator, upstream, visit):
    expect("ABC-1", note="Room 4")
    expect("ABC-4", clinic="g-1")
    html = visit("/decisions").response.content.decode()
    assert '<span class="badge" data-tone="info">Expected</span> <small>Room 4</small>' in html
    assert '<span class="badge" data-tone="warning">Expected at another clinic</span>' in html
