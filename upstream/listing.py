"""Lists: the parameters and the answer of every list of the service, and reading all pages of one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from upstream.calls import Call, Caller, Resource
from upstream.errors import NotDone, NotFound
from upstream.nouns import Count, our_name
from upstream.words import have_words, split_words

T = TypeVar("T")

PAGE_SIZES = (10, 25, 50, 100)
"""Rows that a page of a list may have: the service refuses others."""
PAGE_LIMIT = 100
"""Rows that one call may ask for or contain."""
SEARCH_LIMIT = 1000
"""Rows of a search that are read at most."""
MAX_WORD_CALLS = 5
"""Calls of a search for several words, before it becomes a search for the whole keyword."""
MAX_FACET_VALUES = 300
"""Values of one filter with their counts, at most: more than there are countries; each is a choice."""
PAGES_AT_ONCE = 20
"""Pages that `read_all` requests concurrently."""
PAGES_PER_BATCH = 4
"""New pages that `iter_pages` requests concurrently, with one that it has read before."""


class ListParams(msgspec.Struct, frozen=True, kw_only=True):
    """The page of a list to read, in our spelling: `sort` and the names in `filters` are keys of the resource's tables.

    An empty `sort` leaves the order to the service; several values of a filter mean "or"; `ids` (at most PAGE_LIMIT)
    select individual rows. A search for several words in any order makes at most `word_calls`, and one more if they
    don't suffice; with none the keyword is one text.
    """

    page: int = 1
    size: int = 25
    sort: str = ""
    order: str = "asc"
    search_field: str = "all"
    keyword: str = ""
    filters: dict[str, tuple[str, ...]] = {}
    ids: tuple[str, ...] = ()
    word_calls: int = MAX_WORD_CALLS


class Listing(msgspec.Struct, Generic[T], frozen=True, rename="camel"):
    """One page; `result_count` counts all matches, `facets` the matches of each filter value, by our filter names.

    A row whose ID could not be read is there all the same, with an empty one.
    """

    results: list[T]
    result_count: Count = 0
    page: Count = 1
    size: Count = 25
    facets: dict[str, dict[str, Count]] = {}

    def clamped(self, page: int, size: int) -> "Listing[T]":
        """Return no more rows than a page can show, and a count that is at least the number of rows.

        A wrong count does not say whether more rows follow a full page, so no pager or file must end there.
        """
        rows = self.results[:SEARCH_LIMIT]
        # A service that sends more rows than requested does not count pages.
        min_count = (page - 1) * size * (0 < len(rows) <= size) + len(self.results)
        if len(rows) == len(self.results) and self.result_count >= min_count:
            return self
        return replace(self, results=rows, result_count=max(self.result_count, min_count + (len(rows) == size)))


class Search(NamedTuple):
    """A search for a keyword in a field, both in the service's spelling."""

    path: str
    field: str
    keyword: str
    scope: Mapping[str, str]

    def page(self, number: int) -> Call:
        """Return the call that reads a page of the matches."""
        page = [("page", str(number)), ("size", str(PAGE_LIMIT))]
        keyword = [("searchField", self.field), ("keyword", self.keyword)]
        return Call(method="GET", path=self.path, query=[*self.scope.items(), *page, *keyword])


class Identified(Protocol):
    """A row that has an id."""

    @property
    def id(self) -> str: ...


R = TypeVar("R", bound=Identified)


def read_all(
    together: Callable[..., tuple[Any, ...]],
    read: Callable[[ListParams], Listing[R]],
    *,
    params: ListParams = ListParams(),  # noqa: B008 - frozen
    max_rows: int = SEARCH_LIMIT,
) -> Listing[R]:
    """Read the pages of a list that have its first `most` rows; the result has the service's `result_count` and every
    row that was found, once.

    `together` is a method of the client. Rows can be missing when the list changes between two pages, or when the
    service miscounts: then `result_count` is greater than the number of results, and the caller decides what
    that means.
    """
    params = replace(params, page=1, size=PAGE_LIMIT)
    first = read(params)
    rows: dict[object, R] = {}
    _add(rows, first.results)
    count = first.result_count
    pages = further_pages(count, max_rows)
    while pages:
        batch, pages = pages[:PAGES_AT_ONCE], pages[PAGES_AT_ONCE:]
        before = len(rows)
        for page in together(*(partial(read, replace(params, page=number)) for number in batch)):
            _add(rows, page.results)
            count = max(count, page.result_count)
        if len(rows) == before:
            break  # the count is wrong: there are no such pages
    return replace(first, results=list(rows.values()), result_count=count)


def sequentially(*reads: Callable[[], Any]) -> tuple[Any, ...]:
    """Make reads one after the other, in this thread, for rows in our own database."""
    return tuple(read() for read in reads)


def all_by_name(together: Callable[..., tuple[Any, ...]], read: Callable[[ListParams], Listing[R]]) -> list[R]:
    """Read all choices, sorted by name, without rows that have no ID."""
    return [row for row in read_all(together, read, params=ListParams(sort="name")).results if row.id]


