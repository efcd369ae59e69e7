"""Writes that a request can do without, while the database can't be written: a full disk, read-only, or locked.

Pages that only read go on working, and what they would have noted is noted later. Rows that must go are as good as gone
for this process at once, and go with the next write that succeeds.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Model

from console.config.database_errors import log_storage_failure

WAIT = 1.0
"""Seconds that such a write waits for somebody's lock; one that matters waits as long as the settings say."""
PAUSE = 10.0
"""Seconds without those that nobody misses after one that failed, or each page would wait for the lock."""

_pending_deletes: set[tuple[type[Model], str]] = set()


class _Pause:
    ends = float("-inf")


def can_write(write: Callable[[], object]) -> bool:
    """Make a write now; False when the database does not let it."""
    try:
        with _short_wait():
            write()
    except (DatabaseError, InterfaceError) as error:
        log_storage_failure("the database can't be written", error)
        return False
    return True


def write_if_possible(write: Callable[[], object]) -> bool:
    """Make a write that nobody depends on, unless one has just failed; tell whether it was made."""
    if time.monotonic() < _Pause.ends:
        return False
    if can_write(write):
        delete_pending()
        return True
    _Pause.ends = time.monotonic() + PAUSE
    return False


def remove(model: type[Model], key: str) -> None:
    """Delete a row, now or as soon as that is possible."""
    _pending_deletes.add((model, key))
    delete_pending()


def is_removed(model: type[Model], key: str) -> bool:
    """Tell whether a row is gone although it may still be there."""
    return (model, key) in _pending_deletes


def delete_pending() -> None:
    """Delete the rows that could not be deleted before."""
    for row in list(_pending_deletes):
        model, key = row
        if not can_write(model._default_manager.filter(pk=key).delete):
            return
        _pending_deletes.discard(row)


@contextmanager
def _short_wait() -> Iterator[None]:
    milliseconds = int(WAIT * 1000)
    if connection.vendor == "postgresql":
        # For this transaction only: the setting is the operator's, and behind a pooler the connection is anybody's.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {milliseconds}")
            yield
        return
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
