"""Reading all pages of a list, also from a service whose counts are wrong."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import pytest

from upstream.listing import (
    PAGE_LIMIT,
    PAGES_AT_ONCE,
    PAGES_PER_BATCH,
    Incomplete,
    Listing,
    ListParams,
    chunked,
    further_pages,
    iter_pages,
    read_all,
)
from upstream.resources.clinics import Clinic
from upstream.tests.conftest import API

CLINICS = f"{API}/v1/bizMainGroups"


class Service:
    """A list of clinics that records how it is read; `count` is what it says instead of the true number."""

    def __init__(self, ids: Sequence[int], count: int | None = None) -> None:
        self.ids = ids
        self.count = len(ids) if count is None else count
        self.requests: list[ListParams] = []
        self.batches: list[int] = []

    def read(self, params: ListParams) -> Listing[Clinic]:
        self.requests.append(params)
        start = (params.page - 1) * params.size
        page = self.ids[start : start + params.size]
        return Listing(result_count=self.count, results=[Clinic(id=f"g-{n}") for n in page], facets={"x": {"1": 2}})

    def together(self, *reads: Any) -> tuple[Any, ...]:
        self.batches.append(len(reads))
        return tuple(read() for read in reads)


@pytest.mark.parametrize("number", [0, 1, 100, 101, 250, 300])
def test_every_page_is_read_in_order_and_all_but_the_first_at_the_same_time(number):
    service = Service(range(number))
    listing = read_all(service.together, service.read, max_rows=300)
    assert [clinic.id for clinic in listing.results] == [f"g-{n}" for n in range(number)]
    assert (listing.result_count, listing.facets) == (number, {"x": {"1": 2}})
    pages = max(1, ceil(number / 100))
    assert [params.page for params in service.requests] == list(range(1, pages + 1))
    assert service.batches == ([pages - 1] if pages > 1 else [])


def test_search_filters_and_order_stay_and_only_page_and_size_are_replaced():
    service = Service(range(101))
    chosen = ListParams(page=7, size=25, sort="name", order="desc", keyword="kim", filters={"status": ("ACTIVE",)})
    read_all(service.together, service.read, params=chosen)
    assert {(p.sort, p.order, p.keyword, p.size, p.filters["status"]) for p in service.requests} == {
        ("name", "desc", "kim", 100, ("ACTIVE",))
    }
    assert [params.page for params in service.requests] == [1, 2]


def test_many_pages_are_read_a_few_at_a_time():
    service = Service(range(2345))
    assert len(read_all(service.together, service.read, max_rows=5000).results) == 2345
    assert service.batches == [PAGES_AT_ONCE, 3]


@pytest.mark.parametrize("count", [1001, 10**9, 10**400])
def test_a_longer_list_ends_with_the_first_rows(count):
    service = Service(range(2000), count)
    listing = read_all(service.together, service.read, max_rows=1000)
    assert (len(listing.results), listing.result_count, len(service.requests)) == (1000, count, 10)


def test_an_absurd_count_ends_with_the_first_pages_that_bring_nothing_new():
    service = Service(range(150), 10**400)
    listing = read_all(service.together, service.read, max_rows=100_000)
    assert len(listing.results) == 150
    assert len(service.requests) <= 1 + 2 * PAGES_AT_ONCE


@pytest.mark.parametrize("count", [-(10**400), -1, 0])
def test_a_count_below_the_rows_reads_one_page_and_keeps_its_rows(count):
    service = Service(range(3), count)
    listing = read_all(service.together, service.read, max_rows=0)
    assert (len(listing.results), listing.result_count, len(service.requests)) == (3, count, 1)


@pytest.mark.parametrize("count", [-5, 0, 99, 250, 299, 300])
def test_never_more_pages_are_read_than_the_limit_needs(count):
    service = Service(range(1000), count)
    read_all(service.together, service.read, max_rows=300)
    assert len(service.requests) <= 3


def test_a_row_that_moved_to_the_next_page_is_one_row_and_a_missing_one_shows_in_the_count():
    service = Service([*range(100), 99, *range(101, 200)])  # row 100 moved to page 1 after that page had been read
    listing = read_all(service.together, service.read, max_rows=1000)
    assert [clinic.id for clinic in listing.results] == [f"g-{n}" for n in range(200) if n != 100]
    assert listing.result_count - len(listing.results) == 1


def test_all_users_of_a_clinic_are_read_through_the_client(up, http):
    def rows(first: int, last: int) -> dict[str, Any]:
        return {"resultCount": 150, "results": [{"id": f"u-{n}"} for n in range(first, last)]}

    pattern = re.compile(rf"{API}/v1/bizUsers.*[?&]page=1&size=100$")
    http.get(pattern, json=rows(0, 100))
    http.get(re.compile(rf"{API}/v1/bizUsers.*[?&]page=2&size=100$"), json=rows(100, 150))
    listing = read_all(up.together, lambda params: up.users.list(params, clinic_id="g-1"), max_rows=150)
    assert [user.id for user in listing.results] == [f"u-{n}" for n in range(150)]


@pytest.mark.parametrize(
    ("count", "max_rows", "pages"),
    [(-1, 1000, []), (0, 1000, []), (100, 1000, []), (101, 1000, [2]), (1000, 250, [2, 3]), (201, 1000, [2, 3])],
)
def test_the_pages_after_the_first(count, max_rows, pages):
    assert list(further_pages(count, max_rows)) == pages


def test_ids_are_split_into_pieces_of_one_call():
    ids = tuple(f"u-{n}" for n in range(2 * PAGE_LIMIT + 1))
    assert [len(chunk) for chunk in chunked(ids)] == [100, 100, 1]
    assert [id for chunk in chunked(ids) for id in chunk] == list(ids)
    assert chunked([]) == []
    assert chunked(["u-1"]) == [["u-1"]]


@pytest.mark.req("SEC-12")
@pytest.mark.parametrize("odd", [None, -1, 0, 10**400, "5", [], True, 1.5])
def test_a_count_that_is_none_is_that_of_the_rows_that_are_there(up, http, odd):
    rows = [{"id": f"g-{n}"} for n in range(10)]
    http.get(CLINICS, json={"resultCount": odd, "results": rows})
    assert up.clinics.list(ListParams(size=25), organization_id="o-1").result_count == 10
    assert up.clinics.list(ListParams(page=3, size=25), organization_id="o-1").result_count == 60
    # The page is full: there may be another.
    assert up.clinics.list(ListParams(size=10), organization_id="o-1").result_count == 11


@pytest.mark.req("SEC-12")
def test_more_rows_than_requested_are_read_up_to_the_maximum_of_a_page(up, http):
    http.get(CLINICS, json={"resultCount": 5, "results": [{"id": f"g-{n}"} for n in range(1500)]})
    listing = up.clinics.list(ListParams(size=100), organization_id="o-1")
    assert (len(listing.results), listing.result_count) == (1000, 1500)


@pytest.mark.req("SEC-12")
def test_a_list_whose_count_is_wrong_never_counts_as_complete(up, http):
    """The end is unknown, so a caller that needs all rows learns that some are missing."""

    def page(request):
        first = (int(request.params["page"]) - 1) * 100
        return 200, {}, json.dumps({"resultCount": -1, "results": [{"id": f"g-{first + n}"} for n in range(100)]})

    http.add_callback("GET", CLINICS, callback=page)
    listing = read_all(up.together, lambda params: up.clinics.list(params, organization_id="o-1"))
    assert len(listing.results) < listing.result_count


@pytest.mark.req("SEC-10")
def test_rows_without_an_id_are_all_there(up, http):
    rows = [{"name": "A"}, {"id": [], "name": "B"}, {"id": None, "name": "C"}, 5, {"id": "g-1", "name": "D"}]
    http.get(CLINICS, json={"resultCount": 5, "results": rows})
    listing = read_all(up.together, lambda params: up.clinics.list(params, organization_id="o-1"))
    assert [(row.id, row.name) for row in listing.results] == [("", "A"), ("", "B"), ("", "C"), ("", ""), ("g-1", "D")]
    assert up.clinics.find_by_names(["A", "D"]) == [None, listing.results[-1]]


@pytest.mark.parametrize("size", [1, 24, 101])
def test_a_size_that_no_page_has_is_a_mistake_of_the_caller(up, size):
    with pytest.raises(ValueError, match=f"No page has {size} rows"):
        up.clinics.list(ListParams(size=size), organization_id="o-1")


class ChangingService(Service):
    """A list that `change` changes before each page is read, or only before each step; the pages of a step are read in
    any order."""

    def __init__(
        self, number: int, change: Callable[["ChangingService"], None], seed: int = 1, *, by_step: bool = False
    ) -> None:
        super().__init__(range(number))
        self.rows = list(self.ids)
        self.ids = self.rows
        self.change, self.by_step = change, by_step
        self.random = random.Random(seed)
        self.removed: set[int] = set()
        self.added: set[int] = set()

    def read(self, params: ListParams) -> Listing[Clinic]:
        if not self.by_step:
            self.change(self)
        self.count = len(self.rows)
        return super().read(params)

    def together(self, *reads: Any) -> tuple[Any, ...]:
        if self.by_step:
            self.change(self)
        order = list(range(len(reads)))
        self.random.shuffle(order)
        results = {index: reads[index]() for index in order}
        return tuple(results[index] for index in range(len(reads)))

    def remove(self, index: int) -> None:
        self.removed.add(self.rows.pop(index))

    def add(self, index: int) -> None:
        row = 1_000_000 + len(self.added)
        self.added.add(row)
        self.rows.insert(index, row)


def export(service: Service) -> list[str]:
    """Return the IDs of the rows that are read, in their order."""
    listings = iter_pages(service.together, lambda: None, service.read, params=ListParams(sort="name"))
    return [row.id for listing in listings for row in listing.results]


def check_complete(service: ChangingService, ids: list[str]) -> None:
    """Each row that was there all the time is there once; another one at most once."""
    counts = Counter(ids)
    assert max(counts.values(), default=1) == 1
    expected = {f"g-{n}" for n in service.rows} - {f"g-{n}" for n in service.added}
    assert expected - set(counts) == set()
    assert set(counts) <= expected | {f"g-{n}" for n in service.added | service.removed}


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("number", [0, 1, 100, 101, 400, 1000, 2345])
def test_all_pages_of_a_list_are_read_a_few_at_a_time(number):
    service = Service(range(number))
    assert export(service) == [f"g-{n}" for n in range(number)]
    pages = Counter(params.page for params in service.requests)
    assert set(pages) == set(range(1, max(1, ceil(number / 100)) + 1))
    assert max(service.batches) <= PAGES_PER_BATCH + 1
    assert len(service.requests) <= 1.25 * len(pages) + 2


def once_at(read: int, change: Callable[[ChangingService], None]) -> Callable[[ChangingService], None]:
    """Return what makes a change before one of the reads only."""
    reads = iter(range(1_000_000))

    def change_once(service: ChangingService) -> None:
        if next(reads) == read:
            change(service)

    return change_once


def remove_many(service: ChangingService, start: int, count: int) -> None:
    for _ in range(min(count, len(service.rows) - start)):
        service.remove(start)


def swap(service: ChangingService) -> None:
    """Delete the first row and add a last one: the count stays."""
    service.remove(0)
    service.add(len(service.rows))


def move_to_the_front(service: ChangingService) -> None:
    """A renamed row moves, here before the pages that were read."""
    service.rows.insert(0, service.rows.pop())


CHANGES: dict[str, Callable[[ChangingService], None]] = {
    "the first row is deleted": lambda service: service.remove(0),
    "the last row is deleted": lambda service: service.remove(-1),
    "a row in the middle is deleted": lambda service: service.remove(len(service.rows) // 2),
    "the first page is deleted": lambda service: remove_many(service, 0, 100),
    "the first pages are deleted": lambda service: remove_many(service, 0, 350),
    "nearly all is deleted": lambda service: remove_many(service, 0, len(service.rows) - 1),
    "all is deleted": lambda service: remove_many(service, 0, 100_000),
    "a row is added in front": lambda service: service.add(0),
    "a row is added at the end": lambda service: service.add(len(service.rows)),
    "a row is moved to the front": move_to_the_front,
}


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("number", [99, 150, 501, 1000])
def test_a_list_that_changes_once_is_read_whole_and_each_row_once(number, change):
    for read in range(1, 16, 2):
        for seed in range(2):
            service = ChangingService(number, once_at(read, change), seed)
            check_complete(service, export(service))


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("seed", range(8))
def test_a_list_of_which_a_row_is_deleted_before_each_page_is_read_whole(seed):
    def remove(service: ChangingService) -> None:
        if service.rows:
            service.remove(service.random.randrange(len(service.rows)))

    service = ChangingService(2000, remove, seed)
    check_complete(service, export(service))


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("seed", range(8))
def test_a_list_whose_count_stays_although_rows_are_deleted_and_added_is_read_whole(seed):
    """Changes are made between the steps: within one, only the counts reveal them."""

    def change(service: ChangingService) -> None:
        if service.random.random() < 0.5:
            swap(service)

    service = ChangingService(2000, change, seed, by_step=True)
    check_complete(service, export(service))


@pytest.mark.req("CO-17")
@pytest.mark.parametrize("number", [0, 150, 700, 2345])
@pytest.mark.parametrize("more", [1, 100, 10_000, 10**400])
def test_a_list_with_missing_rows_never_counts_as_complete(number, more):
    service = Service(range(number), number + more)
    with pytest.raises(Incomplete):
        export(service)
    assert len(service.requests) < 4 * (number // 100 + 10)


@pytest.mark.req("CO-17", "SEC-12")
def test_a_service_that_answers_each_page_with_the_first_is_left_at_once():
    service = Service(range(100), 10**6)
    with pytest.raises(Incomplete):
        list(
            iter_pages(
                service.together, lambda: None, lambda _: service.read(ListParams(size=100)), params=ListParams()
            )
        )
    assert len(service.requests) < 20


@pytest.mark.req("CO-17", "SEC-10")
def test_rows_without_an_id_are_read_once_from_pages_that_are_read_twice():
    service = Service(range(450))

    def read(params: ListParams) -> Listing[Clinic]:
        listing = service.read(params)
        return Listing([Clinic(id="", name=row.id) for row in listing.results], listing.result_count)

    parts = iter_pages(service.together, lambda: None, read, params=ListParams())
    assert [row.name for part in parts for row in part.results] == [f"g-{n}" for n in range(450)]
