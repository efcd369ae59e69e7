"""Bytes to rows: the CSV file that somebody made and sends.

The standard library's reader does the parsing, told which delimiter: its own guess looks at the whole text and is often
wrong for short files, while the header alone says which of the three it is.
"""

import codecs
import csv
import io
import re

from django.utils.translation import gettext as _

from console.spreadsheets.write import as_it_was

DELIMITERS = ",;\t"
UNTYPED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that no text holds."""


class Unreadable(Exception):
    """A file that can't be read; the message is a sentence for who sent it."""


def read(data: bytes) -> list[list[str]]:
    """Read the rows of a file, blank ones too; the apostrophes that `write` put are taken off. Raises Unreadable."""
    text = _decoded(data)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except csv.Error as error:
        raise Unreadable(_("The file can't be read as CSV. Look for quotation marks that are not closed.")) from error
    return [[as_it_was(cell) for cell in row] for row in rows]


def _decoded(data: bytes) -> str:
    """The text of a file in UTF-16 (which starts with a BOM) or UTF-8."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not is_wide:
        raise Unreadable(_("This is not a CSV file. In a spreadsheet program, save the table as CSV."))
    try:
        text = data.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(_("The file is not in UTF-8. In a spreadsheet program, save it as “CSV UTF-8”.")) from error
    if UNTYPED.search(text):
        raise Unreadable(_("This is not a CSV file. In a spreadsheet program, save the table as CSV."))
    return text


def _delimiter(text: str) -> str:
    """The delimiter that parts the header into the most names; a comma when none does."""
    return max(DELIMITERS, key=lambda d: len(next(csv.reader(io.StringIO(text, newline=""), delimiter=d), [])))
