"""The layout of a sheet: rows and columns that are hidden, and cells that are merged."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from console.files.package import NotAWorkbook

MAX_ROWS = 1_048_576
"""Maximum rows of a sheet in the file format."""
MIN_SIZE = 0.1
"""Minimum visible height or width: less than a pixel."""
MAX_LEVEL = 7
"""Maximum levels of groups in the file format."""


class Merged(NamedTuple):
    """A range of merged cells."""

    min_column: int
    min_row: int
    max_column: int
    max_row: int


def numbered_rows(root: Element) -> Iterator[tuple[int, Element]]:
    """Yield the rows with their numbers. Raises NotAWorkbook."""
    number = 0
    for row in root.iterfind("sheetData/row"):
        number = int(row.get("r", number + 1))
        if not 0 < number <= MAX_ROWS:
            raise NotAWorkbook
        yield number, row


def hidden_rows(root: Element) -> set[int]:
    """Return the rows that are hidden: by a filter, by hand, in a group, or without height."""
    rows = list(numbered_rows(root))
    hidden = {number for number, row in rows if _is_on(row, "hidden") or _is_zero(row, "ht")}
    collapsed = _collapsed([row for _number, row in rows], is_summary_first=_is_summary_first(root, "summaryBelow"))
    return hidden | {rows[index][0] for index in collapsed}


def hidden_columns(root: Element, max_columns: int) -> set[int]:
    """Return the columns that are hidden: by hand, in a group, or without width."""
    columns = list(root.iterfind("cols/col"))
    collapsed = _collapsed(columns, is_summary_first=_is_summary_first(root, "summaryRight"))
    hidden = set[int]()
    for index, column in enumerate(columns):
        if index in collapsed or _is_on(column, "hidden") or _is_zero(column, "width"):
            hidden.update(range(int(column.get("min", 0)), min(int(column.get("max", 0)), max_columns) + 1))
    return hidden


def merged_cells(root: Element) -> list[Merged]:
    from openpyxl.utils import range_boundaries

    merged = []
    for item in root.iterfind("mergeCells/mergeCell"):
        min_column, min_row, max_column, max_row = range_boundaries(item.get("ref", ""))
        if min_column and min_row and max_column and max_row:
            merged.append(Merged(min_column, min_row, max_column, max_row))
    return merged


def _collapsed(items: Sequence[Element], *, is_summary_first: bool) -> set[int]:
    """Return the indexes of the rows or columns of collapsed groups."""
    levels = [min(int(item.get("outlineLevel", 0)), MAX_LEVEL) for item in items]
    step, collapsed = 1 if is_summary_first else -1, set[int]()
    for index, item in enumerate(items):
        if _is_on(item, "collapsed"):
            position = index + step
            while 0 <= position < len(items) and levels[position] > levels[index]:
                collapsed.add(position)
                position += step
    return collapsed


def _is_summary_first(root: Element, name: str) -> bool:
    outline = root.find("sheetPr/outlinePr")
    return outline is not None and outline.get(name) in ("0", "false")


def _is_on(item: Element, name: str) -> bool:
    return item.get(name) in ("1", "true")


def _is_zero(item: Element, name: str) -> bool:
    size = item.get(name)
    return size is not None and float(size) < MIN_SIZE
