"""Errors of the database, counted and logged in one line for operators, without any value of a row."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
    ProgrammingError,
    connection,
)
from django.db.models import Model

from console.config import metrics
from console.errors import StorageUnavailable

logger = logging.getLogger(__name__)

CONSOLE_ERRORS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
"""Errors of a working database: one of our statements is at fault."""
MISSING = ("42P01", "42703")
"""PostgreSQL's codes for a missing table and a missing column, as strings so that its library need not be loaded."""


def is_unusable(error: BaseException) -> bool:
    """Return True if the database itself fails: gone, full, locked, damaged, no tables. Its texts quote no values."""
    if type(error) is DatabaseError:  # damage in SQLite; without a cause it is Django's error for a missing row
        return error.__cause__ is not None
    if getattr(error.__cause__, "sqlstate", None) in MISSING:  # not set up yet, or restored from nothing
        return True
    return isinstance(error, DatabaseError | InterfaceError) and not isinstance(error, CONSOLE_ERRORS)


def reason(error: BaseException) -> str:
    """Return the error in one line, with its text if it is about the database itself."""
    message = str(error).strip().partition("\n")[0] if is_unusable(error) else ""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def log_storage_failure(what: str, error: DatabaseError | InterfaceError) -> None:
    """Count and log a write that the database refused; only errors of our own have a traceback."""
    metrics.unstored.inc()
    logger.warning("%s: %s", what, reason(error), exc_info=None if is_unusable(error) else error)


@contextmanager
def storing(failed: str) -> Iterator[None]:
    """Execute a change; log `failed` and raise StorageUnavailable if the database refuses it."""
    try:
        yield
    except DatabaseError as error:
        log_storage_failure(failed, error)
        raise StorageUnavailable(type(error).__name__) from error


def insert_if_absent(row: Model) -> bool:
    """Insert a row; return False if its key exists. The database numbers a row without a primary key.

    One statement without an exception: Django keeps an IntegrityError on the connection, and with its traceback the
    request and all data of its form.
    """
    fields = [field for field in row._meta.concrete_fields if row.pk is not None or not field.primary_key]
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields]
    placeholders = ", ".join(["%s"] * len(fields))
    table = connection.ops.quote_name(row._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) VALUES ({placeholders}) ON CONFLICT DO NOTHING",  # noqa: S608 - our names
            values,
        )
        return bool(cursor.rowcount)
