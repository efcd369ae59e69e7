"""Rows read by SQL are what Django's query reads, on every database."""

from datetime import timedelta

import pytest
from django.utils import timezone

from console.grants.models import Grant, Session
from console.models import SavedView
from console.rows import Objects, Rows

pytestmark = pytest.mark.sql


@pytest.mark.django_db
def test_a_row_has_all_of_its_fields_as_django_reads_them(django_assert_num_queries):
    kept = Grant.objects.create(payload="é" * 2000, persistent=True, admin_id_hash="h", refreshed_at=timezone.now())
    Grant.objects.create(payload="x", persistent=False, admin_id_hash="h")
    with django_assert_num_queries(1):
        found = Objects(Grant, "id = %s").one(kept.pk)
        assert found is not None
        read = {field.attname: getattr(found, field.attname) for field in Grant._meta.concrete_fields}
    expected = Grant.objects.get(pk=kept.pk)
    assert read == {field.attname: getattr(expected, field.attname) for field in Grant._meta.concrete_fields}
    found.persistent = False
    found.save()
    assert Grant.objects.get(pk=kept.pk).persistent is False


@pytest.mark.django_db
@pytest.mark.parametrize(("left", "is_found"), [(1, True), (-1, False)])
def test_a_condition_may_compare_times(left, is_found):
    Session.objects.create(session_key="k", session_data="", expire_date=timezone.now() + timedelta(seconds=left))
    valid = Objects(Session, "session_key = %s AND expire_date > %s")
    assert (valid.one("k", timezone.now()) is not None) == is_found
    assert valid.one("other", timezone.now()) is None


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["%s", "x' OR '1'='1", "\x7f", "é"])
def test_a_value_is_never_part_of_the_sql(value):
    Grant.objects.create(payload="x", persistent=False, admin_id_hash="h")
    assert Objects(Grant, "id = %s").one(value) is None


@pytest.mark.django_db
def test_some_fields_of_rows_come_as_django_reads_them_in_one_query(django_assert_num_queries):
    for number in range(3):
        SavedView.objects.create(
            owner="o", list="l", name_key=f"{number}", content="é", key_mark="k", is_default=number == 1
        )
    SavedView.objects.create(owner="other", list="l", name_key="4", content="x", key_mark="k")
    with django_assert_num_queries(2):
        rows = Rows(
            SavedView, "owner = %s ORDER BY is_default DESC, id LIMIT 2", fields=("id", "is_default", "used_at")
        )
        found = rows.read("o")
        counted = Rows(SavedView, "owner = %s AND used_at <= %s", fields=(), also="COUNT(*)").read("o", timezone.now())
    expected = SavedView.objects.filter(owner="o").order_by("-is_default", "pk")[:2]
    assert [tuple(row) for row in found] == list(expected.values_list("id", "is_default", "used_at"))
    assert counted == [[3]]
