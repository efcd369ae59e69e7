"""Server locations offered to a new organization, and the URL of each (contract, 1.1 and 13)."""

import time
from dataclasses import dataclass

from django.conf import settings

from console.errors import NotConfigured
from console.l10n.locations import location_name
from console.web.request import ConsoleRequest
from upstream.errors import NotFound, Refused, UpstreamError
from upstream.hosts import check_base_url
from upstream.resources.regions import DomainKind, Region, ServerLocation

REFRESH_INTERVAL_S = 600.0
"""Seconds between reads of the service's list."""
RETRY_INTERVAL_S = 60.0
"""Seconds between reads after a failure."""
MAX_LOCATIONS = 100
"""The largest number of locations offered, even if the service lists more."""


@dataclass(frozen=True)
class Location:
    """A server location; `countries` are the codes of the countries for which it is suggested."""

    code: str
    label: str
    countries: tuple[str, ...] = ()


class _Cache:
    """The list that this process last read from the service."""

    until = float("-inf")
    rows: list[ServerLocation] = []


def clear_cache() -> None:
    """Make the next call read the list again."""
    _Cache.until, _Cache.rows = float("-inf"), []


def offered(request: ConsoleRequest) -> list[Location]:
    """Return the locations to choose from: the operator's that the service offers, or all of the service's.

    If the service has no list, or none in common with the operator's, return the operator's.
    """
    rows = {row.code: tuple(row.country_codes) for row in _service_locations(request) if row.code}
    configured = [row["code"] for row in settings.SERVER_LOCATIONS]
    codes = [code for code in configured if code in rows] or configured or rows
    return [Location(code, location_name(code), rows.get(code, ())) for code in codes]


def get_api_url(code: str) -> str:
    """Return the URL of a location, or the default one for an unknown code. Raises NotConfigured without any."""
    urls = {row["code"]: row["api_url"] for row in settings.SERVER_LOCATIONS}
    url = urls.get(code) or default_api_url()
    if not url:
        raise NotConfigured("neither API_URL nor SERVER_LOCATIONS is set")
    return url


def default_api_url() -> str:
    """Return the URL for calls whose region is unknown, or "" if none is configured."""
    first = next((row["api_url"] for row in settings.SERVER_LOCATIONS), "")
    return settings.UPSTREAM.api_url or first


def find_region(request: ConsoleRequest, email: str) -> Region | None:
    """Return the region of this email's account; None if it is unknown or there are no regions.

    Raises ForeignHost for a URL outside of the allow list: no request is sent there, and it is never stored.
    """
    if settings.CONSOLE_VARIANT == "china":
        return None
    try:
        region = request.upstream.regions.lookup(email)
    except (NotFound, Refused):
        return None
    if not region.api_url:
        return None
    for url in filter(None, (region.url(DomainKind.MAIN), region.api_url)):
        check_base_url(url, settings.UPSTREAM)
    return region


def _service_locations(request: ConsoleRequest) -> list[ServerLocation]:
    now = time.monotonic()
    if now >= _Cache.until:
        _Cache.until = now + RETRY_INTERVAL_S  # set now, so that concurrent requests don't wait for the same response
        try:
            _Cache.rows = request.upstream.regions.server_locations(api_url=get_api_url(""))[:MAX_LOCATIONS]
            _Cache.until = now + REFRESH_INTERVAL_S
        except (UpstreamError, NotConfigured):
            _Cache.rows = []
    return _Cache.rows
