"""Workbooks are read as people see them: hidden rows, merged cells, encoded characters, Strict files, sheets."""

import io
import re
import zipfile
from datetime import date, timedelta

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from console.files.package import NotAWorkbook, TooMuchText
from console.files.xlsx import read_sheet
from tests.support.people_files import END, MAIN, SHEET, with_parts, with_sheet, with_strings, workbook

ROWS = [["Name", "Team", "Note"], *([f"Person {n}", f"Team {n}", f"Note {n}"] for n in range(1, 6))]


def build_workbook(rows, change=lambda sheet: None):
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    change(sheet)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def read_cells(data):
    """Return the first cells of the rows that are read, without the header."""
    return [row[0] for number, row in read_sheet(data, 5).rows.items() if number > 1]


def filtered(sheet):
    sheet.auto_filter.ref = "A1:C6"
    for number in (2, 4):
        sheet.row_dimensions[number].hidden = True


def grouped(sheet):
    sheet.row_dimensions.group(2, 3, hidden=True)


def without_height(sheet):
    sheet.row_dimensions[2].height = 0.01


def folded(sheet, summary):
    for number in (3, 4):
        sheet.row_dimensions[number].outlineLevel = 1
    sheet.row_dimensions[summary].collapsed = True


def folded_upwards(sheet):
    sheet.sheet_properties.outlinePr.summaryBelow = False
    folded(sheet, 2)


HIDDEN_ROWS = {
    "filter": (filtered, ["Person 2", "Person 4", "Person 5"]),
    "group": (grouped, ["Person 3", "Person 4", "Person 5"]),
    "no height": (without_height, ["Person 2", "Person 3", "Person 4", "Person 5"]),
    "folded above its summary": (lambda sheet: folded(sheet, 5), ["Person 1", "Person 4", "Person 5"]),
    "folded below its summary": (folded_upwards, ["Person 1", "Person 4", "Person 5"]),
}


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("kind", HIDDEN_ROWS)
def test_hidden_rows_are_left_out_and_counted(kind):
    hide, remaining = HIDDEN_ROWS[kind]
    data = build_workbook(ROWS, hide)
    assert read_cells(data) == remaining
    assert read_sheet(data, 5).hidden_rows == 5 - len(remaining)


@pytest.mark.req("DM-42")
def test_hidden_rows_without_content_are_not_counted():
    def hide(sheet):
        for number in range(7, 40):
            sheet.row_dimensions[number].hidden = True

    assert read_sheet(build_workbook(ROWS, hide), 5).hidden_rows == 0


def hide_column(sheet):
    sheet.column_dimensions["B"].hidden = True


def narrow_column(sheet):
    sheet.column_dimensions["B"].width = 0.01


def group_columns(sheet):
    sheet.column_dimensions.group("B", "C", hidden=True)


def fold_columns(sheet):
    sheet.column_dimensions["B"].outlineLevel = 1
    sheet.column_dimensions["C"].collapsed = True


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("hide", "remaining"),
    [
        (hide_column, ["Name", "", "Note"]),
        (narrow_column, ["Name", "", "Note"]),
        (group_columns, ["Name", "", ""]),
        (fold_columns, ["Name", "", "Note"]),
    ],
)
def test_hidden_columns_are_left_out_and_counted(hide, remaining):
    sheet = read_sheet(build_workbook(ROWS, hide), 5)
    assert sheet.rows[1] == remaining
    assert all([bool(cell) for cell in row] == [bool(cell) for cell in remaining] for row in sheet.rows.values())
    assert sheet.hidden_columns == remaining.count("")


@pytest.mark.req("DM-42")
def test_a_merged_cell_has_its_text_in_each_of_its_rows():
    def merge(sheet):
        sheet.merge_cells("B2:B4")
        sheet.merge_cells("B5:C6")

    sheet = read_sheet(build_workbook(ROWS, merge), 3)
    assert [row[1] for row in sheet.rows.values()] == ["Team", "Team 1", "Team 1", "Team 1", "Team 4", "Team 4"]
    assert [row[2] for row in sheet.rows.values()] == ["Note", "Note 1", "Note 2", "Note 3", "", ""]
    assert sheet.filled == {(3, 2), (4, 2), (6, 2)}
    assert sheet.merged_across == {5, 6}


@pytest.mark.req("DM-42")
def test_texts_that_a_merged_cell_covers_are_ignored():
    cells = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c>'
        '<c r="B1" t="inlineStr"><is><t>covered</t></is></c></row>'
        '<row r="2"><c r="A2" t="inlineStr"><is><t>covered</t></is></c><c r="C2"><v>1</v></c></row>'
    )
    merged = '</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>'
    rows = read_sheet(with_sheet(f"{SHEET}{cells}{merged}"), 3).rows
    assert rows == {1: ["a", "", ""], 2: ["a", "", "1"]}


