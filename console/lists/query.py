"""The list engine: what a list can be asked (definition), what was asked (query in the URL), and which page came back.

Every list of the product uses the same query names: keyword, searchField, the filters' names, sort, order, page, size.
A query never fails: whatever a client sends, it is answered with a valid page (conformance LS-03, LS-04). It never asks
for more than its address does: a part of it that the list can't apply is reported, and nothing is read until that part
is removed.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date
from functools import lru_cache
from math import ceil
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.l10n.bidi import BIDI_CONTROLS
from console.l10n.numbers import ngettext, number_text
from console.l10n.sentences import in_sentence
from console.lists.saved_views import Views
from upstream.characters import folded, normalized
from upstream.client import Upstream
from upstream.errors import Code, NotDone, NotFound, Refused
from upstream.listing import PAGE_SIZES, Listing, ListParams
from upstream.nouns import called

DEFAULT_SIZE = 25
KEYWORD_LENGTH = 100
SIBLINGS = 3
"""Page numbers shown on each side of the current one (specification, section 9)."""

WHOLE = ("view", "all")
MAX_VALUES = 20
"""Values of one filter that a query may hold."""
_ZERO_WIDTH_SPACE = re.compile("\u200b(?=(.))")
_DAY = re.compile("20[0-9]{2}-[0-9]{2}-[0-9]{2}")
"""The days that the date fields of a filter accept (components/list_search.html)."""
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Label = Any
"""A text, translated when it is printed."""

T = TypeVar("T")


def parse_day(text: str) -> date | None:
    """Return the calendar day of an ISO 8601 text such as 2026-02-28; None for other texts."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


class Choice(msgspec.Struct, frozen=True):
    value: str
    label: Label


class Filter(msgspec.Struct, frozen=True):
    """One filter of a list.

    - `is_open`: the values are IDs that only the service knows, such as a clinic's teams. A query may have any of them;
      the choices are filled in for the page.
    - `is_single`: takes one value at a time, because the service has no "or" for it.
    - `find`: the label of the search for choices, if there are too many to list; `search_term` is the last
      search, None if all are listed.
    - `depends_on`: the filter that must have exactly one value before this one applies.
    - `is_offered`: false for a filter that is visible only while it is active.
    - `tabs`: the values that are tabs of the list instead of choices of a filter.
    - `is_text`: the value may have any characters.
    - `default`: the value if the query has none.
    - `existing` returns the values that still exist; it may raise the client's errors.
    - `has_names`: the choices are names, which a browser must not translate.
    - `is_day`: the value is a calendar day (ISO 8601), entered in a date field.
    """

    name: str
    label: Label
    choices: tuple[Choice, ...]
    is_open: bool = False
    is_single: bool = False
    find: Label = ""
    search_term: str | None = None
    depends_on: str = ""
    is_offered: bool = True
    is_text: bool = False
    tabs: tuple[str, ...] = ()
    default: str = ""
    existing: Callable[[Upstream, Collection[str]], Collection[str]] | None = None
    has_names: bool = False
    is_day: bool = False

    @property
    def max_values(self) -> int:
        return 1 if self.is_single else MAX_VALUES

    def allows(self, value: str) -> bool:
        if self.is_text:
            return value == _visible_text(value) != ""
        if self.is_day:
            return parse_day(value) is not None
        return ID.fullmatch(value) is not None if self.is_open else value in [c.value for c in self.choices]


class SearchField(msgspec.Struct, frozen=True):
    """One field that a keyword can be looked for in.

    `check` returns the message for a keyword that can't be searched for, and `hint` says what can. `max_length` counts
    code points.
    """

    name: str
    label: Label
    check: Callable[[str], Label | None] | None = None
    hint: Label = ""
    max_length: int = KEYWORD_LENGTH


class InvalidPart(msgspec.Struct, frozen=True):
    """A part of the address that the list can't apply: its name, its values, and the sentence that reports it.

    `remove_label` is the sentence of the link that removes the part.
    """

    name: str
    values: tuple[str, ...]
    text: str
    remove_label: str


class ListDefinition(msgspec.Struct, frozen=True):
    """The search fields, filters and sorts of a list. An empty query uses the first search field and `default_sort`.

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
    """The columns that are hidden until the administrator shows them."""

    @property
    def first_field(self) -> str:
        return self.search_fields[0].name if self.search_fields else ""

    def fitting(self, filters: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Leave out filters without a value, and those whose other filter has not exactly one."""
        dependencies = {f.name: f.depends_on for f in self.filters if f.depends_on}
        return {
            k: v
            for k, v in filters.items()
            if v and (k not in dependencies or len(filters.get(dependencies[k], ())) == 1)
        }


