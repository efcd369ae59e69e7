"""Export a list: all its pages as rows of text, in all columns."""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.files.slots import NotExported
from console.l10n.dates import date_text, local_moment, zoned_time
from console.l10n.numbers import plain_number
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import Cell, CellKind, Column, get_cells
from console.web.request import ConsoleRequest, get_tz
from upstream.listing import (
    PAGE_LIMIT,
    Identified,
    Incomplete,
    Listing,
    ListParams,
    chunked,
    iter_pages,
    sequentially,
)

T = TypeVar("T", bound=Identified)


class Export(Generic[T]):
    """The export of one list: how it is read and rendered."""

    definition: ListDefinition
    reads_in_order: ClassVar[bool] = False
    """True if pages are read one after the other: those of our own database, in the request's thread."""

    def __init__(self, request: ConsoleRequest, **_ids: str) -> None:
        """Create the export; `_ids` are those of the list's address.

        Raises NotFound if it is not a list of this organization.
        """
        self.request = request
        self.upstream = request.upstream
        self.tz = get_tz(request)

    @property
    def list_path(self) -> str:
        """The path of the list; those of its exports begin with it."""
        return escape_uri_path(self.request.path).rpartition("/export")[0]

    def read(self, params: ListParams) -> Listing[T]:
        raise NotImplementedError

    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]:
        """Read several pages."""
        return sequentially(*reads) if self.reads_in_order else self.upstream.together(*reads)

    def columns(self, query: ListQuery, listing: Listing[T]) -> Sequence[Column[T]]:
        """Return the columns for these pages of the list; those of all pages have the same heads."""
        raise NotImplementedError

    def extra_columns(self) -> Mapping[str, str]:
        """Return more columns, by label, with values that are the same in all rows and that the page shows once."""
        return {}

    def batches(self, query: ListQuery, *, excluded: Collection[str] = ()) -> Generator[list[list[str]], None, None]:
        """Read all matches of a query but the excluded ones, a few pages at a time; yield the header and the rows in
        batches.

        Raises NotExported if rows would be missing.
        """
        yield from self._batches(
            query,
            (
                replace(listing, results=[row for row in listing.results if row.id not in excluded])
                for listing in iter_pages(self.together, self.upstream.restart, self.read, params=query.params())
            ),
        )

    def selected_batches(self, query: ListQuery, ids: Sequence[str]) -> Generator[list[list[str]], None, None]:
        """Yield the header and the rows with these IDs that still exist, sorted like the query, a hundred at a time."""

        def read(chunk: Sequence[str]) -> Listing[T]:
            self.upstream.restart()
            return self.read(ListParams(size=PAGE_LIMIT, sort=query.sort, order=query.order, ids=tuple(chunk)))

        yield from self._batches(query, map(read, chunked(ids)))

    def _batches(self, query: ListQuery, listings: Iterable[Listing[T]]) -> Generator[list[list[str]], None, None]:
        text, extra = partial(_text, tz=self.tz), self.extra_columns()
        is_first = True
        try:
            for listing in listings:
                columns = self.columns(query, listing)
                kinds = [column.kind for column in columns]
                rows = [[*map(text, get_cells(item, columns), kinds), *extra.values()] for item in listing.results]
                header = [*(str(column.title or column.label) for column in columns), *extra]
                yield [header, *rows] if is_first else rows
                is_first = False
        except Incomplete as error:
            raise NotExported(_("The list changed during the export. Export it again.")) from error


def _text(cell: Cell, kind: CellKind, *, tz: tzinfo) -> str:
    """Return a cell as text.

    Numbers are written so that every spreadsheet recognizes them. A moment has its UTC offset, because other readers
    may have other time zones.
    """
    if kind == "number":
        return plain_number(cell.text)
    if not isinstance(cell.at, str):
        return cell.text
    moment = datetime.fromisoformat(cell.at)
    is_time = cell.text in (date_text(moment, tz), local_moment(moment, tz).local)  # not a sentence that contains one
    return zoned_time(moment, tz) if is_time else cell.text
