"""The list rules of the contract, section 1.4: search, filters, facets, stable sort, pages."""

import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Annotated, Any, Literal

import msgspec

from sandbox.store import Row, Store, id_order

Predicate = Callable[[Row], bool]
YesNo = Literal["true", "false"]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
MAX_CACHED_ORDERS = 256
EMPTY: Mapping[str, Predicate | None] = {}
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212"


class ListQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query common to all lists; each list adds its own sorts, search fields and filters."""

    sort: str = ""
    searchField: str = "all"
    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    size: Literal[10, 25, 50, 100] = 25
    order: Literal["asc", "desc"] = "asc"
    keyword: Annotated[str, msgspec.Meta(max_length=100)] = ""
    ids: Annotated[list[str], msgspec.Meta(max_length=100)] = []


@dataclass(frozen=True)
class Listing:
    """The sorting, search, filters and view of one kind of row.

    Filters in `match_any` have the name of their field; they match if the field, or an item of a list, has one of the
    values. A keyword matches the texts in `loose` whatever their spacing (`spaceless`).
    """

    sorts: Mapping[str, Callable[[Row], Any]]
    search: Mapping[str, Callable[[Row], str]]
    view: Callable[[Row], Row]
    match_any: Collection[str] = ()
    facets: Mapping[str, Callable[[Row], str | list[str]]] = field(default_factory=dict)
    loose: Mapping[str, Callable[[Row], str]] = field(default_factory=dict)


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """Return text without case and accents, for searching and sorting."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def spaceless(text: str) -> str:
    """Return text without case, spaces and dashes, as serial numbers are compared."""
    return "".join(char for char in text.casefold() if not char.isspace() and char not in DASHES)


def _nothing(_row: Row) -> str:
    return ""


class Orders:
    """Cached sorted lists, valid until a row that might be in one changes: page 2 need not sort 10,000 rows again."""

    def __init__(self) -> None:
        self._generation = -1
        self._cached: OrderedDict[tuple[str, ...], list[Row]] = OrderedDict()

    def get(self, store: Store, name: tuple[str, ...], make: Callable[[], list[Row]]) -> list[Row]:
        """Return the list of that name, rebuilt if anything has changed."""
        if store.generation != self._generation:
            self._cached.clear()
            self._generation = store.generation
        if name not in self._cached:
            self._cached[name] = make()
            if len(self._cached) > MAX_CACHED_ORDERS:
                self._cached.popitem(last=False)
        return self._cached[name]


_orders = Orders()


def ordered(rows: Iterable[Row], key: Callable[[Row], Any], *, descending: bool) -> list[Row]:
    """Sort by key, then id; rows without a value come last in both directions."""
    by_id = sorted(rows, key=lambda row: id_order(row["id"]))
    keyed = [(key(row), row) for row in by_id]
    valued = sorted((pair for pair in keyed if pair[0] is not None), key=lambda pair: pair[0], reverse=descending)
    return [row for _, row in valued] + [row for value, row in keyed if value is None]


def answer(
    store: Store,
    listing: Listing,
    query: ListQuery,
    scope: tuple[str, ...],
    rows: Mapping[str, Row],
    filters: Mapping[str, Predicate | None] = EMPTY,
) -> dict[str, Any]:
    """Return one page as the list envelope.

    `scope` names `rows` (kind and owner), so that their order can be cached. A facet counts the rows that match all
    other filters.
    """
    members = _orders.get(
        store,
        (*scope, query.sort, query.order),
        lambda: ordered(rows.values(), listing.sorts[query.sort], descending=query.order == "desc"),
    )
    if query.ids:
        wanted = frozenset(query.ids)
        members = [row for row in members if row["id"] in wanted]
    if query.keyword:
        needle = fold(query.keyword.strip())
        text = listing.search[query.searchField]
        if query.searchField == "email":
            members = [row for row in members if text(row) == needle]
        else:
            loose, spaced = listing.loose.get(query.searchField, _nothing), spaceless(query.keyword) or "\0"
            whole = needle if query.searchField == "all" else "\0"
            members = [
                row for row in members if needle in text(row) or spaced in loose(row) or row["id"].lower() == whole
            ]
    chosen = {**{name: match_any(name, getattr(query, name)) for name in listing.match_any}, **filters}
    active = {name: predicate for name, predicate in chosen.items() if predicate is not None}
    matches = _passing(members, active.values())
    facets = {}
    for name, value in listing.facets.items():
        others = [predicate for other, predicate in active.items() if other != name]
        facets[name] = _counted(value, _passing(members, others) if name in active else matches)
    first = (query.page - 1) * query.size
    return {
        "resultCount": len(matches),
        "page": query.page,
        "size": query.size,
        "results": [listing.view(row) for row in matches[first : first + query.size]],
        "facets": facets,
    }


def _counted(value: Callable[[Row], str | list[str]], rows: list[Row]) -> Counter[str]:
    """Return how many rows have each value; a row may have several."""
    counts: Counter[str] = Counter()
    for row in rows:
        result = value(row)
        counts.update([result] if isinstance(result, str) else result)
    return counts


def _passing(rows: list[Row], predicates: Iterable[Predicate]) -> list[Row]:
    for predicate in predicates:
        rows = [row for row in rows if predicate(row)]
    return rows


def match_any(field_name: str, values: Collection[str | int]) -> Predicate | None:
    """Return a filter for rows whose field is, or has, one of these values; None, meaning no filter, for no values."""
    wanted = frozenset(values)

    def matches(row: Row) -> bool:
        value = row[field_name]
        return not wanted.isdisjoint(value) if isinstance(value, list) else value in wanted

    return matches if wanted else None


def days_ago(field_name: str, limit: str | None, never: YesNo | msgspec.UnsetType) -> Predicate | None:
    """Return a filter for rows whose date is at or before a limit, or (also) for those that have none."""
    without = yes_or_no(lambda row: row[field_name] is None, never)
    if limit is None:
        return without

    def before(row: Row) -> bool:
        return row[field_name] is not None and row[field_name] <= limit

    return (lambda row: before(row) or without(row)) if without and never == "true" else before


def plain(*names: str) -> dict[str, Callable[[Row], Any]]:
    """Return functions that read these fields."""
    return {name: itemgetter(name) for name in names}


def folded(*names: str) -> dict[str, Callable[[Row], str]]:
    """Return functions that read these fields without case and accents."""
    return {name: lambda row, name=name: fold(row[name]) for name in names}  # type: ignore[misc]  # a lambda


def yes_or_no(test: Predicate, wanted: YesNo | msgspec.UnsetType) -> Predicate | None:
    """Return a filter for rows that pass a test, or don't; None if not requested."""
    if wanted is msgspec.UNSET:
        return None
    return test if wanted == "true" else lambda row: not test(row)
