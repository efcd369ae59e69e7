"""What the database refuses, as operators are told of it: counted, in one line, with no value of a row."""

import logging

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

from console import metrics

logger = logging.getLogger(__name__)

UNUSABLE = (OperationalError, InterfaceError, InternalError)
"""Errors of the database itself: it is gone, full, read-only or locked. Their words quote no value."""


def reason(error: BaseException) -> str:
    """Name an error of the database in one line, with its words where they are about the database itself."""
    said = str(error).strip().partition("\n")[0] if isinstance(error, UNUSABLE) else ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def tell_unstored(what: str, error: DatabaseError) -> None:
    """Count and log a write that the database did not take; only a fault of our own has a traceback."""
    metrics.unstored.inc()
    logger.warning("%s: %s", what, reason(error), exc_info=None if isinstance(error, UNUSABLE) else error)
