"""Delete entries: after ACTIVITY_DAYS, or by a command."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from console.models import Activity

CHUNK_SIZE = 5000
"""Entries that one statement deletes, so that other statements don't wait long for it."""


def purge_expired() -> int:
    """Delete the expired entries; return how many."""
    return _delete(at__lt=timezone.now() - timedelta(days=settings.ACTIVITY_DAYS))


def purge(**which: str) -> int:
    """Delete all entries, or those with these values; return how many."""
    return _delete(**which)


def _delete(**which: object) -> int:
    rows, count = Activity.objects.filter(**which).order_by("pk"), 0
    while chunk := list(rows.values_list("pk", flat=True)[:CHUNK_SIZE]):
        count += Activity.objects.filter(pk__in=chunk, **which).delete()[0]
    return count
