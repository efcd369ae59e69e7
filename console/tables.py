"""How a list looks, as data: columns, rows, filters, pager; templates and the DataTable component draw it alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Generic, Literal, TypeVar

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType

from console.lists import PAGE_SIZES, Label, ListQuery, Page
from console.timezone import shown

T = TypeVar("T")

Kind = Literal["text", "person", "name", "email", "badge", "date", "number"]
Tone = Literal["success", "warning", "danger", "info", "neutral"]


class Cell(msgspec.Struct, frozen=True):
    """One value of a row. `at` is the exact time (ISO 8601, UTC) of a date's text; `href` makes the text a link.

    What a cell does not have is not sent: there are hundreds of cells in a page.
    """

    text: str
    href: str | UnsetType = UNSET
    tone: Tone | UnsetType = UNSET
    at: str | UnsetType = UNSET


class Action(msgspec.Struct, frozen=True):
    """Something to do with a row; its address is the row's own with `path` behind it."""

    label: str
    path: str


class Row(msgspec.Struct, frozen=True):
    """One row; `actions` are the places, in the list's own `actions`, of those that fit it."""

    id: str
    href: str
    cells: list[Cell]
    actions: list[int]


class ColumnView(msgspec.Struct, frozen=True):
    """A column's head. `sorted` is the value of aria-sort, empty when the list is sorted otherwise."""

    name: str
    label: str
    kind: Kind
    sort_href: str
    sorted: Literal["", "ascending", "descending"]


class Option(msgspec.Struct, frozen=True):
    value: str
    label: str
    selected: bool


class FilterView(msgspec.Struct, frozen=True):
    name: str
    label: str
    any_label: str
    options: list[Option]


class SearchView(msgspec.Struct, frozen=True):
    """The search box. `error` is why the keyword was not searched for."""

    keyword: str
    label: str
    fields: list[Option]
    error: str


class Chip(msgspec.Struct, frozen=True):
    """A filter in force, and the address of the list without it."""

    label: str
    remove_label: str
    remove_href: str


class PageLink(msgspec.Struct, frozen=True):
    """One step of the pager; an empty href with an empty label is a gap."""

    label: str
    name: str
    href: str
    current: bool


class PagerView(msgspec.Struct, frozen=True):
    label: str
    range: str
    pages: list[PageLink]
    previous_href: str
    next_href: str
    sizes_label: str
    sizes: list[PageLink]


class EmptyView(msgspec.Struct, frozen=True):
    """Why there are no rows: nothing yet, or nothing matches. All fields are empty when there are rows."""

    title: str = ""
    text: str = ""
    action_label: str = ""
    action_href: str = ""


class ListView(msgspec.Struct, frozen=True):
    """One list as it is shown. `hidden` are the name and value pairs that the search form carries along.

    `selection` is the id of the form that ticked rows belong to; empty where rows can't be ticked.
    """

    name: str
    path: str
    caption: str
    search: SearchView
    filters: list[FilterView]
    chips: list[Chip]
    hidden: list[tuple[str, str]]
    columns: list[ColumnView]
    rows: list[Row]
    actions: list[Action]
    selection: str
    pager: PagerView
    empty: EmptyView
    total: int


def date_cell(moment: datetime | None, where: tzinfo) -> Cell:
    """A date as it is shown in the reader's zone, with its exact time; an empty cell for none."""
    text, exact = shown(moment, where)
    return Cell(text, at=exact) if exact else Cell("")


@dataclass(frozen=True)
class Column(Generic[T]):
    """One column of a list: its head, its kind, how it is sorted, and how a row's value becomes a cell."""

    name: str
    label: Label
    kind: Kind
    cell: Callable[[T], Cell]
    sort: str = ""


@dataclass(frozen=True)
class RowAction(Generic[T]):
    """An action of a list's rows; `fits` says of which, all when it is not given."""

    label: str
    path: str
    fits: Callable[[T], bool] | None = None


@dataclass(frozen=True)
class Texts:
    """The sentences of one list, translated."""

    caption: str
    search: str
    nothing_yet_title: str
    nothing_yet_text: str


