"""The end of what is kept for a while only: logins, drafts, the answers to forms, and counts of attempts."""

import logging

from django.db import DatabaseError

from console import throttle
from console.forms import drafts, idempotency
from console.grants.identity import identity_key
from console.grants.limits import remove_ended

logger = logging.getLogger(__name__)


def remove_old() -> int:
    """Delete everything whose time is over; return the number of deleted grants."""
    drafts.forget_old()
    idempotency.forget_old()
    throttle.forget_old()
    return remove_ended()


def at_start() -> None:
    """Do so when a process starts, and encrypt the identities' key with the newest key, so that older ones may go.

    That the database can't be written is told by /readyz, and stops nothing here.
    """
    try:
        identity_key()
        remove_old()
    except DatabaseError as error:
        logger.warning("what is old could not be removed: %s", type(error).__name__)
