"""XLSX: the first visible sheet of a workbook that somebody sends, and the workbook that a list becomes.

openpyxl reads, because it reads row by row: a sheet can say that it has 17 billion cells, for which other readers ask
the memory at once. It is given the names, the texts and the rows only: what else a workbook holds (styles, print areas,
rules for ranges) is no value, and may take a time that has nothing to do with its length. So the limits that are looked
at before reading are those of the time it takes, too.

It would write as well, but by way of files with names; what is exported names people, so we write the
few parts of a workbook of texts into a file that has none.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import IO, Any
from xml.sax.saxutils import escape

ZIP = b"PK\x03\x04"
MOST_BYTES = 8 * 1024 * 1024
"""What a workbook may unpack to: a table of a hundred rows has some ten thousand."""
MOST_PARTS = 1000
MOST_MARKS = 150_000
"""Tags and attributes of all parts, counted as "<" and "=" are: openpyxl calls at most so many functions for each that
all of them take some three seconds. A cell has about seven.
"""
MOST_TEXT = 1024 * 1024
"""Characters of a sheet, as many as a CSV file may have: a workbook stores a text once that many cells show."""
ROWS_OF_A_SHEET = 1_048_576
"""Rows of a sheet, by the format of the file."""
LONGEST_FORMAT = 255
"""Characters of a number's format, by the format of the file."""


class NotAWorkbook(Exception):
    """What is no workbook, or a broken one."""


class TooMuchText(Exception):
    """A workbook that is too large to be read."""


def read_sheet(data: bytes, most_columns: int) -> Iterator[tuple[int, list[str]]]:
    """Read the rows of the first visible sheet that are not blank: their numbers, and their cells as texts. Formulas
    are what they were last.

    Raises NotAWorkbook, TooMuchText.
    """
    length = last = 0
    try:
        for number, found in _rows(_unpacked(data)):
            if number > ROWS_OF_A_SHEET:
                raise NotAWorkbook
            cells = [""] * most_columns
            for cell in found:
                if cell["column"] <= most_columns:
                    cells[cell["column"] - 1] = _text(cell["value"])
            length += sum(map(len, cells))
            if length > MOST_TEXT:
                raise TooMuchText
            if number > last and any(cells):
                yield number, cells
            last = max(last, number)
    except TooMuchText:
        raise
    except Exception as error:  # zipfile and openpyxl raise whatever a strange file makes them run into
        raise NotAWorkbook from error


def _unpacked(data: bytes) -> bytes:
    """Return a workbook of the same XML that needs no unpacking: nothing else than what was measured is ever read.

    Of what is deflated, zipfile unpacks as much as it is asked for; all else it unpacks to the end, whatever length the
    part says that it has. Parts that share their bytes could be unpacked many times. XML that declares something may
    become any length. No program makes any of this. Raises NotAWorkbook, TooMuchText.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        found = [part for part in packed.infolist() if part.filename.lower().endswith((".xml", ".rels"))]
        if sum(part.file_size for part in found) > MOST_BYTES or len(found) > MOST_PARTS:
            raise TooMuchText
        if sum(part.compress_size for part in found) > len(data):
            raise NotAWorkbook
        if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in found):
            raise NotAWorkbook
        contents = {}
        for part in found:
            with packed.open(part) as source:
                contents[part.filename] = source.read(part.file_size)
    if any(b"<!DOCTYPE" in content.replace(b"\0", b"") for content in contents.values()):  # in UTF-16, too
        raise NotAWorkbook
    if sum(content.count(b"<") + content.count(b"=") for content in contents.values()) > MOST_MARKS:
        raise TooMuchText
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        for name, content in contents.items():
            parts.writestr(name, content)
    return file.getvalue()


def _rows(data: bytes) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the rows of the first visible sheet, as openpyxl reads them; of the sheet it gets nothing else."""
    from openpyxl.packaging.relationship import get_dependents  # takes a third of a second, which only a file should
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900
    from openpyxl.worksheet._reader import DATA_TAG, ROW_TAG, WorkSheetParser
    from openpyxl.xml.constants import ARC_ROOT_RELS, REL_NS, SHEET_MAIN_NS
    from openpyxl.xml.functions import fromstring, iterparse

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    with reader.archive as parts:
        reader.read_manifest()
        reader.read_strings()
        parents = get_dependents(parts, ARC_ROOT_RELS).to_dict().values()
        path = next(parent.target for parent in parents if parent.Type.endswith("/officeDocument"))
        folder, _slash, name = path.rpartition("/")
        book, main = fromstring(parts.read(path)), f"{{{SHEET_MAIN_NS}}}"
        targets = get_dependents(parts, f"{folder}/_rels/{name}.rels").to_dict()
        sheets = [
            (sheet.get("state", "visible"), target.target)
            for sheet in book.iterfind(f"{main}sheets/{main}sheet")
            if (target := targets.get(sheet.get(f"{{{REL_NS}}}id")))
            and target.target in reader.valid_files
            and "chartsheet" not in target.Type
        ]
        path = next((path for state, path in sheets if state == "visible"), sheets[0][1])
        told = book.find(f"{main}workbookPr")
        is_of_1904 = told is not None and told.get("date1904") in ("1", "true")
        epoch = CALENDAR_MAC_1904 if is_of_1904 else CALENDAR_WINDOWS_1900
        dates, spans = _dates(parts)
        with parts.open(path) as source:
            parser = WorkSheetParser(
                source, reader.shared_strings, True, epoch=epoch, date_formats=dates, timedelta_formats=spans
            )
            for _event, element in iterparse(source):
                if element.tag == ROW_TAG:
                    yield parser.parse_row(element)
                    element.clear()
                elif element.tag == DATA_TAG:
                    return


def _dates(parts: zipfile.ZipFile) -> tuple[set[int], set[int]]:
    """Return which styles of cells show a number as a date, and which as a span of time: all that styles tell of it."""
    from openpyxl.styles.numbers import builtin_format_code, is_date_format, is_timedelta_format
    from openpyxl.xml.constants import ARC_STYLE, SHEET_MAIN_NS
    from openpyxl.xml.functions import fromstring

    if ARC_STYLE not in parts.namelist():
        return set(), set()
    styles, main = fromstring(parts.read(ARC_STYLE)), f"{{{SHEET_MAIN_NS}}}"
    codes = {
        each.get("numFmtId"): each.get("formatCode", "")[:LONGEST_FORMAT]
        for each in styles.iterfind(f"{main}numFmts/{main}numFmt")
    }
    numbers = [each.get("numFmtId", "0") for each in styles.iterfind(f"{main}cellXfs/{main}xf")]
    known = {number: codes.get(number) or builtin_format_code(int(number)) for number in set(numbers)}
    dates = {number for number, code in known.items() if is_date_format(code)}
    spans = {number for number, code in known.items() if is_timedelta_format(code)}
    return (
        {index for index, number in enumerate(numbers) if number in dates},
        {index for index, number in enumerate(numbers) if number in spans},
    )


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
