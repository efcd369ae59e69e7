"""The activity with more entries about one thing than a list has pages for."""

import pytest
from django.db import connection

from console.activity.content import Content
from console.activity.listing import MOST, StoredActivity
from console.activity.reading import Entry, thing_key
from console.models import Activity
from console.testing.cost import units
from console.upstream.listing import Listing, ListParams

OURS, ME = "ours", "me"
KEY = {"organization": OURS, "who": ME, "kind": "user", "act": "edit"}


@pytest.fixture
def many():
    """Twice as many as a list has pages for, all about one clinic, in a database that expects none."""
    clinic, content = thing_key(OURS, "clinic", "c-1"), Content().encrypt()
    fields = {**KEY, "clinic": clinic, "target": clinic, "content": content, "key_mark": "k"}
    Activity.objects.bulk_create((Activity(**fields, key=f"{n}") for n in range(2 * MOST)), batch_size=500)
    if connection.vendor == "postgresql":
        # It counts its rows now and then, and chooses by the last count how to look for them.
        with connection.cursor() as cursor:
            cursor.execute("UPDATE pg_class SET reltuples = 0 WHERE relname LIKE 'activity%'")
            cursor.execute("SET LOCAL statement_timeout = '30s'")
    return clinic


@pytest.mark.django_db
@pytest.mark.req("DM-45")
@pytest.mark.parametrize("name", ["clinic", "thing", "both"])
def test_many_entries_are_read_at_once_however_few_the_database_expects(many, name):
    asked: dict[str, tuple[str, ...]] = {"clinic": ("c-1",), "thing": (many,)}
    params = ListParams(filters=asked if name == "both" else {name: asked[name]})
    got: list[Listing[Entry]] = []
    newest: list[Entry] = []
    assert units(lambda: got.append(StoredActivity(OURS, ME).list(params))) < 20
    assert (got[0].result_count, len(got[0].results)) == (MOST, params.size)
    assert units(lambda: got.append(StoredActivity(OURS, ME).whole(params)(params))) < 20
    assert got[1].result_count == MOST
    assert units(lambda: newest.extend(StoredActivity(OURS, ME).newest(many, 5))) < 20
    assert len(newest) == 5


@pytest.mark.django_db
@pytest.mark.req("DM-45")
@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("filters", [{}, {"person": (ME,)}, {"kind": ("user",)}, {"act": ("user.edit",)}], ids=str)
def test_so_are_the_others_and_whom_to_choose_from(filters):
    stored, params = StoredActivity(OURS, ME), ListParams(filters=filters)
    found: list[object] = []
    assert units(lambda: found.extend((stored.list(params).result_count, *stored.people()))) < 20
    assert found == [MOST, ME]
