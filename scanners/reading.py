"""What several views of scanners read: a scanner, its history, what is expected, and whether that has connected."""

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
"""A history is only asked for its pages."""
MAX_SCANNERS = 20_000
"""Scanners that are read where the service can't be asked for some serial numbers."""


@dataclass(frozen=True)
class Subject:
    """A scanner, and the name of the clinic that it was connected in."""

    scanner: Scanner
    clinic_name: str


def find_scanner(request: ConsoleRequest, scanner_id: str) -> Subject:
    """Read a scanner of the organization; NotFound when it is none of them."""
    scanner = request.upstream.scanners.get(scanner_id)
    names = request.upstream.clinics.get_known_names([scanner])
    return Subject(scanner, scanner.clinic_name or names.get(scanner.clinic_id, ""))


@dataclass(frozen=True)
class History:
    """The page of a history that was asked for; none, and the error if there was one, where it can't be told."""

    query: ListQuery
    listing: Listing[ScannerEvent] | None = None
    error: NotDone | NotFound | None = None


def find_history(request: ConsoleRequest, scanner_id: str) -> History:
    """Read a page of what became of a scanner; a service need not have that, and the scanner is worth more."""
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
    """The list of the organization of who is logged in; nothing is read yet."""
    return ExpectedSerials(get_organization_key(request), request.admin.identity)


def expected_among(request: ConsoleRequest, serial_numbers: Iterable[str]) -> dict[str, Expected]:
    """Return those of these serial numbers that are expected, by `plain_serial`; one query, whatever their number."""
    return expected_serials(request).among(serial_numbers)


def expected_scanners(request: ConsoleRequest, scanners: Sequence[Scanner]) -> dict[str, Expected]:
    """Return what is expected of the scanners that wait for a decision, by their IDs; one query."""
    waiting = [scanner for scanner in scanners if scanner.id and scanner.status == PENDING]
    by_serial = expected_among(request, [scanner.serial_number for scanner in waiting]) if waiting else {}
    rows = ((scanner.id, by_serial.get(plain_serial(scanner.serial_number))) for scanner in waiting)
    return {id: row for id, row in rows if row}


def check_page(upstream: Upstream, rows: Sequence[Expected]) -> dict[str, bool]:
    """Ask the service, by one call at most, which rows of a page have connected; only what it tells, by their IDs.

    Nothing where it can't be asked: the list is worth more.
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
    """Ask the service which of all rows have connected; only what it tells. Raises what it answers.

    A service that does not know `serialNumbers` answers with any scanners: then all of them are read.
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
    """Whether these are all scanners that have one of the serial numbers, and not just any scanners."""
    requested = set(map(plain_serial, serial_numbers))
    is_whole = listing.result_count <= len(listing.results)
    return is_whole and all(plain_serial(scanner.serial_number) in requested for scanner in listing.results)


def _checks(rows: Sequence[Expected], listings: Iterable[Listing[Scanner]], *, is_all: bool) -> dict[str, bool]:
    known = {plain_serial(scanner.serial_number) for listing in listings for scanner in listing.results}
    connected = {row.id: plain_serial(row.serial_number) in known for row in rows}
    return {id: is_connected for id, is_connected in connected.items() if is_connected or is_all}