class ListQuery(msgspec.Struct, frozen=True):
    """The query of a list. Its definition allows every value, except the `invalid` ones."""

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
    """None if columns can't be hidden: in files, and where a user is chosen, who must be distinguishable."""
    views: Views | None = None
    """The saved views of the list; None where none are kept: in files, and where the list is a part of a page."""
    has_refused_keyword: bool = False
    """The service took the keyword for none that can be meant."""
    invalid: tuple[InvalidPart, ...] = ()
    """Parts of the address that the list can't apply. While there are any nothing is read, because it would be more."""
    extra_pairs: tuple[tuple[str, str], ...] = ()
    """Names and values that each link keeps and no list reads, such as the page to return to."""

    @classmethod
    def read(
        cls,
        definition: ListDefinition,
        params: QueryDict,
        *,
        stored_size: int = DEFAULT_SIZE,
        hidden_columns: frozenset[str] | None = None,
        views: Views | None = None,
    ) -> "ListQuery":
        """Read a query from the URL; page, size and sort that it can't mean fall back to the list's own defaults."""
        fields = [f.name for f in definition.search_fields]
        search_field = params.get("searchField", "")
        filters, invalid = _filters(definition, params)
        sort = params.get("sort", "")
        order = params.get("order", "")
        if sort.startswith("-"):  # the one value of a select
            sort, order = sort[1:], "desc"
        known_sort = sort in definition.sorts
        return cls(
            definition=definition,
            keyword=_keyword(params) if fields else "",
            search_field=search_field if search_field in fields else definition.first_field,
            filters=filters,
            sort=sort if known_sort else definition.default_sort,
            order=order if order in ("asc", "desc") else ("asc" if known_sort else definition.default_order),
            page=_whole(params.get("page", ""), 1),
            size=_size(params.get("size", ""), stored_size),
            default_size=stored_size,
            hidden_columns=hidden_columns,
            views=views,
            invalid=(*invalid, *_invalid_search(definition, params)),
        )

    @property
    def invalid_text(self) -> str:
        """The invalid parts as one text; "" if there are none."""
        return " ".join(f"{part.text} {part.remove_label}" for part in self.invalid)

    @property
    def can_be_read(self) -> bool:
        return not self.invalid and not self.keyword_error

    @property
    def keyword_error(self) -> Label | None:
        """Why this keyword can't be searched for; the list is then not read at all (conformance VA-21)."""
        if not self.keyword:
            return None
        if len(self.keyword) > self._field.max_length:
            return too_long(self.keyword, self._field.max_length)
        if self.has_refused_keyword:
            return _("Invalid %(label)s") % {"label": in_sentence(self._field.label)}
        check = self._field.check
        return check(self.keyword) if check else None

    def is_keyword_refused(self, error: Refused) -> bool:
        """Return True if the service refused the keyword of a field with a check: its rules may be stricter."""
        has_rules = bool(self.keyword and self._field.check)
        return has_rules and error.code == Code.PARAMETER_INVALID and {f.field for f in error.fields} <= {"keyword"}

    def with_refused_keyword(self) -> "ListQuery":
        """Return the same query, whose keyword the service refused."""
        return replace(self, has_refused_keyword=True)

    @property
    def keyword_hint(self) -> Label:
        """The keywords that the chosen field accepts, in a sentence."""
        return self._field.hint

    @property
    def _field(self) -> SearchField:
        return next(f for f in self.definition.search_fields if f.name == self.search_field)

    @property
    def tab(self) -> dict[str, tuple[str, ...]]:
        """The filter that stands as a tab; none of the tab of all."""
        return {f.name: self.filters[f.name] for f in self.definition.filters if self.is_tab(f)}

    def is_tab(self, f: Filter) -> bool:
        """Return True if the active value of this filter is one of its tabs."""
        return self.filters.get(f.name, ()) in [(value,) for value in f.tabs]

    @property
    def is_narrowed(self) -> bool:
        """True when a keyword or a filter hides rows of the tab: then an empty list means that nothing matches."""
        return bool(self.keyword or self.filters.keys() - self.tab.keys())

    def with_choices(
        self, filter_name: str, choices: tuple[Choice, ...], *, search_term: str | None = None
    ) -> "ListQuery":
        """The same query, where the choices of an open filter are known.

        Invisible names and values that a query can't hold are left out; the label of a nameless choice is its value.
        """
        visible = tuple(Choice(c.value, called(str(c.label), c.value)) for c in choices if called(c.value, ""))
        filters = tuple(
            replace(f, choices=tuple(c for c in visible if f.allows(c.value)), search_term=search_term)
            if f.name == filter_name
            else f
            for f in self.definition.filters
        )
        return replace(self, definition=replace(self.definition, filters=filters))

    def without_missing(self, filter_name: str, missing: Collection[str]) -> "ListQuery":
        """The same query, where some values of a filter name what no longer exists."""
        values = self.filters.get(filter_name, ())
        gone = tuple(value for value in values if value in missing)
        if not gone:
            return self
        label = next(f.label for f in self.definition.filters if f.name == filter_name)
        filters = {**self.filters, filter_name: tuple(value for value in values if value not in gone)}
        filters = {name: values for name, values in filters.items() if values}
        return replace(self, filters=filters, invalid=(*self.invalid, _unknown(filter_name, label, gone)))

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
        target = replace(self, **changes)
        query = _encoded((*(target.pairs() or self.whole), *self.extra_pairs))
        return f"{path}?{query}" if query else path

    @property
    def whole(self) -> list[tuple[str, str]]:
        """The parameter of the whole list's address if the bare path opens a saved view; the list ignores it."""
        return [WHOLE] if self.views and self.views.default else []

    @property
    def invalid_pairs(self) -> list[tuple[str, str]]:
        """The names and values of what can't be applied: it stays in the address until it is removed."""
        return [(part.name, value) for part in self.invalid for value in part.values]

    def pairs(self) -> list[tuple[str, str]]:
        """The names and values of the query; what is the default is left out."""
        pairs = [("keyword", self.keyword)] if self.keyword else []
        if self.search_field != self.definition.first_field:
            pairs.append(("searchField", self.search_field))
        untold = {f.name: (f.default,) for f in self.definition.filters if f.default}
        changed = ((name, values) for name, values in self.filters.items() if values != untold.get(name))
        pairs += [(name, value) for name, values in changed for value in values]
        pairs += self.invalid_pairs
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
    """The position of a page in its list. Numbers count from 1."""

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
        result: list[int | None] = []
        for number in sorted(n for n in wanted if 1 <= n <= self.last):
            previous = result[-1] if result else 0
            if previous is not None and number == previous + 2:
                result.append(number - 1)  # a gap of one page is that page
            elif previous is not None and number > previous + 1:
                result.append(None)
            result.append(number)
        return result