class Incomplete(Exception):
    """A list ended before all of its rows were read: it changed, or the service miscounts."""


def iter_pages(
    together: Callable[..., tuple[Any, ...]],
    restart: Callable[[], None],
    read: Callable[[ListParams], Listing[R]],
    *,
    params: ListParams,
) -> Iterator[Listing[R]]:
    """Read all pages of a list of any length, a few at a time, and yield their rows, each row once.

    A deleted row moves those after it, so that one of them comes to a page that was read before. That is why each few
    pages begin with the last one of those before them, pages whose counts differ are read twice, and a list of which
    rows are missing in the end is read once more.

    `together` and `restart` are those of the client: the few share a deadline of their own. Raises Incomplete rather
    than leave rows out; for a list of the first few pages it does so before it yields anything.
    """

    def read_pages(numbers: Sequence[int]) -> list[_Page[R]]:
        restart()
        page_params = [replace(params, page=number, size=PAGE_LIMIT) for number in numbers]
        return list(map(_Page, numbers, together(*(partial(read, one) for one in page_params))))

    rows = _Rows[R]()
    count = 0
    for _attempt in range(2):
        done, last, attempt_ids = 0, 1, set[str]()
        while done < last:
            numbers = range(max(done, 1), min(last, done + PAGES_PER_BATCH) + 1)
            pages = newest = read_pages(numbers)
            if len({page.listing.result_count for page in pages}) > 1:
                newest = read_pages(numbers)
                pages = [*pages, *newest]
            first = newest[0]
            while first.number > 1 and rows.has_shifted(first):
                first = read_pages([max(1, min(first.number - 1, _page_count(first.listing.result_count)))])[0]
                pages = [*pages, first]
            ids = {row.id for page in pages for row in page.listing.results}
            has_new = rows.add(pages) or not ids <= attempt_ids
            attempt_ids |= ids
            count = max(page.listing.result_count for page in newest)
            done, last = numbers[-1], _page_count(count)
            if not has_new:
                break  # the count is wrong: there are no such pages
            if 1 < done < last:
                yield replace(newest[0].listing, results=rows.take(), result_count=count)
        if rows.read_count >= count:
            yield replace(newest[0].listing, results=rows.take(), result_count=count)
            return
    raise Incomplete(f"{rows.read_count} of {count} rows")


class _Page(NamedTuple, Generic[R]):
    number: int
    listing: Listing[R]


class _Rows(Generic[R]):
    """The rows of the pages that were read, each once. Of rows without an ID none is known to be another, so they are
    those of the first time that a page is read."""

    def __init__(self) -> None:
        self.read_count = 0
        self._ids: set[str] = set()
        self._numbers: set[int] = set()
        self._fresh: list[R] = []

    def add(self, pages: Iterable[_Page[R]]) -> bool:
        """Add the rows of pages; return whether one of them is new."""
        before = self.read_count
        for number, listing in pages:
            fresh = [row for row in _unique(listing.results) if row.id not in self._ids]
            if number in self._numbers:
                fresh = [row for row in fresh if row.id]
            self._numbers.add(number)
            self._ids.update(row.id for row in fresh if row.id)
            self._fresh += fresh
            self.read_count += len(fresh)
        return self.read_count > before

    def take(self) -> list[R]:
        """Return the rows that were added since the last time."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def has_shifted(self, page: _Page[R]) -> bool:
        """Return whether a page that was read before now starts with a new row or is empty: then more rows moved."""
        first = next(iter(page.listing.results), None)
        return first is None or (first.id != "" and first.id not in self._ids)


def _unique(rows: Sequence[R]) -> list[R]:
    """Return each row of a page once."""
    rows_by_id: dict[object, R] = {}
    _add(rows_by_id, rows)
    return list(rows_by_id.values())


def _page_count(count: int) -> int:
    return -(-count // PAGE_LIMIT)


def _add(rows_by_id: dict[object, R], rows: Sequence[R]) -> None:
    for row in rows:
        rows_by_id.setdefault(row.id or id(row), row)  # of rows without an ID none is known to be another


def further_pages(result_count: int, max_rows: int) -> range:
    """Return the numbers of the pages after the first which contain the rows, or the first `most` of them."""
    return range(2, -(-min(result_count, max_rows) // PAGE_LIMIT) + 1)


def chunked(ids: Sequence[str]) -> list[Sequence[str]]:
    """Split ids into chunks that one call may contain."""
    return [ids[start : start + PAGE_LIMIT] for start in range(0, len(ids), PAGE_LIMIT)]


def find_all(
    upstream: Caller, searches: Sequence[Search], answer: type[Listing[R]]
) -> list[Listing[R] | NotDone | NotFound]:
    """Return all matches of each search, up to SEARCH_LIMIT; a search of which a page fails is that page's error."""
    outcomes = upstream.each([search.page(1) for search in searches], answer)
    more = [
        (index, page)
        for index, outcome in enumerate(outcomes)
        if isinstance(outcome, Listing)
        for page in further_pages(outcome.result_count, SEARCH_LIMIT)
    ]
    pages = upstream.each([searches[index].page(page) for index, page in more], answer)
    for (index, _), outcome in zip(more, pages, strict=True):
        previous = outcomes[index]
        if isinstance(previous, Listing):
            outcomes[index] = (
                replace(previous, results=previous.results + outcome.results)
                if isinstance(outcome, Listing)
                else outcome
            )
    # A row without an ID is no match: nothing could be done with it.
    return [_identified(outcome) if isinstance(outcome, Listing) else outcome for outcome in outcomes]


