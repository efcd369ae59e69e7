"""Server locations: which are offered to a new organization, and the address of each (contract, 1.1 and 13)."""

import time
from dataclasses import dataclass

from django.conf import settings

from console.errors import NotConfigured
from console.l10n.locations import location_name
from console.web.request import ConsoleRequest
from upstream.errors import NotFound, Refused, UpstreamError
from upstream.hosts import check_base_url
from upstream.resources.regions import DomainKind, Region, ServerLocation

ASKED_EVERY = 600.0
"""Seconds for which the service's list is believed; that it could not be had, a minute."""
ASKED_AGAIN = 60.0
MOST = 100
"""Locations that are offered, however many the service lists."""


@dataclass(frozen=True)
class Location:
    """A server location; `countries` are the codes of those for which it is suggested."""

    code: str
    label: str
    countries: tuple[str, ...] = ()


class _Cache:
    """What this process was told last."""

    until = float("-inf")
    rows: list[ServerLocation] = []


def forget() -> None:
    """Ask again next time."""
    _Cache.until, _Cache.rows = float("-inf"), []


def offered(request: ConsoleRequest) -> list[Location]:
    """Return the locations to choose from: the operator's, as far as the service offers them; without any, its own.

    A service that has no list, or none in common with the operator's, leaves those as they are.
    """
    rows = {row.code: tuple(row.country_codes) for row in _told(request) if row.code}
    ours = [row["code"] for row in settings.SERVER_LOCATIONS]
    codes = [code for code in ours if code in rows] or ours or rows
    return [Location(code, location_name(code), rows.get(code, ())) for code in codes]


def api_url_of(code: str) -> str:
    """Return the address of a location; of an unknown one the configured default. Raises NotConfigured without any."""
    urls = {row["code"]: row["api_url"] for row in settings.SERVER_LOCATIONS}
    url = urls.get(code) or default_api_url()
    if not url:
        raise NotConfigured("neither API_URL nor SERVER_LOCATIONS is set")
    return url


def default_api_url() -> str:
    """Return where a call goes whose region nobody knows; "" without any address."""
    first = next((row["api_url"] for row in settings.SERVER_LOCATIONS), "")
    return settings.UPSTREAM.api_url or first


def region_of(request: ConsoleRequest, email: str) -> Region | None:
    """Return where the account of this email is; None where nobody knows that, or there is one place only.

    Raises ForeignHost for an address outside of the allow list: nothing is sent there, and it is never stored.
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


def _told(request: ConsoleRequest) -> list[ServerLocation]:
    now = time.monotonic()
    if now >= _Cache.until:
        _Cache.until = now + ASKED_AGAIN  # others don't wait for the same answer
        try:
            _Cache.rows = request.upstream.regions.server_locations(api_url=api_url_of(""))[:MOST]
            _Cache.until = now + ASKED_EVERY
        except (UpstreamError, NotConfigured):
            _Cache.rows = []
    return _Cache.rows
