"""Read the rows of an uploaded file, CSV or XLSX.

The standard library's reader parses CSV with a given delimiter. Its own guess uses the whole text and is often wrong
for short files, while the header alone shows which of the three delimiters it is.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from django.utils.translation import gettext as _

from console.files.encodings import likely_texts, reader_encoding
from console.files.package import ZIP, NotAWorkbook, TooMuchText
from console.files.write import as_it_was
from console.files.xlsx import Sheet, read_sheet
from console.l10n.numbers import ngettext, number_text
from upstream.characters import normalized

DELIMITERS = ",;\t"
UNTYPED = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
"""Characters that no text contains. Other control characters are blanks, such as the line breaks of FileMaker."""
MAX_COLUMNS = 100
"""Maximum columns that are read; real tables have about ten."""
MAX_PREVIEW_ROWS = 5
_MAX_HEADER_LENGTH = 64 * 1024

_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SEPARATOR = re.compile(r"\A\"?sep=([^\w\s\"'.]|\t)\"?[ \t]*(?:\r\n|\r|\n)", re.IGNORECASE)
"""The optional first line with the delimiter for spreadsheet programs, which don't count it as a row."""


class Unreadable(Exception):
    """A file that can't be read; the message is a sentence for its sender."""


@dataclass(frozen=True)
class Table:
    """The rows of a file that are not blank, with the header first, and their numbers in the spreadsheet.

    `encodings` are the possible ones of the file, and `encoding` is that of these rows; both are empty if there is no
    doubt. `sheet` is that of a workbook.
    """

    rows: list[list[str]]
    numbers: list[int]
    encodings: list[str] = field(default_factory=list)
    encoding: str = ""
    sheet: Sheet | None = None

    @property
    def header(self) -> list[str]:
        return self.rows[0] if self.rows else []

    def headed_by(self, index: int) -> "Table":
        """Return the table with the row at this index as its header, without the rows above."""
        return replace(self, rows=self.rows[index:], numbers=self.numbers[index:])

    def check_length(self, limit: int) -> None:
        """Raise Unreadable if there are more rows than can be imported at once."""
        count = len(self.rows) - 1
        if count > limit:
            # Translators: most: the largest number of rows.
            text = ngettext(
                "The file has %(count)s row. You can import up to %(most)s at a time. Split the file and try again.",
                "The file has %(count)s rows. You can import up to %(most)s at a time. Split the file and try again.",
                count,
            )
            raise Unreadable(text % {"count": count, "most": number_text(limit)})


def read(data: bytes, encoding: str = "", sheet: str = "") -> Table:
    """Read the rows of a file, without the apostrophes that `write` added. Raises Unreadable.

    A text of unknown encoding is read in `encoding` if that is possible, else in that of the reader's language.
    Of a workbook the sheet of this name is read, else the first visible one.
    """
    if data.startswith(ZIP):
        workbook = _sheet(data, sheet)
        return replace(_table(workbook.rows.items()), sheet=workbook)
    if data.startswith(_OLD_WORKBOOK):
        raise Unreadable(
            _(
                "This workbook is in an old format or is password-protected. Save it as CSV, or as XLSX without a "
                "password."
            )
        )
    if (text := _unicode(data)) is not None:
        return _table(enumerate(_rows(text), start=1))
    texts = likely_texts(data)
    encoding = encoding if encoding in texts else next(iter(texts), "")
    if not texts or UNTYPED.search(texts[encoding]):  # these characters are the same in all encodings
        raise Unreadable(_not_a_table())
    table = _table(enumerate(_rows(texts[encoding]), start=1))
    # Vietnamese has separate accents in its code page; join each with its letter.
    table = replace(table, rows=[[normalized("NFC", cell) for cell in row] for row in table.rows])
    is_sure = list(texts) == [reader_encoding()]
    return table if is_sure else replace(table, encodings=list(texts), encoding=encoding)


def build_preview(table: Table) -> list[list[str]]:
    """Return the first cells of the first rows whose spelling depends on the encoding."""
    rows = ([cell.strip()[:40] for cell in row if not cell.isascii()] for row in [*table.rows[1:], table.header])
    return list(islice(filter(None, rows), MAX_PREVIEW_ROWS))


def _not_a_table() -> str:
    return _("This isn't a CSV or XLSX file. Open it in a spreadsheet app and save it as CSV or XLSX.")


def _table(rows: Iterable[tuple[int, list[str]]]) -> Table:
    numbered = ((number, row[:MAX_COLUMNS]) for number, row in rows if any(row))
    cells = ((number, [as_it_was(cell) for cell in row]) for number, row in numbered)
    non_blank = {number: row for number, row in cells if any(map(str.strip, row))}
    return Table(list(non_blank.values()), list(non_blank))


def _sheet(data: bytes, name: str) -> Sheet:
    try:
        return read_sheet(data, MAX_COLUMNS, name)
    except TooMuchText as error:
        raise Unreadable(_("The file is too large. Keep only the sheet with the rows to import.")) from error
    except NotAWorkbook as error:
        raise Unreadable(_not_a_table()) from error


def _unicode(data: bytes) -> str | None:
    """Return the text of a file in UTF-16 (with a BOM) or UTF-8; None if it is in neither."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if not is_wide and b"\0" not in data and not data.startswith(codecs.BOM_UTF8):
            return None
        if is_wide or data.startswith(codecs.BOM_UTF8):
            text = _("The file is damaged or incomplete. Save it again in your spreadsheet app.")
            raise Unreadable(text) from error
        raise Unreadable(_not_a_table()) from error
    if UNTYPED.search(text):
        raise Unreadable(_not_a_table())
    return text


def _rows(text: str) -> Iterator[list[str]]:
    """Parse CSV. Raises Unreadable."""
    delimiter = None
    if match := _SEPARATOR.match(text):
        text, delimiter = text[match.end() :], match[1]
    try:
        lines = io.StringIO(text, newline="")
        yield from csv.reader(lines, delimiter=delimiter or _delimiter(text), strict=True)
    except csv.Error as error:
        raise Unreadable(_("The file can't be read as CSV. Check for unclosed quotation marks.")) from error


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the header into the most names; a comma if none does."""
    header = text.lstrip("\r\n")[:_MAX_HEADER_LENGTH]
    return max(DELIMITERS, key=lambda d: len(next(csv.reader(io.StringIO(header, newline=""), delimiter=d), [])))
