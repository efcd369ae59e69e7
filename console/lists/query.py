"""The list engine: what a list can be asked (definition), what was asked (query in the URL), and which page came back.

Every list of the product uses the same query names: keyword, searchField, the filters' names, sort, order, page, size.
A query never fails: whatever a client sends, it is answered with a valid page (conformance LS-03, LS-04).
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import ceil
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from django.http import QueryDict
from msgspec.structs import replace

from console.lists.saved import Views
from console.upstream.listing import PAGE_SIZES, Listing, ListParams
from console.upstream.nouns import called

DEFAULT_SIZE = 25
KEYWORD_LENGTH = 100
SIBLINGS = 3
"""Page numbers shown on each side of the current one (specification, section 9)."""

WHOLE = ("view", "all")
MOST_VALUES = 20
"""Values of one filter that a query may hold."""
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Label = Any
"""A text, translated when it is printed."""

T = TypeVar("T")


class Choice(msgspec.Struct, frozen=True):
    value: str
    label: Label


class Filter(msgspec.Struct, frozen=True):
    """One filter of a list; its name in the query, and the values that it knows.

    The values of an open filter are ids that only the upstream service knows (the teams of a clinic): a query may hold
    any, and the choices are filled in for the page. A single filter takes one value at a time: the service knows no
    "or" for it. `find` asks for one of many choices: JSON then names only those that are chosen. `sought` is the name
    that was looked for where there are more choices than are offered at once, None where all are. A filter `beside`
    another means something only with one value of that. One that is not offered is only shown where it is in force.
    Of the values that are `tabs`, one alone is shown as a tab of the list, and not among its filters. A text may hold
    any characters. One with a `default` is never without a value, and a query need not say that one.
    """

    name: str
    label: Label
    choices: tuple[Choice, ...]
    is_open: bool = False
    is_single: bool = False
    find: Label = ""
    sought: str | None = None
    beside: str = ""
    is_offered: bool = True
    is_text: bool = False
    tabs: tuple[str, ...] = ()
    default: str = ""

    def allows(self, value: str) -> bool:
        if self.is_text:
            return value == cleaned(value) != ""
        return ID.fullmatch(value) is not None if self.is_open else value in [c.value for c in self.choices]


class SearchField(msgspec.Struct, frozen=True):
    """One field that a keyword can be looked for in.

    `check` returns the message for a keyword that can't be searched for, and `hint` says what can.
    """

    name: str
    label: Label
    check: Callable[[str], Label | None] | None = None
    hint: Label = ""


class ListDefinition(msgspec.Struct, frozen=True):
    """What one list can be asked. The first search field and `default_sort` are what an empty query means.

    A list without search fields has no search box.
    """

    name: str
    search_fields: tuple[SearchField, ...]
    filters: tuple[Filter, ...]
    sorts: tuple[str, ...]
    default_sort: str
    default_order: str = "asc"
    columns: tuple[str, ...] = ()
    """Those that can be hidden."""
    hidden: tuple[str, ...] = ()
    """Those of them that are, until somebody shows them."""

    @property
    def first_field(self) -> str:
        return self.search_fields[0].name if self.search_fields else ""

    def fitting(self, filters: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Leave out filters without a value, and those whose other filter has not exactly one."""
        beside = {f.name: f.beside for f in self.filters if f.beside}
        return {k: v for k, v in filters.items() if v and (k not in beside or len(filters.get(beside[k], ())) == 1)}