def read_list(query: ListQuery, read: Callable[[ListParams], Listing[T]]) -> tuple[Listing[T], ListQuery]:
    """Read the page that was asked for; a page beyond the end becomes the last one (conformance CO-16).

    A keyword that can't be meant is not searched for, nor is a query of which a part can't be applied: no call is made.
    One that the service refuses finds nothing, and the field says that it is invalid.
    """
    if not query.can_be_read:
        return empty_listing(query), query
    try:
        listing = read(query.params())
    except Refused as error:
        if not query.is_keyword_refused(error):
            raise
        return empty_listing(query), query.with_refused_keyword()
    last = Page(number=1, size=query.size, total=listing.result_count).last
    if listing.results or query.page <= last:
        return listing, query
    query = replace(query, page=last)
    return (read(query.params()) if listing.result_count else listing), query


def empty_listing(query: ListQuery) -> Listing[Any]:
    """The answer to a query that is not read."""
    return Listing(result_count=0, page=1, size=query.size, results=[], facets={})


def report_missing(upstream: Upstream, query: ListQuery) -> ListQuery:
    """Return the query with values of filters that name what no longer exists among its invalid parts.

    A value that is among the choices of its filter exists. One that can't be looked up counts as existing.
    """
    for f in query.definition.filters:
        known = {choice.value for choice in f.choices}
        values = [value for value in query.filters.get(f.name, ()) if value not in known]
        if f.existing is None or not values:
            continue
        try:
            existing = f.existing(upstream, values)
        except (NotDone, NotFound):
            continue
        if set(existing) <= set(values):  # else the service can't be asked for some IDs
            query = query.without_missing(f.name, set(values).difference(existing))
    return query


def empty_query(name: str) -> ListQuery:
    """The query of a list of which nothing can be asked: a few rows in one order, on a page with other lists."""
    return ListQuery.read(ListDefinition(name, (), filters=(), sorts=(), default_sort=""), QueryDict())


def get_choice_search(filter_name: str, params: QueryDict) -> str:
    """The name that is looked for among the choices of a filter. It is no part of the query: it changes no rows."""
    return cleaned(params.get(f"find_{filter_name}", ""))


def cleaned(keyword: str) -> str:
    """Return what is searched for, as it is seen, with one spelling for each character (NFC)."""
    return normalized("NFC", _visible_text(keyword))


def _visible_text(keyword: str) -> str:
    # Web pages put it between words; between letters of one word it is no blank.
    text = _ZERO_WIDTH_SPACE.sub(lambda match: " " if match[1].isupper() else "", keyword)
    return folded("".join(c for c in folded(text) if unicodedata.category(c) != "Cc"))


