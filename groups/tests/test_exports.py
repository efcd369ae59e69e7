"""Exports of lists of any length: sent while they are read, complete or visibly broken, as CSV and as XLSX."""

import csv
import errno
import io
import json
import os
import tempfile
import time
from contextlib import nullcontext, suppress
from datetime import date, timedelta
from functools import partial
from html import unescape
from threading import BoundedSemaphore
from types import SimpleNamespace

import openpyxl
import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from console.files.slots import ExportSlot, NotExported
from console.files.write import csv_response, workbook_response
from console.models import RunningExport
from tests.support import factories
from upstream.errors import Failed

pytestmark = pytest.mark.sql

LIST, CALL = "/user-manage/clinic", "/v1/bizMainGroups"
EXPORT = f"{LIST}/export"
ROWS = 1045


@pytest.fixture
def service(upstream):
    """The service has many clinics. `pages` are the requested ones; `page` is called before each answer."""
    state = SimpleNamespace(pages=[], count=ROWS, page=lambda number: None)

    def answer(request):
        number = int(request.params["page"])
        state.pages.append(number)
        if (status := state.page(number)) is not None:
            return status, {}, "{}"
        clinics = [factories.clinic(n) for n in range(ROWS)[(number - 1) * 100 : number * 100]]
        return 200, {}, json.dumps(factories.listing(clinics, total=state.count))

    upstream.callback("GET", CALL, answer)
    return state


