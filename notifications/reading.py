"""What is read where the service has no summary: the numbers, from the lists."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from console.upstream.client import Upstream
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import Listing, ListParams


@dataclass(frozen=True)
class Counted:
    """How many there are, and by their status; None where that is not known."""

    total: int | None = None
    by_status: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Lists:
    """The organization as its lists count it."""

    clinics: Counted
    teams: Counted
    users: Counted
    scanners: Counted
    partnerships: Counted


def counted(upstream: Upstream, organization_id: str) -> Lists:
    """Count by five lists; one that can't be read leaves the others."""
    params, mine = ListParams(size=10), {"organization_id": organization_id}
    return Lists(
        *upstream.together(
            lambda: _counted(lambda: upstream.clinics.list(params, **mine)),
            lambda: _counted(lambda: upstream.teams.list(params, **mine)),
            lambda: _counted(lambda: upstream.users.list(params, **mine)),
            lambda: _counted(lambda: upstream.scanners.list(params, **mine)),
            lambda: _counted(lambda: upstream.partnerships.list(params)),
        )
    )


def _counted(read: Callable[[], Listing[Any]]) -> Counted:
    try:
        found = read()
    except (NotDone, NotFound):
        return Counted()
    return Counted(found.result_count, found.facets.get("status"))
