"""What is kept for a while goes when its time is over, also where nobody posts anything."""

import runpy
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from console.models import Draft, Submission

GUNICORN = Path(__file__).resolve().parents[2] / "gunicorn.conf.py"


def start_a_process() -> None:
    runpy.run_path(str(GUNICORN))["post_worker_init"](None)


WAYS: dict[str, Callable[[], object]] = {
    "the command": lambda: call_command("clearsessions"),
    "a start": start_a_process,
}


@pytest.mark.django_db
@pytest.mark.req("SEC-34")
@pytest.mark.parametrize("way", WAYS)
def test_old_answers_and_drafts_are_removed_and_others_stay(way):
    now = timezone.now()
    for key, seconds in {"gone": 3601, "old": 61, "new": 20}.items():
        Submission.objects.create(key=key, answer="page", created_at=now - timedelta(seconds=seconds))
    for key, minutes in {"old": 16, "new": 14}.items():
        Draft.objects.create(key=key, content="typed", created_at=now - timedelta(minutes=minutes))
    WAYS[way]()
    assert dict(Submission.objects.values_list("key", "answer")) == {"old": "", "new": "page"}, "that it was sent stays"
    assert [draft.key for draft in Draft.objects.all()] == ["new"]


@pytest.mark.django_db
@pytest.mark.req("SEC-34")
def test_a_process_starts_although_its_database_can_not_be_written(caplog):
    def refuse(*_: object) -> None:
        raise DatabaseError("read-only")

    with connection.execute_wrapper(refuse):
        start_a_process()
    assert "what is old could not be removed: DatabaseError" in caplog.text
