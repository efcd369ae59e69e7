"""Throttling of attempts, counted in the database, so that it holds for all workers and hosts.

An attempt is counted before it is made, so that parallel ones can't slip through; a success resets the pair's count.
"""

import ipaddress
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from console.config import metrics
from console.errors import TooManyAttempts
from console.models import Attempt
from console.sessions.deferred_writes import write_if_possible
from upstream.emails import email_key


@dataclass(frozen=True)
class Limit:
    """`count` attempts in `window`, with a `gap` after each; then a pause of `pause`.

    The pause doubles with each further attempt, up to `max_pause`.
    """

    count: int
    window: timedelta
    pause: timedelta
    max_pause: timedelta
    gap: timedelta = timedelta()


PAIR = Limit(5, timedelta(minutes=15), timedelta(minutes=1), timedelta(minutes=15))
NETWORK = Limit(50, timedelta(minutes=10), timedelta(minutes=1), timedelta(minutes=15))
"""Per network, since an office has one address; stops attempts to enumerate accounts or links."""
ACCOUNT = Limit(20, timedelta(minutes=15), timedelta(seconds=5), timedelta(seconds=5))
"""Soft, so that a stranger can't lock the owner out."""
MAILS = Limit(6, timedelta(hours=1), timedelta(minutes=10), timedelta(minutes=30), gap=timedelta(minutes=1))
"""Emails to one account, in place of ACCOUNT. Links that were already sent still work."""

CLOCK_TOLERANCE = timedelta(minutes=1)
"""A time further in the future than this was stored while the clock was wrong, and is ignored."""
RETENTION = timedelta(days=1)
"""The time that a count is kept after its window."""


def enter(action: str, *, address: str, email: str = "", account: Limit = ACCOUNT) -> None:
    """Count an attempt at `action` ("login", ...). Raises TooManyAttempts if the attempt must not be made.

    The limits are those of the network and, with an email, of the email, and of both together.
    """
    email, address = email_key(email), get_network(address)
    keys = {_key(action, "address", address): NETWORK}
    if email:
        keys |= {_key(action, "pair", email, address): PAIR, _key(action, "account", email): account}
    now = timezone.now()
    purge_expired()
    while not _is_counted(action, keys, now):
        pass  # a concurrent success has deleted one of the rows


def _is_counted(action: str, keys: dict[str, Limit], now: datetime) -> bool:
    """Count an attempt under its keys; return False, with nothing counted, if a row was deleted concurrently."""
    with transaction.atomic():
        missing = [Attempt(key=key, window_ends=now + limit.window) for key, limit in sorted(keys.items())]
        Attempt.objects.bulk_create(missing, ignore_conflicts=True)
        if len(rows := _locked(keys)) < len(keys):
            transaction.set_rollback(True)  # or two requests that create the missing rows would deadlock
            return False
        if wait := max(_wait(row, keys[row.key], now) for row in rows):
            metrics.throttled.labels(action).inc()
            raise TooManyAttempts("too many attempts", retry_after=wait)
        for row in rows:
            _count(row, keys[row.key], now)
    return True


def _locked(keys: Iterable[str]) -> list[Attempt]:
    """Lock rows, always in the same order, so that two requests can't deadlock."""
    return list(Attempt.objects.select_for_update().filter(pk__in=list(keys)).order_by("pk"))


@contextmanager
def lasting(seconds: float) -> Iterator[None]:
    """Make a block take at least this long, so that its duration doesn't reveal its result."""
    started = time.monotonic()
    try:
        yield
    finally:
        time.sleep(max(0.0, seconds - (time.monotonic() - started)))


def forgive(action: str, *, email: str, address: str) -> None:
    """Reset the pair's count after a success, and take the attempt off the counts of the address and the account.

    The success is reported even if this can't be stored.
    """
    email, address = email_key(email), get_network(address)
    pair, *shared = (
        _key(action, "pair", email, address),
        _key(action, "address", address),
        _key(action, "account", email),
    )
    write_if_possible(partial(_forgive, pair, shared))


def _forgive(pair: str, shared: list[str]) -> None:
    with transaction.atomic():
        _locked([pair, *shared])
        Attempt.objects.filter(pk=pair).delete()
        Attempt.objects.filter(pk__in=shared, count__gt=0).update(count=F("count") - 1, blocked_until=None)


def purge_expired() -> None:
    """Delete the counts that no longer limit anything."""
    Attempt.objects.filter(window_ends__lt=timezone.now() - RETENTION).delete()


def get_network(address: str) -> str:
    """Return the network that is counted: an IPv4 address, or the /64 of an IPv6 address (that of one customer)."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


def _key(*parts: str) -> str:
    """Return a keyed hash, so that a copy of the database doesn't reveal addresses by trial."""
    return salted_hmac("console.sessions.throttle", "\n".join(parts), algorithm="sha256").hexdigest()


def _wait(row: Attempt, limit: Limit, now: datetime) -> int:
    if row.blocked_until is None or not now < row.blocked_until <= now + limit.max_pause + CLOCK_TOLERANCE:
        return 0
    return ceil((row.blocked_until - now).total_seconds())


def _count(row: Attempt, limit: Limit, now: datetime) -> None:
    if not now < row.window_ends <= now + limit.max_pause + limit.window + CLOCK_TOLERANCE:
        row.count, row.window_ends, row.blocked_until = 0, now + limit.window, None
    row.count += 1
    pause = limit.gap
    if row.count >= limit.count:
        pause = min(limit.max_pause, limit.pause * 2 ** min(row.count - limit.count, 10))
    if pause:
        row.blocked_until = now + pause
        row.window_ends = max(row.window_ends, row.blocked_until + limit.window)
    row.save()
