"""Cells as spreadsheet programs copy them: tabs between them, quotation marks around those that hold a line break."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from console.characters import folded

# A cell with tabs and line breaks is more likely one whose quotation mark is never closed.
_QUOTED = r'"(?:(?:[^"\t]|"")*|(?:[^"\r\n]|"")*)"(?=[\t\r\n]|\Z)'
_CELL = rf"(?:{_QUOTED}|[^\t\r\n]*)"
_ROW = re.compile(rf"({_CELL}(?:\t{_CELL})*)(?:\r\n|\r|\n|\Z)")
_CELLS = re.compile(rf"(?:\A|(?<=\t))({_CELL})(?:\t|\Z)")
_IS_QUOTED = re.compile(_QUOTED)
_MOST_REPORTED = 5


class Row(NamedTuple):
    """A row of a pasted text, its number as spreadsheets count; within quotation marks it has line breaks and tabs."""

    number: int
    text: str

    @property
    def cells(self) -> list[str]:
        """The cells between tabs, each as it is seen in one line."""
        return [folded(_unquoted(cell)) for cell in _CELLS.findall(self.text)]

    @property
    def is_open(self) -> bool:
        """Whether a quotation mark that begins a cell is not closed."""
        return any(cell.startswith('"') and cell.count('"') % 2 for cell in _CELLS.findall(self.text))


def rows_of(text: str) -> Iterator[Row]:
    """Return the rows that are not blank. Only CR and LF end one, and not within quotation marks."""
    position = number = 0
    while position < len(text) and (found := _ROW.match(text, position)):
        position, number = found.end(), number + 1
        if folded(found[1]):
            yield Row(number, found[1])


def open_quotes(rows: Iterable[Row]) -> list[str]:
    """Return a sentence for each of the first rows of which a quotation mark is not closed."""
    # Translators: row: a number of a row that was pasted from a spreadsheet.
    text = _("The quotation mark in row %(row)s is not closed.")
    return [text % {"row": row.number} for row in islice((row for row in rows if row.is_open), _MOST_REPORTED)]


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if _IS_QUOTED.fullmatch(cell) else cell
