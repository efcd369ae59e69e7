"""The end of what is kept for a while only: logins, drafts, the answers to forms, and counts of attempts."""

from console import throttle
from console.forms import drafts, idempotency
from console.grants.limits import remove_ended


def remove_old() -> int:
    """Delete everything whose time is over; return the number of deleted grants."""
    drafts.forget_old()
    idempotency.forget_old()
    throttle.forget_old()
    return remove_ended()
