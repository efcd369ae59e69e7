"""`manage.py clearsessions` purges rows that are kept for a limited time, one process at a time."""

from datetime import timedelta

import pytest
from cryptography.fernet import Fernet, MultiFernet
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.utils import timezone

from console.models import Activity, Attempt, Draft, Purge, RunningExport, SavedView, Submission
from console.sessions.identity import identity_key
from console.sessions.models import Grant, IdentityKey

pytestmark = [pytest.mark.sql, pytest.mark.django_db, pytest.mark.req("SEC-115")]


@pytest.mark.req("SEC-34")
def test_expired_rows_are_deleted_and_all_others_stay():
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
    Grant.objects.create(payload="", persistent=True, admin_id_hash="")  # an administrator uses the console
    call_command("clearsessions")
    assert [entry.key for entry in Activity.objects.all()] == ["new"]
    assert dict(Submission.objects.values_list("key", "answer")) == {"old": "", "new": "page"}, "that it was sent stays"
    assert [view.name_key for view in SavedView.objects.all()] == ["new"]
    assert [export.owner for export in RunningExport.objects.all()] == ["new"]
    assert [draft.key for draft in Draft.objects.all()] == ["new"]
    assert [attempt.key for attempt in Attempt.objects.all()] == ["new"]


@pytest.mark.req("SEC-32")
def test_a_purge_encrypts_the_key_of_the_identities_with_the_newest_key(settings):
    former, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    stored = []
    for keys in ([former], [new, former], [new]):
        settings.GRANT_KEYS = keys
        identity_key.cache_clear()
        call_command("clearsessions")
        stored.append(IdentityKey.objects.get().value)
    identity_key.cache_clear()
    assert len({MultiFernet([Fernet(former), Fernet(new)]).decrypt(value) for value in stored}) == 1


def expired_draft():
    return Draft.objects.create(key="old", content="typed", created_at=timezone.now() - timedelta(hours=1))


@pytest.mark.req("SEC-34")
def test_only_one_process_purges_at_a_time(capsys):
    expired_draft()
    now = timezone.now()
    Purge.objects.create(pk=1, locked_until=now + timedelta(minutes=1))
    call_command("clearsessions")
    assert capsys.readouterr().out == "Another process is purging.\n"
    assert Draft.objects.exists()
    assert Purge.objects.get().finished_at is None

    Purge.objects.update(locked_until=now)  # like after a killed purge
    call_command("clearsessions")
    assert not Draft.objects.exists()
    call_command("clearsessions")
    assert capsys.readouterr().out == "0 grants removed\n" * 2


@pytest.mark.req("SEC-34")
def test_a_purge_that_fails_reports_it_and_frees_the_lock(monkeypatch):
    def fail():
        raise DatabaseError("full") from OSError("full")

    with monkeypatch.context() as patched:
        patched.setattr("console.ops.purge.remove_ended", fail)
        with pytest.raises(CommandError, match="full"):
            call_command("clearsessions")
    assert Purge.objects.get().finished_at is None, "the age of the last purge goes on rising"
    call_command("clearsessions")
    assert Purge.objects.get().finished_at is not None
