"""What waits, in numbers, for the badges of the navigation and the bell: read beside a page's own reads.

A page never waits long for them, never fails because of them unless the whole service does, and has those of the page
before where they are late.
"""

import time
from typing import Any, NamedTuple, cast

import msgspec
from django.http import HttpRequest

from console.l10n.numbers import number_text
from console.web.contributions import contributed
from console.web.paths import path_of
from console.web.request import ConsoleRequest
from upstream.resources.dashboards import Summary

PATIENCE = 0.2
"""Seconds that a finished page waits for them at most."""
KNOWN_FOR = 60.0
"""Seconds for which the last ones are shown where there are no newer ones, as in the page that answers a form."""
MOST_KNOWN = 1000
ASKED = "counts"
"""Of the address of a list that is read again after an act: its answer tells them, too."""


class Counts(NamedTuple):
    """The summary, None where the service has none or it is not known; and how many notifications are unread."""

    summary: Summary | None = None
    unread: int = 0


NOTHING = Counts()


class BellCount(msgspec.Struct, frozen=True):
    """The number at the bell, and the same in words."""

    count: str
    label: str


class ToldCounts(msgspec.Struct, frozen=True):
    """What an open page draws anew: the numbers of the navigation, by the addresses of its entries, and the bell's.

    They are texts, empty for none.
    """

    badges: dict[str, str]
    bell: BellCount | None


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
        cast(Any, request).counts = upstream.start(read)


def counts_of(request: HttpRequest, *, patience: float = PATIENCE) -> Counts:
    """Return the counts of this request, else the last ones of whoever is logged in, else none.

    Raises ServerCode15001, Maintenance and SessionEnded, once: the page that tells of it has no counts.
    """
    if found := _found(request, patience):
        return found
    now = time.monotonic()
    read, known = _known.get(cast(Any, request).admin.identity, (now, NOTHING))
    return known if now - read < KNOWN_FOR else NOTHING


def told_counts(request: HttpRequest) -> ToldCounts | None:
    """Return those that were begun for this request, for a page that is open; None where there are none in time."""
    found = _found(request, PATIENCE)
    if not found:
        return None
    shown = contributed().bell
    bell = BellCount(count_text(found.unread), shown.label(found.unread)) if shown else None
    return ToldCounts({path_of(name): count_text(count) for name, count in badges(request, found).items()}, bell)


def count_text(count: int) -> str:
    """A number as a badge shows it; none is not shown."""
    return number_text(count) if count else ""


def badges(request: HttpRequest, counts: Counts) -> dict[str, int]:
    """Return what waits at each entry of the navigation, by its URL name.

    Nothing where a service that counts has not said it yet; of one that doesn't, what the console itself keeps.
    """
    summary = counts.summary
    if summary is None and cast(Any, request).upstream.dashboards.has_summary:
        return {}
    return {
        entry.url_name: (entry.badge(summary) if summary else 0) + entry.kept(request)
        for entry in contributed().navigation
    }


def _found(request: HttpRequest, patience: float) -> Counts | None:
    """Return what was begun to be read, and know it from now on."""
    target = cast(Any, request)
    begun, target.counts = getattr(target, "counts", None), None
    found: Counts | None = begun(patience) if begun else None
    if found:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[target.admin.identity] = time.monotonic(), found
    return found


def forget() -> None:
    """Know nothing; needed in tests only."""
    _known.clear()
