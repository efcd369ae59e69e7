"""Behavior that all lists share: one query, every sort of the contract, and page 1 after each change."""

from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml

from tests.support import factories

CONTRACT = Path(__file__).resolve().parents[2] / "docs" / "upstream-api.yaml"
LISTS = {
    "/user-manage/clinic": "/v1/bizMainGroups",
    "/user-manage/clinic/g-1/team": "/v1/bizSubGroups",
    "/user-manage/team": "/v1/bizSubGroups",
    "/user-manage/clinic/g-1/user": "/v1/bizUsers",
    "/user-manage/user": "/v1/bizUsers",
}


@cache
def get_sorts(call: str) -> list[str]:
    parameters = yaml.safe_load(CONTRACT.read_text())["paths"][call]["get"]["parameters"]
    (sort,) = (parameter for parameter in parameters if parameter.get("name") == "sort")
    names: list[str] = sort["schema"]["enum"]
    return names


def get_view(client, address):
    return client.get(address, headers={"Accept": "application/json"}).json()["item"]["list"]


def get_columns(client, address):
    view = get_view(client, address)
    return [*view["columns"], *([view["second_line"]] if "second_line" in view else [])]


def get_upstream_query(upstream, path):
    return parse_qs(urlsplit(upstream.calls("GET", LISTS[path])[-1].url).query)


@pytest.mark.req("LS-01")
@pytest.mark.parametrize("path", LISTS)
def test_every_list_sends_the_same_parameters(administrator, upstream, path):
    administrator.get(f"{path}?keyword=kim&searchField=all&sort=name&order=desc&page=2&size=10")
    upstream_query = get_upstream_query(upstream, path)
    query = {"keyword": "kim", "searchField": "all", "sort": "name", "order": "desc", "page": "2", "size": "10"}
    assert {name: upstream_query[name][0] for name in query} == query


FILTERED = {
    "/user-manage/clinic": "has_user=true",
    "/user-manage/clinic/g-1/team": "team_type=GENERAL",
    "/user-manage/team": "team_type=GENERAL",
    "/user-manage/clinic/g-1/user": "status=ACTIVE",
    "/user-manage/user": "status=ACTIVE",
}


@pytest.mark.req("LS-02", "DM-08")
@pytest.mark.parametrize("path", LISTS)
def test_on_page_three_each_change_of_the_search_leads_to_page_one(administrator, upstream, path):
    address = f"{path}?keyword=a&{FILTERED[path]}&sort=name&order=desc&size=10&page=3"
    make = {"/v1/bizMainGroups": factories.clinic, "/v1/bizSubGroups": factories.team, "/v1/bizUsers": factories.user}
    rows = [make[LISTS[path]](n) for n in range(10)]
    upstream.answers("GET", LISTS[path], factories.listing(rows, total=95, page=3, size=10))
    view = get_view(administrator, address)
    assert get_upstream_query(upstream, path)["page"] == ["3"]
    form = {"keyword": "b", **dict(view["hidden"])}
    links = [
        f"{path}?{urlencode(form)}",
        *(column["sort_href"] for column in view["columns"] if column["sort_href"]),
        *(chip["remove_href"] for chip in view["chips"]),
        *(size["href"] for size in view["pager"]["sizes"]),
    ]
    assert len(links) >= 1 + 3 + 1 + 4
    for link in links:
        administrator.get(link)
        assert get_upstream_query(upstream, path)["page"] == ["1"], link
    assert '<input type="hidden" name="page"' not in administrator.get(address).content.decode()


SORTS_WITHOUT_COLUMN = {
    ("/v1/bizMainGroups", "scannerCount"),
    ("/v1/bizMainGroups", "createdDate"),
    ("/v1/bizUsers", "createdDate"),
}
"""The sorts of the contract that no column shows: the list accepts them in its address."""


@pytest.mark.req("DM-04")
@pytest.mark.parametrize(("call", "sort"), sorted(SORTS_WITHOUT_COLUMN))
def test_a_sort_without_a_column_can_be_asked_for(administrator, upstream, call, sort):
    assert sort in get_sorts(call)
    for path in (path for path, list_call in LISTS.items() if list_call == call):
        administrator.get(f"{path}?sort={'scanner_count' if sort == 'scannerCount' else 'created_date'}&order=desc")
        assert get_upstream_query(upstream, path)["sort"] == [sort]


@pytest.mark.req("DM-04", "LS-03")
@pytest.mark.parametrize(
    ("path", "sort"),
    [
        pytest.param(path, sort)
        for path, call in LISTS.items()
        for sort in get_sorts(call)
        if (call, sort) not in SORTS_WITHOUT_COLUMN
    ],
)
def test_each_sort_of_the_contract_is_asked_for_by_the_head_of_a_column(administrator, upstream, path, sort):
    sorted_states = {}
    administrator.get(path, {"columns": "type", "column": "type"})  # it is hidden at first
    for column in get_columns(administrator, path):
        if column["sort_href"]:
            (pressed,) = (c for c in get_columns(administrator, column["sort_href"]) if c["name"] == column["name"])
            sorted_states[get_upstream_query(upstream, path)["sort"][0]] = pressed["sorted"]
    assert sorted_states.get(sort) in ("ascending", "descending")


@pytest.mark.req("DM-04")
@pytest.mark.parametrize("path", LISTS)
def test_the_columns_do_not_depend_on_what_the_rows_of_a_page_hold(administrator, upstream, path):
    make = {"/v1/bizMainGroups": factories.clinic, "/v1/bizSubGroups": factories.team, "/v1/bizUsers": factories.user}
    full = get_columns(administrator, path)
    for values in ({"lastActivityDate": "2026-10-02T08:30:00Z", "accountType": 2}, {"createdDate": None}):
        upstream.answers("GET", LISTS[path], factories.listing([make[LISTS[path]](**values)]))
        assert [c["name"] for c in get_columns(administrator, path)] == [c["name"] for c in full]
