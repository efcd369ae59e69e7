"""The dashboard: what waits, the organization in figures, its last changes, and the provider's own dashboard."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from console.audit import words
from console.audit.content import Entry
from console.audit.query import stored_activity
from console.lists.view import Cell, age_cell
from console.shell.dashboards import get_dashboard_url
from console.shell.first_page import get_setup_steps, get_waiting
from console.web.access import private
from console.web.badges import get_counts
from console.web.failures import not_loaded
from console.web.paths import get_path
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import show
from overview import links
from overview.reading import read_overview
from overview.tables.dashboard import Sparkline, get_figures, sparkline
from upstream import usage_dashboard
from upstream.errors import NotDone, NotFound
from upstream.listing import ListParams

logger = logging.getLogger(__name__)

SUMMARY_TIMEOUT_SECONDS = 1.0
"""The time to wait for the summary, which decides what is read; it has been read since the request began."""
MAX_CHANGES = 8
DAYS = 30
"""Days of the sparkline."""
SIGN_OFF = "sign_off"
"""The code of the entry of a signed access review."""


@dataclass(frozen=True)
class Usage:
    """The provider's dashboard; `message` says why it isn't shown."""

    address: str = ""
    origin: str = ""
    message: str = ""
    is_framed: bool = False
    is_failed: bool = False


@dataclass(frozen=True)
class Change:
    """An entry of the activity, for the list of the last changes."""

    title: str
    href: str
    who: str
    date: Cell


@dataclass(frozen=True)
class Changes:
    """The last changes in this console and the number per day, and the last signed access review, if there is one."""

    last: Sequence[Change]
    days: Sparkline
    review: Change | None


@private
def dashboard_show(request: ConsoleRequest) -> HttpResponse:
    now = timezone.now()
    summary = get_counts(request, timeout=SUMMARY_TIMEOUT_SECONDS).summary
    usage, overview = read_overview(request.upstream, summary, lambda: _usage(request))
    figures = get_figures(summary, overview, now)
    response = show(
        request,
        "overview/dashboard.html",
        figures=figures,
        steps=get_setup_steps(figures.summary) if figures.is_complete else [],
        waiting=[(row, age_cell(figures.ages.get(row.kind), now)) for row in get_waiting(request, figures.summary)],
        is_waiting_known=summary is not None,
        changes=_changes(request, now),
        usage=usage,
    )
    if usage.is_framed:
        # Allow frames on this view only, and from this host only.
        response.headers[HEADER] = build_policy(update={"frame-src": [usage.origin]})
    return response


def _changes(request: ConsoleRequest, now: datetime) -> Changes | None:
    """Read the console's own activity, which takes no call of the service; return None if it can't be read."""
    stored, tz = stored_activity(request), get_tz(request)
    try:
        entries = stored.list(ListParams(size=MAX_CHANGES)).results
        counts = stored.daily_counts(now - timedelta(days=DAYS), tz)
        review = stored.last_done("user", SIGN_OFF)
    except DatabaseError as error:
        logger.warning("the activity could not be read: %s", type(error).__name__)
        return None

    def change(entry: Entry, href: str) -> Change:
        return Change(words.entry_title(entry), href, entry.content.who, age_cell(entry.at, now))

    return Changes(
        [change(entry, links.entry_url(links.activity_list_url(), entry.id)) for entry in entries],
        sparkline(counts, now.astimezone(tz).date(), DAYS),
        change(review, get_path("groups:signed-review-show", review.id)) if review else None,
    )


def _usage(request: ConsoleRequest) -> Usage:
    try:
        stored = usage_dashboard.read_url(request.upstream)
    except (NotDone, NotFound):
        return Usage(message=not_loaded(), is_failed=True)
    if not stored:
        return Usage(message=_("No usage dashboard is set up yet. Ask your service provider for its URL."))
    allowed = get_dashboard_url(request, stored)
    if allowed is None:
        return Usage(message=_("The saved URL isn't one of your service provider's dashboards, so it isn't shown."))
    address, origin = allowed
    return Usage(address, origin, is_framed=settings.DASHBOARD_MODE == "frame")
