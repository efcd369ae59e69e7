"""The list of expected serial numbers: search, filters, export, and checks with the service."""

import csv
import io
import json
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography.fernet import Fernet
from django.db import DatabaseError
from django.utils import timezone

from scanners.models import ExpectedSerial
from scanners.storage.changes import ExpectedSerials
from scanners.tests.stored_serials import expect, my_list, scanner
from tests.support import factories

LIST = "/scanner-manage/expected"
CALL = "/v1/bizScanners"

pytestmark = [pytest.mark.req("DM-43"), pytest.mark.sql]


@pytest.fixture
def administrator(administrator, upstream):
    upstream.answers("GET", CALL, factories.listing([]))
    return administrator


def last_query(call):
    return parse_qs(urlsplit(call.url).query)


def states():
    return dict(ExpectedSerial.objects.order_by("pk").values_list("pk", "is_connected"))


def test_an_empty_list_says_what_it_is_for_and_how_to_start(administrator, upstream, visit):
    page = visit(LIST)
    html = page.response.content.decode()
    assert "No expected serial numbers yet." in html
    assert f'href="{LIST}/new"' in html
    assert f'href="{LIST}/import"' in html
    assert "Check now" not in html
    assert upstream.calls("GET", CALL) == []


@pytest.mark.parametrize("lng", ["en-US", "ar-EG"])
def test_each_row_shows_clinic_note_and_whether_it_has_connected(administrator, upstream, visit, lng):
    expect("ABC-123", clinic="g-1", note="Room 4")
    expect("XYZ-9")
    upstream.answers("GET", CALL, factories.listing([scanner("abc 123")]))
    html = visit(LIST, lng=lng).response.content.decode()
    for part in ("ABC-123", "Clinic 1", "Room 4", 'data-tone="success"', 'data-tone="warning"'):
        assert part in html
    (call,) = upstream.calls("GET", CALL)
    assert last_query(call)["serialNumbers"] == ["XYZ-9", "ABC-123"]
    assert last_query(call)["organizationId"] == ["o-1"]
    assert list(states().values()) == [True, False]


def test_a_recent_check_is_not_repeated(administrator, upstream):
    expect("ABC-123")
    administrator.get(LIST)
    administrator.get(LIST, headers={"Accept": "application/json"})
    assert len(upstream.calls("GET", CALL)) == 1
    ExpectedSerial.objects.update(checked_at=timezone.now() - timedelta(minutes=6))
    administrator.get(LIST)
    assert len(upstream.calls("GET", CALL)) == 2


def test_a_service_without_the_serial_number_filter_leaves_missing_ones_unchecked(administrator, upstream):
    expect("ABC-123", "XYZ-9")
    upstream.answers("GET", CALL, factories.listing([scanner("ABC-123"), scanner("OTHER", 2)], total=300))
    html = administrator.get(LIST).content.decode()
    assert "Not checked yet" in html
    assert 'data-tone="warning">Never connected' not in html
    assert list(states().values()) == [True, None]


@pytest.mark.parametrize(
    "answer", [{"status": 500}, {"status": 404}, {"status": 501}, {"body": {"results": [None, {"id": None}, 7]}}]
)
def test_the_list_is_shown_if_it_can_not_be_checked(administrator, upstream, answer):
    expect("ABC-123")
    upstream.answers("GET", CALL, answer.get("body"), status=answer.get("status", 200))
    response = administrator.get(LIST)
    assert response.status_code == 200
    assert "ABC-123" in response.content.decode()


def test_the_list_is_shown_if_the_checks_can_not_be_stored(administrator, monkeypatch):
    expect("ABC-123")

    def fail(*_args):
        raise DatabaseError("read-only")

    monkeypatch.setattr(ExpectedSerials, "note_checks", fail)
    monkeypatch.setattr("console.sessions.deferred_writes._Pause.ends", 0.0)
    assert administrator.get(LIST).status_code == 200


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["XYZ-9", "ABC-123"]),
        ("?keyword=abc%20123", ["ABC-123"]),
        ("?keyword=ROOM", ["ABC-123"]),
        ("?keyword=clinic+1", ["ABC-123"]),
        ("?keyword=room&searchField=serial_number", []),
        ("?clinic=g-1", ["ABC-123"]),
        ("?state=never", ["XYZ-9"]),
        ("?state=connected&clinic=g-2", []),
        ("?sort=serial_number&order=asc", ["ABC-123", "XYZ-9"]),
        ("?sort=odd&page=9999", ["XYZ-9", "ABC-123"]),
    ],
)
def test_the_list_is_searched_filtered_and_sorted(administrator, query, expected):
    first = expect("ABC-123", clinic="g-1", note="Room 4")[0]
    second = expect("XYZ-9")[0]
    my_list().note_checks({first.id: True, second.id: False})
    answer = administrator.get(LIST + query, headers={"Accept": "application/json"}).json()
    assert [row["cells"][0]["text"] for row in answer["item"]["list"]["rows"]] == expected
    assert administrator.get(LIST + query).status_code == 200


