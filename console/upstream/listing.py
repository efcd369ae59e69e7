"""Lists: what every list of the service is asked with, and what it answers."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from console.upstream.calls import Call, Caller, Resource
from console.upstream.errors import NotDone, NotFound
from console.upstream.nouns import our_name

T = TypeVar("T")

HUNDRED = 100
"""Rows that one call may ask for."""
MOST = 1000
"""Rows that a search reads at the most."""


class ListParams(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a list, in our spelling: `sort` and the names of `filters` are keys of the resource's tables.

    An empty `sort` leaves the order to the service; the values of one filter mean "or"; `ids` (at most 100) read a
    chosen set.
    """

    page: int = 1
    size: int = 25
    sort: str = ""
    order: str = "asc"
    search_field: str = "all"
    keyword: str = ""
    filters: dict[str, tuple[str, ...]] = {}
    ids: tuple[str, ...] = ()


class Listing(msgspec.Struct, Generic[T], frozen=True, rename="camel"):
    """One page; `result_count` counts all matches, `facets` those of each value of a filter, by our filter names."""

    result_count: int
    results: list[T]
    page: int = 1
    size: int = 25
    facets: dict[str, dict[str, int]] = {}


class Search(NamedTuple):
    """The read of all that hold a keyword in a field, both in the service's spelling."""

    path: str
    field: str
    keyword: str
    scope: Mapping[str, str]

    def page(self, number: int) -> Call:
        query = [("page", str(number)), ("size", str(HUNDRED)), ("searchField", self.field), ("keyword", self.keyword)]
        return Call(method="GET", path=self.path, query=[*self.scope.items(), *query])


def find_all(
    upstream: Caller, searches: Sequence[Search], answer: type[Listing[T]]
) -> list[Listing[T] | NotDone | NotFound]:
    """All that each search finds, in its order: a call for each hundred. Where one fails, its search has failed.

    A search ends after its first thousand.
    """
    found = upstream.each([search.page(1) for search in searches], answer)
    more = [
        (number, page)
        for number, got in enumerate(found)
        if isinstance(got, Listing)
        for page in range(2, ceil(min(got.result_count, MOST) / HUNDRED) + 1)
    ]
    further = upstream.each([searches[number].page(page) for number, page in more], answer)
    for (number, _), got in zip(more, further, strict=True):
        have = found[number]
        if isinstance(have, Listing):
            found[number] = replace(have, results=have.results + got.results) if isinstance(got, Listing) else got
    return found


class ListResource(Resource):
    """Base of the resources that have a list: our names of what it can be sorted, filtered and searched by."""

    SORTS: Mapping[str, str] = {}
    FILTERS: Mapping[str, str] = {}
    SEARCH_FIELDS: Mapping[str, str] = {"all": "all"}

    def _list(self, path: str, params: ListParams, answer: type[Listing[T]], **scope: str | None) -> Listing[T]:
        """Read one page; a name that the tables do not hold is the caller's mistake (ValueError)."""
        query = [(name, value) for name, value in scope.items() if value]
        if not query:
            raise ValueError("A list needs an organization or a clinic")
        query += [("page", str(params.page)), ("size", str(params.size))]
        if params.sort:
            query += [("sort", _theirs(self.SORTS, params.sort)), ("order", params.order)]
        if params.keyword:
            query += [("searchField", _theirs(self.SEARCH_FIELDS, params.search_field)), ("keyword", params.keyword)]
        query += [(_theirs(self.FILTERS, name), value) for name, values in params.filters.items() for value in values]
        query += [("ids", id) for id in params.ids]
        found = self._read(answer, path, query=query)
        if not found.facets:
            return found
        ours = {theirs: name for name, theirs in self.FILTERS.items()}
        facets = {ours.get(name, our_name(name)): counts for name, counts in found.facets.items()}
        return msgspec.structs.replace(found, facets=facets)


def _theirs(names: Mapping[str, str], name: str) -> str:
    if name not in names:
        raise ValueError(f"This list knows no {name!r}")
    return names[name]
