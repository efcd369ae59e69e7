"""How long a grant lives, and the removal of those that have ended."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db.models import Q
from django.utils import timezone

from console.grants.models import Grant, Session

KEPT = timedelta(days=30)
"""A kept login ends this long after its last refresh (specification, section 4)."""
IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(hours=24)
"""A browser-session cookie needs an end on the server: browsers restore such cookies after a restart."""
SEEN_EVERY = timedelta(minutes=1)
"""`last_seen_at` is written at most this often: a write costs more than all else of a page's session."""


@dataclass(frozen=True)
class TimeLeft:
    """Seconds until a grant ends if nobody uses it, and whether using it puts that off."""

    seconds: int
    can_be_extended: bool


def time_left(grant: Grant, now: datetime) -> TimeLeft:
    if grant.persistent:
        left = (grant.refreshed_at or grant.created_at) + KEPT - now
        return TimeLeft(max(0, int(left.total_seconds())), can_be_extended=False)
    at_most = grant.created_at + ABSOLUTE - now
    left = min(grant.last_seen_at + IDLE - now, at_most)
    return TimeLeft(max(0, int(left.total_seconds())), can_be_extended=at_most > left)


def has_ended(grant: Grant, now: datetime) -> bool:
    """Whether this grant is past its limits."""
    if grant.persistent:
        return now >= (grant.refreshed_at or grant.created_at) + KEPT
    return now >= grant.last_seen_at + IDLE or now >= grant.created_at + ABSOLUTE


def touch(grant: Grant, now: datetime) -> None:
    """Remember that this grant was used."""
    if now - grant.last_seen_at >= SEEN_EVERY:
        Grant.objects.filter(pk=grant.pk).update(last_seen_at=now)
        grant.last_seen_at = now


def remove_ended() -> int:
    """Delete sessions and grants past their limits; answers how many grants went."""
    now = timezone.now()
    expired: type[AbstractBaseSession] = Session
    expired.objects.filter(expire_date__lt=now).delete()
    browser = Q(persistent=False) & (Q(last_seen_at__lte=now - IDLE) | Q(created_at__lte=now - ABSOLUTE))
    never_refreshed = Q(persistent=True, refreshed_at=None, created_at__lte=now - KEPT)
    kept = Q(persistent=True, refreshed_at__lte=now - KEPT)
    return Grant.objects.filter(browser | never_refreshed | kept).delete()[0]
