"""The purge: deletes what is kept for a limited time only, and encrypts the rest with the newest key."""

from datetime import timedelta

from django.utils import timezone

from console.audit import retention as activity
from console.config.database_errors import insert_if_absent
from console.forms import drafts, idempotency
from console.lists import stored_views
from console.models import Purge
from console.sessions import throttle
from console.sessions.expiry import remove_ended
from console.sessions.identity import identity_key
from console.web import contributions

LOCK_TTL = timedelta(hours=1)
"""How long the lock of a purge that was killed keeps others from purging."""


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
    drafts.forget_old()
    idempotency.forget_old()
    throttle.forget_old()
    activity.forget_old()
    activity.encrypt_anew()
    stored_views.forget_unused()
    stored_views.encrypt_anew()
    for clean_up in contributions.cleanups:
        clean_up()
    return remove_ended()
