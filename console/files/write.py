"""Rows to bytes: the file that a list becomes, and the response that carries it."""

import codecs
import csv
import errno
import io
import logging
import re
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import date
from functools import partial
from itertools import chain
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Literal, Protocol

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from console.files.slots import ExportSlot, NotExported
from upstream.characters import BLANK, INVISIBLE

logger = logging.getLogger(__name__)

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

Kind = Literal["csv", "xlsx"]
TYPES: dict[Kind, str] = {"csv": CSV, "xlsx": XLSX}

Rows = Sequence[Sequence[str]]

CHUNK_BYTES = 16 * 1024
"""As much of an export is sent at a time."""
STALL_TIMEOUT_S = 60.0
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOENT}
"""What is raised where a disk or a quota is full, a file is too large, or no temporary folder can be used."""

UNSEEN = rf"(?![\t\r\n])(?:[\x00-\x1f\x7f-\x9f]|{BLANK}|{INVISIBLE})"
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
    return _HARMLESS.sub("", cell) if "'" in cell else cell  # a file may have a million cells


def write(rows: Iterable[Sequence[str]]) -> bytes:
    """Write rows as UTF-8 with a BOM, which spreadsheets need to see that it is UTF-8; formulas are made harmless."""
    return codecs.BOM_UTF8 + _lines(rows)


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(map(harmless, row) for row in rows)
    return text.getvalue().encode()


def file_response(name: str, rows: Iterable[Sequence[str]], *, day: date | None = None) -> HttpResponse:
    """Answer a CSV file to be stored under this name, with the day in it if there is one."""
    return HttpResponse(write(rows), content_type=CSV, headers=_headers(name, "csv", day))


class _Closable(Protocol):
    def close(self) -> object: ...


class _Download:
    """The bytes of an export, while they are read and sent; closing it ends the export, also before anything was sent.

    A reader that takes less than a chunk in STALL_TIMEOUT_S is let go, so that others can export. One that takes
    nothing at all is disconnected by nginx (`send_timeout`).
    """

    def __init__(self, chunks: Iterable[bytes], source: _Closable, slot: ExportSlot) -> None:
        self._chunks, self._source, self._slot = chunks, source, slot

    def __iter__(self) -> Iterator[bytes]:
        """To the server an answer that can't be completed is a lost connection: it closes it, and logs no traceback."""
        try:
            for chunk in self._slot.renewing(_cut(self._chunks)):
                sent = time.monotonic()
                yield chunk
                if time.monotonic() - sent > STALL_TIMEOUT_S:
                    raise _Stalled
        except Exception as error:
            logger.warning("an export broke off: %s", type(error).__name__)
            raise ConnectionResetError(errno.ECONNRESET, "an export broke off") from error

    def close(self) -> None:
        try:
            self._source.close()
        finally:
            self._slot.release()


class _Stalled(Exception):
    """A reader that stands still."""


def _cut(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        for start in range(0, len(part), CHUNK_BYTES):
            yield part[start : start + CHUNK_BYTES]


def csv_response(
    name: str, batches: Generator[Rows, None, None], slot: ExportSlot, *, day: date
) -> StreamingHttpResponse:
    """Answer a CSV file while its rows are read. The first ones are read before, so what that raises becomes a page.

    What goes wrong later ends the connection before the end of the answer, which browsers show as a failed download.
    """
    start = codecs.BOM_UTF8 + _lines(next(batches))
    download = _Download(chain([start], map(_lines, batches)), batches, slot)
    return StreamingHttpResponse(download, content_type=CSV, headers=_headers(name, "csv", day))


def write_workbook(file: IO[bytes], rows: Iterable[Sequence[str]], folder: str) -> None:
    """Write rows as a workbook of one sheet, all cells as texts; `folder` takes the rows until they are complete.

    Raises NotExported for more than a sheet can hold, which Excel would drop.
    """
    from xlsxwriter import Workbook  # only exports need it
    from xlsxwriter.exceptions import FileCreateError

    try:
        with Workbook(file, {"constant_memory": True, "tmpdir": folder}) as book:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                for column, text in enumerate(row):
                    if sheet.write_string(number, column, text):
                        raise NotExported(_("This list is too big for an XLSX file. Export CSV instead."))
    except FileCreateError as error:
        raise error.args[0] from error  # an OSError


def workbook_response(name: str, batches: Iterable[Rows], slot: ExportSlot, *, day: date) -> StreamingHttpResponse:
    """Answer a workbook, once all of its rows are read. Formulas are made harmless, since it may be saved as CSV.

    Raises NotExported where there is no space for it.
    """
    rows = (list(map(harmless, row)) for batch in slot.renewing(batches) for row in batch)
    with ExitStack() as on_error:
        try:
            # It has no name, so nothing remains of it, however this ends.
            file = TemporaryFile()  # noqa: SIM115 - the response closes it
            on_error.callback(_discard, file)
            with TemporaryDirectory(prefix="export-") as folder:
                write_workbook(file, rows, folder)
            length = file.tell()
            file.seek(0)
        except OSError as error:
            if error.errno not in _NO_SPACE:
                raise
            logger.warning("a workbook could not be written: %s", error.strerror)
            raise NotExported(
                _("There is not enough space on the server for an XLSX file. Export CSV instead, or try again later.")
            ) from error
        on_error.pop_all()
    download = _Download(iter(partial(file.read, CHUNK_BYTES), b""), file, slot)
    headers = {**_headers(name, "xlsx", day), "Content-Length": str(length)}
    return StreamingHttpResponse(download, content_type=XLSX, headers=headers)


def _discard(file: IO[bytes]) -> None:
    """Close a file of which something may not have been written yet, for which there may be no space."""
    with suppress(OSError):
        file.close()


def head_response(name: str, kind: Kind, *, day: date) -> StreamingHttpResponse:
    """Answer the headers of a file whose rows nobody asked for; only what is streamed gets no length."""
    return StreamingHttpResponse((), content_type=TYPES[kind], headers=_headers(name, kind, day))


def _headers(name: str, kind: str, day: date | None) -> dict[str, str]:
    filename = f"{name}-{day.isoformat()}.{kind}" if day else f"{name}.{kind}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    return {"Content-Disposition": disposition or "attachment", "X-Content-Type-Options": "nosniff"}
