"""A list as data: columns, rows, filters, pager. Templates and the list island draw the same from it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType

from console.l10n.bidi import isolated
from console.l10n.dates import age_text, date_text, exact_time
from console.l10n.names import disambiguate
from console.lists.filters import (
    NO_COUNTS,
    Chip,
    Counts,
    FilterView,
    Notice,
    Option,
    Tab,
    filter_chips,
    filter_views,
    hidden_inputs,
    notices,
    tabs,
)
from console.lists.pager import PagerView, pager_view
from console.lists.preferences import ViewLinks, view_links
from console.lists.query import ID, Label, ListQuery, empty_listing
from console.web.links import Link
from upstream.characters import folded, is_visible
from upstream.listing import Identified, Listing

T = TypeVar("T", bound=Identified)
R = TypeVar("R")

CellKind = Literal["text", "word", "summary", "person", "name", "heading", "email", "badge", "date", "number"]
"""The look of a value. A `word` or `summary` is in the language of the page; a `text` may be in any. A `heading` is the
name of a row that is drawn as a card."""
Tone = Literal["success", "warning", "danger", "info", "neutral"]


class Cell(msgspec.Struct, frozen=True):
    """One value of a row. `at` is the exact time (ISO 8601, UTC) of a date's text; `href`, if any, makes it a link.

    `note` is what a badge's text does not say, or the second line of a row's name; a file has a column of its own for
    that. `links` are several names, each with its address, in place of the text that a file has.

    What a cell does not have is not sent: there are hundreds of cells in a page.
    """

    text: str
    href: str | UnsetType = UNSET
    tone: Tone | UnsetType = UNSET
    at: str | UnsetType = UNSET
    note: str | UnsetType = UNSET
    links: list[Link] | UnsetType = UNSET


class Fact(NamedTuple):
    """A label and its value, drawn as a cell of this kind (components/facts.html), with `note` below."""

    label: str
    cell: Cell
    kind: CellKind = "text"
    note: str = ""


class Action(msgspec.Struct, frozen=True):
    """Something to do with a row; its address is the row's own with `path` behind it.

    `is_act`: a POST without confirmation, a button of the list's act form; any other action is a link. `progress` is
    the text of its row while an act can still be undone.
    """

    label: str
    path: str
    is_act: bool
    progress: str | UnsetType = UNSET


class Row(msgspec.Struct, frozen=True):
    """One row; `actions` are the indexes, in the list's own `actions`, of those that fit it.

    A row whose `id` is empty can't be selected, and one without an address has no actions: the service may send
    anything as an ID. Its address is that of its first cell where `href` is not given: it need not be sent twice.
    `label` is what its controls call it where its name is that of other rows, too. `headings` stand above it: they are
    about the rows from this one on. In a wide window the actions of a row may be `in_sight` instead of in its menu.
    `mark` is a state, such as “Unread”, that is read aloud before the name and seen as a dot.
    """

    id: str
    cells: list[Cell]
    actions: list[int]
    href: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    headings: list[str] | UnsetType = UNSET
    in_sight: bool | UnsetType = UNSET
    mark: str | UnsetType = UNSET


class ColumnView(msgspec.Struct, frozen=True):
    """A column's head. `sorted` is the value of aria-sort, empty when the list is sorted otherwise.

    `title` is the full name of a column whose label is short.
    """

    name: str
    label: str
    kind: CellKind
    sort_href: str
    sorted: Literal["", "ascending", "descending"]
    title: str | UnsetType = UNSET


class ColumnChoice(msgspec.Struct, frozen=True):
    """A column that can be hidden."""

    name: str
    label: str
    is_shown: bool


class ColumnForm(msgspec.Struct, frozen=True):
    """The form that shows and hides columns: all but the first one."""

    choices: list[ColumnChoice]
    query: str


class SearchView(msgspec.Struct, frozen=True):
    """The search box. `error`: the reason that the keyword was not searched for."""

    keyword: str
    label: str
    fields: list[Option]
    error: str


class EmptyView(msgspec.Struct, frozen=True):
    """Why there are no rows: nothing yet, or nothing matches. All fields are empty when there are rows.

    `first_steps` are what to begin with when there is nothing yet, or the search without filters. The action clears the
    search and all filters.
    """

    title: str = ""
    text: str = ""
    action_label: str = ""
    action_href: str = ""
    first_steps: list[Link] = []


class Progress(msgspec.Struct, frozen=True):
    """The part of a list's work that is done: a bar with its text, in the head of the page."""

    value: int
    total: int
    text: str


