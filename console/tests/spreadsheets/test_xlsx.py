"""Workbooks: cells as texts, whatever they hold; what is written is read again; what is too much is refused."""

import io
import sys
import tracemalloc
import zipfile
from datetime import date, datetime
from time import thread_time

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.spreadsheets import xlsx
from console.spreadsheets.read import Unreadable, read
from console.spreadsheets.xlsx import read_sheet
from console.testing.people_files import END, FOLDER, SHEET, with_parts, with_sheet, workbook

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
        ("=1+1", ""),  # nobody has ever calculated it
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
    assert list(read_sheet(file.getvalue(), 2)) == [[text, "x"]]


@pytest.mark.req("DM-42")
@pytest.mark.parametrize(
    ("states", "read_one"),
    [
        (["visible", "visible"], 0),
        (["hidden", "visible"], 1),
        (["veryHidden", "hidden", "visible", "visible"], 2),
        (["hidden", "hidden"], 0),  # no program makes one, but then there is only this
    ],
)
def test_the_first_sheet_that_people_see_is_read(states, read_one):
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
    assert list(read_sheet(with_parts(parts, file.getvalue()), 1)) == [[f"Sheet {read_one}"]]


@pytest.mark.req("DM-42", "LS-10")
@settings(deadline=None)  # the first workbook loads what reads them
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4))
def test_a_workbook_that_is_written_is_read_again(rows):
    assert list(read_sheet(workbook(rows), 2)) == rows


@pytest.mark.req("LS-10")
def test_characters_that_xml_can_not_hold_are_left_out():
    assert list(read_sheet(workbook([["a\0b\x1fc\ufffe", "\ud800"]]), 2)) == [["abc", ""]]


@pytest.mark.req("LS-12", "SEC-27")
def test_a_text_that_is_stored_once_and_shown_often_is_too_much():
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for _ in range(40):
        sheet.append(["x" * 32_000])
    file = io.BytesIO()
    book.save(file)
    with pytest.raises(Unreadable, match="holds too much"):
        read(file.getvalue())


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize(("limit", "most"), [("MOST_BYTES", 100), ("MOST_PARTS", 2)])
def test_a_workbook_is_measured_before_it_is_unpacked(monkeypatch, limit, most):
    monkeypatch.setattr(xlsx, limit, most)
    with pytest.raises(Unreadable, match="holds too much"):
        read(with_sheet("<broken"))


HOSTILE = ["cells", "elements", "strings", "ranges"]


def refused(name):
    """Return the processor time and the MiB that refusing a hostile file takes."""
    data = (FOLDER / f"hostile-{name}.xlsx").read_bytes()
    list(read_sheet(workbook([["x"]]), 1))  # what reads is loaded once
    tracemalloc.start()
    started = thread_time()
    try:
        with pytest.raises(Unreadable, match="holds too much"):
            read(data)
        return thread_time() - started, tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_small_file_takes_neither_long_nor_much_memory(name):
    seconds, most = refused(name)
    assert seconds < xlsx.MOST_SECONDS + 0.5
    assert most < 100


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("name", HOSTILE)
def test_time_ends_also_within_a_row_and_outside_of_rows(monkeypatch, name):
    monkeypatch.setattr(xlsx, "MOST_MARKS", 10_000_000)
    monkeypatch.setattr(xlsx, "MOST_SECONDS", 0.2)
    assert refused(name)[0] < 2


@pytest.mark.req("LS-12", "SEC-27")
def test_formats_on_conditions_are_not_even_read():
    ranges = "A1 " * 600_000
    formats = f'<conditionalFormatting sqref="{ranges}"/>' * 4
    data = with_sheet(SHEET + "<row><c><v>1</v></c></row>" + END.replace("</worksheet>", formats + "</worksheet>"))
    started = thread_time()
    assert list(read_sheet(data, 1)) == [["1"]]
    assert thread_time() - started < xlsx.MOST_SECONDS


@pytest.mark.req("LS-12")
def test_who_watches_a_program_goes_on_watching_after_a_workbook():
    watched = []

    def watch(*event):
        watched.append(event)

    sys.setprofile(watch)
    try:
        list(read_sheet(workbook([["x"]]), 1))
        assert sys.getprofile() is watch
    finally:
        sys.setprofile(None)
