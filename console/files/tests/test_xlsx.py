"""Workbooks: all cells become texts, written rows are read unchanged, and files that are too large are refused."""

import io
import sys
import tracemalloc
import zipfile
from contextlib import suppress
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.files import package
from console.files.read import Unreadable, read
from console.files.slots import NotExported
from console.files.xlsx import read_sheet
from tests.support.cost import units
from tests.support.people_files import END, FOLDER, MAIN, PLAIN, SHEET, with_parts, with_sheet, with_strings, workbook

CELLS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\t\r\n", exclude_characters="\ufffe\uffff"
    ),
    min_size=1,
)


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4, "4"),
        (4.0, "4"),
        (0.1 + 0.2, "0.3"),
        (821012345678, "821012345678"),
        (True, "TRUE"),
        (date(2026, 1, 5), "2026-01-05"),
        (datetime(2026, 1, 5, 13, 30), "2026-01-05 13:30:00"),
        ("007", "007"),
        (None, ""),
    ],
)
def test_a_cell_is_read_as_a_person_would_read_it(value, text):
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([value, "x"])
    file = io.BytesIO()
    book.save(file)
    assert read_sheet(file.getvalue(), 2).rows == {1: [text, "x"]}


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("states", "read_one"),
    [
        (["visible", "visible"], 0),
        (["hidden", "visible"], 1),
        (["veryHidden", "hidden", "visible", "visible"], 2),
        (["hidden", "hidden"], 0),  # no program writes such a file, but there is no other sheet
    ],
)
def test_the_first_visible_sheet_is_read(states, read_one):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number in range(len(states)):
        book.create_sheet().append([f"Sheet {number}"])
    file = io.BytesIO()
    book.save(file)
    parts = {"xl/workbook.xml": zipfile.ZipFile(file).read("xl/workbook.xml").decode()}
    for number, state in enumerate(states, start=1):
        parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(
            f'sheetId="{number}" state="visible"', f'sheetId="{number}" state="{state}"'
        )
    assert parts["xl/workbook.xml"].count('state="visible"') >= states.count("visible")
    assert read_sheet(with_parts(parts, file.getvalue()), 1).rows == {1: [f"Sheet {read_one}"]}


@pytest.mark.req("DM-42", "LS-10")
@settings(deadline=None)  # the first workbook imports the modules for reading
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4))
def test_a_written_workbook_is_read_unchanged(rows):
    assert read_sheet(workbook(rows), 2).rows == dict(enumerate(rows, start=1))


@pytest.mark.req("LS-10")
def test_characters_that_xml_can_not_hold_are_encoded():
    assert read_sheet(workbook([["a\0b\x1fc\ufffe", "d"]]), 2).rows == {1: ["a\0b\x1fc\ufffe", "d"]}


@pytest.mark.req("LS-10", "CO-17")
def test_a_list_that_is_too_big_for_a_workbook_is_not_truncated():
    for text in ("x" * 32_768, "\U0001f600" * 16_384):
        with pytest.raises(NotExported, match="is too large for an XLSX file"):
            workbook([["Name"], [text]])


@pytest.mark.req("LS-12", "DM-42")
@pytest.mark.parametrize("style", ["9", "-1", "x", "1.5", ""])
@pytest.mark.parametrize("number_format", ["9999", "-1", "x", ""])
def test_a_cell_with_a_bad_style_is_read_without_it(style, number_format):
    cells = f'<row><c s="{style}"><v>1.5</v></c><c s="0"><v>2</v></c></row>'
    styles = f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="{number_format}"/></cellXfs></styleSheet>'
    data = with_parts({"xl/styles.xml": styles}, with_sheet(SHEET + cells + END))
    assert read_sheet(data, 2).rows == {1: ["1.5", "2"]}