class ListView(msgspec.Struct, frozen=True):
    """One list as it is shown. `hidden` are the name and value pairs that the search form carries along.

    `selection` is the id of the form that ticked rows belong to; empty where rows can't be ticked. `selection_query` is
    the signed query that selects all that match, and `selection_fits` which actions these may have, their paths with
    spaces between; of a list in its page, that form has both (`console.bulk`).
    The actions of its rows are in sight where it `shows_actions`, and else in a menu.
    `facts` stand in the head of the page: how many there are, and what all rows have in common (`with_facts`).
    `second_line` is the head of the column whose values are the notes of the first cells.
    `opening` is the act of a row (its path) that its name carries out, where it is a button instead of a link.
    `sorting` says what the rows are and how they are sorted, for those who hear the list change. `tabs` stand in the
    head, too, where the list has any. `views` are the links above it, to what its reader has saved. `notices` report
    what the list can't apply of its address; until that is removed there are no rows, no export and no view to save.
    `sorts` are the choices of a select in the search form, where the heads of the columns are no links.
    """

    name: str
    path: str
    caption: str
    sorting: str
    search: SearchView
    filters: list[FilterView]
    chips: list[Chip]
    hidden: list[tuple[str, str]]
    column_form: ColumnForm | None
    columns: list[ColumnView]
    rows: list[Row]
    actions: list[Action]
    selection: str
    pager: PagerView
    empty: EmptyView
    total: int
    facts: list[str]
    tabs: list[Tab] = []
    notices: list[Notice] = []
    second_line: ColumnView | UnsetType = UNSET
    shows_actions: bool | UnsetType = UNSET
    selection_query: str | UnsetType = UNSET
    selection_fits: str | UnsetType = UNSET
    opening: str | UnsetType = UNSET
    views: ViewLinks | UnsetType = UNSET
    progress: Progress | UnsetType = UNSET
    sorts: list[Option] | UnsetType = UNSET

    @property
    def has_direct_actions(self) -> bool:
        """True if a row, here or at another address of the list, may have an act."""
        return bool(self.opening) or any(action.is_act for action in self.actions)


def date_cell(moment: datetime | None, tz: tzinfo) -> Cell:
    """Return a date in the reader's time zone, with its exact time; an empty cell for none."""
    return Cell(date_text(moment, tz), at=exact_time(moment)) if moment else Cell("")


def age_cell(moment: datetime | None, now: datetime) -> Cell:
    """Return the time since a moment, with its exact time; an empty cell for none."""
    return Cell(age_text(moment, now), at=exact_time(moment)) if moment else Cell("")


class Column(msgspec.Struct, Generic[T], frozen=True):
    """One column of a list: its head, its kind, how it is sorted, and how a row's value becomes a cell.

    `title` is its full name, if the label is short. `href` returns the address that a value leads to, "" for none; a
    file has no links, so it isn't asked there.
    """

    name: str
    label: Label
    kind: CellKind
    cell: Callable[[T], Cell]
    sort: str = ""
    title: Label = ""
    href: Callable[[T], str] | None = None


class RowAction(msgspec.Struct, Generic[T], frozen=True):
    """An action of a list's rows; `fits` says of which, all when it is not given.

    `is_act`: pressing it carries it out, without a question. Only for what does no harm when it was not meant. What
    can't be reversed has `progress`, such as “Rejecting…”: the row says it for some seconds, with a button to undo it.
    """

    label: str
    path: str
    fits: Callable[[T], bool] | None = None
    is_act: bool = False
    progress: str = ""


class ListTexts(msgspec.Struct, frozen=True):
    """The sentences of one list, translated; without a search box and an empty state of its own, the caption alone."""

    caption: str
    search: str = ""
    nothing_yet_title: str = ""
    nothing_yet_text: str = ""
    first_steps: tuple[Link, ...] = ()
    nothing_in_tab: Mapping[str, str] = {}
    """The titles of tabs without rows, by the value of the tab."""
    search_scope: str = ""
    """The sentence that says which rows a search can find, if that isn't obvious."""


class ListTable(msgspec.Struct, Generic[T], frozen=True):
    """The columns, texts and actions of a list, in the reader's language.

    `row_href` is the address of a row, "" for none. `detail` disambiguates rows of the same name. `in_sight` chooses
    the rows whose actions are visible, instead of in a menu, where there is space; `shows_actions` does so for all.
    `second_line` names a column whose values stand below the first one's, so that both have more space.
    `selection` and `opening`: see ListView. `has_sort_select`: for cards, which have no heads of columns to sort by.
    """

    columns: Sequence[Column[T]]
    row_href: Callable[[T], str]
    texts: ListTexts
    actions: Sequence[RowAction[T]] = ()
    selection: str = ""
    second_line: str = ""
    detail: Callable[[T], str] = lambda _item: ""
    shows_actions: bool = False
    in_sight: Callable[[T], bool] = lambda _item: False
    opening: str | UnsetType = UNSET
    has_sort_select: bool = False


