"""An import shows which rows of which sheet it read, and another sheet can be chosen."""

import io
import json
import re
from html import unescape

import openpyxl
import pytest

from tests.support.audit import audit
from tests.support.imports import answer, step_url, upload

IMPORT, BULK = "/user-manage/clinic/import", "/v1/bizMainGroups/bulkCreate"
HEADER = ["Name", "Country"]


@pytest.fixture
def service(upstream):
    """Let the service accept clinics; return the names that it gets."""
    got: list[str] = []

    def create(request):
        items = json.loads(request.body)["items"]
        got.extend(item["name"] for item in items)
        rows = [{"index": index, "ok": True, "id": f"g-{index}"} for index in range(len(items))]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", BULK, create)
    return got


def workbook(change=lambda book: None, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def send(client, data, name="a.xlsx", **fields):
    response = upload(client, IMPORT, data, name=name, **fields)
    html = response.content.decode()
    audit(html, lng=response.headers["Content-Language"])
    return response.status_code, unescape(html)


def send_csv(client, text):
    return send(client, text.encode(), "a.csv")


SUMMARY = [["Export summary"], ["Made by a program"], ["Sheet", "Table", "Tables"]]
PEOPLE = [HEADER, ["Harbor", "US"], ["Nord", "DE"]]


@pytest.mark.req("DM-42")
def test_the_name_of_the_read_sheet_is_shown(admin_client, service):
    status, html = send(admin_client, workbook(Clinics=PEOPLE))
    assert status == 200
    assert "The rows are from the sheet “\u2068Clinics\u2069”." in html
    assert 'name="sheet"' not in html
    assert service == ["Harbor", "Nord"]


@pytest.mark.req("DM-42", "DM-14")
@pytest.mark.parametrize(
    "first", [SUMMARY, [["Total"]], [], [HEADER], [HEADER, *([f"C{n}", "US"] for n in range(101))]]
)
def test_another_sheet_is_chosen_without_choosing_the_file_again(admin_client, service, first):
    _status, html = send(admin_client, workbook(Summary=first, Clinics=PEOPLE), overwrite="on")
    assert "The rows are from the sheet “\u2068Summary\u2069”." in html
    assert service == []
    form = re.search(r'<form[^>]*>(?:(?!</form>).)*name="sheet"(?:(?!</form>).)*</form>', html, re.DOTALL)
    assert form
    assert re.findall(r"<option[^>]*>([^<]*)", form[0]) == ["Summary", "Clinics"]
    (step,) = re.findall(r'action="([^"]*)"', form[0])
    response = admin_client.post(step, {"sheet": "Clinics"}, follow=True)
    html = unescape(response.content.decode())
    assert "2 rows can be imported." in html
    assert "The rows are from the sheet “\u2068Clinics\u2069”." in html
    assert service == ["Harbor", "Nord"]


@pytest.mark.req("DM-42")
def test_the_sheet_stays_chosen_while_its_columns_are_asked_about(admin_client, service):
    data = workbook(Clinics=PEOPLE, Others=[["Bezeichnung", "Wo"], ["Harbor", "US"]])
    review = upload(admin_client, IMPORT, data)
    response = admin_client.post(step_url(review), {"sheet": "Others"}, follow=True)
    service.clear()
    assert "Match the columns" in response.content.decode()
    answer(admin_client, response, **{"column-name": "0", "column-country_code": "1"})
    assert service == ["Harbor"]


@pytest.mark.req("DM-42")
def test_the_sheets_are_answered_as_json_too(admin_client, service):
    file = workbook(Summary=[["A", "B"], ["1", "2"]], Clinics=PEOPLE)
    item = upload(admin_client, IMPORT, file, headers={"Accept": "application/json"}).json()["item"]
    assert (item["sheet"], item["sheets"]) == ("Summary", ["Summary", "Clinics"])


def hide(book):
    sheet = book.worksheets[0]
    sheet.row_dimensions[2].hidden = True
    sheet.column_dimensions["C"].hidden = True


@pytest.mark.req("DM-42", "LS-11")
def test_hidden_rows_and_columns_are_left_out_and_the_plan_and_its_outcome_say_so(admin_client, service):
    rows = [[*HEADER, "Info"], ["Harbor", "US", "a"], ["Nord", "DE", "b"]]
    status, html = send(admin_client, workbook(hide, Clinics=rows))
    assert status == 200
    assert service == ["Nord"]
    sentences = ["1 hidden row was ignored.", "1 hidden column was ignored."]
    assert all(text in html for text in sentences)
    lines = re.search(r'name="lines" value="([^"]+)"', html)
    assert lines
    done = unescape(admin_client.post(IMPORT, {"lines": lines[1]}, follow=True).content.decode())
    assert "1 row was imported." in done
    assert all(text in done for text in sentences)


@pytest.mark.req("DM-42")
def test_a_sheet_whose_rows_are_all_hidden_is_refused_and_says_why(admin_client, service):
    status, html = send(admin_client, workbook(hide, Clinics=[HEADER, ["Harbor", "US"]]))
    assert status == 422
    assert "The file has column names but no rows." in html
    assert "1 hidden row was ignored." in html


@pytest.mark.req("DM-42")
def test_merged_cells_are_filled_and_the_plan_says_so(admin_client, service):
    def merge(book):
        book.worksheets[0].merge_cells("B2:B3")
        book.worksheets[0].merge_cells("A4:B4")

    data = workbook(merge, Clinics=[HEADER, ["Harbor", "US"], ["Nord", ""], ["Wide", ""]])
    _status, html = send(admin_client, data)
    assert "2 rows can be imported." in html
    assert "1 cell was filled from a merged cell." in html
    assert "1 row has a cell merged across columns." in html


TITLES: dict[str, list[list[str | None]]] = {
    "a title": [["Our clinics"]],
    "a title and a date": [["Our clinics"], [None], ["As of", "2026-01-05"]],
    "a title with one known word": [["Name of the organization"], ["Name"]],
    "nine lines": [[f"Line {n}"] for n in range(9)],
}


@pytest.mark.req("DM-42", "LS-12")
@pytest.mark.parametrize("kind", TITLES)
def test_the_names_of_columns_are_found_below_a_title(admin_client, service, kind):
    above = TITLES[kind]
    _status, html = send(admin_client, workbook(Clinics=[*above, *PEOPLE]))
    assert service == ["Harbor", "Nord"]
    assert f"Row {len(above) + 1} contains the column names. The rows above it were ignored." in html
    assert [int(row) for row in re.findall(r'data-kind="number">(\d+)<', html)] == [len(above) + 2, len(above) + 3]


@pytest.mark.req("DM-42", "LS-12")
def test_the_names_of_columns_are_found_below_a_title_in_csv(admin_client, service):
    _status, html = send_csv(admin_client, "Our clinics,\r\n,\r\nName,Country\r\nHarbor,US\r\n")
    assert service == ["Harbor"]
    assert "Row 3 contains the column names." in html


@pytest.mark.req("DM-42", "LS-12")
def test_columns_with_unknown_names_below_a_title_are_all_asked_about(admin_client, service):
    rows = [["Unsere Praxen"], ["Bezeichnung", "Wo"], ["Harbor", "US"]]
    _status, html = send(admin_client, workbook(Clinics=rows))
    assert "Match the columns" in html
    assert ">Bezeichnung: \u2068Harbor\u2069</option>" in html
    assert ">Wo: \u2068US\u2069</option>" in html
    assert "Row 2 contains the column names." in html


@pytest.mark.req("DM-42", "LS-12")
def test_rows_that_look_like_names_of_columns_stay_rows(admin_client, service):
    send_csv(admin_client, "Name,Country\r\nName,US\r\nCountry,DE\r\n")
    assert service == ["Name", "Country"]


@pytest.mark.req("DM-42", "LS-11")
def test_formulas_without_a_result_are_refused_in_their_row(admin_client, service):
    rows = [[*HEADER, "Ignored"], ['="Har"&"bor"', "US", ""], ["Nord", "DE", "=1+1"], ["=A3", "=B3", ""]]
    _status, html = send(admin_client, workbook(Clinics=rows))
    assert service == ["Nord"]
    assert "1 row can be imported." in html
    for cell in ("A2", "A4", "B4"):
        assert f"Cell {cell} has a formula without a result." in html


@pytest.mark.req("DM-42", "LS-11")
def test_errors_and_shortened_numbers_are_refused_in_their_row(admin_client, service):
    text = "Name,Country,Info\r\n#BEZUG!,US,\r\nNord,DE,1.23E+11\r\nOst,DE,fine\r\n"
    _status, html = send_csv(admin_client, text)
    assert "1 row can be imported." in html
    assert "“\u2068#BEZUG!\u2069” is a spreadsheet error." in html
    assert "“\u20681.23E+11\u2069” was shortened by a spreadsheet app." in html
    assert [int(row) for row in re.findall(r'data-kind="number">(\d+)<', html)] == [2, 3, 4]


@pytest.mark.req("DM-42", "LS-11")
def test_numbers_with_lost_digits_are_refused_in_a_workbook_too(admin_client, service):
    rows = [[*HEADER, "Info"], ["Nord", "DE", 12345678901234567890], ["Ost", "DE", 123456789012345]]
    _status, html = send(admin_client, workbook(Clinics=rows))
    assert "1 row can be imported." in html
    assert "“\u20681.23456789012346E+19\u2069” was shortened by a spreadsheet app." in html
