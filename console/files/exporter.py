"""What an export makes of a list: all its pages as rows of text, in the columns that are shown."""

from collections.abc import Callable, Generator, Mapping
from datetime import datetime, tzinfo
from functools import partial
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext as _

from console.files.slots import NotExported
from console.l10n.dates import date_text, local_moment, zoned_time
from console.l10n.numbers import plain_number
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import Cell, CellKind, ListView
from console.web.request import ConsoleRequest, get_tz
from upstream.listing import Identified, Incomplete, Listing, ListParams, iter_pages

T = TypeVar("T", bound=Identified)


class Export(Generic[T]):
    """The export of one list: how it is read and drawn."""

    definition: ListDefinition

    def __init__(self, request: ConsoleRequest, **_ids: str) -> None:
        """`_ids` are those of the list's address. Raises NotFound where it is not a list of this organization."""
        self.request = request
        self.upstream = request.upstream
        self.tz = get_tz(request)

    @property
    def list_path(self) -> str:
        raise NotImplementedError

    def read(self, params: ListParams) -> Listing[T]:
        raise NotImplementedError

    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]:
        """Read several pages at the same time."""
        return self.upstream.together(*reads)

    def render(self, query: ListQuery, listing: Listing[T]) -> ListView:
        """Return some pages of the list, with its columns for files."""
        raise NotImplementedError

    def extra_columns(self) -> Mapping[str, str]:
        """Return, by label, further columns that say in each row what the page says once."""
        return {}

    def batches(self, query: ListQuery) -> Generator[list[list[str]], None, None]:
        """Read all that a query finds, a few pages at a time; yield the header and the rows, some at a time.

        Raises NotExported rather than leave rows out.
        """
        text, extra = partial(_text, tz=self.tz), self.extra_columns()
        is_first = True
        try:
            for listing in iter_pages(self.together, self.upstream.restart, self.read, params=query.params()):
                view = self.render(query, listing)
                kinds = [column.kind for column in view.columns]
                rows = [[*map(text, row.cells, kinds), *extra.values()] for row in view.rows]
                header = [*(column.label for column in view.columns), *extra]
                yield [header, *rows] if is_first else rows
                is_first = False
        except Incomplete as error:
            raise NotExported(_("The list changed while it was read. Export it again.")) from error


def _text(cell: Cell, kind: CellKind, *, tz: tzinfo) -> str:
    """A cell as text. Numbers are written so that every spreadsheet knows them; a point in time has its zone, which the
    file of another reader may not have."""
    if kind == "number":
        return plain_number(cell.text)
    if not isinstance(cell.at, str):
        return cell.text
    moment = datetime.fromisoformat(cell.at)
    is_time = cell.text in (date_text(moment, tz), local_moment(moment, tz).local)  # and not a sentence with one
    return zoned_time(moment, tz) if is_time else cell.text
