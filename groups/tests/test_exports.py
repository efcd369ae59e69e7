"""Exports of lists of any length: sent while they are read, whole or visibly broken, as CSV and as XLSX."""

import csv
import gc
import io
import json
import time
from types import SimpleNamespace

import openpyxl
import pytest

from console.spreadsheets.exporter import NotExported
from console.testing import factories
from console.upstream.errors import Failed

LIST, CALL = "/user-manage/clinic", "/v1/bizMainGroups"
EXPORT = f"{LIST}/export"
ROWS = 2345


@pytest.fixture
def service(upstream):
    """The service has many clinics. `pages` are those that it was asked for; `page` is called before each answer."""
    state = SimpleNamespace(pages=[], count=ROWS, page=lambda number: None)

    def answer(request):
        number = int(request.params["page"])
        state.pages.append(number)
        if (status := state.page(number)) is not None:
            return status, {}, "{}"
        clinics = [factories.clinic(n) for n in range(ROWS)][(number - 1) * 100 : number * 100]
        return 200, {}, json.dumps(factories.listing(clinics, total=state.count))

    upstream.callback("GET", CALL, answer)
    return state


def parsed(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def sheet(response):
    book = openpyxl.load_workbook(io.BytesIO(response.getvalue()), read_only=True)
    return [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]


@pytest.mark.req("CO-17", "LS-10", "DM-13")
def test_a_long_list_is_exported_whole_and_sent_while_it_is_read(admin_client, service):
    response = admin_client.get(EXPORT)
    assert max(service.pages) == 5
    content = response.getvalue()
    assert set(service.pages) == set(range(1, 25))
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
def test_an_export_that_breaks_later_does_not_end_like_a_whole_one(admin_client, service, count, error):
    service.count = count
    service.page = lambda number: 500 if number > 20 and error is Failed else None
    response = admin_client.get(EXPORT)
    assert response.status_code == 200
    with pytest.raises(ConnectionResetError) as broken:
        response.getvalue()
    assert isinstance(broken.value.__cause__, error)


@pytest.mark.req("CO-17", "ER-20")
def test_a_workbook_that_breaks_is_a_page_that_says_so(admin_client, service):
    service.page = lambda number: 500 if number > 20 else None
    response = admin_client.get(f"{EXPORT}/xlsx")
    assert response.status_code == 502
    assert response.headers["Content-Type"].startswith("text/html")


@pytest.mark.req("CO-17", "SEC-29")
@pytest.mark.parametrize("path", [EXPORT, f"{EXPORT}/xlsx"])
def test_who_asks_for_the_headers_of_an_export_has_no_list_read(admin_client, service, path):
    names = ("Content-Type", "Content-Disposition", "X-Content-Type-Options", "Cache-Control", "Content-Length")
    for _more_than_there_are_places in range(3):
        head = admin_client.head(path)
        assert (head.status_code, service.pages) == (200, [])
    told = [head.headers.get(name) for name in names]
    whole = admin_client.get(path)
    assert told[:-1] == [whole.headers.get(name) for name in names[:-1]]
    assert told[-1] is None, "it is not known without the list"
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


@pytest.mark.req("CO-17", "SEC-29")
def test_a_third_export_has_to_wait(admin_client, service):
    first, second = admin_client.get(EXPORT), admin_client.get(EXPORT)
    third = admin_client.get(f"{EXPORT}?keyword=a")
    assert (third.status_code, third.headers["Location"]) == (303, f"{LIST}?keyword=a")
    assert "Other exports are running." in admin_client.get(LIST).content.decode()
    first.getvalue()
    fourth = admin_client.get(EXPORT)
    assert fourth.status_code == 200
    del second, fourth  # whose readers have left
    gc.collect()  # what a server closes, the test's client keeps
    for _ in range(3):
        assert len(sheet(admin_client.get(f"{EXPORT}/xlsx"))) == ROWS + 1
