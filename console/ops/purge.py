"""The purge: deletes rows that are kept for a limited time, and encrypts all others with the newest key."""

from datetime import datetime, timedelta

from django.apps import apps
from django.utils import timezone

from console.audit import retention as activity
from console.config.database_errors import insert_if_absent
from console.forms import drafts, idempotency
from console.models import OwnedRow, Purge, RunningExport
from console.sessions import throttle
from console.sessions.expiry import remove_ended
from console.sessions.identity import identity_key
from console.sessions.key_rotation import encrypted_fields, rotate
from console.sessions.models import Grant

ACTIVITY_WINDOW = timedelta(days=7)
"""A login of an administrator within this time shows that the clock is right."""
LOCK_TTL = timedelta(hours=1)
"""The time after which the lock of a killed purge is released."""


def purge() -> int | None:
    """Delete expired rows; return the number of deleted grants, or None if another process is purging right now."""
    now = timezone.now()
    insert_if_absent(Purge(pk=1, locked_until=now))
    row = Purge.objects.filter(pk=1)
    if not row.filter(locked_until__lte=now).update(locked_until=now + LOCK_TTL):
        return None
    try:
        deleted = _purge()
    finally:
        row.update(locked_until=timezone.now())
    row.update(finished_at=timezone.now())
    return deleted


def _purge() -> int:
    identity_key()  # encrypts itself with the newest key when a process first reads it
    drafts.purge_expired()
    idempotency.purge_expired()
    throttle.purge_expired()
    activity.purge_expired()
    now = timezone.now()
    RunningExport.expired(now).delete()
    if _is_clock_right(now):
        for model in apps.get_models():
            if issubclass(model, OwnedRow):
                model.purge(now)
    for encrypted, field in encrypted_fields():
        if field.mark:
            rotate(encrypted, field.name)
    return remove_ended()


def _is_clock_right(now: datetime) -> bool:
    """Return True if an administrator uses the console. If not, the clock may be wrong, and rows may not be expired."""
    return Grant.objects.filter(last_seen_at__range=(now - ACTIVITY_WINDOW, now)).exists()
