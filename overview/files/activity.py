"""Exports of the activity: one line for each changed field, with both values, and for each row of a bulk action."""

from collections.abc import Callable, Sequence

from django.utils import timezone

from console.audit.content import Entry
from console.audit.query import stored_activity
from console.files.exporter import Export
from console.lists.query import ListQuery
from console.lists.view import Column
from console.web.request import ConsoleRequest
from overview.reading import read_user_emails, service_log
from overview.tables.activity import (
    ROWS,
    Line,
    activity_definition,
    line_columns,
    selected_period,
    service_definition,
    to_lines,
)
from upstream.listing import Listing, ListParams

Read = Callable[[ListParams], Listing[Entry]]


class _ActivityExport(Export[Line]):
    """An export of entries as lines."""

    def to_lines(self, listing: Listing[Entry]) -> Listing[Line]:
        return to_lines(listing, read_user_emails(self.upstream, listing.results), self.tz)

    def columns(self, query: ListQuery, listing: Listing[Line]) -> Sequence[Column[Line]]:
        return line_columns(self.tz)


class _ConsoleLogExport(_ActivityExport):
    """An export of the console's own entries."""

    reads_in_order = True

    def __init__(self, request: ConsoleRequest) -> None:
        super().__init__(request)
        self.stored = stored_activity(request)
        self._read_next: Read | None = None

    def start(self, params: ListParams) -> Read:
        """Return a function that reads the pages of entries in order."""
        raise NotImplementedError

    def read(self, params: ListParams) -> Listing[Line]:
        """Read a page; the first call starts the reading, and later pages continue from there."""
        if self._read_next is None:
            self._read_next = self.start(params)
        return self.to_lines(self._read_next(params))


class ActivityExport(_ConsoleLogExport):
    """The export of the entries of this console."""

    def __init__(self, request: ConsoleRequest) -> None:
        super().__init__(request)
        self.definition = activity_definition(self.stored.people())

    def start(self, params: ListParams) -> Read:
        return self.stored.whole(params, period=selected_period(params.filters, self.tz, timezone.now()))


class ActivityRowExport(_ConsoleLogExport):
    """The export of a bulk action's rows with their outcomes."""

    definition = ROWS

    def __init__(self, request: ConsoleRequest, entry_id: str) -> None:
        super().__init__(request)
        self.entry = self.stored.get(entry_id)

    def start(self, params: ListParams) -> Read:
        return self.stored.whole_rows(self.entry, params)


class ServiceLogExport(_ActivityExport):
    """The export of the service's own log."""

    def __init__(self, request: ConsoleRequest) -> None:
        super().__init__(request)
        self.definition = service_definition()
        self.now = timezone.now()

    def read(self, params: ListParams) -> Listing[Line]:
        return self.to_lines(service_log(self.upstream, params, selected_period(params.filters, self.tz, self.now)))
