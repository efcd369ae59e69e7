"""What is kept for a while goes when its time is over, also where nobody posts anything."""

import runpy
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography.fernet import Fernet, MultiFernet
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from console.grants.identity import identity_key
from console.grants.models import Grant, IdentityKey
from console.models import Activity, Attempt, Draft, RunningExport, SavedView, Submission

pytestmark = pytest.mark.sql

GUNICORN = Path(__file__).resolve().parents[2] / "gunicorn.conf.py"


def start_a_process() -> None:
    runpy.run_path(str(GUNICORN))["post_worker_init"](SimpleNamespace(former=[]))


WAYS: dict[str, Callable[[], object]] = {
    "the command": lambda: call_command("clearsessions"),
    "a start": start_a_process,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-34")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_old_is_removed_and_the_rest_stays(way):
    now = timezone.now()
    for key, seconds in {"gone": 3601, "old": 61, "new": 20}.items():
        Submission.objects.create(key=key, answer="page", created_at=now - timedelta(seconds=seconds))
    for key, minutes in {"old": 16, "new": 14}.items():
        Draft.objects.create(key=key, content="typed", created_at=now - timedelta(minutes=minutes))
    for key, seconds in {"old": -1, "new": 80, "of a wrong clock": 86_400}.items():
        RunningExport.objects.create(owner=key, lease_ends=now + timedelta(seconds=seconds))
    for key, hours in {"old": 25, "new": 23}.items():
        Attempt.objects.create(key=key, window_ends=now - timedelta(hours=hours))
    for key, days in {"old": 401, "new": 399}.items():
        Activity.objects.create(key=key, at=now - timedelta(days=days), content="", key_mark="")
    for key, days in {"old": 366, "new": 364}.items():
        SavedView.objects.create(name_key=key, used_at=now - timedelta(days=days), content="", key_mark="")
    Grant.objects.create(payload="", persistent=True, admin_id_hash="")  # somebody uses the console
    WAYS[way]()
    assert [entry.key for entry in Activity.objects.all()] == ["new"]
    assert dict(Submission.objects.values_list("key", "answer")) == {"old": "", "new": "page"}, "that it was sent stays"
    assert [view.name_key for view in SavedView.objects.all()] == ["new"]
    assert [export.owner for export in RunningExport.objects.all()] == ["new"]
    assert [draft.key for draft in Draft.objects.all()] == ["new"]
    assert [attempt.key for attempt in Attempt.objects.all()] == ["new"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-32")
def test_a_start_alone_encrypts_the_key_of_the_identities_with_the_newest_key(settings):
    former, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    kept = []
    for keys in ([former], [new, former], [new]):
        settings.GRANT_KEYS = keys
        identity_key.cache_clear()
        start_a_process()
        kept.append(IdentityKey.objects.get().value)
    identity_key.cache_clear()
    assert len({MultiFernet([Fernet(former), Fernet(new)]).decrypt(value) for value in kept}) == 1


@pytest.mark.django_db
@pytest.mark.req("SEC-34")
def test_a_process_starts_although_its_database_can_not_be_written(caplog):
    def refuse(*_: object) -> None:
        raise DatabaseError("read-only")

    with connection.execute_wrapper(refuse):
        start_a_process()
    assert "the database can't be written: DatabaseError" in caplog.text
