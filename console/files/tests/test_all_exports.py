"""Rules for the exports of all lists."""

import csv
import io
import re
import tempfile
from datetime import UTC, datetime

import openpyxl
import pytest
from django.conf import settings

from tests.support import factories
from tests.support.cases import faults
from tests.support.routes import PRIVATE

CSV = [route for route in PRIVATE if route.name.endswith("-export") and route.pattern.endswith("/export")]
XLSX = [route for route in PRIVATE if route.name.endswith("-export") and "kind" in route.parameters]
IDS = {"expected_id": "1", "reminder_id": "1", "entry_id": "1", "review_id": "2", "preset_id": "1", "view_id": "1"}
DAY = re.compile(r"\d{4}-\d\d-\d\d")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d")
ZONES = ("Asia/Seoul", "America/St_Johns", "UTC")


@pytest.fixture
def browser(administrator, upstream, stored_rows):
    """Return the client of an administrator who has rows in all lists."""
    stored_rows(IDS)
    upstream.has_lab()
    upstream.has_scanners(factories.scanner())
    partnership = factories.partnership(requestedDate="2026-01-05T20:30:00Z", contractDate="2026-01-06T20:30:00Z")
    upstream.answers("GET", "/v1/bizPartnerships", factories.listing([partnership]))
    upstream.answers("GET", "/v1/bizAuditLogs", factories.listing([factories.log_entry()]))
    return administrator


def table(browser, route):
    content = browser.get(route.path()).getvalue()
    if route in CSV:
        return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    rows = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0].iter_rows(values_only=True)
    return [[cell or "" for cell in row] for row in rows]


def without_zone(rows):
    """Return the moments of a file, and the rows without them."""
    moments = [datetime.fromisoformat(cell).astimezone(UTC) for row in rows for cell in row if TIME.fullmatch(cell)]
    return moments, [["" if TIME.fullmatch(cell) else cell for cell in row] for row in rows]


@pytest.mark.req("SEC-29")
def test_nginx_keeps_no_export_on_its_disk():
    conf = (settings.BASE_DIR / "deploy/nginx.conf").read_text("utf-8")
    locations = re.findall(r"^  location ~ (\S+) \{\n(.*?)^  \}", conf, re.DOTALL | re.MULTILINE)
    (pattern,) = [pattern for pattern, body in locations if "proxy_max_temp_file_size 0;" in body]
    for route in (*CSV, *XLSX):
        matching = [one for one, _body in locations if re.search(one, route.path(kind="xlsx"))]  # the first one is used
        assert matching[:1] == [pattern], route.path(kind="xlsx")


@pytest.mark.req("LS-10", "DM-20")
def test_files_of_readers_in_different_zones_have_the_same_moments(browser):
    def check(route):
        files = []
        for zone in ZONES:
            browser.cookies["tz"] = zone
            files.append(without_zone(table(browser, route)))
        assert files[0] == files[1] == files[2]
        assert len(files[0][1]) > 1 or route.name in ("activity-export", "activity-row-export", "signed-review-export")
        return files

    assert faults([*CSV, *XLSX], check, at_least=20) == {}


@pytest.mark.req("LS-10", "DM-20")
@pytest.mark.parametrize(
    ("name", "count"),
    {"service-log-export": 1, "all-user-export": 1, "scanner-export": 2}.items(),
)
def test_each_moment_of_a_file_has_its_offset(browser, name, count):
    browser.cookies["tz"] = "Asia/Seoul"
    for route in (route for route in (*CSV, *XLSX) if route.name == name):
        cells = [cell for row in table(browser, route)[1:] for cell in row]
        moments = [cell for cell in cells if DAY.search(cell)]
        assert len(moments) >= count
        assert [cell for cell in moments if not (TIME.fullmatch(cell) and cell.endswith("+09:00"))] == []


@pytest.mark.req("CO-17", "ER-20")
def test_without_a_temporary_folder_each_list_says_why_there_is_no_workbook(browser, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")

    def check(route):
        response = browser.get(route.path())
        assert response.status_code == 303
        response = browser.get(route.path(), headers={"Accept": "application/json"})
        assert response.status_code == 422
        assert response.json()["message"].startswith("There isn't enough space on the server")
        assert browser.get(response.json()["goto"]).status_code == 200

    assert faults(XLSX, check, at_least=10) == {}
    assert faults(CSV, lambda route: table(browser, route), at_least=10) == {}


@pytest.mark.req("CO-17", "SEC-29")
def test_while_an_export_is_running_there_is_no_other_of_any_list(browser):
    running = browser.get(CSV[0].path())

    def check(route):
        response = browser.get(route.path())
        assert response.status_code == 303
        assert "An export is already running." in browser.get(response.headers["Location"]).content.decode()

    assert faults([*CSV, *XLSX], check, at_least=20) == {}
    assert running.getvalue()
    assert faults([*CSV, *XLSX], lambda route: table(browser, route), at_least=20) == {}
