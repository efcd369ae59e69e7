"""What several views of user management read: a user with the clinic, all choices, and names that rows leave out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.http import ConsoleRequest
from console.lists.view import Link
from console.upstream.client import Upstream
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import PAGE_LIMIT, Listing, ListParams, R, in_pieces, read_all
from console.upstream.resources.clinics import Clinic
from console.upstream.resources.teams import Team
from console.upstream.resources.users import User
from groups.links import Crumbs, back_to_users, clinic_crumbs, user_links

CLINICS_OFFERED = 50
"""Clinics to choose from that a list draws at once; others are found by their names."""
BY_NAME = ListParams(sort="name", order="asc")


@dataclass(frozen=True)
class ClinicUser:
    """A user, the clinic that they belong to, and the list that they were found in."""

    clinic: Clinic
    user: User
    back: str
    lock: Link | None = None
    """What keeps them from logging in, or lets them again."""

    @property
    def links(self) -> dict[str, str]:
        """The addresses of the user's pages, which know the way back to the list as it was."""
        return user_links(self.clinic.id, self.user.id, back=self.back)

    @property
    def crumbs(self) -> Crumbs:
        """The way from the list of clinics to this user's own page."""
        return [*clinic_crumbs(self.clinic), {"label": self.user.name, "href": self.links["show"]}]


def find_clinic_user(request: ConsoleRequest, clinic_id: str, user_id: str) -> ClinicUser:
    """Read a user and the clinic; NotFound when the one does not belong to the other."""
    upstream = request.upstream
    clinic, user = upstream.together(lambda: upstream.clinics.get(clinic_id), lambda: upstream.users.get(user_id))
    return clinic_user(request, clinic, user)


def clinic_user(request: ConsoleRequest, clinic: Clinic, user: User) -> ClinicUser:
    """Return the user of this clinic; NotFound when it is another's."""
    if user.clinic_id != clinic.id:
        raise NotFound("a user of another clinic")
    back = back_to_users(request, clinic.id)
    return ClinicUser(clinic, user, back, lock_link(request, user, user_links(clinic.id, user.id, back=back)))


def lock_link(request: ConsoleRequest, user: User, links: Mapping[str, str]) -> Link | None:
    """Return the way to the lock or the unlock of this user; none where it does not fit or is not offered."""
    if not (links and request.upstream.users.can_be_locked):
        return None
    if user.is_locked:
        return Link(_("Unlock"), links["unlock"])
    return Link(_("Lock"), links["lock"]) if user.is_active else None


def every_team(upstream: Upstream, clinic_id: str) -> list[Team]:
    """Read the teams of a clinic by name."""
    read = partial(upstream.teams.list, clinic_id=clinic_id)
    return _choosable(read_all(upstream.together, read, params=BY_NAME))


def every_clinic(upstream: Upstream, organization_id: str) -> list[Clinic]:
    """Read the clinics of the organization by name."""
    read = partial(upstream.clinics.list, organization_id=organization_id)
    return _choosable(read_all(upstream.together, read, params=BY_NAME))


def every_user(upstream: Upstream, clinic_id: str) -> list[User]:
    """Read the users of a clinic by name."""
    return _choosable(read_all(upstream.together, partial(upstream.users.list, clinic_id=clinic_id), params=BY_NAME))


def offered_clinics(upstream: Upstream, organization_id: str, *, name: str = "") -> Listing[Clinic]:
    """Read the first clinics by name, of those with this in their names; the count is that of all of these."""
    params = replace(BY_NAME, size=CLINICS_OFFERED, search_field="name", keyword=name)
    return upstream.clinics.list(params, organization_id=organization_id)


def chosen_clinics(upstream: Upstream, ids: Sequence[str], organization_id: str) -> list[Clinic]:
    """Read the clinics of the organization that have these IDs, at most PAGE_LIMIT."""
    return upstream.clinics.list(ListParams(size=PAGE_LIMIT, ids=tuple(ids)), organization_id=organization_id).results


def _choosable(listing: Listing[R]) -> list[R]:
    """Leave out what has no ID: to choose it would mean to choose nothing."""
    return [row for row in listing.results if row.id]


class OfClinic(Protocol):
    """What belongs to a clinic."""

    @property
    def clinic_id(self) -> str: ...

    @property
    def clinic_name(self) -> str: ...


def clinic_names(upstream: Upstream, rows: Iterable[OfClinic], organization_id: str) -> dict[str, str]:
    """Return the clinics' names by ID, asked for only where the service leaves them out of the rows.

    Raises what the service answers: a file must not leave them out.
    """
    unnamed = list(dict.fromkeys(row.clinic_id for row in rows if row.clinic_id and not row.clinic_name))

    found = upstream.together(*(partial(chosen_clinics, upstream, ids, organization_id) for ids in in_pieces(unnamed)))
    return {clinic.id: clinic.name for clinics in found for clinic in clinics}


def known_clinic_names(upstream: Upstream, rows: Iterable[OfClinic], organization_id: str) -> dict[str, str]:
    """Return the same for a page; none where they can't be read: the list is worth more."""
    try:
        return clinic_names(upstream, rows, organization_id)
    except (NotDone, NotFound):
        return {}
