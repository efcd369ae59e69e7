"""The address of the provider's usage dashboard: where it is stored, and which one may be shown."""

from django.conf import settings

from console.web.request import ConsoleRequest, login_of
from upstream.errors import NotOffered
from upstream.hosts import dashboard_address, get_host
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization
from upstream.resources.regions import DomainKind


def stored_address(request: ConsoleRequest) -> str:
    """Return the organization's address; "" for none."""
    try:
        return request.upstream.dashboards.url(request.admin.organization_id)
    except NotOffered:
        return _owner(request).dashboard_url or ""


def store_address(request: ConsoleRequest, address: str) -> None:
    """Store another address, or none ("")."""
    upstream = request.upstream
    try:
        upstream.dashboards.set_url(request.admin.organization_id, address)
    except NotOffered:
        owner = _owner(request)
        update = upstream.admins.update if isinstance(owner, Admin) else upstream.organizations.update
        update(owner.id, version=owner.version, dashboard_url=address or None)


def _owner(request: ConsoleRequest) -> Admin | Organization:
    """Return what has the address where the service has no call for it: it is written where it is read."""
    upstream, who = request.upstream, request.admin
    admin, organization = upstream.together(
        lambda: upstream.admins.get(who.id), lambda: upstream.organizations.get(who.organization_id)
    )
    return organization if organization.dashboard_url and not admin.dashboard_url else admin


def allowed_hosts(request: ConsoleRequest) -> tuple[str, ...]:
    """Return the host that the region lookup named for dashboards, and those of the configuration."""
    login = login_of(request)
    named = get_host(login.stored.domainUrls.get(str(int(DomainKind.DASHBOARD)), "")) if login else ""
    return tuple(filter(None, dict.fromkeys([named, *settings.ALLOWED_DASHBOARD_HOSTS])))


def shown_address(request: ConsoleRequest, stored: str) -> tuple[str, str] | None:
    """Return the normalized address and its origin; None for one that is not shown."""
    found = dashboard_address(stored, allowed_hosts(request))
    return None if found is None or _is_ours(request, found[1]) else found


def _is_ours(request: ConsoleRequest, origin: str) -> bool:
    """A page of ours in a frame of ours would have all rights of this one."""
    hosts = {host.lower() for host in (request.get_host(), *settings.ALLOWED_HOSTS)}
    return origin.removeprefix("https://") in {host.partition(":")[0] for host in hosts}
