"""The list rules of the contract, section 1.4: search, filters, facets, stable sort, pages."""

import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from sandbox.store import Row, Store, order_of

Predicate = Callable[[Row], bool]
YesNo = Literal["true", "false"]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ORDERS_KEPT = 256
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212"


class ListQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query common to all lists; each list adds its own sorts, search fields and filters."""

    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    size: Literal[10, 25, 50, 100] = 25
    order: Literal["asc", "desc"] = "asc"
    keyword: Annotated[str, msgspec.Meta(max_length=100)] = ""
    ids: Annotated[list[str], msgspec.Meta(max_length=100)] = []


@dataclass(frozen=True)
class Listing:
    """How one kind of row is sorted, searched and shown; `loose` are texts that a keyword is found in however it is
    spaced (`spaceless`)."""

    sorts: Mapping[str, Callable[[Row], Any]]
    search: Mapping[str, Callable[[Row], str]]
    view: Callable[[Row], Row]
    loose: Mapping[str, Callable[[Row], str]] = field(default_factory=dict)
    facets: Mapping[str, Callable[[Row], str | list[str]]] = field(default_factory=dict)


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
        self._kept: OrderedDict[tuple[str, ...], list[Row]] = OrderedDict()

    def get(self, store: Store, name: tuple[str, ...], make: Callable[[], list[Row]]) -> list[Row]:
        """Return the list of that name, rebuilt if anything has changed."""
        if store.generation != self._generation:
            self._kept.clear()
            self._generation = store.generation
        if name not in self._kept:
            self._kept[name] = make()
            if len(self._kept) > ORDERS_KEPT:
                self._kept.popitem(last=False)
        return self._kept[name]


_orders = Orders()


def ordered(rows: Iterable[Row], key: Callable[[Row], Any], *, descending: bool) -> list[Row]:
    """Sort by key, then id; rows without a value come last in both directions."""
    by_id = sorted(rows, key=lambda row: order_of(row["id"]))
    keyed = [(key(row), row) for row in by_id]
    valued = sorted((pair for pair in keyed if pair[0] is not None), key=lambda pair: pair[0], reverse=descending)
    return [row for _, row in valued] + [row for value, row in keyed if value is None]


def answer(
    store: Store,
    listing: Listing,
    query: ListQuery,
    *,
    scope: tuple[str, ...],
    rows: Mapping[str, Row],
    sort: str,
    search_field: str,
    filters: Mapping[str, Predicate | None],
) -> dict[str, Any]:
    """Return one page as the list envelope.

    `scope` names `rows` (kind and owner), so that their order can be cached. A facet counts the rows that match all
    other filters.
    """
    members = _orders.get(
        store,
        (*scope, sort, query.order),
        lambda: ordered(rows.values(), listing.sorts[sort], descending=query.order == "desc"),
    )
    if query.ids:
        wanted = frozenset(query.ids)
        members = [row for row in members if row["id"] in wanted]
    if query.keyword:
        needle = fold(query.keyword.strip())
        text = listing.search[search_field]
        if search_field == "email":
            members = [row for row in members if text(row) == needle]
        else:
            loose, spaced = listing.loose.get(search_field, _nothing), spaceless(query.keyword) or "\0"
            whole = needle if search_field == "all" else "\0"
            members = [
                row for row in members if needle in text(row) or spaced in loose(row) or row["id"].lower() == whole
            ]
    active = {name: predicate for name, predicate in filters.items() if predicate is not None}
    found = _passing(members, active.values())
    facets = {}
    for name, value in listing.facets.items():
        others = [predicate for other, predicate in active.items() if other != name]
        facets[name] = _counted(value, _passing(members, others) if name in active else found)
    first = (query.page - 1) * query.size
    return {
        "resultCount": len(found),
        "page": query.page,
        "size": query.size,
        "results": [listing.view(row) for row in found[first : first + query.size]],
        "facets": facets,
    }


def _counted(value: Callable[[Row], str | list[str]], rows: list[Row]) -> Counter[str]:
    """Return how many rows have each value; a row may have several."""
    counts: Counter[str] = Counter()
    for row in rows:
        found = value(row)
        counts.update([found] if isinstance(found, str) else found)
    return counts


def _passing(rows: list[Row], predicates: Iterable[Predicate]) -> list[Row]:
    for predicate in predicates:
        rows = [row for row in rows if predicate(row)]
    return rows


def one_of(field_name: str, values: Collection[str | int]) -> Predicate | None:
    """Return a filter for rows whose field has one of these values; None, meaning no filter, if there are none."""
    wanted = frozenset(values)
    return (lambda row: row[field_name] in wanted) if wanted else None


def any_of(field_name: str, values: Collection[str]) -> Predicate | None:
    """Return a filter for rows whose field, a list, has one of these values; None if there are none."""
    wanted = frozenset(values)
    return (lambda row: not wanted.isdisjoint(row[field_name])) if wanted else None


def yes_or_no(test: Predicate, wanted: YesNo | msgspec.UnsetType) -> Predicate | None:
    """Return a filter for rows that pass a test, or don't; None if not requested."""
    if wanted is msgspec.UNSET:
        return None
    return test if wanted == "true" else lambda row: not test(row)
