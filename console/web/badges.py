"""Badge counts for the navigation and the bell, read concurrently with a page's own reads.

A page never waits long for them, never fails because of them unless the whole service does, and shows the counts of the
previous page if they are late.
"""

import time
from typing import Any, NamedTuple, cast

import msgspec
from django.http import HttpRequest

from console.l10n.numbers import number_text
from console.web.contributions import contributed
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_login
from upstream.resources.dashboards import Summary

WAIT_TIMEOUT_SECONDS = 0.2
"""The maximum time that a finished page waits for the counts."""
KNOWN_FOR = 60.0
"""The time for which the last counts are shown if there are no newer ones, as in the page that answers a form."""
MAX_CACHED = 1000
COUNTS_PARAM = "counts"
"""The query parameter with which a list is read again after an action: the response includes the counts."""


class Counts(NamedTuple):
    """The summary, None if the service has none or it is unknown; and the number of unread notifications."""

    summary: Summary | None = None
    unread: int = 0


NOTHING = Counts()


class BellCount(msgspec.Struct, frozen=True):
    """The number at the bell, and the same in words."""

    count: str
    label: str


class CountsUpdate(msgspec.Struct, frozen=True):
    """The new numbers for an open page: those of the navigation, by the paths of its entries, and the bell's.

    They are texts, empty for zero.
    """

    badges: dict[str, str]
    bell: BellCount | None


_known: dict[str, tuple[float, Counts]] = {}
"""By administrator: the time of the read, and the counts."""


def start_counts(request: ConsoleRequest) -> None:
    """Start to read the counts, before the page makes its own calls."""
    upstream, organization, admin = request.upstream, request.admin.organization_id, request.admin.id

    def summary() -> Counts:
        totals = upstream.dashboards.summary(organization)
        return Counts(totals, totals.unread_notification_count)

    def unread() -> Counts:
        return Counts(unread=upstream.notifications.unread_count(admin))

    read = summary if upstream.dashboards.has_summary else unread if upstream.notifications.has_unread_count else None
    if read:
        cast(Any, request).counts = upstream.start(read)


def start_unknown_counts(request: ConsoleRequest) -> None:
    """Start to read the counts for a page that answers a form, unless the last ones are known."""
    if get_login(request) and _last_counts(request) == NOTHING:
        start_counts(request)


def get_counts(request: HttpRequest, *, timeout: float = WAIT_TIMEOUT_SECONDS) -> Counts:
    """Return the counts of this request, else the administrator's last ones, else none.

    Raises ServerCode15001, Maintenance and SessionEnded once, so that the error page has no counts.
    """
    return _finished_counts(request, timeout) or _last_counts(request)


def _last_counts(request: HttpRequest) -> Counts:
    """Return the administrator's last counts if they were read a short time ago, else none."""
    now = time.monotonic()
    read, known = _known.get(cast(Any, request).admin.identity, (now, NOTHING))
    return known if now - read < KNOWN_FOR else NOTHING


def counts_update(request: HttpRequest) -> CountsUpdate | None:
    """Return the counts of this request for an open page; None if they are not there in time."""
    counts = _finished_counts(request, WAIT_TIMEOUT_SECONDS)
    if not counts:
        return None
    bell_config = contributed().bell
    bell = BellCount(count_text(counts.unread), bell_config.label(counts.unread)) if bell_config else None
    return CountsUpdate({get_path(name): count_text(count) for name, count in badges(request, counts).items()}, bell)


def count_text(count: int) -> str:
    """Return a number as a badge shows it: "" for zero."""
    return number_text(count) if count else ""


def badges(request: HttpRequest, counts: Counts) -> dict[str, int]:
    """Return the count of each entry of the navigation, by its URL name.

    If the service counts, but its summary is unknown, there are none; if it doesn't count, the console's own numbers.
    """
    summary = counts.summary
    if summary is None and cast(Any, request).upstream.dashboards.has_summary:
        return {}
    return {
        entry.url_name: (entry.badge(summary) if summary else 0) + entry.stored_count(request)
        for entry in contributed().navigation
    }


def _finished_counts(request: HttpRequest, timeout: float) -> Counts | None:
    """Return the counts if their read has finished, and cache them."""
    target = cast(Any, request)
    begun, target.counts = getattr(target, "counts", None), None
    counts: Counts | None = begun(timeout) if begun else None
    if counts:
        if len(_known) >= MAX_CACHED:
            _known.clear()
        _known[target.admin.identity] = time.monotonic(), counts
    return counts


def clear_cache() -> None:
    """Clear the cache; for tests."""
    _known.clear()
