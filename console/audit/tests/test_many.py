"""The activity with more entries about one object than a list has pages for."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from console.audit.content import Content, Entry, thing_key
from console.audit.query import MAX_LISTED_ENTRIES, Period, StoredActivity
from console.models import Activity
from tests.support.cost import units
from upstream.listing import Listing, ListParams

pytestmark = pytest.mark.sql

OUR_ORGANIZATION, ME = "ours", "me"
KEY = {"organization": OUR_ORGANIZATION, "who": ME, "kind": "user", "act": "edit", "outcome": "done"}
OLD = {"who": "ada", "kind": "team", "act": "new", "outcome": "refused", "target": "somebody"}
FILTERS = {"person": "ada", "kind": "team", "act": "team.new", "outcome": "refused"}


@pytest.fixture
def many():
    """Create three old entries, then twice as many as a list has pages for, in a database that expects none."""
    clinic, content = thing_key(OUR_ORGANIZATION, "clinic", "c-1"), Content().encrypt()
    fields = {**KEY, "clinic": clinic, "target": clinic, "content": content, "key_mark": "k"}
    old = {**fields, **OLD, "at": timezone.now() - timedelta(days=60)}
    Activity.objects.bulk_create(Activity(**old, key=f"old {n}") for n in range(3))
    Activity.objects.bulk_create(
        (Activity(**fields, key=f"{n}") for n in range(2 * MAX_LISTED_ENTRIES)), batch_size=500
    )
    if connection.vendor == "postgresql":
        # PostgreSQL plans queries by its last estimate of the number of rows.
        with connection.cursor() as cursor:
            cursor.execute("UPDATE pg_class SET reltuples = 0, relpages = 1 WHERE relname LIKE 'activity%'")
            cursor.execute("SET LOCAL statement_timeout = '2s'")
    return clinic


@pytest.mark.django_db
@pytest.mark.req("DM-45")
@pytest.mark.parametrize("since", [None, timedelta(days=7)], ids=["ever", "a week"])
def test_many_entries_are_read_fast_even_if_the_database_expects_few(many, since):
    day = since and timezone.now() - since
    stored = StoredActivity(OUR_ORGANIZATION, ME)
    both: dict[str, tuple[str, ...]] = {"clinic": ("c-1",), "thing": (many,)}
    for params in (ListParams(filters=both), *(ListParams(filters={name: both[name]}) for name in both)):
        got: list[Listing[Entry]] = []
        assert units(lambda: got.append(stored.list(params, period=Period(start=day)))) < 20  # noqa: B023
        assert (got[0].result_count, len(got[0].results)) == (MAX_LISTED_ENTRIES, params.size)
        assert units(lambda: got.append(stored.whole(params, period=Period(start=day))(params))) < 20  # noqa: B023
        assert got[1].result_count == 2 * MAX_LISTED_ENTRIES + (0 if since else 3), "a file has all"
    assert len(stored.newest(many, 5)) == 5


@pytest.mark.django_db
@pytest.mark.req("DM-45")
@pytest.mark.usefixtures("many")
def test_matches_are_found_behind_many_entries_that_do_not_match():
    stored = StoredActivity(OUR_ORGANIZATION, ME)
    for name, value in [*FILTERS.items(), ("thing", OLD["target"])]:
        params = ListParams(filters={"clinic": ("c-1",), name: (value,)})
        for listing in (stored.list(params), stored.whole(params)(params)):
            assert (listing.result_count, [row.key for row in listing.results]) == (3, ["old 2", "old 1", "old 0"]), (
                name
            )


@pytest.mark.django_db
@pytest.mark.req("DM-45")
@pytest.mark.usefixtures("many")
def test_all_entries_and_the_administrators_of_the_filter_are_read_fast():
    stored = StoredActivity(OUR_ORGANIZATION, ME)
    filters: dict[str, tuple[str, ...]] = {"person": (ME,), "kind": ("user",), "act": ("user.edit",)}
    for params in (ListParams(), *(ListParams(filters={name: filters[name]}) for name in filters)):
        results: list[object] = []
        assert units(lambda: results.extend((stored.list(params).result_count, *stored.people()))) < 20  # noqa: B023
        assert results == [MAX_LISTED_ENTRIES, ME, OLD["who"]]