class ListQuery(msgspec.Struct, frozen=True):
    """What was asked of a list; every value is one that its definition allows."""

    definition: ListDefinition
    keyword: str = ""
    search_field: str = ""
    filters: Mapping[str, tuple[str, ...]] = {}
    sort: str = ""
    order: str = "asc"
    page: int = 1
    size: int = DEFAULT_SIZE
    default_size: int = DEFAULT_SIZE
    hidden_columns: frozenset[str] | None = None
    """None where columns can't be hidden: in files, and where somebody is chosen who must be known from others."""
    views: Views | None = None
    """The saved views of the list; None where none are kept: in files, and where the list is a part of a page."""

    @classmethod
    def read(
        cls,
        definition: ListDefinition,
        params: QueryDict,
        *,
        remembered_size: int = DEFAULT_SIZE,
        hidden_columns: frozenset[str] | None = None,
        views: Views | None = None,
    ) -> "ListQuery":
        """Read a query from the URL; what it can't mean falls back to the list's own defaults."""
        fields = [f.name for f in definition.search_fields]
        search_field = params.get("searchField", "")
        sort = params.get("sort", "")
        order = params.get("order", "")
        known_sort = sort in definition.sorts
        return cls(
            definition=definition,
            keyword=cleaned(params.get("keyword", "")) if fields else "",
            search_field=search_field if search_field in fields else definition.first_field,
            filters=_filters(definition, params),
            sort=sort if known_sort else definition.default_sort,
            order=order if order in ("asc", "desc") else ("asc" if known_sort else definition.default_order),
            page=_whole(params.get("page", ""), 1),
            size=_size(params.get("size", ""), remembered_size),
            default_size=remembered_size,
            hidden_columns=hidden_columns,
            views=views,
        )

    @property
    def keyword_error(self) -> Label | None:
        """Why this keyword can't be searched for; the list is then not read at all (conformance VA-21)."""
        if not self.keyword:
            return None
        check = self._field.check
        return check(self.keyword) if check else None

    @property
    def keyword_hint(self) -> Label:
        """What can be searched for in the chosen field."""
        return self._field.hint

    @property
    def _field(self) -> SearchField:
        return next(f for f in self.definition.search_fields if f.name == self.search_field)

    @property
    def tab(self) -> dict[str, tuple[str, ...]]:
        """The filter that stands as a tab; none of the tab of all."""
        return {f.name: self.filters[f.name] for f in self.definition.filters if self.is_tab(f)}

    def is_tab(self, f: Filter) -> bool:
        """Whether what is in force of this filter is one of its tabs."""
        return self.filters.get(f.name, ()) in [(value,) for value in f.tabs]

    @property
    def is_narrowed(self) -> bool:
        """True when a keyword or a filter hides rows of the tab: then an empty list means that nothing matches."""
        return bool(self.keyword or self.filters.keys() - self.tab.keys())

    def with_choices(self, filter_name: str, choices: tuple[Choice, ...], *, sought: str | None = None) -> "ListQuery":
        """The same query, where the choices of an open filter are known.

        What a query can't hold, or nobody can see, is not offered; what has no name is called by its value.
        """
        seen = tuple(Choice(c.value, called(str(c.label), c.value)) for c in choices if called(c.value, ""))
        filters = tuple(
            replace(f, choices=tuple(c for c in seen if f.allows(c.value)), sought=sought)
            if f.name == filter_name
            else f
            for f in self.definition.filters
        )
        return replace(self, definition=replace(self.definition, filters=filters))

    def params(self) -> ListParams:
        """The same query as the upstream client takes it."""
        return ListParams(
            page=self.page,
            size=self.size,
            sort=self.sort,
            order=self.order,
            search_field=self.search_field,
            keyword=self.keyword,
            filters=dict(self.filters),
        )

    def url(self, path: str, **changes: Any) -> str:
        """The address of this list with some values changed; any change but the page's goes to page 1 (LS-02)."""
        if changes and "page" not in changes:
            changes["page"] = 1
        query = _encoded(tuple(replace(self, **changes).pairs() or self.whole))
        return f"{path}?{query}" if query else path

    @property
    def whole(self) -> list[tuple[str, str]]:
        """What the address of the whole list says where its bare path means a saved view; the list does not read it."""
        return [WHOLE] if self.views and self.views.default else []

    def pairs(self) -> list[tuple[str, str]]:
        """The names and values of the query; what is the default is left out."""
        pairs = [("keyword", self.keyword)] if self.keyword else []
        if self.search_field != self.definition.first_field:
            pairs.append(("searchField", self.search_field))
        untold = {f.name: (f.default,) for f in self.definition.filters if f.default}
        told = ((name, values) for name, values in self.filters.items() if values != untold.get(name))
        pairs += [(name, value) for name, values in told for value in values]
        if (self.sort, self.order) != (self.definition.default_sort, self.definition.default_order):
            pairs += [("sort", self.sort), ("order", self.order)]
        if self.size != self.default_size:
            pairs.append(("size", str(self.size)))
        if self.page != 1:
            pairs.append(("page", str(self.page)))
        return pairs


