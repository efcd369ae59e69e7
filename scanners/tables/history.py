"""The history of a scanner: labels of its events, and links to other pages."""

from collections.abc import Sequence
from datetime import tzinfo
from urllib.parse import urlencode

from msgspec import Struct

from console.lists.query import ListQuery, Page
from console.lists.view import Cell, date_cell
from scanners.labels import EVENTS
from scanners.links import scanner_page
from upstream.listing import Listing
from upstream.resources.scanners import ScannerEvent


class Event(Struct, frozen=True):
    """A line of a history, as it is shown."""

    date: Cell
    label: str
    actor: str
    clinic: str


class HistoryView(Struct, frozen=True):
    """A page of a history, newest first, and the URLs of the previous and next pages."""

    events: Sequence[Event]
    newer_href: str
    older_href: str


def history_view(
    query: ListQuery, listing: Listing[ScannerEvent], *, scanner_id: str, back: str, tz: tzinfo
) -> HistoryView:
    """Return a page of a history; `back` is the list from which the scanner was opened."""
    events = [
        Event(
            date_cell(event.date, tz),
            str(EVENTS.get(event.event, event.event)),
            event.actor_name or "",
            event.clinic_name or "",
        )
        for event in listing.results
        if event.event or event.date
    ]

    def href(page: int) -> str:
        return f"{scanner_page(scanner_id)}?{urlencode({'page': page, 'back': back})}#history"

    last = Page(number=query.page, size=query.size, total=listing.result_count).last
    return HistoryView(
        events,
        newer_href=href(query.page - 1) if query.page > 1 else "",
        older_href=href(query.page + 1) if query.page < last else "",
    )
