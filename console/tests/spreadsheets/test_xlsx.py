"""Workbooks: cells as texts, whatever they hold; what is written is read again; what is too much is refused."""

import io
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.spreadsheets import xlsx
from console.spreadsheets.read import Unreadable, read
from console.spreadsheets.xlsx import read_sheet
from console.testing.people_files import with_sheet, workbook

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
