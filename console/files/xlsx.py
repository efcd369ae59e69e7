"""Read XLSX: the visible table of a sheet of a workbook.

Only the cells of one sheet are read, with their number formats. Other content (rules for ranges, print areas, pictures,
billions of merged cells) takes time and memory regardless of the length of the table, and openpyxl would load all of
it. Only openpyxl's functions for dates and formats are used, to interpret the cells.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from xml.etree.ElementTree import Element

from console.files.layout import Merged, hidden_columns, hidden_rows, merged_cells, numbered_rows
from console.files.number_formats import date_text, formatted_text, number_text, span_text
from console.files.package import GENERAL, NotAWorkbook, Package, TooMuchText, read_text

MAX_TEXT = 1024 * 1024
"""Maximum characters of a sheet, as for a CSV file: a text that is stored once may be in many cells."""
MAX_MERGED_ROWS = 100_000
"""Maximum rows of all merged cells together."""

_ENCODED = re.compile(r"_x([0-9A-Fa-f]{4})_")

Position = tuple[int, int]
"""Row and column, both from 1."""


@dataclass(frozen=True)
class Sheet:
    """The visible rows of a sheet that are not blank: their cells as texts, by row number.

    `names` are the readable sheets of the workbook. `hidden_rows` and `hidden_columns` count those with content, which
    are left out. `filled` are cells that got the text of their merged cell, and `merged_across` are rows with a cell
    across several columns. `unknown` are formulas without a result.
    """

    name: str
    names: list[str]
    rows: dict[int, list[str]]
    hidden_rows: int = 0
    hidden_columns: int = 0
    filled: frozenset[Position] = frozenset()
    merged_across: frozenset[int] = frozenset()
    unknown: frozenset[Position] = frozenset()


def read_sheet(data: bytes, max_columns: int, name: str = "") -> Sheet:
    """Read the sheet of this name, else the first visible one.

    Raises NotAWorkbook, TooMuchText.
    """
    try:
        return _read(Package(data), max_columns, name)
    except (NotAWorkbook, TooMuchText):
        raise
    except Exception as error:  # zipfile, XML and openpyxl raise many errors for broken files
        raise NotAWorkbook from error


def _read(package: Package, max_columns: int, name: str) -> Sheet:
    sheets = [sheet for sheet in package.sheets() if sheet.is_visible] or package.sheets()[:1]
    if not sheets:
        raise NotAWorkbook
    chosen = next((sheet for sheet in sheets if sheet.name == name), sheets[0])
    root = package.xml(chosen)
    rows, unknown = _values(package, _cells(root, max_columns))
    unseen = hidden_rows(root)
    visible = {number: row for number, row in rows.items() if number not in unseen}
    columns = {
        column
        for column in hidden_columns(root, max_columns)
        if any(any(row[column - 1 : column]) for row in visible.values())
    }
    filled, merged_across = _fill(rows, visible, merged_cells(root))
    for row in visible.values():
        for column in columns:
            row[column - 1] = ""
    return Sheet(
        chosen.name,
        [sheet.name for sheet in sheets],
        {number: row for number, row in visible.items() if any(row)},
        sum(any(row) for number, row in rows.items() if number in unseen),
        len(columns),
        frozenset(position for position in filled if position[1] not in columns),
        merged_across,
        unknown,
    )


def _cells(root: Element, max_columns: int) -> dict[Position, Element]:
    """Return the cells with content, without rows that are out of order."""
    from openpyxl.utils import column_index_from_string  # takes a third of a second to import

    cells, last = dict[Position, Element](), 0
    for number, row in numbered_rows(root):
        column = 0
        for cell in row if number > last else ():
            reference = cell.get("r")
            column = column_index_from_string(reference.rstrip("0123456789")) if reference else column + 1
            if column <= max_columns and len(cell):
                cells[number, column] = cell
        last = max(last, number)
    return cells


def _values(package: Package, cells: Mapping[Position, Element]) -> tuple[dict[int, list[str]], frozenset[Position]]:
    """Return the rows as texts, and the positions of formulas without a result. Raises TooMuchText."""
    texts, formats = package.texts(), dict(enumerate(package.number_formats()))
    width = max((column for _row, column in cells), default=0)
    rows, unknown, length = dict[int, list[str]](), set[Position](), 0
    for (row, column), cell in cells.items():
        text, formula = _content(cell, texts), cell.find("f")
        length += len(text)
        if length > MAX_TEXT:
            raise TooMuchText
        kind, style = cell.get("t", "n"), cell.get("s", "0")
        if formula is not None and not text and not (kind == "str" and cell.find("v") is not None):
            text = f"={formula.text or ''}"
            unknown.add((row, column))
        elif text:
            number_format = formats.get(int(style), GENERAL) if style.isdecimal() else GENERAL
            text = _text(kind, text, number_format, uses_1904_dates=package.uses_1904_dates)
        rows.setdefault(row, [""] * width)[column - 1] = text
    return rows, frozenset(unknown)


def _content(cell: Element, texts: Sequence[str]) -> str:
    value, inline = cell.findtext("v"), cell.find("is")
    match cell.get("t"):
        case "s":
            return texts[int(value)] if value else ""
        case "inlineStr":
            return "" if inline is None else read_text(inline)
    return value or ""


def _text(kind: str, value: str, number_format: str, *, uses_1904_dates: bool) -> str:
    """Return a cell as people see it."""
    from openpyxl.utils.datetime import from_ISO8601

    match kind:
        case "n":
            return _number_text(float(value), number_format, uses_1904_dates=uses_1904_dates)
        case "b":
            return "TRUE" if int(value) else "FALSE"
        case "d":
            moment = from_ISO8601(value)  # type: ignore[no-untyped-call]  # the stubs leave its types out
            return (
                span_text(moment, number_format) if isinstance(moment, timedelta) else date_text(moment, number_format)
            )
        case "s" | "str" | "inlineStr":
            return formatted_text(_decoded(value), number_format)
    return value  # an error


def _number_text(value: float, number_format: str, *, uses_1904_dates: bool) -> str:
    """Return a number, or the date or time span that its format turns it into."""
    from openpyxl.styles.numbers import is_date_format, is_timedelta_format
    from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

    if not math.isfinite(value):
        raise NotAWorkbook
    if not is_date_format(number_format):
        return number_text(value, number_format)
    try:
        if is_timedelta_format(number_format):
            return span_text(from_excel(value, timedelta=True), number_format)
        return date_text(from_excel(value, MAC_EPOCH if uses_1904_dates else WINDOWS_EPOCH), number_format)
    except (OverflowError, ValueError):
        return "#VALUE!"


def _fill(
    rows: Mapping[int, list[str]], visible: Iterable[int], merged: Sequence[Merged]
) -> tuple[set[Position], frozenset[int]]:
    """Copy the text of a merged cell to each of its rows; return these positions, and the rows with a wide cell.

    Raises TooMuchText.
    """
    numbers = sorted(visible)
    filled, across = set[Position](), set[int]()
    total = length = 0
    for cell in merged:
        covered = numbers[bisect_left(numbers, cell.min_row) : bisect_right(numbers, cell.max_row)]
        total += len(covered)
        text = "".join(rows[cell.min_row][cell.min_column - 1 : cell.min_column]) if cell.min_row in rows else ""
        if total > MAX_MERGED_ROWS:
            raise TooMuchText
        if cell.max_column > cell.min_column and text:
            across.update(covered)
        for number in covered:
            # Covered cells may still have texts, which are invisible.
            row = rows[number]
            row[cell.min_column : cell.max_column] = [""] * len(row[cell.min_column : cell.max_column])
            if text and number != cell.min_row:
                row[cell.min_column - 1] = text
                filled.add((number, cell.min_column))
                length += len(text)
                if length > MAX_TEXT:
                    raise TooMuchText
    return filled, frozenset(across)


def _decoded(text: str) -> str:
    """Return a text with the codes for characters that XML can't contain decoded."""
    if "_x" not in text:
        return text
    decoded = _ENCODED.sub(lambda match: chr(int(match[1], 16)), text)
    return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # pairs become one character
