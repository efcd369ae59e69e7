"""One row read by SQL is the row that Django's query reads, on every database."""

from datetime import timedelta

import pytest
from django.utils import timezone

from console.grants.models import Grant, Session
from console.grants.reading import OneRow


@pytest.mark.django_db
def test_a_row_has_all_of_its_fields_as_django_reads_them(django_assert_num_queries):
    kept = Grant.objects.create(payload="é" * 2000, persistent=True, admin_id_hash="h", refreshed_at=timezone.now())
    Grant.objects.create(payload="x", persistent=False, admin_id_hash="h")
    with django_assert_num_queries(1):
        found = OneRow(Grant, "id = %s").find(kept.pk)
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
    valid = OneRow(Session, "session_key = %s AND expire_date > %s")
    assert (valid.find("k", timezone.now()) is not None) == is_found
    assert valid.find("other", timezone.now()) is None


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["%s", "x' OR '1'='1", "\x7f", "é"])
def test_a_value_is_never_part_of_the_sql(value):
    Grant.objects.create(payload="x", persistent=False, admin_id_hash="h")
    assert OneRow(Grant, "id = %s").find(value) is None
