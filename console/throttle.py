"""Slowing down who tries too often: counted on the database, so that every worker and host knows.

An attempt is counted before it is made, so that parallel ones can't slip through; a success forgets the pair's count.
How many are made at a time is limited in each worker, so that those who must not get in leave threads to the others.
"""

import ipaddress
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from console import metrics
from console.email_addresses import email_key
from console.grants.writing import write_if_possible
from console.models import Attempt
from console.upstream.errors import Limited


@dataclass(frozen=True)
class Limit:
    """`count` attempts in `window`; then a pause of `pause`, doubled with each further attempt up to `longest`."""

    count: int
    window: timedelta
    pause: timedelta
    longest: timedelta


PAIR = Limit(5, timedelta(minutes=15), timedelta(minutes=1), timedelta(minutes=15))
ADDRESS = Limit(50, timedelta(minutes=10), timedelta(minutes=10), timedelta(minutes=10))
ACCOUNT = Limit(20, timedelta(minutes=15), timedelta(seconds=5), timedelta(seconds=5))
"""Soft, because a stranger must not be able to lock the owner out."""
CHECKS = Limit(10, timedelta(minutes=1), timedelta(minutes=1), timedelta(minutes=15))
"""Questions of one network whether an email or a name is free: enough for who signs up, too few to list accounts."""
SIGN_UPS = Limit(10, timedelta(minutes=10), timedelta(minutes=1), timedelta(minutes=15))
"""Sign-ups of one network; each tells whether its email and name are free, too."""
RESENT = Limit(1, timedelta(minutes=1), timedelta(minutes=1), timedelta(minutes=1))
"""Mails to one address at the wish of one network: the next one after a minute."""
MAILS = Limit(6, timedelta(hours=1), timedelta(minutes=10), timedelta(minutes=30))
"""Mails to one address, whoever wishes them; a link of those that were sent still works."""
RESETS = Limit(20, timedelta(minutes=10), timedelta(minutes=1), timedelta(minutes=15))
"""Passwords that one network tries to set by mailed links."""

CLOCK_TOLERANCE = timedelta(minutes=1)
"""What lies further in the future than a limit leads was stored while the clock was wrong, and doesn't count."""
KEPT = timedelta(days=1)
"""How long a count is kept after its time: who goes on a little later is still known."""

_places = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 4))


class Busy(Exception):
    """Too many attempts at the same time; nothing was tried, and a moment later it may be."""


class Throttled(Exception):
    """Too many attempts; may be tried again in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"throttled for {seconds} s")
        self.seconds = seconds


@contextmanager
def place() -> Iterator[None]:
    """Make an attempt in one of the places of this worker: a quarter of its threads. Raises Busy when all are taken.

    The place is taken before anything is tried: a refusal told at once because the places ran out afterwards would
    take as long as the service does, and so tell whether the address is known.
    """
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        yield
    finally:
        _places.release()


def enter(
    action: str,
    *,
    address: str,
    email: str = "",
    pair: Limit | None = PAIR,
    network: Limit | None = ADDRESS,
    account: Limit | None = ACCOUNT,
) -> None:
    """Count an attempt at `action` ("login", ...). Raises Throttled, and then the attempt must not be made.

    The limits are those of an email and a network together, of a network, and of an email.
    """
    email, address = email_key(email), network_of(address)
    counted = (
        (_key(action, "pair", email, address), pair),
        (_key(action, "address", address), network),
        (_key(action, "account", email), account),
    )
    keys = {key: limit for key, limit in counted if limit}
    now = timezone.now()
    forget_old()
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
        if longest := max(_wait(row, keys[row.key], now) for row in rows):
            metrics.throttled.labels(action).inc()
            raise Throttled(longest)
        for row in rows:
            _count(row, keys[row.key], now)
    return True


def _locked(keys: Iterable[str]) -> list[Attempt]:
    """Lock rows, in one order for all: two who hold each what the other needs would both fail."""
    return list(Attempt.objects.select_for_update().filter(pk__in=list(keys)).order_by("pk"))


def limited(action: str, **who_and_limits: Any) -> None:
    """Do as `enter` does where a form is carried out: raise Limited, as if the service had answered so."""
    try:
        enter(action, **who_and_limits)
    except Throttled as throttled:
        raise Limited("slowed down", retry_after=throttled.seconds) from None


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
    email, address = email_key(email), network_of(address)
    own, *shared = (
        _key(action, "pair", email, address),
        _key(action, "address", address),
        _key(action, "account", email),
    )
    write_if_possible(partial(_forgive, own, shared))


def _forgive(own: str, shared: list[str]) -> None:
    with transaction.atomic():
        _locked([own, *shared])
        Attempt.objects.filter(pk=own).delete()
        Attempt.objects.filter(pk__in=shared, count__gt=0).update(count=F("count") - 1, blocked_until=None)


def forget_old() -> None:
    """Delete the counts that slow nobody down any more."""
    Attempt.objects.filter(window_ends__lt=timezone.now() - KEPT).delete()


def network_of(address: str) -> str:
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
    return salted_hmac("console.throttle", "\n".join(parts), algorithm="sha256").hexdigest()


def _wait(row: Attempt, limit: Limit, now: datetime) -> int:
    if row.blocked_until is None or not now < row.blocked_until <= now + limit.longest + CLOCK_TOLERANCE:
        return 0
    return ceil((row.blocked_until - now).total_seconds())


def _count(row: Attempt, limit: Limit, now: datetime) -> None:
    if not now < row.window_ends <= now + limit.longest + limit.window + CLOCK_TOLERANCE:
        row.count, row.window_ends, row.blocked_until = 0, now + limit.window, None
    row.count += 1
    if row.count >= limit.count:
        pause = min(limit.longest, limit.pause * 2 ** min(row.count - limit.count, 10))
        row.blocked_until = now + pause
        row.window_ends = max(row.window_ends, row.blocked_until + limit.window)
    row.save()
