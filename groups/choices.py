"""All teams or clinics that a choice offers, however many pages they are."""

from collections.abc import Callable
from math import ceil
from typing import TypeVar

from msgspec.structs import replace

from console.upstream.client import Upstream
from console.upstream.clinics import Clinic
from console.upstream.listing import Listing, ListParams
from console.upstream.teams import Team

T = TypeVar("T")

FIRST = ListParams(page=1, size=100, sort="name", order="asc")
MOST = 1000
"""Where a choice ends: nobody finds anything in a longer one."""


def every_team(upstream: Upstream, clinic_id: str) -> list[Team]:
    """The teams of a clinic by name: one call for each hundred."""
    return _all(upstream, lambda params: upstream.teams.list(params, clinic_id=clinic_id))


def every_clinic(upstream: Upstream, organization_id: str) -> list[Clinic]:
    """The clinics of the organization by name: one call for each hundred."""
    return _all(upstream, lambda params: upstream.clinics.list(params, organization_id=organization_id))


def _all(upstream: Upstream, read: Callable[[ListParams], Listing[T]]) -> list[T]:
    first = read(FIRST)
    pages = range(2, ceil(min(first.result_count, MOST) / FIRST.size) + 1)
    others = upstream.together(*(lambda page=page: read(replace(FIRST, page=page)) for page in pages))
    return [*first.results, *(row for listing in others for row in listing.results)]
