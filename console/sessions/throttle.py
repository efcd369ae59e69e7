"""Slowing down who tries too often: counted on the database, so that every worker and host knows.

An attempt is counted before it is made, so that parallel ones can't slip through; a success forgets the pair's count.
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
"""An office has one address; who lists accounts or tries links gets no further than this."""
ACCOUNT = Limit(20, timedelta(minutes=15), timedelta(seconds=5), timedelta(seconds=5))
"""Soft, because a stranger must not be able to lock the owner out."""
MAILS = Limit(6, timedelta(hours=1), timedelta(minutes=10), timedelta(minutes=30), gap=timedelta(minutes=1))
"""Mails for one account, in place of ACCOUNT. The links that were sent still work."""

CLOCK_TOLERANCE = timedelta(minutes=1)
"""What lies further in the future than a limit leads was stored while the clock was wrong, and doesn't count."""
RETENTION = timedelta(days=1)
"""How long a count is kept after its time: who goes on a little later is still known."""


def enter(action: str, *, address: str, email: str = "", account: Limit = ACCOUNT) -> None:
    """Count an attempt at `action` ("login", ...). Raises TooManyAttempts, and then the attempt must not be made.

    The limits are those of a network, and with an email those of the email, and of both together.
    """
    email, address = email_key(email), get_network(address)
    keys = {_key(action, "address", address): NETWORK}
    if email:
        keys |= {_key(action, "pair", email, address): PAIR, _key(action, "account", email): account}
    now = timezone.now()
    purge_expired()
    while not _is_counted(action, keys, now):
        pass  # a success has just forgotten one of the rows


def _is_counted(action: str, keys: dict[str, Limit], now: datetime) -> bool:
    """Count an attempt under its keys; False, with nothing counted, when one of the rows went meanwhile."""
    with transaction.atomic():
        missing = [Attempt(key=key, window_ends=now + limit.window) for key, limit in sorted(keys.items())]
        Attempt.objects.bulk_create(missing, ignore_conflicts=True)
        if len(rows := _locked(keys)) < len(keys):
            transaction.set_rollback(True)  # or two who make the rest of their rows would wait for each other
            return False
        if wait := max(_wait(row, keys[row.key], now) for row in rows):
            metrics.throttled.labels(action).inc()
            raise TooManyAttempts("too many attempts", retry_after=wait)
        for row in rows:
            _count(row, keys[row.key], now)
    return True


def _locked(keys: Iterable[str]) -> list[Attempt]:
    """Lock rows, in one order for all: two who hold each what the other needs would both fail."""
    return list(Attempt.objects.select_for_update().filter(pk__in=list(keys)).order_by("pk"))


@contextmanager
def lasting(seconds: float) -> Iterator[None]:
    """Let this take so long at least, however it ends: its time must not tell what was found."""
    started = time.monotonic()
    try:
        yield
    finally:
        time.sleep(max(0.0, seconds - (time.monotonic() - started)))


def forgive(action: str, *, email: str, address: str) -> None:
    """A success: this person at this address starts afresh, and it was no failure of the address or the account.

    What succeeded is told even if that can't be stored.
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
    """Delete the counts that slow nobody down any more."""
    Attempt.objects.filter(window_ends__lt=timezone.now() - RETENTION).delete()


def get_network(address: str) -> str:
    """The unit that is counted: an IPv4 address, or the /64 of an IPv6 address (one customer has that many)."""
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
    """Whoever has a copy of the database must not find out who tried, by trying addresses."""
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