@lru_cache(maxsize=1024)
def _encoded(pairs: tuple[tuple[str, str], ...]) -> str:
    """Remembered, because a page has some fifteen of these addresses, and most pages are the first of their list."""
    return urlencode(pairs)


class Page(msgspec.Struct, frozen=True):
    """Where a page lies in its list. Numbers count from 1."""

    number: int
    size: int
    total: int

    @property
    def last(self) -> int:
        return max(1, ceil(self.total / self.size))

    @property
    def first_row(self) -> int:
        return min(self.total, (self.number - 1) * self.size + 1)

    @property
    def last_row(self) -> int:
        return min(self.total, self.number * self.size)

    def numbers(self) -> list[int | None]:
        """The page numbers to show: first, last, and SIBLINGS on both sides; None stands for a gap."""
        wanted = {1, self.last, *range(self.number - SIBLINGS, self.number + SIBLINGS + 1)}
        shown: list[int | None] = []
        for number in sorted(n for n in wanted if 1 <= n <= self.last):
            previous = shown[-1] if shown else 0
            if previous is not None and number == previous + 2:
                shown.append(number - 1)  # a gap of one page is that page
            elif previous is not None and number > previous + 1:
                shown.append(None)
            shown.append(number)
        return shown


def read_list(query: ListQuery, read: Callable[[ListParams], Listing[T]]) -> tuple[Listing[T], ListQuery]:
    """Read the page that was asked for; a page beyond the end becomes the last one (conformance CO-16).

    A keyword that can't be meant is not searched for: no call is made.
    """
    if query.keyword_error:
        return Listing(result_count=0, page=1, size=query.size, results=[], facets={}), query
    listing = read(query.params())
    last = Page(number=1, size=query.size, total=listing.result_count).last
    if listing.results or query.page <= last:
        return listing, query
    query = replace(query, page=last)
    return (read(query.params()) if listing.result_count else listing), query


def nothing_asked(name: str) -> ListQuery:
    """The query of a list of which nothing can be asked: a few rows in one order, on a page with other lists."""
    return ListQuery.read(ListDefinition(name, (), filters=(), sorts=(), default_sort=""), QueryDict())


def sought_in(filter_name: str, params: QueryDict) -> str:
    """The name that is looked for among the choices of a filter. It is no part of the query: it changes no rows."""
    return cleaned(params.get(f"find_{filter_name}", ""))


def cleaned(keyword: str) -> str:
    """Return what is searched for: without signs that nobody sees, and no longer than the service takes."""
    printable = "".join(c for c in keyword if c.isprintable())
    return printable.strip()[:KEYWORD_LENGTH].strip()


def _filters(definition: ListDefinition, params: QueryDict) -> dict[str, tuple[str, ...]]:
    chosen: dict[str, tuple[str, ...]] = {}
    for known in definition.filters:
        values = tuple(v for v in dict.fromkeys(params.getlist(known.name)[:MOST_VALUES]) if known.allows(v))
        chosen[known.name] = (values[:1] if known.is_single else values) or ((known.default,) if known.default else ())
    return definition.fitting(chosen)


def _whole(text: str, default: int) -> int:
    """A number from 1 to 999,999; anything else is the default."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 0 else default


def _size(text: str, default: int) -> int:
    size = _whole(text, default)
    return size if size in PAGE_SIZES else default