def list_view(
    query: ListQuery, listing: Listing[T], table: ListTable[T], *, path: str, counts: Counts = NO_COUNTS
) -> ListView:
    """Return the list at `path` as a page or an island draws it; `counts` are those of each filter's choices."""
    error = query.keyword_error
    if query.invalid:
        listing = empty_listing(query)
    texts, first, others = table.texts, table.columns[0], table.columns[1:]
    hidden, form = query.hidden_columns or (), _column_form(query, others)
    visible = [column for column in others if column.name not in hidden]
    second = next((column for column in visible if column.name == table.second_line), None)
    columns = [first, *(column for column in visible if column is not second)]
    heads = [_column(query, column, path, is_linked=not table.has_sort_select) for column in columns]
    second_head = _column(query, second, path) if second else UNSET
    return ListView(
        name=query.definition.name,
        path=path,
        caption=texts.caption,
        sorting=_sorting(texts.caption, [*heads, second_head] if second_head else heads),
        search=SearchView(
            keyword=query.keyword,
            label=texts.search,
            fields=[
                Option(value=f.name, label=str(f.label), selected=f.name == query.search_field)
                for f in query.definition.search_fields
            ],
            error=str(error) if error else "",
        ),
        filters=filter_views(query, counts),
        chips=filter_chips(query, path),
        hidden=[pair for pair in hidden_inputs(query) if not table.has_sort_select or pair[0] not in ("sort", "order")],
        column_form=form,
        columns=heads,
        rows=_disambiguate(
            [_row(item, table, columns, second) for item in listing.results],
            (table.detail(item) for item in listing.results),
        ),
        actions=[Action(a.label, a.path, a.is_act, a.progress or UNSET) for a in table.actions],
        selection=table.selection,
        pager=pager_view(query, listing.result_count, path),
        empty=_empty(query, path, texts) if not listing.results else EmptyView(),
        total=listing.result_count,
        facts=[],
        second_line=second_head,
        shows_actions=table.shows_actions or UNSET,
        opening=table.opening,
        tabs=tabs(query, listing.facets, path),
        notices=notices(query, path),
        views=view_links(query, path),
        sorts=_sorts(query, columns) if table.has_sort_select else UNSET,
    )


def with_facts(view: ListView, *facts: str, once: Collection[str] = ()) -> ListView:
    """Return the list with these facts in the head of its page.

    Columns named in `once` whose value is the same in all rows become facts, too: if the page has all rows, or the
    filter of that name has exactly one value. An export keeps all columns, because it has more rows than a page.
    """
    is_all = len(view.rows) == view.total
    alike = [f.name for f in view.filters if sum(option.selected for option in f.options) == 1]
    pattern = _("%(filter)s: %(value)s")
    equal = {
        index: pattern % {"filter": column.label, "value": isolated(cell.text)}
        for index, column in enumerate(view.columns)
        if column.name in once and (is_all or column.name in alike)
        if len(view.rows) > 1 and (cell := view.rows[0].cells[index]).text
        if all(row.cells[index] == cell for row in view.rows)
    }

    def others(items: Sequence[R]) -> list[R]:
        return [item for index, item in enumerate(items) if index not in equal]

    replace = msgspec.structs.replace
    return replace(
        view,
        columns=others(view.columns),
        rows=[replace(row, cells=others(row.cells)) for row in view.rows] if equal else view.rows,
        facts=[] if view.notices else [*facts, *equal.values()],
    )


def get_cells(item: T, columns: Sequence[Column[T]]) -> list[Cell]:
    """Return the cells of a row without their links; its name is its ID if nothing of the name is visible."""
    cells = [column.cell(item) for column in columns]
    if not is_visible(cells[0].text):
        cells[0] = msgspec.structs.replace(cells[0], text=_row_id(item))
    return cells


def _row(item: T, table: ListTable[T], columns: Sequence[Column[T]], second: Column[T] | None) -> Row:
    replace, cells, href = msgspec.structs.replace, get_cells(item, columns), table.row_href(item)
    for index, column in enumerate(columns):
        if column.href:
            cells[index] = replace(cells[index], href=column.href(item) or UNSET)
    if second and (note := second.cell(item).text):
        cells[0] = replace(cells[0], note=note)
    return Row(
        _row_id(item),
        cells,
        [index for index, a in enumerate(table.actions) if href and (a.fits is None or a.fits(item))],
        UNSET if (cells[0].href or "") == href else href,
        in_sight=table.in_sight(item) or UNSET,
    )


