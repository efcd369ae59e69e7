"""What waits, in numbers, for the badges of the navigation and the bell: read beside a page's own reads.

A page never waits long for them, never fails because of them unless the whole service does, and has those of the page
before where they are late.
"""

import time
from typing import Any, NamedTuple, cast

from django.http import HttpRequest

from console.http import ConsoleRequest
from console.upstream.resources.dashboards import Summary

PATIENCE = 0.2
"""Seconds that a finished page waits for them at most."""
KNOWN_FOR = 60.0
"""Seconds for which the last ones are shown where there are no newer ones, as in the page that answers a form."""
MOST_KNOWN = 1000


class Counts(NamedTuple):
    """The summary, None where the service has none or it is not known; and how many notifications are unread."""

    summary: Summary | None = None
    unread: int = 0


NOTHING = Counts()

_known: dict[str, tuple[float, Counts]] = {}
"""By who is logged in: when they were read, and the counts."""


def begin_counts(request: ConsoleRequest) -> None:
    """Begin to read them, before the page makes its own calls."""
    upstream, organization, admin = request.upstream, request.admin.organization_id, request.admin.id

    def summary() -> Counts:
        found = upstream.dashboards.summary(organization)
        return Counts(found, found.unread_notification_count)

    def unread() -> Counts:
        return Counts(unread=upstream.notifications.unread_count(admin))

    read = summary if upstream.dashboards.has_summary else unread if upstream.notifications.has_unread_count else None
    if read:
        cast(Any, request).counts = upstream.begin(read)


def counts_of(request: HttpRequest, *, patience: float = PATIENCE) -> Counts:
    """Return the counts of this request, else the last ones of whoever is logged in, else none.

    Raises ServerCode15001, Maintenance and SessionEnded, once: the page that tells of it has no counts.
    """
    target = cast(Any, request)
    begun, target.counts = getattr(target, "counts", None), None
    found: Counts | None = begun(patience) if begun else None
    identity, now = target.admin.identity, time.monotonic()
    if found:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[identity] = now, found
        return found
    read, known = _known.get(identity, (now, NOTHING))
    return known if now - read < KNOWN_FOR else NOTHING


def forget() -> None:
    """Know nothing; needed in tests only."""
    _known.clear()