def test_the_age_of_the_oldest_check_is_shown_above_the_list(administrator, visit):
    expect("ABC-123", "XYZ-9")
    administrator.get(LIST)
    ExpectedSerial.objects.filter(is_connected=False).update(checked_at="2026-03-04T10:00:00Z", is_connected=True)
    administrator.get(LIST + "?keyword=none")
    html = administrator.get(LIST + "?keyword=none").content.decode()
    assert "Oldest check: \u2068Mar 4, 2026\u2069" in html


@pytest.mark.req("RT-40")
def test_check_now_checks_all_by_the_hundred_and_says_how_many_never_connected(administrator, upstream):
    expect(*(f"A-{number}" for number in range(150)))
    upstream.answers("GET", CALL, factories.listing([scanner("a1"), scanner("A 2", 2)]))
    page = administrator.get(f"{LIST}/check")
    assert upstream.calls("GET", CALL) == []
    assert "Check now" in page.content.decode()
    response = administrator.post(f"{LIST}/check", {"back": f"{LIST}?state=never"})
    assert response.headers["Location"] == f"{LIST}?state=never"
    assert [len(last_query(call)["serialNumbers"]) for call in upstream.calls("GET", CALL)] == [100, 50]
    assert sorted(map(str, states().values())).count("True") == 2
    assert "Check complete. 148 serial numbers have never connected." in administrator.get(LIST).content.decode()


def test_check_now_reads_all_scanners_if_the_service_can_not_filter_them(administrator, upstream):
    expect("A-1", "A-2")
    pages = {1: [scanner(f"X-{n}", n) for n in range(100)], 2: [scanner("A-2", 101)]}

    def answer(request):
        number = int(parse_qs(urlsplit(request.url).query).get("page", ["1"])[0])
        return 200, {}, json.dumps(factories.listing(pages[number], total=101))

    upstream.remove("GET", CALL)
    upstream.callback("GET", CALL, answer)
    administrator.post(f"{LIST}/check")
    assert list(states().values()) == [False, True]


def test_an_incomplete_check_marks_nothing_as_never_connected(administrator, upstream):
    expect("A-1", "A-2")
    upstream.answers("GET", CALL, factories.listing([scanner("A-2")], total=101))
    administrator.post(f"{LIST}/check")
    assert list(states().values()) == [None, True]


@pytest.mark.parametrize("status", [500, 404, 429])
def test_a_failed_check_is_reported_and_changes_nothing(administrator, upstream, status):
    expect("A-1")
    upstream.answers("GET", CALL, {}, status=status)
    response = administrator.post(f"{LIST}/check")
    assert response.status_code >= 400
    html = response.content.decode()
    assert (
        "Failed to check the serial numbers." in html or "Too many requests" in html or "wasn&#39;t completed" in html
    )
    assert list(states().values()) == [None]


def test_an_export_has_the_rows_that_the_list_finds(administrator):
    (first,) = expect("ABC-123", clinic="g-1", note="=1+1")
    expect("XYZ-9")
    my_list().note_checks({first.id: True})
    content = administrator.get(f"{LIST}/export?keyword=abc").getvalue().decode("utf-8-sig")
    head, row = csv.reader(io.StringIO(content, newline=""))
    assert head == ["Serial number", "Clinic", "Connection", "Checked", "Note", "Added"]
    assert row[:3] == ["ABC-123", "Clinic 1", "Connected"]
    assert row[4] == "'=1+1"
    many = expect(*(f"M-{number}" for number in range(250)))
    content = administrator.get(f"{LIST}/export?sort=serial_number").getvalue().decode("utf-8-sig")
    assert len(content.splitlines()) == 1 + 2 + len(many)


def test_an_unreadable_row_can_only_be_deleted(administrator, settings, visit):
    settings.GRANT_KEYS = [Fernet.generate_key().decode()]
    (row,) = expect("ABC-123", clinic="g-1")
    settings.GRANT_KEYS = []
    html = visit(LIST).response.content.decode()
    assert "Unreadable" in html or "Unreadable" in html
    response = administrator.get(f"{LIST}/{row.id}/edit")
    assert response.headers["Location"] == f"{LIST}/{row.id}/delete"
    question = visit(f"{LIST}/{row.id}/delete").response.content.decode()
    assert "Delete this serial number?" in question
    assert administrator.post(f"{LIST}/{row.id}/delete", {"version": "1"}).status_code == 303
    assert not ExpectedSerial.objects.exists()
