"""Every list answers every query with a valid page, at the same cost for any number of rows."""

import json
import os
import re
from urllib.parse import urlencode

import pytest
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groups.tables.clinics import CLINICS as CLINIC_LIST
from groups.tables.teams import TEAMS as TEAM_LIST
from groups.tables.users import USERS as USER_LIST
from tests.support import factories
from tests.support.audit import audit
from tests.support.page import Page

CLINICS, USERS = "/user-manage/clinic", "/user-manage/clinic/g-1/user"
TEAMS, ALL_TEAMS, ALL_USERS = "/user-manage/clinic/g-1/team", "/user-manage/team", "/user-manage/user"
EXPORTS = (CLINICS + "/export", USERS + "/export", ALL_USERS + "/export")
BULKS = {
    CLINICS: CLINICS + "/bulk/permissions",
    USERS: USERS + "/bulk/delete",
    ALL_USERS: ALL_USERS + "/bulk/permissions",
}
FILTERS = {f.name for definition in (CLINIC_LIST, TEAM_LIST, USER_LIST) for f in definition.filters}
NAMES = st.sampled_from(
    [
        "keyword",
        "searchField",
        "sort",
        "order",
        "page",
        "size",
        *sorted(FILTERS),
        "ids",
        "all",
        "back",
        "user",
        "lng",
        "x",
    ]
)
WORDS = """
0 -1 abc 99999 7 25 100 email team name nonsense asc desc a@b.example DOCTOR ACTIVE INVITED LOCKED 2 3 KR true false 30
90 180 GENERAL t-1 g-1 u-1 created_date scanner_count %00 ٣ /\\evil.example ../x
"""
VALUES = st.one_of(st.text(max_size=30), st.sampled_from(WORDS.split()))
QUERIES = st.lists(st.tuples(NAMES, VALUES), max_size=6)
EXAMPLES = int(os.environ.get("EXAMPLES", "200"))
generated = pytest.mark.parametrize("examples", [25, pytest.param(EXAMPLES, marks=pytest.mark.slow)])
"""Generated queries per list: 25 in `make test`, EXAMPLES in `make test-all`."""


def example_settings(number):
    """Return the Hypothesis settings for this many examples."""
    return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)


@pytest.mark.req("LS-03", "LS-04", "RT-14")
@pytest.mark.parametrize("path", [CLINICS, USERS, TEAMS, ALL_TEAMS, ALL_USERS])
@generated
def test_no_query_can_break_a_list(administrator, path, examples):
    @example_settings(examples)
    @given(QUERIES)
    def ask(query):
        response = administrator.get(path, clean_params(query))
        assert response.status_code == 200, query
        audit(response.content.decode(), lng=response.wsgi_request.lng)  # a query may choose one

    ask()


@pytest.mark.req("LS-03", "LS-04", "DM-13")
@pytest.mark.parametrize("path", EXPORTS)
@generated
def test_no_query_can_break_an_export(administrator, path, examples):
    @example_settings(examples // 4 + 10)
    @given(QUERIES)
    def ask(query):
        response = administrator.get(path, clean_params(query))
        if response.status_code == 303:
            assert response["Location"].startswith(path.removesuffix("/export") + "?"), (
                "half an address is told on the list"
            )
        elif response.status_code == 422:
            page = Page.from_response(administrator.get(path.removesuffix("/export"), clean_params(query)))
            assert page.all("[data-notice]"), "the list reports it, too"
        else:
            assert response.status_code == 200, query
            assert response["Content-Type"].startswith("text/csv")
            assert response.getvalue()

    ask()


@pytest.mark.req("LS-03", "LS-04", "LS-13")
@pytest.mark.parametrize("path", BULKS)
@generated
def test_no_query_can_break_the_way_to_a_bulk_action_and_back(administrator, path, examples):
    """All matches are those of the list's query, which the list signs for the bar below it."""

    @example_settings(examples // 4 + 10)
    @given(QUERIES)
    def ask(query):
        back = f"{path}?{urlencode(clean_params(query), doseq=True)}"
        page = Page.from_response(administrator.get(path, clean_params(query)))
        signed = [field.attributes["value"] for field in page.all("input[name=query]")]
        response = administrator.post(BULKS[path], {"all": "1", "back": back, "query": signed or "forged"})
        if not signed:
            assert response.status_code == 422, "a list that was not read offers nothing"
            return
        assert response.status_code in (200, 303), query
        if response.status_code == 303:
            assert response["Location"].partition("?")[0] == path

    ask()


def clean_params(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    params: dict[str, list[str]] = {}
    for name, value in pairs:
        if name != "user" or re.fullmatch(r"u-1", value):
            params.setdefault(name, []).append(value)
    return params


PAGER = re.compile(r'<ul class="pager-pages">(.*?)</ul>', re.DOTALL)
LARGER = (("9,976 to 10,000", "76 to 100"), ("10,000", "100"), ("10000", "100"), ("page=400", "page=4"))
"""The numbers themselves, which are longer in a page of ten thousand than in one of a hundred."""


@pytest.mark.parametrize("query", ["", "keyword=user", "sort=last_login_date&order=desc", "page={last}"])
def test_ten_thousand_users_cost_what_a_hundred_cost(administrator, upstream, query):
    """The same upstream calls, the same SQL, and, except for the steps of the pager, the same bytes."""
    from django.db import connection

    costs = []
    for total in (100, 10_000):
        people(upstream, total)
        address = f"{USERS}?{query.format(last=total // 25)}"
        administrator.get(address)
        before = len(upstream.calls())
        with CaptureQueriesContext(connection) as queries:
            html = administrator.get(address).content.decode()
        calls = [c.url.split("?")[0] for c in upstream.calls()[before:]]
        (steps,) = PAGER.findall(html)
        assert steps.count("<li>") <= 13, "first, last, three on both sides, two gaps, back and forth"
        costs.append((sorted(calls), len(queries), len(_without_pager(html).encode())))
    few, many = costs
    assert few == many


def _without_pager(html: str) -> str:
    text = PAGER.sub("", html)
    for larger, smaller in LARGER:
        text = text.replace(larger, smaller)
    return text


def people(upstream, total):
    """Answer with this many users, every page of the same length."""

    def answer(request):
        rows = [factories.user(n) for n in range(25)]
        return 200, {}, json.dumps(factories.listing(rows, total=total))

    upstream.remove("GET", "/v1/bizUsers")
    upstream.callback("GET", "/v1/bizUsers", answer)
