"""Reads that several views share: a scanner, its history, expected serial numbers, and whether they have connected."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from console.lists.query import ListDefinition, ListQuery, read_list
from console.web.request import ConsoleRequest, get_organization_key
from scanners.models import Expected
from scanners.storage.changes import ExpectedSerials
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound, NotOffered
from upstream.listing import PAGE_LIMIT, Listing, ListParams, chunked, read_all
from upstream.nouns import plain_serial
from upstream.resources.scanners import PENDING, Scanner, ScannerEvent

HISTORY = ListDefinition(name="history", search_fields=(), filters=(), sorts=(), default_sort="")
"""A history has pages only: no search, filters or sorts."""
MAX_SCANNERS = 20_000
"""Maximum number of scanners read if the service can't filter by serial number."""


@dataclass(frozen=True)
class Subject:
    """A scanner, and the name of the clinic in which it was connected."""

    scanner: Scanner
    clinic_name: str


def find_scanner(request: ConsoleRequest, scanner_id: str) -> Subject:
    """Read a scanner of the organization. Raises NotFound."""
    scanner = request.upstream.scanners.get(scanner_id)
    names = request.upstream.clinics.get_known_names([scanner])
    return Subject(scanner, scanner.clinic_name or names.get(scanner.clinic_id, ""))


@dataclass(frozen=True)
class History:
    """A page of a history. Without `listing` it could not be read; `error` is None if the service has no history."""

    query: ListQuery
    listing: Listing[ScannerEvent] | None = None
    error: NotDone | NotFound | None = None


def find_history(request: ConsoleRequest, scanner_id: str) -> History:
    """Read a page of a scanner's history; a failure is returned, because the scanner is shown without it."""
    scanners, query = request.upstream.scanners, ListQuery.read(HISTORY, request.GET)
    if not scanners.has_history:
        return History(query)
    try:
        listing, query = read_list(
            query, lambda params: scanners.history(scanner_id, page=params.page, size=params.size)
        )
    except NotOffered:
        return History(query)
    except (NotDone, NotFound) as error:
        return History(query, error=error)
    return History(query, listing)


def expected_serials(request: ConsoleRequest) -> ExpectedSerials:
    """Return the list of the current administrator's organization; nothing is read yet."""
    return ExpectedSerials(get_organization_key(request), request.admin.identity)


def expected_among(request: ConsoleRequest, serial_numbers: Iterable[str]) -> dict[str, Expected]:
    """Return the expected ones among these serial numbers, by `plain_serial`, with a single query."""
    return expected_serials(request).among(serial_numbers)


def expected_scanners(request: ConsoleRequest, scanners: Sequence[Scanner]) -> dict[str, Expected]:
    """Return the expected serial numbers of the scanners that wait for a decision, by scanner ID, with one query."""
    waiting = [scanner for scanner in scanners if scanner.id and scanner.status == PENDING]
    by_serial = expected_among(request, [scanner.serial_number for scanner in waiting]) if waiting else {}
    rows = ((scanner.id, by_serial.get(plain_serial(scanner.serial_number))) for scanner in waiting)
    return {id: row for id, row in rows if row}


def check_page(upstream: Upstream, rows: Sequence[Expected]) -> dict[str, bool]:
    """Ask the service, with at most one call, which rows of a page have connected; return what is known, by ID.

    Return nothing if the call fails: the list is shown without it.
    """
    due = [row for row in rows if row.is_due]
    if not due:
        return {}
    serial_numbers = [row.serial_number for row in due]
    try:
        listing = _read_serial_numbers(upstream, serial_numbers)
    except (NotDone, NotFound):
        return {}
    return _checks(due, [listing], is_all=_is_answer(listing, serial_numbers))


def check_all(upstream: Upstream, rows: Sequence[Expected]) -> dict[str, bool]:
    """Ask the service which of all rows have connected; return what is known, by ID. Raises the failure of a call.

    A service that does not support `serialNumbers` returns any scanners: then all of them are read.
    """
    readable = [row for row in rows if row.is_readable]
    if not readable:
        return {}
    chunks = chunked([row.serial_number for row in readable])
    first = _read_serial_numbers(upstream, chunks[0])
    if _is_answer(first, chunks[0]):
        others = upstream.together(*(partial(_read_serial_numbers, upstream, chunk) for chunk in chunks[1:]))
        return _checks(readable, [first, *others], is_all=True)
    read = partial(upstream.scanners.list, organization_id=upstream.organization_id)
    every = read_all(upstream.together, read, params=ListParams(sort="serial_number"), max_rows=MAX_SCANNERS)
    return _checks(readable, [every], is_all=len(every.results) >= every.result_count)


def _read_serial_numbers(upstream: Upstream, serial_numbers: Sequence[str]) -> Listing[Scanner]:
    params = ListParams(size=PAGE_LIMIT, filters={"serial_number": tuple(serial_numbers)})
    return upstream.scanners.list(params, organization_id=upstream.organization_id)


def _is_answer(listing: Listing[Scanner], serial_numbers: Sequence[str]) -> bool:
    """Return True if these are all scanners with one of the serial numbers, and not just any scanners."""
    requested = set(map(plain_serial, serial_numbers))
    is_whole = listing.result_count <= len(listing.results)
    return is_whole and all(plain_serial(scanner.serial_number) in requested for scanner in listing.results)


def _checks(rows: Sequence[Expected], listings: Iterable[Listing[Scanner]], *, is_all: bool) -> dict[str, bool]:
    known = {plain_serial(scanner.serial_number) for listing in listings for scanner in listing.results}
    connected = {row.id: plain_serial(row.serial_number) in known for row in rows}
    return {id: is_connected for id, is_connected in connected.items() if is_connected or is_all}
