"""Rows to bytes: the CSV file that a list becomes, and the response that carries a file."""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date

from django.http import HttpResponse
from django.utils.http import content_disposition_header

FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How a cell starts that a spreadsheet would run, also behind apostrophes: only so can each be taken off again."""


def write(rows: Iterable[Sequence[str]]) -> bytes:
    """Write rows as UTF-8 with a BOM, which spreadsheets need to see that it is UTF-8; formulas are made harmless."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([f"'{cell}" if FORMULA.match(cell) else cell for cell in row] for row in rows)
    return codecs.BOM_UTF8 + text.getvalue().encode()


def file_response(name: str, rows: Iterable[Sequence[str]], *, day: date | None = None) -> HttpResponse:
    """Answer a file to be stored under this name, with the day in it if there is one."""
    filename = f"{name}-{day.isoformat()}.csv" if day else f"{name}.csv"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    headers = {"Content-Disposition": disposition or "attachment", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(write(rows), content_type="text/csv; charset=utf-8", headers=headers)
