"""Cells as spreadsheet programs copy them: tabs between them, quotation marks around those that hold a line break."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from console.characters import folded

# A cell with tabs and line breaks is more likely one whose quotation mark is never closed.
_QUOTED_IN_TABS = r'"(?:(?:[^"\t]|"")*|(?:[^"\r\n]|"")*)"'
_QUOTED = r' *"(?:[^"]|"")*+" *'
_MOST_REPORTED = 5
TAB = "\t"


class _Pattern(NamedTuple):
    """The patterns of a row, of its cells, and of a cell in quotation marks."""

    row: re.Pattern[str]
    cell: re.Pattern[str]
    quoted: re.Pattern[str]


@cache
def _pattern(delimiter: str) -> _Pattern:
    quoted = rf"{_QUOTED_IN_TABS if delimiter == TAB else _QUOTED}(?=[{delimiter}\r\n]|\Z)"
    cell = rf"(?:{quoted}|[^{delimiter}\r\n]*)"
    return _Pattern(
        re.compile(rf"({cell}(?:{delimiter}{cell})*)(?:\r\n|\r|\n|\Z)"),
        re.compile(rf"(?:\A|(?<={delimiter}))({cell})(?:{delimiter}|\Z)"),
        re.compile(quoted),
    )


@cache
def _first_delimiter(delimiters: str) -> re.Pattern[str]:
    """Return the pattern of the sign that ends the first cell of a row."""
    return re.compile(rf"(?:{_QUOTED}(?=[{delimiters}]))?+[^{delimiters}\r\n]*+([{delimiters}])")


class Row(NamedTuple):
    """A row of a pasted text, its number as spreadsheets count; within quotation marks it has line breaks and tabs."""

    number: int
    text: str
    delimiter: str = TAB

    @property
    def cells(self) -> list[str]:
        """The cells, each as it is seen in one line."""
        return [folded(self._unquoted(cell)) for cell in self._cells]

    @property
    def is_open(self) -> bool:
        """Whether a quotation mark that begins a cell is not closed."""
        return any(cell.lstrip(" ").startswith('"') and cell.count('"') % 2 for cell in self._cells)

    @property
    def _cells(self) -> list[str]:
        return _pattern(self.delimiter).cell.findall(self.text)

    def _unquoted(self, cell: str) -> str:
        is_quoted = _pattern(self.delimiter).quoted.fullmatch(cell)
        return cell.strip(" ")[1:-1].replace('""', '"') if is_quoted else cell


def rows_of(text: str, other_delimiters: str = "") -> Iterator[Row]:
    """Return the rows that are not blank. Only CR and LF end one, and not within quotation marks.

    In a row without tabs, the first of `other_delimiters` that ends a cell separates the others.
    """
    position = number = 0
    while position < len(text) and (match := _pattern(TAB).row.match(text, position)):
        delimiter = TAB
        has_others = bool(other_delimiters) and TAB not in match[1]
        if has_others and (first := _first_delimiter(other_delimiters).match(text, position)):
            delimiter = first[1]
            match = _pattern(delimiter).row.match(text, position) or match
        position, number = match.end(), number + 1
        if folded(match[1]):
            yield Row(number, match[1], delimiter)


def open_quotes(rows: Iterable[Row]) -> list[str]:
    """Return a sentence for each of the first rows of which a quotation mark is not closed."""
    # Translators: row: a number of a row that was pasted from a spreadsheet.
    text = _("The quotation mark in row %(row)s is not closed.")
    return [text % {"row": row.number} for row in islice((row for row in rows if row.is_open), _MOST_REPORTED)]
