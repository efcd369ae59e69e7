"""The lifetimes of grants, and the removal of expired ones."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db.models import Q
from django.utils import timezone

from console.sessions.deferred_writes import write_if_possible
from console.sessions.models import Grant, Session

KEEP_LOGGED_IN_TTL = timedelta(days=30)
"""A login with "keep me logged in" ends this long after its last refresh (specification, section 4)."""
IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(hours=24)
"""A browser-session cookie needs a limit on the server, because browsers restore it after a restart."""
TOUCH_INTERVAL = timedelta(minutes=1)
"""The minimum time between updates of `last_seen_at`: a write costs more than the rest of the session handling."""


@dataclass(frozen=True)
class RemainingTime:
    """The seconds until an unused grant ends; `can_be_extended` if using it restarts them."""

    seconds: int
    can_be_extended: bool


def remaining_time(grant: Grant, now: datetime) -> RemainingTime:
    if grant.persistent:
        remaining = (grant.refreshed_at or grant.created_at) + KEEP_LOGGED_IN_TTL - now
        return RemainingTime(max(0, int(remaining.total_seconds())), can_be_extended=False)
    until_absolute = grant.created_at + ABSOLUTE - now
    remaining = min(grant.last_seen_at + IDLE - now, until_absolute)
    return RemainingTime(max(0, int(remaining.total_seconds())), can_be_extended=until_absolute > remaining)


def has_ended(grant: Grant, now: datetime) -> bool:
    """Return True if a grant is past its limits."""
    if grant.persistent:
        return now >= (grant.refreshed_at or grant.created_at) + KEEP_LOGGED_IN_TTL
    return now >= grant.last_seen_at + IDLE or now >= grant.created_at + ABSOLUTE


def touch(grant: Grant, now: datetime) -> None:
    """Record that a grant was used, if the database can be written."""
    if now - grant.last_seen_at >= TOUCH_INTERVAL and write_if_possible(
        lambda: Grant.objects.filter(pk=grant.pk).update(last_seen_at=now)
    ):
        grant.last_seen_at = now


def remove_ended() -> int:
    """Delete sessions and grants past their limits; return the number of deleted grants."""
    now = timezone.now()
    expired: type[AbstractBaseSession] = Session
    expired.objects.filter(expire_date__lt=now).delete()
    return Grant.objects.filter(ended(now)).delete()[0]


def ended(now: datetime) -> Q:
    """Return `has_ended` as a database condition."""
    browser = Q(persistent=False) & (Q(last_seen_at__lte=now - IDLE) | Q(created_at__lte=now - ABSOLUTE))
    never_refreshed = Q(persistent=True, refreshed_at=None, created_at__lte=now - KEEP_LOGGED_IN_TTL)
    refreshed = Q(persistent=True, refreshed_at__lte=now - KEEP_LOGGED_IN_TTL)
    return browser | never_refreshed | refreshed
