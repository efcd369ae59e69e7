"""Partnership requests from labs that are waiting for a decision."""

from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from console.bulk.action import BulkList
from console.l10n.numbers import ngettext
from console.lists.view import ListView
from console.web.contributions import DecisionKind
from console.web.request import ConsoleRequest
from partners import links
from partners.bulk.partnerships import AskingActions
from partners.tables.partnerships import TABS
from partners.tables.waiting_requests import waiting_table
from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.dashboards import Summary
from upstream.resources.partnerships import Partnership


def waiting(summary: Summary) -> int:
    """Return the number of requests from labs that are waiting."""
    return summary.partnership_counts.get("PENDING_IN", 0)


def _read(upstream: Upstream, size: int) -> Listing[Partnership]:
    return upstream.partnerships.list(TABS["asking"].with_filters(ListParams(size=size, sort="requested_date")))


def _build_list(
    request: ConsoleRequest, listing: Listing[Partnership], path: str
) -> tuple[ListView, BulkList[Partnership]]:
    return waiting_table(listing, path=path, now=timezone.now()), AskingActions(request)


WAITING_REQUESTS = DecisionKind(
    name="requests",
    # Translators: heading: requests for a partnership that dental labs sent to the organization.
    title=_("Requests from labs"),
    nothing=_("No requests from labs."),
    count=waiting,
    waiting=lambda n: ngettext("%(count)s lab request", "%(count)s lab requests", n),
    read=lambda request, size: partial(_read, request.upstream, size),
    render=_build_list,
    actions=("accept", "reject"),
    all_href=lambda: links.tab_url("asking"),
    rank=2,
)
