"""What the storages of the apps have in common: the rows that the console keeps itself, for one organization each."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import DatabaseError

from console.config.database_errors import tell_unstored
from console.errors import StorageUnavailable
from console.sessions.models import Grant

SEEN_WITHIN = timedelta(days=7)
"""Somebody who was here within this time shows that the clock is right."""


@contextmanager
def stored(failed: str) -> Iterator[None]:
    """Make a change; log `failed` and raise StorageUnavailable if the database does not accept it."""
    try:
        yield
    except DatabaseError as error:
        tell_unstored(failed, error)
        raise StorageUnavailable(type(error).__name__) from error


def number_of(id: str) -> int:
    """The number of a row; 0, which none has, for whatever else an address or a form holds."""
    return int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0


def is_clock_right(now: datetime) -> bool:
    """Tell whether somebody uses the console: where nobody does, the clock may be wrong, and no year has passed."""
    return Grant.objects.filter(last_seen_at__range=(now - SEEN_WITHIN, now)).exists()
