"""The names of the clinics that teams and users belong to."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Protocol

from console.bulk import AT_ONCE, hundreds
from console.upstream.client import Upstream
from console.upstream.clinics import Clinic
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import Listing, ListParams


class OfClinic(Protocol):
    """What belongs to a clinic."""

    @property
    def clinic_id(self) -> str: ...

    @property
    def clinic_name(self) -> str: ...


def clinic_names(upstream: Upstream, rows: Iterable[OfClinic], organization_id: str) -> dict[str, str]:
    """The clinics' names by id, asked for only where the service does not tell them with the rows.

    Raises what the service answers: a file must not leave them out.
    """
    unnamed = tuple(dict.fromkeys(row.clinic_id for row in rows if row.clinic_id and not row.clinic_name))
    listings = upstream.together(*(partial(_read, upstream, ids, organization_id) for ids in hundreds(unnamed)))
    return {clinic.id: clinic.name for listing in listings for clinic in listing.results}


def known_clinic_names(upstream: Upstream, rows: Iterable[OfClinic], organization_id: str) -> dict[str, str]:
    """The same for a page; none where they can't be read: the list is worth more."""
    try:
        return clinic_names(upstream, rows, organization_id)
    except (NotDone, NotFound):
        return {}


def _read(upstream: Upstream, ids: Sequence[str], organization_id: str) -> Listing[Clinic]:
    return upstream.clinics.list(ListParams(size=AT_ONCE, ids=tuple(ids)), organization_id=organization_id)
