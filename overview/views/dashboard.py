"""The dashboard: the organization's numbers and, below them, the provider's own dashboard."""

from dataclasses import dataclass

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.shell.dashboards import get_dashboard_url
from console.web.access import private
from console.web.badges import get_counts
from console.web.request import ConsoleRequest
from console.web.responses import show
from overview.reading import counted
from overview.tables.dashboard import get_numbers
from overview.tables.setup import setup_steps
from upstream import usage_dashboard
from upstream.errors import NotDone, NotFound


@dataclass(frozen=True)
class Usage:
    """The provider's dashboard; `message` says why it isn't shown."""

    address: str = ""
    origin: str = ""
    message: str = ""
    is_framed: bool = False
    is_failed: bool = False


@private
def dashboard_show(request: ConsoleRequest) -> HttpResponse:
    usage = _usage(request)
    summary = get_counts(request, timeout=settings.UPSTREAM.deadlines.read).summary
    source = summary or counted(request.upstream, request.admin.organization_id)
    numbers, steps = get_numbers(source), setup_steps(source)
    response = show(request, "overview/dashboard.html", numbers=numbers, steps=steps, usage=usage)
    if usage.is_framed:
        # Allow frames on this view only, and from this host only.
        response.headers[HEADER] = build_policy(update={"frame-src": [usage.origin]})
    return response


def _usage(request: ConsoleRequest) -> Usage:
    try:
        stored = usage_dashboard.read_url(request.upstream)
    except (NotDone, NotFound):
        return Usage(message=_("The address of the usage dashboard could not be read."), is_failed=True)
    if not stored:
        return Usage(message=_("No usage dashboard is set up yet. Your service provider gives you its address (URL)."))
    allowed = get_dashboard_url(request, stored)
    if allowed is None:
        return Usage(
            message=_("The stored address is not one of your service provider's dashboards, so it is not shown.")
        )
    address, origin = allowed
    return Usage(address, origin, is_framed=settings.DASHBOARD_MODE == "frame")
