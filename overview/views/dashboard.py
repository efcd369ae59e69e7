"""The dashboard: the organization in numbers, and below them the provider's own dashboard by its address."""

from dataclasses import dataclass

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.shell.dashboards import shown_address
from console.web.access import private
from console.web.badges import counts_of
from console.web.request import ConsoleRequest
from console.web.responses import show
from overview.reading import counted
from overview.tables.dashboard import numbers_of
from overview.tables.setup import setup_steps
from upstream import usage_dashboard
from upstream.errors import NotDone, NotFound


@dataclass(frozen=True)
class Usage:
    """The provider's dashboard. Without an address there is none to show: `told` says why."""

    address: str = ""
    origin: str = ""
    told: str = ""
    is_framed: bool = False
    is_failed: bool = False


@private
def dashboard_show(request: ConsoleRequest) -> HttpResponse:
    usage = _usage(request)
    summary = counts_of(request, patience=settings.UPSTREAM.deadlines.read).summary
    found = summary or counted(request.upstream, request.admin.organization_id)
    numbers, steps = numbers_of(found), setup_steps(found)
    response = show(request, "overview/dashboard.html", numbers=numbers, steps=steps, usage=usage)
    if usage.is_framed:
        # On this view alone, and for this host alone.
        response.headers[HEADER] = build_policy(update={"frame-src": [usage.origin]})
    return response


def _usage(request: ConsoleRequest) -> Usage:
    try:
        stored = usage_dashboard.read_url(request.upstream)
    except (NotDone, NotFound):
        return Usage(told=_("The address of the usage dashboard could not be read."), is_failed=True)
    if not stored:
        return Usage(told=_("No usage dashboard is set up yet. Your service provider gives you its address (URL)."))
    found = shown_address(request, stored)
    if found is None:
        return Usage(told=_("The stored address is not one of your service provider's dashboards, so it is not shown."))
    address, origin = found
    return Usage(address, origin, is_framed=settings.DASHBOARD_MODE == "frame")
