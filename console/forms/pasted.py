"""Parse cells as spreadsheet programs copy them: separated by tabs, and quoted if they contain a line break."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from upstream.characters import folded

TAB = "\t"
# A quoted cell with tabs and line breaks is more likely one whose quotation mark is never closed.
_QUOTED = r'"(?:(?:[^"\t]|"")*|(?:[^"\r\n]|"")*)"(?=[\t\r\n]|\Z)'
_CELL = rf"(?:{_QUOTED}|[^\t\r\n]*)"
_ROW_END = r"(?:\r\n|\r|\n|\Z)"
_ROW = re.compile(rf"({_CELL}(?:\t{_CELL})*){_ROW_END}")
_CELLS = re.compile(rf"(?:\A|(?<=\t))({_CELL})(?:\t|\Z)")
_IS_QUOTED = re.compile(_QUOTED)

_OTHERS = ";,，；、"
_OTHER_QUOTED = r' *"(?:[^"]|"")*+" *'
_FIRST_CELL = rf"(?>{_OTHER_QUOTED}(?=[{_OTHERS}])|[^{_OTHERS}\r\n]*)"
_NEXT_CELL = rf"(?>{_OTHER_QUOTED}(?=(?P=delimiter)|[\r\n]|\Z)|(?:(?!(?P=delimiter))[^\r\n])*)"
_SEPARATED_ROW = re.compile(
    rf"({_FIRST_CELL}(?P<delimiter>[{_OTHERS}])(?:{_NEXT_CELL}(?P=delimiter))*+{_NEXT_CELL}){_ROW_END}"
)
_MAX_REPORTED = 5


class Row(NamedTuple):
    """A row of a pasted text and its number, from 1; quoted cells may contain line breaks or tabs."""

    number: int
    text: str
    delimiter: str = TAB

    @property
    def cells(self) -> list[str]:
        """The cells, each folded into one line."""
        if self.delimiter == TAB:
            return [folded(_unquoted(cell)) for cell in _CELLS.findall(self.text)]
        try:
            return [folded(cell) for cell in next(self._separated())]
        except csv.Error:  # the cell is far too long, which its row reports
            return [folded(self.text)]

    @property
    def is_open(self) -> bool:
        """True if a quotation mark at the start of a cell is not closed."""
        if self.delimiter == TAB:
            return any(cell.startswith('"') and cell.count('"') % 2 for cell in _CELLS.findall(self.text))
        with suppress(csv.Error):
            return len(list(self._separated("next"))) == 1
        return False

    def _separated(self, *following: str) -> Iterator[list[str]]:
        return csv.reader([self.text, *following], delimiter=self.delimiter, skipinitialspace=True)


def parse_rows(text: str, *, has_other_delimiters: bool = False) -> Iterator[Row]:
    """Yield the rows that are not blank. Only CR and LF end a row, and not within quotation marks.

    In a row without tabs, a comma or semicolon may separate the cells: the first one decides.
    """
    position = number = 0
    while position < len(text) and (match := _ROW.match(text, position)):
        delimiter = TAB
        if has_other_delimiters and TAB not in match[1] and (separated := _SEPARATED_ROW.match(text, position)):
            match, delimiter = separated, separated["delimiter"]
        position, number = match.end(), number + 1
        if folded(match[1]):
            yield Row(number, match[1], delimiter)


def open_quotes(rows: Iterable[Row]) -> list[str]:
    """Return a sentence for each of the first rows with a quotation mark that is not closed."""
    # Translators: row: a number of a row that was pasted from a spreadsheet.
    text = _("Row %(row)s has an unclosed quotation mark.")
    return [text % {"row": row.number} for row in islice((row for row in rows if row.is_open), _MAX_REPORTED)]


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if _IS_QUOTED.fullmatch(cell) else cell
