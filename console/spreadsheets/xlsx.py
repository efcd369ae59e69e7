"""XLSX: the first visible sheet of a workbook that somebody sends, and the workbook that a list becomes.

openpyxl reads, because it reads row by row: a sheet can say that it has 17 billion cells, for which other readers ask
the memory at once. It would write as well, but by way of files with names; what is exported names people, so we write
the few parts of a workbook of texts into a file that has none.
"""

import io
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from itertools import count, islice
from time import thread_time
from typing import IO, Any
from xml.sax.saxutils import escape

ZIP = b"PK\x03\x04"
MOST_BYTES = 8 * 1024 * 1024
"""What a workbook may unpack to: a table of a hundred rows has some ten thousand."""
MOST_SECONDS = 3
"""Processor time that reading may take; a table of a hundred rows takes some hundredths of one."""
MOST_PARTS = 1000
MOST_MARKS = 300_000
"""Tags and attributes of all parts, counted as "<" and "=" are: openpyxl makes objects of them before it gives a row. A
cell has about seven.
"""
MOST_TEXT = 1024 * 1024
"""Characters of a sheet, as many as a CSV file may have: a workbook stores a text once that many cells show."""
MOST_ROWS = 1_048_576
"""Rows of a sheet, by the format."""


class NotAWorkbook(Exception):
    """What is no workbook, or a broken one."""


class TooMuchText(Exception):
    """A workbook that is too large to be read."""


def read_sheet(data: bytes, most_columns: int) -> Iterator[list[str]]:
    """Read the cells of the first visible sheet as texts, of a blank row none; formulas are what they were last.

    Raises NotAWorkbook, TooMuchText.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            _measure(parts)
    except TooMuchText:
        raise
    except Exception as error:  # zipfile has many ways to say that it can't unpack
        raise NotAWorkbook from error
    length = 0
    blank: object = None  # most of a million rows may be, and those that a sheet leaves out are all the same one
    try:
        for row in _values(data, most_columns, thread_time() + MOST_SECONDS):
            if row is blank or not any(row):
                blank, cells = row, []
            else:
                cells = [_text(value) for value in row]
            length += sum(map(len, cells))
            if length > MOST_TEXT:
                raise TooMuchText
            yield cells
    except TooMuchText:
        raise
    except Exception as error:  # openpyxl raises whatever a strange file makes it run into
        raise NotAWorkbook from error


def _measure(parts: zipfile.ZipFile) -> None:
    """Raise TooMuchText for a workbook of which even the parts would be too much."""
    found = parts.infolist()
    # zipfile gives no more than a part says that it has, so this bounds what is unpacked.
    if sum(part.file_size for part in found) > MOST_BYTES or len(found) > MOST_PARTS:
        raise TooMuchText
    marks = 0
    for part in found:
        content = parts.read(part)
        marks += content.count(b"<") + content.count(b"=")
        if marks > MOST_MARKS:
            raise TooMuchText


def _values(data: bytes, most_columns: int, ends: float) -> Iterator[tuple[Any, ...]]:
    import openpyxl  # takes a third of a second, which only a file that needs it should cost
    from openpyxl.worksheet._reader import WorkSheetParser

    # Formats on conditions are no values, and of all that is read only this would go on after TooMuchText.
    setattr(WorkSheetParser, "parse_formatting", lambda *_: None)  # noqa: B010
    with _until(ends):
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets: list[Any] = book.worksheets
        sheet = next((sheet for sheet in sheets if sheet.sheet_state == "visible"), sheets[0])
        sheet.reset_dimensions()  # some programs write wrong ones
        rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=most_columns, values_only=True)
    while True:
        with _until(ends):
            several = list(islice(rows, 1000))
        if not several:
            return
        yield from several


@contextmanager
def _until(ends: float) -> Iterator[None]:
    """Raise TooMuchText as soon as this thread has had so much processor time.

    openpyxl can be busy for long without giving a row: with strings, styles, or a list of ranges in one attribute. So
    the clock is looked at as functions are called, which is what Python tells profilers.
    """
    calls = count(1)

    def look(*_: object) -> None:
        if not next(calls) % 64 and thread_time() > ends:
            raise TooMuchText

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)
        if thread_time() > ends:  # openpyxl may have made another error of it
            raise TooMuchText


def _text(value: object) -> str:
    """A cell as a spreadsheet program would write it into CSV, whatever its format."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case float():
            return format(value, ".15g")
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case date():
            return value.isoformat()
    return str(value)


_NAMESPACE = "http://schemas.openxmlformats.org"
_MAIN, _RELATIONS = f"{_NAMESPACE}/spreadsheetml/2006/main", f"{_NAMESPACE}/officeDocument/2006/relationships"
_PACKAGE, _TYPE = f"{_NAMESPACE}/package/2006", "application/vnd.openxmlformats-officedocument.spreadsheetml"
XLSX = f"{_TYPE}.sheet"
"""The content type."""

_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">'
    '<sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_NOT_XML = dict.fromkeys([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])


def write_workbook(file: IO[bytes], rows: Iterable[Sequence[str]]) -> None:
    """Write rows as a workbook of one sheet, all cells as texts."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as parts:
        for name, content in _PARTS.items():
            parts.writestr(name, _DECLARATION + content)
        with parts.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in rows:
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _cell(text: str) -> str:
    written = escape(text.translate(_NOT_XML), {"\r": "&#13;"})
    return f'<c t="inlineStr"><is><t xml:space="preserve">{written}</t></is></c>'
