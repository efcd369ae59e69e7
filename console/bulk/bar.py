"""The bar below a list."""

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET

from console.bulk.action import BulkAction, BulkList, T
from console.bulk.job import sign_query
from console.i18n.resources import SAMPLES
from console.lists.query import ListQuery
from console.lists.view import ListView

AT_ONCE = 4
"""Number of buttons that fit in the line next to the count on a small desktop."""


class BarButton(msgspec.Struct, frozen=True):
    """A button. At least one selected row must have its `row_action`; if no row of the list can, it `is_hidden`."""

    label: str
    href: str
    tone: str = ""
    row_action: str = ""
    is_hidden: bool = False


class Bar(msgspec.Struct, frozen=True):
    """The bar below a list: the form of the rows' checkboxes, and the actions on selected rows.

    `query` is the signed query that selects all matches. `counts` are the texts for the number of selected rows by
    plural category of the page's language, because only the browser knows the number. A deletion is separate, in
    `last`; `more` are in a menu if there is no space for them in the line.
    """

    id: str
    path: str
    pages: str
    query: str
    total: int
    counts: dict[str, str]
    first: list[BarButton]
    more: list[BarButton]
    last: list[BarButton]
    files: list[BarButton] = []
    """The exports of the selected rows, at the end of the menu."""


def bulk_bar(bulk_list: BulkList[T], query: ListQuery, total: int, *, is_exported: bool = False) -> Bar:
    """Return the bar below a list with this query and this number of matches, without reading anything.

    Its rows can be exported if the list `is_exported`.
    """
    samples = SAMPLES[bulk_list.request.lng]
    texts_by_category = {category: bulk_list.texts.selected(n) for category, n in samples.items()}
    other = texts_by_category["other"]
    buttons = [
        bar_button(bulk_list, action, is_hidden=not action.fits_list(query))
        for action in bulk_list.offered()
        if action.row_action or action.fits_list(query)
    ]
    # The menu and the last button take space, too.
    first = len(buttons) if len(buttons) <= AT_ONCE - is_exported else AT_ONCE - 2
    end = len(buttons) - bool(buttons and buttons[-1].tone)
    return Bar(
        id=bulk_list.id,
        path=bulk_list.path,
        pages=bulk_list.pages,
        query=sign_query(bulk_list, query, total),
        total=total,
        counts={name: text for name, text in texts_by_category.items() if name == "other" or text != other},
        first=buttons[: min(first, end)],
        more=buttons[first:end],
        last=buttons[end:],
        files=_file_buttons(bulk_list) if is_exported else [],
    )


def _file_buttons(bulk_list: BulkList[T]) -> list[BarButton]:
    path = f"{bulk_list.path}/export"
    # Translators: a button; “Export” is a verb, and CSV a kind of file.
    # Translators: a button; “Export” is a verb, and XLSX a kind of file.
    return [BarButton(_("Export CSV"), path), BarButton(_("Export XLSX"), f"{path}/xlsx")]


def bar_button(bulk_list: BulkList[T], action: type[BulkAction[T]], *, is_hidden: bool = False) -> BarButton:
    label, href = str(action.texts.label), f"{bulk_list.path}/bulk/{action.name}"
    return BarButton(label, href, action.tone, action.row_action, is_hidden)


def with_selection(view: ListView, bar: Bar) -> ListView:
    """Return a list for JSON with its signed query and the row actions that its rows may have.

    The bar in the page still has those of the list that the page was rendered with.
    """
    fits = [
        button.row_action for button in (*bar.first, *bar.more, *bar.last) if button.row_action and not button.is_hidden
    ]
    return msgspec.structs.replace(view, selection_query=bar.query, selection_fits=" ".join(fits) or UNSET)