def _identified(listing: Listing[R]) -> Listing[R]:
    return replace(listing, results=[row for row in listing.results if row.id])


class ListResource(Resource):
    """Base of the resources that have a list: our names for what it can be sorted, filtered and searched by."""

    SORTS: Mapping[str, str] = {}
    FILTERS: Mapping[str, str] = {}
    SEARCH_FIELDS: Mapping[str, str] = {"all": "all"}
    SEARCHED_TEXTS: Mapping[str, Callable[[Any], Sequence[str | None]]] = {}
    """The texts of a row that a keyword may be in, by search field. There, a keyword may be words in any order."""
    IS_OPTIONAL = False
    """True if the service may have no such list; reading it then ends in NotOffered."""

    def _list(self, path: str, params: ListParams, answer: type[Listing[R]], **scope: str | None) -> Listing[R]:
        """Read one page; raise ValueError for a name that is not in the tables or a size that no page has, which is a
        mistake of the caller."""
        words = split_words(params.keyword) if params.search_field in self.SEARCHED_TEXTS else []
        if len(words) > 1 and params.word_calls:
            rows = self._find_words(words, params, lambda params: self._page(path, params, answer, **scope))
            if rows is not None:
                start = (params.page - 1) * params.size
                page = rows[start : start + params.size]
                return Listing(results=page, result_count=len(rows), page=params.page, size=params.size)
        return self._page(path, params, answer, **scope)

    def _find_words(
        self, words: Sequence[str], params: ListParams, read: Callable[[ListParams], Listing[R]]
    ) -> list[R] | None:
        """Return the rows that have all words, None if finding them takes too many calls.

        The service searches for one text only (contract, 1.4), so it is asked for the longest word, or for another one
        if it finds too many rows or none: some of our texts it doesn't search. The other words are compared here.
        """
        texts = self.SEARCHED_TEXTS[params.search_field]
        has_more = False
        for calls, word in enumerate(words[: params.word_calls], 1):
            one_word = replace(params, keyword=word, page=1, size=PAGE_LIMIT)
            first = read(one_word)
            numbers = further_pages(first.result_count, SEARCH_LIMIT)
            if calls + len(numbers) > params.word_calls:
                has_more = True
            elif first.results:
                pages = [first, *(read(replace(one_word, page=number)) for number in numbers)]
                rows = _unique([row for page in pages for row in page.results])
                others = [other for other in words if other != word]
                return [row for row in rows if have_words(texts(row), others)]
        return None if has_more else []

    def _page(self, path: str, params: ListParams, answer: type[Listing[T]], **scope: str | None) -> Listing[T]:
        query = [(name, value) for name, value in scope.items() if value]
        if not query:
            raise ValueError("A list needs an organization or a clinic")
        if params.size not in PAGE_SIZES:
            raise ValueError(f"No page has {params.size} rows")
        query += [("page", str(params.page)), ("size", str(params.size))]
        if params.sort:
            query += [("sort", _wire_name(self.SORTS, params.sort)), ("order", params.order)]
        if params.keyword:
            query += [("searchField", _wire_name(self.SEARCH_FIELDS, params.search_field)), ("keyword", params.keyword)]
        query += [
            (_wire_name(self.FILTERS, name), value) for name, values in params.filters.items() for value in values
        ]
        query += [("ids", id) for id in params.ids]
        listing = self._read(answer, path, query=query, optional=self.IS_OPTIONAL).clamped(params.page, params.size)
        if not listing.facets:
            return listing
        names = {wire_name: name for name, wire_name in self.FILTERS.items()}
        facets = {names.get(name, our_name(name)): _top_values(counts) for name, counts in listing.facets.items()}
        return msgspec.structs.replace(listing, facets=facets)


def _top_values(counts: dict[str, int]) -> dict[str, int]:
    """The most frequent values of a filter, as many as a page can offer."""
    if len(counts) <= MAX_FACET_VALUES:
        return counts
    return dict(nlargest(MAX_FACET_VALUES, counts.items(), key=lambda item: item[1]))


def _wire_name(names: Mapping[str, str], name: str) -> str:
    if name not in names:
        raise ValueError(f"This list has no {name!r}")
    return names[name]
