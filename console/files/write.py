"""Write rows as files, and return the responses with them."""

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
"""Maximum bytes of an export that are sent at a time."""
STALL_TIMEOUT_S = 60.0
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOENT}
"""Errors of a full disk or quota, a file that is too large, or a missing temporary folder."""

UNSEEN = rf"(?![\t\r\n])(?:[\x00-\x1f\x7f-\x9f]|{BLANK}|{INVISIBLE})"
"""Blanks, format characters and fillers, which programs may drop before a formula. No tabs or line breaks."""

_BEFORE = rf"(?:{UNSEEN}|['\"])*"
_OPERATOR = "=+\\-@＝＋－＠﹦﹢﹣﹫"  # spreadsheets in East Asian languages accept the other widths, too


def _formula(mark: str) -> re.Pattern[str]:
    """Return a pattern for `mark` before a formula, also for programs that use another separator.

    Such a program ends a cell at a semicolon, tab or line break, even if it is quoted. Existing apostrophes also count
    as a start: only then can the added one be recognized and removed again.
    """
    at_start = rf"\A{mark}(?={_BEFORE}[{_OPERATOR}\t\r\n])"
    inside = rf"(?<=[;\t\r\n]){mark}(?={_BEFORE}(?:[{_OPERATOR}\t]|\Z))"
    return re.compile(f"{at_start}|{inside}")


_OPEN, _HARMLESS = _formula(""), _formula("'")


def harmless(cell: str) -> str:
    """Add an apostrophe before a formula that a spreadsheet would run."""
    return _OPEN.sub("'", cell)


def as_it_was(cell: str) -> str:
    """Remove the apostrophes that `harmless` added."""
    return _HARMLESS.sub("", cell) if "'" in cell else cell  # a file may have a million cells


def write(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as UTF-8 with a BOM, by which spreadsheets recognize it; formulas are made harmless."""
    return codecs.BOM_UTF8 + _lines(rows)


def _lines(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(map(harmless, row) for row in rows)
    return text.getvalue().encode()


def file_response(name: str, rows: Iterable[Sequence[str]], *, day: date | None = None) -> HttpResponse:
    """Return a response with a CSV file of this name, which includes the day if there is one."""
    return HttpResponse(write(rows), content_type=CSV, headers=_headers(name, "csv", day))


class _Closable(Protocol):
    def close(self) -> object: ...


class _Download:
    """The bytes of an export, which are read as they are sent. Closing it ends the export, even before the first byte.

    A client that takes less than a chunk in STALL_TIMEOUT_S is disconnected, so that others can export. nginx
    disconnects one that takes nothing at all (`send_timeout`).
    """

    def __init__(self, chunks: Iterable[bytes], source: _Closable, slot: ExportSlot) -> None:
        self._chunks, self._source, self._slot = chunks, source, slot

    def __iter__(self) -> Iterator[bytes]:
        """Yield the chunks. Raises ConnectionResetError on any error, so that the server closes without a traceback."""
        try:
            for chunk in self._slot.renewing(_cut(self._chunks)):
                sent = time.monotonic()
                yield chunk
                if time.monotonic() - sent > STALL_TIMEOUT_S:
                    raise _Stalled
            self.close()  # the client may ask for the next export before the server closes this one
        except Exception as error:
            logger.warning("an export broke off: %s", type(error).__name__)
            raise ConnectionResetError(errno.ECONNRESET, "an export broke off") from error

    def close(self) -> None:
        try:
            self._source.close()
        finally:
            self._slot.release()


class _Stalled(Exception):
    """A client that takes too long for a chunk."""


def _cut(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        for start in range(0, len(part), CHUNK_BYTES):
            yield part[start : start + CHUNK_BYTES]


def csv_response(
    name: str, batches: Generator[Rows, None, None], slot: ExportSlot, *, day: date
) -> StreamingHttpResponse:
    """Return a response that streams a CSV file. The first rows are read before, so that their errors become a page.

    Later errors close the connection before the end of the response, which browsers show as a failed download.
    """
    start = codecs.BOM_UTF8 + _lines(next(batches))
    download = _Download(chain([start], map(_lines, batches)), batches, slot)
    return StreamingHttpResponse(download, content_type=CSV, headers=_headers(name, "csv", day))


def write_workbook(file: IO[bytes], rows: Iterable[Sequence[str]], folder: str) -> None:
    """Write rows as a workbook of one sheet with text cells; `folder` is for temporary files.

    Raises NotExported if a sheet can't hold all rows, some of which Excel would drop.
    """
    from xlsxwriter import Workbook  # only exports need it
    from xlsxwriter.exceptions import FileCreateError

    try:
        with Workbook(file, {"constant_memory": True, "tmpdir": folder}) as book:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                for column, text in enumerate(row):
                    if sheet.write_string(number, column, text):
                        raise NotExported(_("This list is too large for an XLSX file. Export a CSV file instead."))
    except FileCreateError as error:
        raise error.args[0] from error  # an OSError


def workbook_response(name: str, batches: Iterable[Rows], slot: ExportSlot, *, day: date) -> StreamingHttpResponse:
    """Return a response with a workbook, after reading all rows.

    Formulas are made harmless, because the workbook may be saved as CSV. Raises NotExported if there is no disk space.
    """
    rows = (list(map(harmless, row)) for batch in slot.renewing(batches) for row in batch)
    with ExitStack() as on_error:
        try:
            # It has no name, so it is always deleted.
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
                _(
                    "There isn't enough space on the server for an XLSX file. Export a CSV file instead, or try again "
                    "later."
                )
            ) from error
        on_error.pop_all()
    download = _Download(_chunks(file, length, slot), file, slot)
    headers = {**_headers(name, "xlsx", day), "Content-Length": str(length)}
    return StreamingHttpResponse(download, content_type=XLSX, headers=headers)


def _chunks(file: IO[bytes], length: int, slot: ExportSlot) -> Iterator[bytes]:
    """Yield the bytes of a file; with the last of them the client has all, so it may export again."""
    while chunk := file.read(CHUNK_BYTES):
        if file.tell() == length:
            slot.release()
        yield chunk


def _discard(file: IO[bytes]) -> None:
    """Close a file whose buffered data may not fit on the disk."""
    with suppress(OSError):
        file.close()


def head_response(name: str, kind: Kind, *, day: date) -> StreamingHttpResponse:
    """Return the headers of a file for a HEAD request. The response is streaming, so it gets no Content-Length."""
    return StreamingHttpResponse((), content_type=TYPES[kind], headers=_headers(name, kind, day))


def _headers(name: str, kind: str, day: date | None) -> dict[str, str]:
    filename = f"{name}-{day.isoformat()}.{kind}" if day else f"{name}.{kind}"
    disposition = content_disposition_header(as_attachment=True, filename=filename)
    return {"Content-Disposition": disposition or "attachment", "X-Content-Type-Options": "nosniff"}