@pytest.mark.req("DM-42")
def test_a_merged_cell_that_starts_in_a_hidden_row_is_read_below_it():
    def merge(sheet):
        sheet.merge_cells("B2:B3")
        sheet.row_dimensions[2].hidden = True

    assert read_sheet(build_workbook(ROWS, merge), 3).rows[3][1] == "Team 1"


@pytest.mark.req("LS-12", "SEC-27")
def test_merged_cells_by_the_billion_cost_nothing():
    cells = '<row><c t="inlineStr"><is><t>x</t></is></c></row><row><c><v>1</v></c></row>'
    ranges = '<mergeCell ref="A1:XFD1048576"/>' * 1000
    huge = f"</sheetData><mergeCells>{ranges}</mergeCells></worksheet>"
    assert list(read_sheet(with_sheet(f"{SHEET}{cells}{huge}"), 100).rows) == [1, 2]
    rows = '<row><c t="inlineStr"><is><t>x</t></is></c></row>' * 1000
    with pytest.raises(TooMuchText):
        read_sheet(with_sheet(f"{SHEET}{rows}{huge}"), 100)


FORMATS = [
    ("0000000", 12345, "0012345"),
    ('"SN-"0000', 7, "SN-0007"),
    ("[h]:mm", timedelta(hours=36, minutes=30), "36:30"),
    ("dd.mm.yyyy", date(2026, 1, 5), "05.01.2026"),
    ('"SN-"@', "A7", "SN-A7"),
    ("General", 12345678901234567890, "1.23456789012346E+19"),
    ("0.00E+00", 123456789012, "123456789012"),
]


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(("code", "value", "text"), FORMATS)
def test_a_cell_is_read_as_its_format_shows_it(code, value, text):
    def style(sheet):
        sheet["A1"].number_format = code

    assert read_sheet(build_workbook([[value]], style), 1).rows == {1: [text]}


@pytest.mark.req("DM-42")
def test_days_are_counted_from_1904_if_the_workbook_says_so():
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.worksheets[0]["A1"] = date(2026, 1, 5)
    file = io.BytesIO()
    book.save(file)
    assert read_sheet(file.getvalue(), 1).rows == {1: ["2026-01-05"]}


@pytest.mark.req("DM-42")
def test_formulas_without_a_result_are_known_and_others_have_theirs():
    cells = {
        "A": '<c r="A1"><f>1+1</f></c>',
        "B": '<c r="B1"><f>1+1</f><v>2</v></c>',
        "C": '<c r="C1" t="str"><f>IF(TRUE,"")</f><v></v></c>',
        "D": '<c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
        "E": '<c r="E1" t="b"><f>TRUE</f><v>1</v></c>',
        "F": '<c r="F1"><f t="shared" si="0"/></c>',
        "G": '<c r="G1"><f>2</f><v/></c>',
    }
    sheet = read_sheet(with_sheet(f"{SHEET}<row r='1'>{''.join(cells.values())}</row>{END}"), 10)
    assert sheet.rows == {1: ["=1+1", "2", "", "#DIV/0!", "TRUE", "=", "=2"]}
    assert sheet.unknown == {(1, 1), (1, 6), (1, 7)}


ENCODED = {
    "_x000D_": "\r",
    "a_x0041_b": "aAb",
    "_x005F_x000D_": "_x000D_",
    "_x005f_x0041_": "_x0041_",
    "_xD83D__xDE00_": "😀",
    "_xD83D_": "\ufffd",
    "_x41_ _X0041_ x0041_ _x00G1_": "_x41_ _X0041_ x0041_ _x00G1_",
    "_x005F_x005F_": "_x005F_",
}


@pytest.mark.req("DM-42")
@pytest.mark.parametrize("written", ENCODED)
def test_encoded_characters_are_read_decoded(written):
    item = f"<si><t>{written}</t></si><si><r><t>{written}</t></r></si>"
    cells = f'<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>{written}</t></is></c>'
    data = with_strings(f'<sst xmlns="{MAIN}">{item}</sst>')
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        relations = old.read("xl/_rels/workbook.xml.rels").decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    added = f'<Relationship Id="s" Type="{kind}" Target="/xl/sharedStrings.xml"/></Relationships>'
    parts = {
        "xl/_rels/workbook.xml.rels": relations.replace("</Relationships>", added),
        "xl/worksheets/sheet1.xml": f"{SHEET}<row>{cells}<c t='str'><v>{written}</v></c></row>{END}",
    }
    assert read_sheet(with_parts(parts, data), 5).rows == {1: [ENCODED[written]] * 4}


SHARED = re.compile("_x[0-9A-F]{4}_x[0-9A-F]{4}_", re.IGNORECASE)
"""Codes that share an underscore, of which XlsxWriter encodes only the first. No name contains them."""