def list_view(
    query: ListQuery,
    items: Sequence[T],
    *,
    total: int,
    path: str,
    columns: Sequence[Column[T]],
    row_id: Callable[[T], str],
    row_href: Callable[[T], str],
    actions: Sequence[RowAction[T]],
    texts: Texts,
    selection: str = "",
) -> ListView:
    """Everything that a page or an island needs to draw this list. Labels are translated once, not once a row."""
    error = query.keyword_error
    return ListView(
        name=query.definition.name,
        path=path,
        caption=texts.caption,
        search=SearchView(
            keyword=query.keyword,
            label=texts.search,
            fields=[
                Option(value=f.name, label=str(f.label), selected=f.name == query.search_field)
                for f in query.definition.search_fields
            ],
            error=str(error) if error else "",
        ),
        filters=_filters(query),
        chips=_chips(query, path),
        hidden=_hidden(query),
        columns=[_column(query, column, path) for column in columns],
        rows=[
            Row(
                id=row_id(item),
                href=row_href(item),
                cells=[c.cell(item) for c in columns],
                actions=[place for place, a in enumerate(actions) if a.fits is None or a.fits(item)],
            )
            for item in items
        ],
        actions=[Action(label=a.label, path=a.path) for a in actions],
        selection=selection,
        pager=_pager(query, total, path),
        empty=_empty(query, path, texts) if not items else EmptyView(),
        total=total,
    )


def _filters(query: ListQuery) -> list[FilterView]:
    return [
        FilterView(
            name=f.name,
            label=str(f.label),
            any_label=_("Any"),
            options=[
                Option(value=c.value, label=str(c.label), selected=c.value in query.filters.get(f.name, ()))
                for c in f.choices
            ],
        )
        for f in query.definition.filters
        if f.choices
    ]


def _chips(query: ListQuery, path: str) -> list[Chip]:
    chips = []
    for f in query.definition.filters:
        chosen = query.filters.get(f.name, ())
        for choice in f.choices:
            if choice.value in chosen:
                label = _("%(filter)s: %(value)s") % {"filter": f.label, "value": choice.label}
                rest = {**query.filters, f.name: tuple(v for v in chosen if v != choice.value)}
                chips.append(
                    Chip(
                        label=label,
                        remove_label=_("Remove the filter %(filter)s") % {"filter": label},
                        remove_href=query.url(path, filters={k: v for k, v in rest.items() if v}),
                    )
                )
    return chips


def _hidden(query: ListQuery) -> list[tuple[str, str]]:
    return [(name, value) for name, value in query.pairs() if name in ("sort", "order", "size")]


def _column(query: ListQuery, column: Column[Any], path: str) -> ColumnView:
    by_this = bool(column.sort) and query.sort == column.sort
    descending = by_this and query.order == "desc"
    turned = "asc" if descending or not by_this else "desc"
    return ColumnView(
        name=column.name,
        label=str(column.label),
        kind=column.kind,
        sort_href=query.url(path, sort=column.sort, order=turned) if column.sort else "",
        sorted="" if not by_this else "descending" if descending else "ascending",
    )


def _pager(query: ListQuery, total: int, path: str) -> PagerView:
    page = Page(number=query.page, size=query.size, total=total)
    name = _("Page %(number)s")
    return PagerView(
        label=_("Pages"),
        range=_("%(first)s to %(last)s of %(total)s")
        % {"first": page.first_row, "last": page.last_row, "total": page.total},
        pages=[
            PageLink(label="", name="", href="", current=False)
            if number is None
            else PageLink(
                label=str(number),
                name=name % {"number": number},
                href=query.url(path, page=number),
                current=number == page.number,
            )
            for number in page.numbers()
        ],
        previous_href=query.url(path, page=page.number - 1) if page.number > 1 else "",
        next_href=query.url(path, page=page.number + 1) if page.number < page.last else "",
        sizes_label=_("Rows per page"),
        sizes=[
            PageLink(
                label=str(size),
                name=_("%(size)s rows per page") % {"size": size},
                href=query.url(path, size=size) if size != query.default_size else _explicit_size(query, path, size),
                current=size == query.size,
            )
            for size in PAGE_SIZES
        ],
    )


def _explicit_size(query: ListQuery, path: str, size: int) -> str:
    """The remembered size must be sayable too, else one could not go back to it after it was changed elsewhere."""
    url = query.url(path, size=size)
    return f"{url}{'&' if '?' in url else '?'}size={size}"


def _empty(query: ListQuery, path: str, texts: Texts) -> EmptyView:
    if query.keyword_error:
        return EmptyView(title=_("Nothing was searched for."), text=_("A search by email needs one whole address."))
    if query.is_narrowed:
        return EmptyView(
            title=_("Nothing matches."),
            text=_("Try another keyword, or remove a filter."),
            action_label=_("Clear search and filters"),
            action_href=query.url(path, keyword="", search_field=query.definition.search_fields[0].name, filters={}),
        )
    return EmptyView(title=texts.nothing_yet_title, text=texts.nothing_yet_text)
