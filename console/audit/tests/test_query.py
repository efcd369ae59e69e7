"""The history of an object reads the right entries on every database."""

import pytest

from console.audit.content import Content, thing_key
from console.audit.query import StoredActivity
from console.models import Activity
from console.web.contributions import contributed

pytestmark = pytest.mark.sql

OUR_ORGANIZATION, OTHER_ORGANIZATION, ME, OTHER = "ours", "theirs", "me", "other"
KEY_COLUMNS = ("target", "clinic", "other_clinic", "team", "other_team")


def create_entry(column, *, organization=OUR_ORGANIZATION, administrator=ME, kind="user", action="edit", **fields):
    count = Activity.objects.count()
    key = thing_key(organization, "clinic", "c-1")
    row = {
        "organization": organization,
        "who": administrator,
        "kind": kind,
        "act": action,
        "key": f"{count}",
        column: key,
    }
    return str(Activity.objects.create(**row, content=Content().encrypt(), key_mark="k", **fields).pk)


@pytest.fixture
def private_kind():
    return next(kind.code for kind in contributed().activity.values() if kind.is_personal)


@pytest.mark.django_db
@pytest.mark.req("DM-45", "PM-20")
def test_the_newest_entries_are_the_visible_ones_that_refer_to_an_object(django_assert_num_queries, private_kind):
    everywhere = [create_entry(column) for column in KEY_COLUMNS]
    mine = create_entry("target", kind=private_kind)
    create_entry("target", kind=private_kind, administrator=OTHER)
    create_entry("target", organization=OTHER_ORGANIZATION)
    create_entry("target", is_bulk=True)
    permitted = create_entry("clinic", action="permissions", administrator=OTHER, outcome="done")
    stored, thing = StoredActivity(OUR_ORGANIZATION, ME), thing_key(OUR_ORGANIZATION, "clinic", "c-1")
    with django_assert_num_queries(4):
        entries = stored.newest(thing, 50)
        permissions = stored.newest(thing, 50, actions=["permissions", "labs"])
    assert [entry.id for entry in entries] == [permitted, mine, *reversed(everywhere)]
    assert [(entry.id, entry.outcome) for entry in permissions] == [(permitted, "done")]
    assert [entry.id for entry in stored.newest(thing, 2)] == [permitted, mine]
    assert stored.newest(thing_key(OTHER_ORGANIZATION, "clinic", "c-1"), 5) == []
