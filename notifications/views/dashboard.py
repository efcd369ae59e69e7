"""The dashboard: the organization in numbers, and below them the provider's own dashboard by its address."""

from dataclasses import dataclass

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.access import private
from console.counts import counts_of
from console.http import ConsoleRequest, login_of
from console.respond import show
from console.upstream.errors import NotDone, NotFound, NotOffered
from console.upstream.hosts import dashboard_address, host_of
from console.upstream.resources.regions import DomainKind
from notifications.reading import counted
from notifications.tables.dashboard import numbers_of


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
    numbers = numbers_of(summary or counted(request.upstream, request.admin.organization_id))
    response = show(request, "notifications/dashboard.html", numbers=numbers, usage=usage)
    if usage.is_framed:
        # On this view alone, and for this host alone.
        response.headers[HEADER] = build_policy(update={"frame-src": [usage.origin]})
    return response


def _usage(request: ConsoleRequest) -> Usage:
    try:
        stored = _stored_address(request)
    except (NotDone, NotFound):
        return Usage(told=_("The address of the usage dashboard could not be read."), is_failed=True)
    if not stored:
        return Usage(told=_("No usage dashboard is set up yet. Your service provider gives you its address (URL)."))
    found = dashboard_address(stored, _allowed_hosts(request))
    if found is None or _is_ours(request, found[1]):
        return Usage(told=_("The stored address is not one of your service provider's dashboards, so it is not shown."))
    address, origin = found
    return Usage(address, origin, is_framed=settings.DASHBOARD_MODE == "frame")


def _stored_address(request: ConsoleRequest) -> str:
    """The organization's address; where the service has no such call, the administrator's."""
    upstream, admin = request.upstream, request.admin
    try:
        return upstream.dashboards.url(admin.organization_id)
    except NotOffered:
        return upstream.admins.get(admin.id).dashboard_url or ""


def _allowed_hosts(request: ConsoleRequest) -> tuple[str, ...]:
    """The host that the region lookup named for dashboards, and those of the configuration."""
    login = login_of(request)
    named = host_of(login.stored.domainUrls.get(str(int(DomainKind.DASHBOARD)), "")) if login else ""
    return tuple(filter(None, [named, *settings.ALLOWED_DASHBOARD_HOSTS]))


def _is_ours(request: ConsoleRequest, origin: str) -> bool:
    """A page of ours in a frame of ours would have all rights of this one."""
    hosts = {host.lower() for host in (request.get_host(), *settings.ALLOWED_HOSTS)}
    return origin.removeprefix("https://") in {host.partition(":")[0] for host in hosts}
