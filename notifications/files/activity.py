"""What was done as files: each change for itself, with both values, and each row of a bulk act."""

from collections.abc import Callable

from django.utils import timezone

from console.audit.history import activity_of
from console.audit.reading import Entry
from console.files.exporter import Export
from console.web.request import ConsoleRequest, zone_of
from notifications import links
from notifications.reading import service_log
from notifications.tables.activity import (
    ROWS,
    Line,
    activity_definition,
    activity_lines,
    lines_of,
    service_definition,
    since,
)
from upstream.listing import Listing, ListParams, in_turn

Read = Callable[[ListParams], Listing[Entry]]


def activity_export_of(request: ConsoleRequest) -> Export[Line]:
    """Return the export of what was done in this console."""
    stored, where, now = activity_of(request), zone_of(request), timezone.now()

    def begin(params: ListParams) -> Read:
        return stored.whole(params, since=since(params.filters, where, now))

    return Export(
        activity_definition(stored.people()),
        read=_from_the_start(begin),
        draw=lambda query, listing: activity_lines(query, listing, path=links.activity_list_url(), where=where),
        list_path=links.activity_list_url(),
        together=in_turn,
    )


def row_export_of(request: ConsoleRequest, entry_id: str) -> Export[Line]:
    """Return the result of a bulk act as it was: each of its rows, and what became of it."""
    stored, where = activity_of(request), zone_of(request)
    act = stored.get(entry_id)
    path = links.entry_url(links.activity_list_url(), act.id)
    return Export(
        ROWS,
        read=_from_the_start(lambda params: stored.whole_rows(act, params)),
        draw=lambda query, listing: activity_lines(query, listing, path=path, where=where),
        list_path=path,
        together=in_turn,
    )


def service_log_export_of(request: ConsoleRequest) -> Export[Line]:
    """Return the export of the log of the service."""
    upstream, where, now = request.upstream, zone_of(request), timezone.now()
    return Export(
        service_definition(),
        read=lambda params: lines_of(service_log(upstream, params, since(params.filters, where, now))),
        draw=lambda query, listing: activity_lines(query, listing, path=links.service_log_url(), where=where),
        list_path=links.service_log_url(),
    )


def _from_the_start(begin: Callable[[ListParams], Read]) -> Callable[[ListParams], Listing[Line]]:
    """Return a read that begins with its first page: the pages after it go on from there."""
    reads: list[Read] = []

    def read(params: ListParams) -> Listing[Line]:
        if not reads:
            reads.append(begin(params))
        return lines_of(reads[0](params))

    return read
