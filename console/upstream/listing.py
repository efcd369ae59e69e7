"""Lists: what every list of the service is asked with, and what it answers."""

from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec

from console.upstream.calls import Call, Resource
from console.upstream.nouns import our_name

T = TypeVar("T")


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


def search(path: str, field: str, keyword: str, **scope: str) -> Call:
    """Describe the read of all that hold a keyword in a field, both in the service's spelling."""
    query = [*scope.items(), ("page", "1"), ("size", "100"), ("searchField", field), ("keyword", keyword)]
    return Call(method="GET", path=path, query=query)


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
