"""What an export makes of a list: all its pages as rows of text, in the columns that are shown."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import partial
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext as _

from console.files.slots import NotExported
from console.l10n.dates import date_text, told, zoned_time
from console.l10n.numbers import plain_number
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import Cell, CellKind, ListView
from upstream.client import Upstream
from upstream.listing import Identified, Incomplete, Listing, ListParams, read_on

T = TypeVar("T", bound=Identified)


@dataclass(frozen=True)
class Export(Generic[T]):
    """The export of one list: what it can be asked, how it is read and drawn, and where it stands.

    `more` are further columns, by their labels, which say in each row what the page says once.
    """

    definition: ListDefinition
    read: Callable[[ListParams], Listing[T]]
    draw: Callable[[ListQuery, Listing[T]], ListView]
    list_path: str
    more: Mapping[str, str] = field(default_factory=dict)
    together: Callable[..., tuple[Any, ...]] | None = None
    """How several pages are read at the same time: as the client does it, unless the rows are not the service's."""

    def batches(self, upstream: Upstream, query: ListQuery, where: tzinfo) -> Generator[list[list[str]], None, None]:
        """Read all that a query finds, a few pages at a time; yield the header and the rows, some at a time.

        Raises NotExported rather than leave rows out. Dates are those of the time zone `where`.
        """
        together, text = self.together or upstream.together, partial(_text, where=where)
        is_first = True
        try:
            for listing in read_on(together, upstream.restart, self.read, params=query.params()):
                view = self.draw(query, listing)
                kinds = [column.kind for column in view.columns]
                rows = [[*map(text, row.cells, kinds), *self.more.values()] for row in view.rows]
                header = [*(column.label for column in view.columns), *self.more]
                yield [header, *rows] if is_first else rows
                is_first = False
        except Incomplete as error:
            raise NotExported(_("The list changed while it was read. Export it again.")) from error


def _text(cell: Cell, kind: CellKind, *, where: tzinfo) -> str:
    """A cell as text. Numbers are written so that every spreadsheet knows them; a point in time has its zone, which the
    file of another reader may not have."""
    if kind == "number":
        return plain_number(cell.text)
    if not isinstance(cell.at, str):
        return cell.text
    moment = datetime.fromisoformat(cell.at)
    is_time = cell.text in (date_text(moment, where), told(moment, where).local)  # and not a sentence with one
    return zoned_time(moment, where) if is_time else cell.text
