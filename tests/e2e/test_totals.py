"""Pages and totals of lists under filters, over HTTP on the running system."""

import re

import pytest

from tests.e2e.http_client import Visitor
from tests.e2e.pages import CLINICS, USERS
from tests.e2e.running import Console

RANGE = re.compile(r"(\d+) to (\d+) of (\d+)")
QUERIES = (
    f"{USERS}?status=ACTIVE",
    f"{USERS}?user_type=STAFF&status=ACTIVE&status=INVITED",
    f"{USERS}?keyword=an&user_type=DOCTOR",
    f"{CLINICS}?country_code=KR&country_code=US",
    f"{CLINICS}?has_partner=false",
)


def all_pages(visitor: Visitor, query: str, *, size: int) -> tuple[list[str], set[int]]:
    """Return the ids of all rows, page by page, and the totals of all pages."""
    ids: list[str] = []
    totals: set[int] = set()
    next_href, number = "first", 1
    while next_href:
        view = visitor.get(f"{query}&size={size}&page={number}", json=True).json()["item"]["list"]
        ((first, last, total),) = (map(int, numbers) for numbers in RANGE.findall(view["pager"]["range"]))
        assert (first, last - first + 1, total) == (len(ids) + 1, len(view["rows"]), view["total"])
        ids += [row["id"] for row in view["rows"]]
        totals.add(total)
        next_href, number = view["pager"]["next_href"], number + 1
    return ids, totals


@pytest.mark.req("DM-09", "LS-05")
def test_under_filters_the_pages_hold_as_many_rows_as_their_total(console: Console) -> None:
    visitor, faults = Visitor(console, console.log_in()), {}
    everything = {path: set(all_pages(visitor, f"{path}?", size=100)[0]) for path in (USERS, CLINICS)}
    for query in QUERIES:
        ids, totals = all_pages(visitor, query, size=10)
        on_long_pages, _totals = all_pages(visitor, query, size=100)
        checks = {
            "the total is the number of rows": totals == {len(ids)},
            "no row is there twice": len(set(ids)) == len(ids),
            "the size of pages changes no row": ids == on_long_pages,
            "the filter leaves out some rows": set(ids) < everything[query.partition("?")[0]],
        }
        faults[query] = [check for check, is_right in checks.items() if not is_right]
    assert faults == {query: [] for query in QUERIES}
