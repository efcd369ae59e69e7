"""What an export makes of a list: all its pages as rows of text, in the columns that are shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from console.lists.query import ListDefinition, ListQuery
from console.lists.view import Cell, ListView
from console.text.dates import date_text
from console.upstream.client import Upstream
from console.upstream.listing import Identified, Listing, ListParams, TooMany, read_all

T = TypeVar("T", bound=Identified)

MOST_ROWS = 2000
"""Rows of one file (conformance CO-17)."""


class NotExported(Exception):
    """A list that can't become a whole file; the message says why, in whole sentences."""


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

    def rows(self, upstream: Upstream, query: ListQuery, where: tzinfo) -> list[list[str]]:
        """Read all that a query finds; return the header and the rows. Raises NotExported rather than leave rows out.

        Dates are those of the time zone `where`.
        """
        try:
            listing = read_all(upstream.together, self.read, params=query.params(), most=MOST_ROWS)
        except TooMany as error:
            text = _("The list has %(count)s rows. At most %(most)s can be exported. Search or filter to get fewer.")
            raise NotExported(text % {"count": error.count, "most": MOST_ROWS}) from error
        if len(listing.results) < listing.result_count:
            raise NotExported(_("The list changed while it was read. Export it again."))
        view = self.draw(query, listing)
        header = [*(column.label for column in view.columns), *self.more]
        return [header, *([*(_text(cell, where) for cell in row.cells), *self.more.values()] for row in view.rows)]


def _text(cell: Cell, where: tzinfo) -> str:
    """A cell as text. A date is written so that every spreadsheet knows it."""
    if not isinstance(cell.at, str):
        return cell.text
    moment = datetime.fromisoformat(cell.at)
    is_date = cell.text == date_text(moment, where)  # and not a sentence that mentions one
    return moment.astimezone(where).date().isoformat() if is_date else cell.text
