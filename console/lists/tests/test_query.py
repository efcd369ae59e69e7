"""The list engine: queries that never fail, pages that are always valid."""

from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from console.forms.fields import is_email
from console.lists.filters import notices
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, Page, SearchField, read_list
from upstream.listing import Listing, ListParams

PEOPLE = ListDefinition(
    name="people",
    search_fields=(
        SearchField("all", "All"),
        SearchField("email", "Email", check=lambda k: None if is_email(k) else "Invalid email"),
    ),
    filters=(
        Filter("status", "Status", (Choice("A", "Active"), Choice("L", "Locked"))),
        Filter("team", "Team", (), is_open=True),
    ),
    sorts=("name", "created"),
    default_sort="name",
)


def query(text: str = "", **kw: Any) -> ListQuery:
    return ListQuery.read(PEOPLE, QueryDict(text), **kw)


@pytest.mark.req("LS-04", "CO-16")
@pytest.mark.parametrize("page", ["0", "-1", "abc", "", "1.5", "٣", "99999999999", "1e3"])
def test_a_page_that_is_none_is_the_first(page):
    assert query(f"page={page}").page == 1


@pytest.mark.req("LS-04", "CO-16")
@pytest.mark.parametrize(
    ("size", "expected"), [("7", 25), ("10", 10), ("50", 50), ("100", 100), ("1000", 25), ("x", 25)]
)
def test_only_the_four_sizes_are_known(size, expected):
    assert query(f"size={size}").size == expected


@pytest.mark.req("LS-03")
def test_an_unknown_sort_is_the_default_one():
    list_query = query("sort=nonsense&order=sideways")
    assert (list_query.sort, list_query.order) == ("name", "asc")


@pytest.mark.req("LS-02")
def test_whatever_is_changed_leads_to_page_one():
    list_query = query("page=3&keyword=park")
    assert list_query.url("/p", sort="created") == "/p?keyword=park&sort=created&order=asc"
    assert list_query.url("/p", page=4) == "/p?keyword=park&page=4"


@pytest.mark.req("RT-41", "LS-13")
def test_a_query_is_the_same_after_it_went_through_its_url():
    list_query = query(
        "keyword=a b&searchField=email&status=A&status=L&team=t-1&sort=created&order=desc&size=50&page=2"
    )
    reread = query(list_query.url("").removeprefix("?"))
    assert reread == list_query


def test_values_that_a_filter_does_not_know_stay_in_the_address_until_they_are_removed():
    list_query = query("status=A&status=Z&team=t-1&team=../x")
    assert list_query.filters == {"status": ("A",), "team": ("t-1",)}
    assert [(part.name, part.values) for part in list_query.invalid] == [("status", ("Z",)), ("team", ("../x",))]
    assert list_query.url("/p", page=2) == "/p?status=A&team=t-1&status=Z&team=..%2Fx&page=2"
    assert [notice.remove_href for notice in notices(list_query, "/p")] == [
        "/p?status=A&team=t-1&team=..%2Fx",
        "/p?status=A&team=t-1&status=Z",
    ]


def test_a_query_of_which_a_part_can_not_be_applied_is_not_read():
    def read(params: ListParams) -> Listing[int]:
        pytest.fail(f"{params} was read")

    listing, _ = read_list(query("status=Z"), read)
    assert listing.results == []


def test_more_values_than_a_filter_takes_are_counted_without_repeats():
    teams = [f"team=t-{number % 20}" for number in range(200)]
    assert query("&".join(teams)).invalid == ()
    (part,) = query("&".join([*teams, "team=t-20", "team=t-21"])).invalid
    assert (part.name, part.values) == ("team", ("t-20", "t-21"))


@pytest.mark.req("VA-21")
def test_a_keyword_is_never_cut_and_its_length_is_reported_in_code_points():
    assert query("keyword=" + "a" * 100).keyword_error is None
    list_query = query("keyword=" + "\N{GRINNING FACE}" * 101)
    assert list_query.keyword == "\N{GRINNING FACE}" * 101
    assert list_query.keyword_error == "You can enter up to 100 characters. This search has 101."
    assert not list_query.can_be_read


def test_a_field_to_search_in_that_does_not_exist_is_not_that_of_all():
    list_query = query("searchField=phone&keyword=kim")
    assert [(part.name, part.values) for part in list_query.invalid] == [("searchField", ("phone",))]
    assert query("searchField=").invalid == ()


@pytest.mark.req("VA-21")
def test_half_an_address_is_not_searched_for():
    calls: list[ListParams] = []

    def read(params: ListParams) -> Listing[int]:
        calls.append(params)
        return Listing(result_count=0, results=[])

    list_query = query("searchField=email&keyword=abc")
    listing, _ = read_list(list_query, read)
    assert list_query.keyword_error == "Invalid email"
    assert (calls, listing.results) == ([], [])


@pytest.mark.req("CO-16", "LS-04")
def test_a_page_beyond_the_end_becomes_the_last_one():
    pages: list[int] = []

    def read(params: ListParams) -> Listing[int]:
        pages.append(params.page)
        rows = [51] if params.page == 3 else []
        return Listing(result_count=51, page=params.page, size=25, results=rows)

    listing, result = read_list(query("page=99999"), read)
    assert (listing.results, result.page, pages) == ([51], 3, [99999, 3])


def test_an_empty_list_is_read_once():
    pages: list[int] = []

    def read(params: ListParams) -> Listing[int]:
        pages.append(params.page)
        return Listing(result_count=0, results=[])

    _, result = read_list(query("page=4"), read)
    assert (result.page, pages) == (1, [4])


@pytest.mark.req("CO-12")
@pytest.mark.parametrize(
    ("number", "last", "expected"),
    [
        (10, 20, [1, None, 7, 8, 9, 10, 11, 12, 13, None, 20]),
        (1, 20, [1, 2, 3, 4, None, 20]),
        (20, 20, [1, None, 17, 18, 19, 20]),
        (5, 20, [1, 2, 3, 4, 5, 6, 7, 8, None, 20]),
        (6, 20, [1, 2, 3, 4, 5, 6, 7, 8, 9, None, 20]),
        (1, 1, [1]),
        (4, 8, [1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_three_neighbours_are_shown_on_both_sides(number, last, expected):
    assert Page(number=number, size=10, total=last * 10).numbers() == expected


@pytest.mark.req("LS-05")
def test_the_range_of_a_page_counts_from_one():
    page = Page(number=2, size=20, total=240)
    assert (page.first_row, page.last_row) == (21, 40)
    assert (Page(number=1, size=25, total=0).first_row, Page(number=1, size=25, total=0).last_row) == (0, 0)


@pytest.mark.req("CO-16")
def test_the_stored_size_needs_no_word_in_the_url():
    assert query("", stored_size=50).url("/p") == "/p"


@given(
    st.dictionaries(
        st.sampled_from(["keyword", "searchField", "status", "team", "sort", "order", "page", "size"]), st.text()
    )
)
def test_no_query_can_break_a_list(values):
    params = QueryDict(mutable=True)
    params.update(values)
    list_query = ListQuery.read(PEOPLE, params)
    assert list_query.page >= 1
    assert list_query.size in (10, 25, 50, 100)
    assert ListQuery.read(PEOPLE, QueryDict(list_query.url("").removeprefix("?"))) == list_query
