"""Optional writes that are skipped or deferred while the database can't be written (full disk, read-only, locked).

Pages that only read keep working, and skipped data is written later. Rows to delete count as deleted in this process
immediately, and are deleted with the next write that succeeds.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Model

from console.config.database_errors import log_storage_failure

WAIT = 1.0
"""Seconds that an optional write waits for a lock; required writes wait as long as the settings say."""
PAUSE = 10.0
"""Seconds to skip optional writes after one has failed, so that not every page waits for the lock."""

_pending_deletes: set[tuple[type[Model], str]] = set()


class _Pause:
    ends = float("-inf")


def can_write(write: Callable[[], object]) -> bool:
    """Execute a write; return False if the database refuses it."""
    try:
        with _short_wait():
            write()
    except (DatabaseError, InterfaceError) as error:
        log_storage_failure("the database can't be written", error)
        return False
    return True


def write_if_possible(write: Callable[[], object]) -> bool:
    """Execute an optional write, unless one has failed recently; return True if it succeeded."""
    if time.monotonic() < _Pause.ends:
        return False
    if can_write(write):
        delete_pending()
        return True
    _Pause.ends = time.monotonic() + PAUSE
    return False


def remove(model: type[Model], key: str) -> None:
    """Delete a row now, or as soon as the database allows it."""
    _pending_deletes.add((model, key))
    delete_pending()


def is_removed(model: type[Model], key: str) -> bool:
    """Return True if a row counts as deleted, although it may still exist."""
    return (model, key) in _pending_deletes


def delete_pending() -> None:
    """Delete the rows that could not be deleted earlier."""
    for row in list(_pending_deletes):
        model, key = row
        if not can_write(model._default_manager.filter(pk=key).delete):
            return
        _pending_deletes.discard(row)


@contextmanager
def _short_wait() -> Iterator[None]:
    milliseconds = int(WAIT * 1000)
    if connection.vendor == "postgresql":
        # For this transaction only, because a pooler may share the connection with other clients.
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
