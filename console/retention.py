"""The end of what is kept for a while only: logins, drafts, answers, attempts, activity, views, and rows of apps."""

from console import registry, throttle
from console.activity import retention as activity
from console.forms import drafts, idempotency
from console.grants.limits import remove_ended
from console.lists import stored_views


def remove_old() -> int:
    """Delete everything whose time is over; return the number of deleted grants."""
    drafts.forget_old()
    idempotency.forget_old()
    throttle.forget_old()
    activity.forget_old()
    activity.encrypt_anew()
    stored_views.forget_unused()
    stored_views.encrypt_anew()
    for clean_up in registry.cleanups:
        clean_up()
    return remove_ended()