def _row_id(item: Identified) -> str:
    """Return the ID of a row; "" for one that can't be selected."""
    return item.id if ID.fullmatch(item.id) else ""


def _disambiguate(rows: list[Row], details: Iterable[str]) -> list[Row]:
    """Give rows a label whose names sound the same."""
    names = [folded(row.cells[0].text).casefold() for row in rows]
    count = Counter(names)
    if len(count) == len(rows):
        return rows
    return [
        msgspec.structs.replace(row, label=disambiguate(row.cells[0].text, detail))
        if count[name] > 1 and detail
        else row
        for row, name, detail in zip(rows, names, details, strict=True)
    ]


def _column(query: ListQuery, column: Column[Any], path: str, *, is_linked: bool = True) -> ColumnView:
    by_this = bool(column.sort) and query.sort == column.sort
    descending = by_this and query.order == "desc"
    turned = "asc" if descending or not by_this else "desc"
    return ColumnView(
        name=column.name,
        label=str(column.label),
        kind=column.kind,
        sort_href=query.url(path, sort=column.sort, order=turned) if column.sort and is_linked else "",
        sorted="" if not by_this else "descending" if descending else "ascending",
        title=str(column.title) or UNSET,
    )


def _column_form(query: ListQuery, columns: Sequence[Column[Any]]) -> ColumnForm | None:
    hidden, known = query.hidden_columns, query.definition.columns
    if hidden is None:
        return None
    choices = [ColumnChoice(c.name, str(c.title or c.label), c.name not in hidden) for c in columns if c.name in known]
    return ColumnForm(choices, query.url("").removeprefix("?")) if choices else None


def _sorts(query: ListQuery, columns: Sequence[Column[Any]]) -> list[Option]:
    """Return the choices of a select, each a column and a direction; that of the default needs no value."""
    # Translators: a choice of “Sort by”; column: such as “Name”.
    up = _("%(column)s, ascending")
    # Translators: a choice of “Sort by”; column: such as “Name”.
    down = _("%(column)s, descending")
    default = (query.definition.default_sort, query.definition.default_order)
    return [
        Option(
            value="" if (column.sort, order) == default else sign + column.sort,
            label=text % {"column": column.label},
            selected=(column.sort, order) == (query.sort, query.order),
        )
        for column in columns
        if column.sort
        for order, sign, text in (("asc", "", up), ("desc", "-", down))
    ]


def _sorting(rows: str, columns: Sequence[ColumnView]) -> str:
    """Return the name of the rows with their order; the name alone if no visible column sorts them."""
    # Translators: read aloud; rows: what a table shows, such as “Clinics”; column: such as “Name”.
    up = _("%(rows)s. Sorted by %(column)s, ascending")
    # Translators: read aloud; rows: what a table shows, such as “Clinics”; column: such as “Name”.
    down = _("%(rows)s. Sorted by %(column)s, descending")
    sorts = ((up if c.sorted == "ascending" else down, c.label) for c in columns if c.sorted)
    sentence, column = next(sorts, ("%(rows)s", ""))
    return sentence % {"rows": rows, "column": column}


def _empty(query: ListQuery, path: str, texts: ListTexts) -> EmptyView:
    if query.invalid:
        text = _("To see results, remove the parts of the link that this list can't use.")
        return EmptyView(title=_("Couldn't run this search."), text=text)
    if query.keyword_error:
        return EmptyView(title=_("Couldn't run this search."), text=str(query.keyword_hint))
    if query.is_narrowed:
        text, label = _ways_to_widen(query)
        is_filtered_search = query.keyword and query.filters != query.tab
        return EmptyView(
            title=_("No matches."),
            text=f"{texts.search_scope} {text}".strip(),
            action_label=label,
            action_href=query.url(path, keyword="", search_field=query.definition.first_field, filters=query.tab),
            first_steps=[Link(_("Clear filters"), query.url(path, filters=query.tab))] if is_filtered_search else [],
        )
    for (value,) in query.tab.values():
        title = texts.nothing_in_tab.get(value, texts.nothing_yet_title)
        return EmptyView(title=title, text=texts.nothing_yet_text)
    return EmptyView(title=texts.nothing_yet_title, text=texts.nothing_yet_text, first_steps=list(texts.first_steps))


def _ways_to_widen(query: ListQuery) -> tuple[str, str]:
    """Return the advice for a list in which nothing matches, and the label of the link that takes it all at once."""
    if not query.keyword:
        return _("Remove a filter."), _("Clear filters")
    if query.filters == query.tab:
        return _("Try another keyword."), _("Clear search")
    return _("Try another keyword or remove a filter."), _("Clear search and filters")