@pytest.mark.req("LS-12", "SEC-27")
def test_a_text_that_is_stored_once_and_shown_often_is_too_much():
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for _ in range(40):
        sheet.append(["x" * 32_000])
    file = io.BytesIO()
    book.save(file)
    with pytest.raises(Unreadable, match="is too large"):
        read(file.getvalue())


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize(("limit", "maximum"), [("MAX_UNPACKED_BYTES", 100), ("MAX_PARTS", 2)])
def test_a_workbook_is_measured_before_it_is_unpacked(monkeypatch, limit, maximum):
    monkeypatch.setattr(package, limit, maximum)
    with pytest.raises(Unreadable, match="is too large"):
        read(with_sheet("<broken"))


HOSTILE = ["cells", "elements", "strings"]


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_file_takes_little_time_and_memory(name):
    data = (FOLDER / f"hostile-{name}.xlsx").read_bytes()
    tracemalloc.start()
    try:
        calls = counted(lambda: read_refused(data))
        assert calls < 20_000
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


def read_refused(data):
    with pytest.raises(Unreadable, match="is too large"):
        read(data)


def counted(function) -> int:
    """Return the number of calls of Python and C functions, a measure of time that is the same on all machines."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    read_sheet(workbook([["x"]]), 1)  # imports the modules for reading
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls


def with_styles(content):
    return with_parts({"xl/styles.xml": f'<styleSheet xmlns="{MAIN}">{content}</styleSheet>'}, workbook(PLAIN))


def with_book(content):
    with zipfile.ZipFile(io.BytesIO(workbook(PLAIN))) as old:
        book = old.read("xl/workbook.xml").decode()
    return with_parts({"xl/workbook.xml": book.replace("</workbook>", f"{content}</workbook>")}, workbook(PLAIN))


def in_types(content):
    with zipfile.ZipFile(io.BytesIO(workbook(PLAIN))) as old:
        types = old.read("[Content_Types].xml").decode()
    return with_parts({"[Content_Types].xml": types.replace("</Types>", f"{content}</Types>")}, workbook(PLAIN))


def in_sheet(before="", rows="", after=""):
    row = "<row><c><v>1</v></c></row>"
    end = END.replace("</sheetData>", f"</sheetData>{after}")
    return with_sheet(SHEET.replace("<sheetData>", f"{before}<sheetData>") + row + rows + end)


RELATION = '<Relationship Id="1" Type="x" Target="y"/>'
SPOKEN = '<si><phoneticPr fontId="1"/></si>'
SHAPES = {
    "cells": lambda n: in_sheet(rows=f"<row>{'<c/>' * n}</row>"),
    "cells with a style": lambda n: in_sheet(rows="<row>" + '<c s="1"><v>1.5</v></c>' * n + "</row>"),
    "cells with texts": lambda n: in_sheet(rows="<row>" + '<c t="inlineStr"><is><t>x</t></is></c>' * n + "</row>"),
    "rich texts": lambda n: in_sheet(
        rows="<row>" + '<c t="inlineStr"><is><r><rPr><b/><sz val="1"/></rPr><t>x</t></r></is></c>' * n + "</row>"
    ),
    "rows": lambda n: in_sheet(rows="<row/>" * n),
    "rows far apart": lambda n: in_sheet(
        rows="".join(f'<row r="{10 + i * 100}"><c><v>1</v></c></row>' for i in range(n))
    ),
    "rows with widths": lambda n: in_sheet(rows='<row ht="1"/>' * n),
    "columns": lambda n: in_sheet(before="<cols>" + '<col min="1" max="2"/>' * n + "</cols>"),
    "merged cells": lambda n: in_sheet(after="<mergeCells>" + '<mergeCell ref="A1:B2"/>' * n + "</mergeCells>"),
    "conditions": lambda n: in_sheet(after='<conditionalFormatting sqref="A1"/>' * n),
    "strings": lambda n: with_strings(f'<sst xmlns="{MAIN}">{"<si/>" * n}</sst>'),
    "nested strings": lambda n: with_strings(f'<sst xmlns="{MAIN}">{"<si><r><t/></r></si>" * n}</sst>'),
    "fonts": lambda n: with_styles(f"<fonts>{'<font/>' * n}</fonts>"),
    "cells' styles": lambda n: with_styles(f"<cellXfs>{'<xf/>' * n}</cellXfs>"),
    "named styles": lambda n: with_styles(
        "<cellStyles>" + "".join(f'<cellStyle name="{i}" xfId="0"/>' for i in range(n)) + "</cellStyles>"
    ),
    "formats": lambda n: with_styles(
        "<numFmts>" + "".join(f'<numFmt numFmtId="{i}" formatCode="d"/>' for i in range(n)) + "</numFmts>"
    ),
    "names": lambda n: with_book("<definedNames>" + '<definedName name="x">A1</definedName>' * n + "</definedNames>"),
    "views": lambda n: with_book(f"<bookViews>{'<workbookView/>' * n}</bookViews>"),
    "sheets": lambda n: with_book(f"<sheets>{'<sheet/>' * n}</sheets>"),
    "relations": lambda n: with_parts(
        {"xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}">{RELATION * n}</Relationships>'},
        workbook(PLAIN),
    ),
    "fonts of texts": lambda n: with_strings(f'<sst xmlns="{MAIN}">{"<si><r><rPr/></r></si>" * n}</sst>'),
    "spoken texts": lambda n: with_strings(f'<sst xmlns="{MAIN}">{SPOKEN * n}</sst>'),
    "types": lambda n: in_types('<Default Extension="x" ContentType="y"/>' * n),
    "parts": lambda n: in_types('<Override PartName="/x" ContentType="y"/>' * n),
}
"""Parts of a workbook that can occur many times."""

LONG = {
    "ranges of a rule": lambda n: in_sheet(
        after=f'<dataValidations><dataValidation sqref="{"A1 " * n}"/></dataValidations>'
    ),
    "ranges of a condition": lambda n: in_sheet(after=f'<conditionalFormatting sqref="{"A1 " * n}"/>'),
    "ranges of a view": lambda n: in_sheet(
        before=f'<sheetViews><sheetView><selection sqref="{"A1 " * n}"/></sheetView></sheetViews>'
    ),
    "spans": lambda n: in_sheet(rows=f'<row spans="{"1:2 " * n}"/>'),
    "a print area": lambda n: with_book(
        f'<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">{"A1," * n}</definedName></definedNames>'
    ),
    "a format": lambda n: with_styles(
        f'<numFmts><numFmt numFmtId="200" formatCode="{"[" * n}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>'
    ),
    "a text": lambda n: in_sheet(rows='<row><c t="inlineStr"><is><t>' + "x " * n + "</t></is></c></row>"),
}
"""Parts of a workbook that can be long."""

RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
MAX_CALLS_PER_MARK = 45
"""Maximum calls per mark."""


def marks(data):
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        contents = [parts.read(part) for part in parts.namelist()]
    return sum(content.count(b"<") + content.count(b"=") for content in contents)


def read_any(data):
    with suppress(Unreadable):
        read(data)


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("shape", SHAPES)
def test_no_part_of_a_workbook_takes_more_calls_than_it_has_marks(shape):
    small, large = SHAPES[shape](500), SHAPES[shape](5000)
    few, many = counted(lambda: read_any(small)), counted(lambda: read_any(large))
    assert many - few < MAX_CALLS_PER_MARK * (marks(large) - marks(small))


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("shape", LONG)
def test_long_parts_take_no_call_for_each_of_their_items(shape):
    small, large = LONG[shape](1000), LONG[shape](100_000)
    few, many = counted(lambda: read_any(small)), counted(lambda: read_any(large))
    assert many - few < 1000
    assert units(lambda: read_any(large)) < 20, "neither within one"


@pytest.mark.req("LS-12", "SEC-27")
def test_the_most_marks_are_read_in_a_short_time():
    """The workbook has the most expensive shape, with the maximum number of marks."""
    data = SHAPES["strings"](package.MAX_MARKS - 100)
    assert units(lambda: read_any(data)) < 120


@pytest.mark.req("DM-42")
def test_rows_keep_their_numbers_and_those_that_go_back_are_left_out():
    rows = "".join(f'<row r="{n}"><c><v>{n}</v></c></row>' for n in (3, 1_000_000, 5))
    assert read_sheet(in_sheet(rows=rows), 1).rows == {1: ["1"], 3: ["3"], 1_000_000: ["1000000"]}
