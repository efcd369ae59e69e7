"""XLSX: the table that people see in a sheet of a workbook, and the workbook that a list becomes.

openpyxl reads the cells. It gets a workbook of our own making with nothing but the values, formulas and number formats
of one sheet: what else a file holds (rules for ranges, print areas, pictures, merged cells by the billion) costs time
and memory that have nothing to do with the length of the table, or makes openpyxl refuse it.

What is exported is written without openpyxl, which would write by way of files with names; exports name people.
"""

import io
import re
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from itertools import groupby
from typing import IO, TYPE_CHECKING
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from console.spreadsheets.layout import Merged, hidden_columns, hidden_rows, merged_cells, numbered_rows
from console.spreadsheets.number_formats import date_text, number_text, span_text, text_text
from console.spreadsheets.package import NotAWorkbook, Package, TooMuchText, text_of

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell, MergedCell

MAX_TEXT = 1024 * 1024
"""Characters of a sheet, as many as a CSV file may have: a workbook stores a text once that many cells show."""
MAX_MERGED_ROWS = 100_000
"""Rows of all merged cells together."""

Place = tuple[int, int]
"""Row and column, both from 1."""


@dataclass(frozen=True)
class Sheet:
    """The rows of a sheet that people see and that are not blank: their cells as texts, by their numbers.

    `names` are the sheets of the workbook that can be read. `hidden_rows` and `hidden_columns` count those that had
    content and were left out. `filled` are cells that got the text of the merged cell that they are a part of, and
    `merged_across` are rows with a cell that reaches over several columns. `unknown` are formulas without a result.
    """

    name: str
    names: list[str]
    rows: dict[int, list[str]]
    hidden_rows: int = 0
    hidden_columns: int = 0
    filled: frozenset[Place] = frozenset()
    merged_across: frozenset[int] = frozenset()
    unknown: frozenset[Place] = frozenset()


def read_sheet(data: bytes, max_columns: int, name: str = "") -> Sheet:
    """Read the sheet of this name, or else the first visible one.

    Raises NotAWorkbook, TooMuchText.
    """
    try:
        return _read(Package(data), max_columns, name)
    except (NotAWorkbook, TooMuchText):
        raise
    except Exception as error:  # zipfile, XML and openpyxl raise whatever a strange file makes them run into
        raise NotAWorkbook from error


def _read(package: Package, max_columns: int, name: str) -> Sheet:
    sheets = [sheet for sheet in package.sheets() if sheet.is_visible] or package.sheets()[:1]
    if not sheets:
        raise NotAWorkbook
    chosen = next((sheet for sheet in sheets if sheet.name == name), sheets[0])
    root = package.xml(chosen)
    rows, unknown = _values(package, _cells(root, max_columns))
    unseen = hidden_rows(root)
    seen = {number: row for number, row in rows.items() if number not in unseen}
    columns = {
        column
        for column in hidden_columns(root, max_columns)
        if any(any(row[column - 1 : column]) for row in seen.values())
    }
    filled, merged_across = _fill(rows, seen, merged_cells(root))
    for row in seen.values():
        for column in columns:
            row[column - 1] = ""
    return Sheet(
        chosen.name,
        [sheet.name for sheet in sheets],
        {number: row for number, row in seen.items() if any(row)},
        sum(any(row) for number, row in rows.items() if number in unseen),
        len(columns),
        frozenset(place for place in filled if place[1] not in columns),
        merged_across,
        unknown,
    )


def _cells(root: Element, max_columns: int) -> dict[Place, Element]:
    """Return the cells that hold anything; rows that go back are left out."""
    from openpyxl.utils import column_index_from_string  # takes a third of a second, which only a file should

    cells, last = dict[Place, Element](), 0
    for number, row in numbered_rows(root):
        column = 0
        for cell in row if number > last else ():
            place = cell.get("r")
            column = column_index_from_string(place.rstrip("0123456789")) if place else column + 1
            if column <= max_columns and len(cell):
                cells[number, column] = cell
        last = max(last, number)
    return cells


def _values(package: Package, cells: Mapping[Place, Element]) -> tuple[dict[int, list[str]], frozenset[Place]]:
    """Return the rows as texts, and where formulas have no result."""
    from openpyxl import load_workbook

    width = max((column for _row, column in cells), default=0)
    rows, unknown = dict[int, list[str]](), set[Place]()
    sheet = load_workbook(io.BytesIO(_clean_workbook(package, cells))).worksheets[0]
    for row, column in cells:
        cell = sheet.cell(row, column)
        rows.setdefault(row, [""] * width)[column - 1] = _text(cell)
        if cell.data_type == "f":
            unknown.add((row, column))
    return rows, frozenset(unknown)


def _text(cell: "Cell | MergedCell") -> str:
    """Return a cell as people see it."""
    match cell.value:
        case None:
            return ""
        case bool() as value:
            return str(value).upper()
        case int() | float() as value:
            return number_text(value, cell.number_format)
        case date() | time() as value:
            return date_text(value, cell.number_format)
        case timedelta() as value:
            return span_text(value, cell.number_format)
    text = str(cell.value)
    return text_text(_decoded(text), cell.number_format) if cell.data_type == "s" else text


