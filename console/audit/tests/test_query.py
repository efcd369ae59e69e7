"""What the history of a thing reads, on every database."""

import pytest

from console.audit.content import Content, thing_key
from console.audit.query import StoredActivity
from console.models import Activity
from console.web.contributions import contributed

pytestmark = pytest.mark.sql

OURS, THEIRS, ME, OTHER = "ours", "theirs", "me", "other"
PLACES = ("target", "clinic", "other_clinic", "team", "other_team")


def noted(place, *, organization=OURS, who=ME, kind="user", act="edit", **fields):
    count = Activity.objects.count()
    key = thing_key(organization, "clinic", "c-1")
    row = {"organization": organization, "who": who, "kind": kind, "act": act, "key": f"{count}", place: key}
    return str(Activity.objects.create(**row, content=Content().encrypt(), key_mark="k", **fields).pk)


@pytest.fixture
def own_kind():
    return next(kind.code for kind in contributed().activity.values() if kind.is_own)


@pytest.mark.django_db
@pytest.mark.req("DM-45", "PM-20")
def test_the_newest_entries_are_those_in_which_a_thing_stands_anywhere_and_that_one_may_see(
    django_assert_num_queries, own_kind
):
    everywhere = [noted(place) for place in PLACES]
    mine = noted("target", kind=own_kind)
    noted("target", kind=own_kind, who=OTHER)
    noted("target", organization=THEIRS)
    noted("target", is_bulk=True)
    permitted = noted("clinic", act="permissions", who=OTHER, outcome="done")
    stored, thing = StoredActivity(OURS, ME), thing_key(OURS, "clinic", "c-1")
    with django_assert_num_queries(4):
        found = stored.newest(thing, 50)
        permissions = stored.newest(thing, 50, acts=["permissions", "labs"])
    assert [entry.id for entry in found] == [permitted, mine, *reversed(everywhere)]
    assert [(entry.id, entry.outcome) for entry in permissions] == [(permitted, "done")]
    assert [entry.id for entry in stored.newest(thing, 2)] == [permitted, mine]
    assert stored.newest(thing_key(THEIRS, "clinic", "c-1"), 5) == []
