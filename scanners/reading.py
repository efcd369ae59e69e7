"""What views of scanners read: a scanner with the name of its clinic, and its history."""

from dataclasses import dataclass

from console.http import ConsoleRequest
from console.lists.query import ListDefinition, ListQuery, SearchField, read_list
from console.upstream.errors import NotDone, NotFound, NotOffered
from console.upstream.listing import Listing
from console.upstream.resources.scanners import Scanner, ScannerEvent

HISTORY = ListDefinition(name="history", search_fields=(SearchField("all", ""),), filters=(), sorts=(), default_sort="")
"""A history is only asked for its pages."""


@dataclass(frozen=True)
class Subject:
    """A scanner, and the name of the clinic that it was connected in."""

    scanner: Scanner
    clinic_name: str


def find_scanner(request: ConsoleRequest, scanner_id: str) -> Subject:
    """Read a scanner of the organization; NotFound when it is none of them."""
    scanner = request.upstream.scanners.get(scanner_id)
    names = request.upstream.clinics.known_names_of([scanner])
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