def parsed(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def sheet(response):
    book = openpyxl.load_workbook(io.BytesIO(response.getvalue()), read_only=True)
    return [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]


@pytest.mark.req("CO-17", "LS-10", "DM-13")
def test_a_long_list_is_exported_completely_and_sent_while_it_is_read(admin_client, service):
    response = admin_client.get(EXPORT)
    assert max(service.pages) == 5
    content = response.getvalue()
    assert set(service.pages) == set(range(1, 12))
    assert [row[0] for row in parsed(content)] == ["Name", *(f"Clinic {n}" for n in range(ROWS))]
    assert content.count(b"\xef\xbb\xbf") == 1


@pytest.mark.req("CO-17", "LS-10", "DM-13", "DM-42")
def test_a_long_list_is_exported_as_a_workbook(admin_client, service):
    response = admin_client.get(f"{EXPORT}/xlsx")
    rows = sheet(response)
    assert [row[0] for row in rows] == ["Name", *(f"Clinic {n}" for n in range(ROWS))]
    assert rows[1][:2] == ["Clinic 0", "South Korea"]
    assert response.headers["Content-Type"].endswith("spreadsheetml.sheet")
    assert response.headers["Content-Disposition"].endswith('.xlsx"')
    assert (response.headers["X-Content-Type-Options"], response.headers["Cache-Control"]) == ("nosniff", "no-store")


@pytest.mark.req("SEC-20", "LS-10")
def test_a_formula_is_harmless_in_a_workbook_too(admin_client, upstream):
    upstream.answers("GET", CALL, factories.listing([factories.clinic(name="=SUM(A1)")]))
    assert sheet(admin_client.get(f"{EXPORT}/xlsx"))[1][0] == "'=SUM(A1)"


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize(("count", "error"), [(ROWS, Failed), (ROWS + 200, NotExported)])
def test_an_export_that_breaks_later_does_not_end_like_a_complete_one(admin_client, service, count, error):
    service.count = count
    service.page = lambda number: 500 if number > 8 and error is Failed else None
    response = admin_client.get(EXPORT)
    assert response.status_code == 200
    with pytest.raises(ConnectionResetError) as broken:
        response.getvalue()
    assert isinstance(broken.value.__cause__, error)


@pytest.mark.req("CO-17", "ER-20")
def test_a_workbook_that_breaks_is_a_page_that_says_so(admin_client, service):
    service.page = lambda number: 500 if number > 8 else None
    response = admin_client.get(f"{EXPORT}/xlsx")
    assert response.status_code == 502
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.mark.req("CO-17", "SEC-29")
def test_no_row_of_a_workbook_stays_in_the_temporary_folder(admin_client, service, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    service.page = lambda number: 500 if number > 8 else None
    assert admin_client.get(f"{EXPORT}/xlsx").status_code == 502
    assert list(tmp_path.iterdir()) == []
    service.page = lambda number: None
    response = admin_client.get(f"{EXPORT}/xlsx")
    assert list(tmp_path.iterdir()) == []
    assert len(sheet(response)) == ROWS + 1


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", [EXPORT, f"{EXPORT}/xlsx"])
def test_a_head_request_for_an_export_reads_no_list(admin_client, service, path):
    names = ("Content-Type", "Content-Disposition", "X-Content-Type-Options", "Cache-Control", "Content-Length")
    for _attempt in range(3):
        head = admin_client.head(path)
        assert (head.status_code, service.pages) == (200, [])
    values = [head.headers.get(name) for name in names]
    whole = admin_client.get(path)
    assert values[:-1] == [whole.headers.get(name) for name in names[:-1]]
    assert values[-1] is None, "it is not known without the list"
    assert whole.getvalue()


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("path", [EXPORT, f"{EXPORT}/xlsx"])
def test_an_export_may_take_longer_than_a_page(admin_client, service, monkeypatch, path):
    now = [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def slow(_number):
        now[0] += 1.5

    service.page = slow
    assert admin_client.get(path).getvalue()
    assert now[0] > 30


RUNNING = "An export is already running."
CLOSES = pytest.mark.django_db(transaction=True)
"""The end of a response closes the connection to the database."""
TWO_KINDS = [EXPORT, f"{EXPORT}/xlsx"]


@pytest.fixture
def log_in_elsewhere(upstream):
    """Log in an administrator in another browser."""

    def go(admin_id="a-1", **admin):
        browser = Client()
        upstream.may_log_in(**admin)
        upstream.answers("POST", "/v2/oauth/requestToken", factories.token(**admin) | {"adminId": admin_id})
        upstream.answers("GET", f"/v1/bizOrganizationAdmins/{admin_id}", {**factories.ADMIN, **admin})
        assert browser.post("/login", {"email": "admin@demo.example", "password": "Demo123!"}).status_code == 303
        return browser

    return go


def check_refused(browser, path, text=RUNNING):
    response = browser.get(path)
    assert (response.status_code, response.headers["Location"]) == (303, LIST)
    assert text in unescape(browser.get(LIST).content.decode())
    response = browser.get(path, headers={"Accept": "application/json"})
    assert (response.status_code, response.json()["message"], response.json()["goto"]) == (422, text, LIST)


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("running", TWO_KINDS)
def test_an_administrator_has_one_export_at_a_time_in_all_browsers(admin_client, service, log_in_elsewhere, running):
    first, elsewhere = admin_client.get(running), log_in_elsewhere()
    for browser in (admin_client, elsewhere):
        for path in TWO_KINDS:
            check_refused(browser, path)
    assert admin_client.head(EXPORT).status_code == 200
    assert first.getvalue()
    for browser in (elsewhere, admin_client):
        for path in TWO_KINDS:
            assert browser.get(path).getvalue()


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("other", [{"admin_id": "a-2"}, {"admin_id": "a-2", "organizationId": "o-2"}])
def test_an_administrator_can_export_while_another_one_does(admin_client, service, log_in_elsewhere, other):
    unread, elsewhere = [admin_client.get(EXPORT)], log_in_elsewhere(**other)
    unread += [admin_client.get(EXPORT) for _ in range(settings.WEB_THREADS)]
    assert [response.status_code for response in unread] == [200, *[303] * settings.WEB_THREADS]
    for path in TWO_KINDS:
        assert elsewhere.get(path).getvalue()


@pytest.mark.req("CO-17", "SEC-29")
def test_exports_of_many_administrators_leave_threads_for_pages(admin_client, service, monkeypatch):
    monkeypatch.setattr("console.files.slots._worker_slots", BoundedSemaphore(1))
    slot = ExportSlot("another administrator")
    slot.acquire()
    check_refused(admin_client, EXPORT, "Other exports are in progress. Wait a moment, then try again.")
    slot.release()
    assert admin_client.get(EXPORT).getvalue()


@CLOSES
@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", TWO_KINDS)
def test_a_client_that_disconnects_can_export_again(admin_client, service, path):
    for read in (0, 1, 2):
        response = admin_client.get(path)
        for _chunk, _number in zip(response.streaming_content, range(read), strict=False):
            check_refused(admin_client, EXPORT)
        response.close()
        assert not RunningExport.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("respond", [csv_response, workbook_response])
@pytest.mark.parametrize("count", [1, ROWS])
def test_a_client_that_has_received_the_whole_file_can_export_again(respond, count):
    """The server closes the response later."""
    responses = []
    for _number in range(2):
        slot = ExportSlot("an administrator")
        slot.acquire()
        batches = (row for row in [[["Name"]], [[f"Clinic {n}"] for n in range(count)]])
        responses.append(response := respond("clinics", batches, slot, day=date(2026, 11, 28)))
        length = int(response.headers.get("Content-Length", 2**30))
        for chunk in response:
            length -= len(chunk)
            if length == 0:
                break  # the client doesn't wait for more
    for response in responses:
        response.close()


@pytest.mark.req("CO-17", "ER-20")
@pytest.mark.parametrize("path", TWO_KINDS)
@pytest.mark.parametrize("last", [0, 3, 8])
def test_an_export_that_fails_can_be_tried_again(admin_client, service, path, last):
    service.page = lambda number: 500 if number > last else None
    with suppress(ConnectionResetError):
        admin_client.get(path).getvalue()
    service.page = lambda number: None
    assert admin_client.get(path).getvalue()


@CLOSES
@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", TWO_KINDS)
@pytest.mark.parametrize("lease", [timedelta(seconds=-1), timedelta(days=1), timedelta(days=365)])
def test_an_export_whose_process_ended_blocks_no_other_after_its_lease(admin_client, service, path, lease):
    """A lease that ends in days was stored while the clock was wrong."""
    lost = admin_client.get(path)
    assert RunningExport.objects.update(lease_ends=timezone.now() + lease) == 1
    next_export = admin_client.get(path)
    lost.close()
    check_refused(admin_client, path)
    assert next_export.getvalue()


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", TWO_KINDS)
def test_the_lease_of_an_export_is_renewed_while_it_is_read_and_sent(admin_client, service, monkeypatch, path):
    now, leases = [time.monotonic()], set()
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr("console.files.write.CHUNK_BYTES", 1000)

    def slow(_number):
        now[0] += 3

    service.page = slow
    response = admin_client.get(path)
    leases |= set(RunningExport.objects.values_list("lease_ends", flat=True))
    for _chunk in response.streaming_content:
        now[0] += 20
        leases |= set(RunningExport.objects.values_list("lease_ends", flat=True))
    assert len(leases) > 2


@CLOSES
@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", TWO_KINDS)
def test_a_client_that_stops_reading_is_disconnected_after_a_minute(admin_client, service, monkeypatch, path):
    now = [time.monotonic()]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr("console.files.write.CHUNK_BYTES", 1000)
    for seconds, is_let_go in {59: False, 61: True}.items():
        response = admin_client.get(path)
        chunks = iter(response.streaming_content)
        next(chunks)
        now[0] += seconds
        with pytest.raises(ConnectionResetError) if is_let_go else nullcontext():
            next(chunks)
        response.close()
        assert not RunningExport.objects.exists()


@CLOSES
@pytest.mark.req("CO-17", "SEC-29")
def test_a_read_only_database_prevents_no_export(admin_client, service, monkeypatch):
    def refuse(execute, sql, params, many, context):
        if "running_export" in sql:
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        for path in TWO_KINDS * 2:
            assert admin_client.get(path).getvalue()


NO_SPACE = "There isn't enough space on the server for an XLSX file. Export a CSV file instead, or try again later."


def raising(number):
    def write(*_arguments):
        raise OSError(number, os.strerror(number))

    return write


@pytest.mark.filterwarnings("ignore:.*ZipFile.__del__")  # its destructor tries again to complete the file
@pytest.mark.req("CO-17", "ER-20")
@pytest.mark.parametrize("lack", ["no folder", "a full disk", errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_without_space_for_a_workbook_the_list_says_so_and_csv_is_exported(admin_client, service, monkeypatch, lack):
    if lack == "no folder":
        monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    elif lack == "a full disk":
        monkeypatch.setattr("console.files.write.TemporaryFile", partial(open, "/dev/full", "w+b"))
    else:
        monkeypatch.setattr("console.files.write.write_workbook", raising(lack))
    for _ in range(2):
        check_refused(admin_client, f"{EXPORT}/xlsx", NO_SPACE)
        assert len(parsed(admin_client.get(EXPORT).getvalue())) == ROWS + 1


@pytest.mark.req("ER-20")
@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ECONNRESET])
def test_another_system_error_is_not_reported_as_lack_of_space(admin_client, service, monkeypatch, number):
    monkeypatch.setattr("console.files.write.write_workbook", raising(number))
    admin_client.raise_request_exception = False
    response = admin_client.get(f"{EXPORT}/xlsx")
    assert response.status_code == 500
    assert "enough space" not in response.content.decode()
    assert not RunningExport.objects.exists()