@pytest.mark.req("DM-42", "LS-10")
@settings(deadline=None)  # the first workbook imports the modules for reading
@given(
    st.lists(
        st.sampled_from([*(text for text in ENCODED if not SHARED.search(text)), "_", "x", "_x", "000D_", "a"]),
        min_size=1,
    ).map(" ".join)
)
def test_a_text_that_looks_encoded_is_exported_and_read_unchanged(text):
    assert read_sheet(workbook([[text]]), 1).rows == {1: [text]}


@pytest.mark.req("LS-10")
def test_an_export_encodes_what_a_spreadsheet_program_would_decode():
    with zipfile.ZipFile(io.BytesIO(workbook([["a_x000D_b _x12_"]]))) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    assert re.findall("<t[^>]*>([^<]*)", sheet) == ["a_x005F_x000D_b _x12_"]


STRICT = {
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "http://purl.oclc.org/ooxml/officeDocument/relationships",
}


def strict(data):
    """Return a workbook converted to Strict Open XML."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name: old.read(name).decode() for name in old.namelist()}
    for name, content in parts.items():
        for transitional, its_strict in STRICT.items():
            content = content.replace(transitional, its_strict)
        parts[name] = content
    return with_parts(parts, data)


@pytest.mark.req("DM-42")
def test_strict_open_xml_is_read_like_any_other():
    def change(sheet):
        filtered(sheet)
        sheet["C3"].number_format = "0000"
        sheet["C3"] = 7

    data = build_workbook(ROWS, change)
    assert b"purl.oclc.org" in zipfile.ZipFile(io.BytesIO(strict(data))).read("xl/workbook.xml")
    assert read_sheet(strict(data), 5) == read_sheet(data, 5)
    assert read_sheet(strict(data), 5).rows[3] == ["Person 2", "Team 2", "0007"]


@pytest.mark.req("DM-42")
def test_a_date_of_a_strict_workbook_is_a_text_in_its_file():
    cells = '<c t="d"><v>2026-01-05</v></c><c t="d"><v>2026-01-05T13:30:00</v></c>'
    assert read_sheet(with_sheet(f"{SHEET}<row>{cells}</row>{END}"), 2).rows == {
        1: ["2026-01-05", "2026-01-05 13:30:00"]
    }


@pytest.mark.req("DM-42")
def test_paths_of_parts_are_found_in_any_case_and_with_any_slash():
    data = build_workbook([["x"]])
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name.replace("worksheets/sheet1", "Worksheets\\Sheet1"): old.read(name) for name in old.namelist()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)
    assert read_sheet(file.getvalue(), 1).rows == {1: ["x"]}


def build_workbook_with_sheets(*titles):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title in titles:
        book.create_sheet(title).append([f"of {title}"])
    book.create_chartsheet("Chart")
    book.create_sheet("Hidden").sheet_state = "hidden"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("name", "read_one"), [("", "Summary"), ("People", "People"), ("Hidden", "Summary"), ("Gone", "Summary")]
)
def test_a_sheet_is_read_by_its_name(name, read_one):
    sheet = read_sheet(build_workbook_with_sheets("Summary", "People", "Zürich & Söhne"), 1, name)
    assert (sheet.name, sheet.names) == (read_one, ["Summary", "People", "Zürich & Söhne"])
    assert sheet.rows == {1: [f"of {read_one}"]}


@pytest.mark.req("SEC-27")
@pytest.mark.parametrize("target", ["../../../../etc/passwd", "/etc/passwd", "http://x.example/a", "", "."])
def test_a_sheet_with_an_invalid_target_is_refused(target):
    with zipfile.ZipFile(io.BytesIO(workbook([["x"]]))) as old:
        relations = old.read("xl/_rels/workbook.xml.rels").decode()
    data = with_parts(
        {"xl/_rels/workbook.xml.rels": relations.replace("worksheets/sheet1.xml", target)}, workbook([["x"]])
    )
    with pytest.raises(NotAWorkbook):
        read_sheet(data, 1)


@pytest.mark.req("DM-42")
def test_rows_and_columns_of_zero_size_are_hidden():
    cell = '<c t="inlineStr"><is><t>x</t></is></c>'
    cols = '<cols><col min="2" max="16384" width="0"/></cols>'
    rows = f'<row>{cell * 3}</row><row ht="0" customHeight="1">{cell}</row><row ht="15">{cell}</row>'
    sheet = read_sheet(with_sheet(f"{SHEET.replace('<sheetData>', cols + '<sheetData>')}{rows}{END}"), 100)
    assert sheet.rows == {1: ["x", "", ""], 3: ["x", "", ""]}
    assert (sheet.hidden_rows, sheet.hidden_columns) == (1, 2)