def too_long(keyword: str, max_length: int = KEYWORD_LENGTH) -> str:
    """Return the sentence about a keyword that is longer than the service takes."""
    # Translators: of a search; %(count)s: how many characters it may have, %(length)s: how many it has.
    text = ngettext(
        "You can enter up to %(count)s character. This search has %(length)s.",
        "You can enter up to %(count)s characters. This search has %(length)s.",
        max_length,
    )
    return text % {"length": number_text(len(keyword))}


def _filters(definition: ListDefinition, params: QueryDict) -> tuple[dict[str, tuple[str, ...]], list[InvalidPart]]:
    """Return the values of the filters that can be applied, and what can't."""
    chosen: dict[str, tuple[str, ...]] = {}
    invalid: list[InvalidPart] = []
    # Names of no filter are ignored: mail programs and other sites append their own, such as utm_source.
    for known in definition.filters:
        sent = [value for value in dict.fromkeys(params.getlist(known.name)) if value]
        values = tuple(value for value in sent if known.allows(value))
        if unknown := tuple(value for value in sent if value not in values):
            invalid.append(_unknown(known.name, known.label, unknown))
        if excess := values[known.max_values :]:
            invalid.append(_excess(known, excess))
        chosen[known.name] = values[: known.max_values] or ((known.default,) if known.default else ())
    filters = definition.fitting(chosen)
    for known in definition.filters:
        if known.name not in filters and (values := chosen[known.name]):
            other = next(f.label for f in definition.filters if f.name == known.depends_on)
            invalid.append(_dependent(known, values, other))
    return filters, invalid


def _invalid_search(definition: ListDefinition, params: QueryDict) -> Iterator[InvalidPart]:
    """Report a search field that is none, and a keyword that finds nothing in particular or can't be searched for."""
    keyword, search_field = _keyword(params), params.get("searchField", "")
    unseen = tuple(text for text in params.getlist("keyword") if text.strip() and not cleaned(text))
    if unseen and not keyword:
        text = _("This link searches only for invisible characters.")
        yield InvalidPart("keyword", unseen, text, _("Remove it from the link"))
    if keyword and not definition.search_fields:
        # Translators: of a link to a list; %(keyword)s: what it searches for.
        text = _("This list can't be searched, but this link searches for: %(keyword)s.")
        yield InvalidPart("keyword", (keyword,), text % {"keyword": _plain(keyword)}, _("Remove it from the link"))
    if search_field and definition.search_fields and search_field not in [f.name for f in definition.search_fields]:
        # Translators: of a link to a list; %(field)s: the name of the field as the address has it, such as “phone”.
        text = _("This link searches in a field that no longer exists: %(field)s.")
        yield InvalidPart(
            "searchField", (search_field,), text % {"field": _plain(search_field)}, _("Remove it from the link")
        )


def _keyword(params: QueryDict) -> str:
    """Return what is searched for; an empty one that follows must not widen the search."""
    return next(filter(None, map(cleaned, reversed(params.getlist("keyword")))), "")


def _unknown(name: str, label: Label, values: tuple[str, ...]) -> InvalidPart:
    # Translators: filter: a filter and its value as the address has it, such as “Status DEACTIVATED”.
    text = _("This link has a filter that no longer exists: %(filter)s.")
    # Translators: a link that removes a part of the address: a filter, a search. Follows a sentence about it.
    return InvalidPart(name, values, text % {"filter": _named(label, values)}, _("Remove it from the link"))


def _excess(known: Filter, values: tuple[str, ...]) -> InvalidPart:
    # Translators: of a link to a list; %(filter)s: the name of a filter, such as “Last login”.
    text = ngettext(
        "The “%(filter)s” filter can have only %(count)s value. This link has more.",
        "The “%(filter)s” filter can have up to %(count)s values. This link has more.",
        known.max_values,
    )
    # Translators: a link that removes the values that are too many. Follows a sentence about them.
    return InvalidPart(known.name, values, text % {"filter": known.label}, _("Remove the extra values"))


def _dependent(known: Filter, values: tuple[str, ...], other: Label) -> InvalidPart:
    # Translators: filter: a filter and its value as the address has it, such as “Team t-1”; other: a filter: “Clinic”.
    text = _("To use the “%(filter)s” filter, choose exactly one value for the “%(other)s” filter.")
    names = {"filter": _named(known.label, values), "other": str(other)}
    return InvalidPart(known.name, values, text % names, _("Remove it from the link"))


def _named(label: Label, values: tuple[str, ...]) -> str:
    return f"{label} {_plain(', '.join(values))}"


def _plain(text: str) -> str:
    """Return a text from an address without marks that would change the direction of the sentence around it."""
    return text.translate(BIDI_CONTROLS)


def _whole(text: str, default: int) -> int:
    """A number from 1 to 999,999; anything else is the default."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 0 else default


def _size(text: str, default: int) -> int:
    size = _whole(text, default)
    return size if size in PAGE_SIZES else default
