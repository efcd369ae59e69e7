"""Rows to bytes: the CSV file that a list becomes, and the response that carries a file."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date

from django.http import HttpResponse
from django.utils.http import content_disposition_header

UNSEEN = (
    r"[\x00-\x08\x0b\x0c\x0e-\x20\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    r"\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Blanks, format characters, fillers: a program may drop them before it looks for a formula. No tabs or line breaks."""

_BEFORE = rf"(?:{UNSEEN}|['\"])*"
_OPERATOR = "=+\\-@＝＋－＠﹦﹢﹣﹫"  # spreadsheets in East Asian languages take the other widths as well


def _formula(mark: str) -> re.Pattern[str]:
    """Find `mark` where a cell would be a formula, or is part of one for a program that takes another separator.

    Such a program ends a cell at a semicolon, tab or line break, although it is quoted. Apostrophes that are there
    already count as a start, too: only so can the one that is added be told from them, and taken off again.
    """
    at_start = rf"\A{mark}(?={_BEFORE}[{_OPERATOR}\t\r\n])"
    inside = rf"(?<=[;\t\r\n]){mark}(?={_BEFORE}(?:[{_OPERATOR}\t]|\Z))"
    return re.compile(f"{at_start}|{inside}")


_OPEN, _HARMLESS = _formula(""), _formula("'")


def harmless(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run."""
    return _OPEN.sub("'", cell)


def as_it_was(cell: str) -> str:
    """Take off the apostrophes that `harmless` put."""
    return _HARMLESS.sub("", cell)


def write(rows: Iterable[Sequence[str]]) -> bytes:
    """Write rows as UTF-8 with a BOM, which spreadsheets need to see that it is UTF-8; formulas are made harmless."""
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(map(harmless, row) for row in rows)
    return codecs.BOM_UTF8 + text.getvalue().encode()


def file_response(name: str, rows: Iterable[Sequence[str]], *, day: date | None = None) -> HttpResponse:
    """Answer a file to be stored under this name, with the day in it if there is one."""
    filename = f"{name}-{day.isoformat()}.csv" if day else f"{name}.csv"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    headers = {"Content-Disposition": disposition or "attachment", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(write(rows), content_type="text/csv; charset=utf-8", headers=headers)
