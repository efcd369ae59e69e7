"""Every list answers every query with a valid page, and costs the same however many rows there are."""

import json
import re

import pytest
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.testing import factories
from console.testing.audit import audit

CLINICS, USERS = "/user-manage/clinic", "/user-manage/clinic/g-1/user"
TEAMS, ALL_TEAMS = "/user-manage/clinic/g-1/team", "/user-manage/team"
NAMES = st.sampled_from(
    [
        "keyword",
        "searchField",
        "sort",
        "order",
        "page",
        "size",
        "user_type",
        "status",
        "team",
        "country_code",
        "user",
        "x",
    ]
)
VALUES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["0", "-1", "abc", "99999", "7", "email", "nonsense", "desc", "a@b.example", "DOCTOR", "%00", "٣"]),
)


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    return admin_client


@pytest.mark.req("LS-03", "LS-04", "RT-14")
@pytest.mark.parametrize("path", [CLINICS, USERS, TEAMS, ALL_TEAMS])
def test_no_query_can_break_a_list(administrator, upstream, path):
    @settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
    def ask(query):
        response = administrator.get(path, query_of(query))
        assert response.status_code == 200, query
        assert b"</html>" in response.content

    ask()


def query_of(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        if name != "user" or re.fullmatch(r"u-1", value):
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.req("LS-03", "LS-04")
@pytest.mark.parametrize("path", [CLINICS, USERS, TEAMS, ALL_TEAMS])
@pytest.mark.parametrize("query", ["sort=nonsense", "page=0", "page=-1", "page=abc", "page=99999", "size=7"])
def test_a_query_that_makes_no_sense_is_answered_with_a_page(administrator, path, query):
    audit(administrator.get(f"{path}?{query}").content.decode())


@pytest.mark.parametrize("query", ["", "keyword=user", "sort=last_login_date&order=desc", "page={last}"])
def test_ten_thousand_users_cost_what_a_hundred_cost(administrator, upstream, query):
    """The same upstream calls, the same SQL, and the same bytes but for the longer numbers of the pager."""
    from django.db import connection

    costs = []
    for total in (100, 10_000):
        people(upstream, total)
        asked = f"{USERS}?{query.format(last=total // 25)}"
        administrator.get(asked)
        before = len(upstream.calls())
        with CaptureQueriesContext(connection) as queries:
            page = administrator.get(asked)
        calls = [c.url.split("?")[0] for c in upstream.calls()[before:]]
        costs.append((sorted(calls), len(queries), len(page.content)))
    few, many = costs
    assert few[:2] == many[:2]
    assert abs(few[2] - many[2]) <= 1500, "the pager of many pages shows more numbers"


def people(upstream, total):
    """So many users, every page of the same length."""

    def answer(request):
        rows = [factories.user(n) for n in range(25)]
        return 200, {}, json.dumps(factories.listing(rows, total=total))

    upstream.forget("GET", "/v1/bizUsers")
    upstream.callback("GET", "/v1/bizUsers", answer)