def _fill(
    rows: Mapping[int, list[str]], seen: Iterable[int], merged: Sequence[Merged]
) -> tuple[set[Place], frozenset[int]]:
    """Put the text of a merged cell into each of its rows; return where, and which rows have a cell that is wide.

    Raises TooMuchText.
    """
    numbers = sorted(seen)
    filled, across = set[Place](), set[int]()
    total = length = 0
    for cell in merged:
        covered = numbers[bisect_left(numbers, cell.top) : bisect_right(numbers, cell.bottom)]
        total += len(covered)
        text = "".join(rows[cell.top][cell.left - 1 : cell.left]) if cell.top in rows else ""
        if total > MAX_MERGED_ROWS:
            raise TooMuchText
        if cell.right > cell.left and text:
            across.update(covered)
        for number in covered:
            # Covered cells may still hold texts, which nobody sees.
            row = rows[number]
            row[cell.left : cell.right] = [""] * len(row[cell.left : cell.right])
            if text and number != cell.top:
                row[cell.left - 1] = text
                filled.add((number, cell.left))
                length += len(text)
                if length > MAX_TEXT:
                    raise TooMuchText
    return filled, frozenset(across)


def _clean_workbook(package: Package, cells: Mapping[Place, Element]) -> bytes:
    """Return a workbook with these cells only, and texts in them. A formula stays where it has no result.

    Raises TooMuchText.
    """
    from openpyxl.utils import get_column_letter

    texts, formats = package.texts(), dict(enumerate(package.number_formats()))
    styles = {"General": 0}
    length, sheet = 0, list[str]()
    for number, row in groupby(cells.items(), key=lambda item: item[0][0]):
        sheet.append(f'<row r="{number}">')
        for (_number, column), cell in row:
            kind, content = _content(cell, texts)
            length += len(content)
            if length > MAX_TEXT:
                raise TooMuchText
            style = styles.setdefault(formats.get(int(cell.get("s", 0)), "General"), len(styles))
            sheet.append(f'<c r="{get_column_letter(column)}{number}" s="{style}" t={quoteattr(kind)}>{content}</c>')
        sheet.append("</row>")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        for name, part in _parts(uses_1904_dates=package.uses_1904_dates).items():
            parts.writestr(name, _DECLARATION + part)
        parts.writestr("xl/styles.xml", _styles_part(styles))
        parts.writestr(_SHEET_PART, f"{_SHEET_START}{''.join(sheet)}{_SHEET_END}")
    return file.getvalue()


def _content(cell: Element, texts: Sequence[str]) -> tuple[str, str]:
    """Return the type of a cell, and its content as XML."""
    kind, value, formula = cell.get("t", "n"), cell.findtext("v"), cell.find("f")
    if formula is not None and not value and (kind != "str" or value is None):
        return "n", f"<f>{_escaped(formula.text or '')}</f>"
    if kind == "s":
        kind, value = "str", texts[int(value)] if value else ""
    elif kind == "inlineStr":
        inline = cell.find("is")
        kind, value = "str", "" if inline is None else text_of(inline)
    return kind, f"<v>{_escaped(value)}</v>" if value else ""


def _styles_part(codes: Iterable[str]) -> str:
    """Return styles that differ in their number formats only; those of a file begin at 164."""
    numbered = list(enumerate(codes, start=164))
    formats = "".join(f'<numFmt numFmtId="{key}" formatCode={quoteattr(code)}/>' for key, code in numbered)
    styles = "".join(f'<xf numFmtId="{key}"/>' for key, _code in numbered)
    return (
        f'<styleSheet xmlns="{_MAIN}"><numFmts>{formats}</numFmts><fonts><font/></fonts>'
        "<fills><fill><patternFill/></fill></fills>"
        f"<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>{styles}</cellXfs>"
        '<cellStyles><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )


_NAMESPACE = "http://schemas.openxmlformats.org"
_MAIN, _RELATIONS = f"{_NAMESPACE}/spreadsheetml/2006/main", f"{_NAMESPACE}/officeDocument/2006/relationships"
_PACKAGE, _TYPE = f"{_NAMESPACE}/package/2006", "application/vnd.openxmlformats-officedocument.spreadsheetml"
XLSX = f"{_TYPE}.sheet"
"""The content type."""

_SHEET_PART = "xl/worksheets/sheet1.xml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET_START = f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetData>'
_SHEET_END = "</sheetData></worksheet>"
_NOT_XML = dict.fromkeys([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF])
_ENCODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_LOOKS_ENCODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def _parts(*, uses_1904_dates: bool = False) -> dict[str, str]:
    """Return the parts of a workbook of one sheet, but for the sheet."""
    properties = '<workbookPr date1904="1"/>' if uses_1904_dates else ""
    return {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/{_SHEET_PART}" ContentType="{_TYPE}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">{properties}'
        '<sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    }


def write_workbook(file: IO[bytes], rows: Iterable[Sequence[str]]) -> None:
    """Write rows as a workbook of one sheet, all cells as texts."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as parts:
        for name, content in _parts().items():
            parts.writestr(name, _DECLARATION + content)
        with parts.open(_SHEET_PART, "w", force_zip64=True) as sheet:
            sheet.write(_SHEET_START.encode())
            for row in rows:
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(_SHEET_END.encode())


def _cell(text: str) -> str:
    # Spreadsheet programs decode _x000D_ and the like, so a text that looks so is encoded itself.
    written = _escaped(_LOOKS_ENCODED.sub("_x005F_", text).translate(_NOT_XML))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{written}</t></is></c>'


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def _decoded(text: str) -> str:
    """Return a text without the codes that stand for characters which XML can't hold."""
    if "_x" not in text:
        return text
    decoded = _ENCODED.sub(lambda match: chr(int(match[1], 16)), text)
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # pairs become one character
