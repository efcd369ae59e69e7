"""The allowed addresses of the provider's usage dashboard."""

from django.conf import settings

from console.web.request import ConsoleRequest, get_login
from upstream.hosts import dashboard_address, get_host
from upstream.resources.regions import DomainKind


def allowed_hosts(request: ConsoleRequest) -> tuple[str, ...]:
    """Return the dashboard host from the region lookup, and the configured hosts."""
    login = get_login(request)
    named = get_host(login.stored.domainUrls.get(str(int(DomainKind.DASHBOARD)), "")) if login else ""
    return tuple(filter(None, dict.fromkeys([named, *settings.ALLOWED_DASHBOARD_HOSTS])))


def get_dashboard_url(request: ConsoleRequest, stored: str) -> tuple[str, str] | None:
    """Return the normalized address and its origin; None if the address may not be shown."""
    address = dashboard_address(stored, allowed_hosts(request))
    return None if address is None or _is_console_origin(request, address[1]) else address


def _is_console_origin(request: ConsoleRequest, origin: str) -> bool:
    """Return True for a page of this console, which in a frame would have all rights of the page around it."""
    hosts = {host.lower() for host in (request.get_host(), *settings.ALLOWED_HOSTS)}
    return origin.removeprefix("https://") in {host.partition(":")[0] for host in hosts}
