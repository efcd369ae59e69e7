"""Scanners that are waiting for a decision: connected, but neither approved nor disapproved."""

from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from console.bulk.action import BulkList
from console.l10n.numbers import ngettext
from console.lists.view import ListView
from console.web.contributions import DecisionKind
from console.web.request import ConsoleRequest
from scanners import links
from scanners.bulk.scanners import ScannerActions
from scanners.reading import expected_scanners
from scanners.tables.waiting_scanners import waiting_table
from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.dashboards import Summary
from upstream.resources.scanners import APPROVE, DISAPPROVE, PENDING, Scanner


def waiting(summary: Summary) -> int:
    """Return how many scanners are waiting."""
    return summary.scanner_counts.get(PENDING, 0)


def _read(upstream: Upstream, size: int) -> Listing[Scanner]:
    params = ListParams(size=size, sort="connected_date", filters={"status": (PENDING,)})
    return upstream.scanners.list(params, organization_id=upstream.organization_id)


def _build_list(request: ConsoleRequest, listing: Listing[Scanner], path: str) -> tuple[ListView, BulkList[Scanner]]:
    expected = expected_scanners(request, listing.results)
    return waiting_table(listing, path=path, now=timezone.now(), expected=expected or None), ScannerActions(request)


WAITING_SCANNERS = DecisionKind(
    name="scanners",
    title=_("Scanners waiting for approval"),
    nothing=_("No scanners waiting for approval."),
    count=waiting,
    waiting=lambda n: ngettext("%(count)s scanner to approve", "%(count)s scanners to approve", n),
    read=lambda request, size: partial(_read, request.upstream, size),
    render=_build_list,
    actions=(links.DECISIONS[APPROVE], links.DECISIONS[DISAPPROVE]),
    all_href=lambda: f"{links.scanner_list_url()}?status={PENDING}&sort=connected_date&order=asc",
    rank=1,
)
