"""What several views of user management read: a user with the clinic, and all choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from console.http import ConsoleRequest
from console.lists.view import Link
from console.upstream.client import Upstream
from console.upstream.errors import NotFound
from console.upstream.listing import all_by_name
from console.upstream.resources.clinics import Clinic
from console.upstream.resources.teams import Team
from console.upstream.resources.users import User
from groups.links import Crumbs, back_to_users, clinic_crumbs, user_links


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
        # Translators: button, a verb: let a locked user log in again.
        return Link(_("Unlock"), links["unlock"])
    # Translators: button, a verb: keep a user from logging in.
    return Link(_("Lock"), links["lock"]) if user.is_active else None


def every_team(upstream: Upstream, clinic_id: str) -> list[Team]:
    """Read the teams of a clinic by name."""
    return all_by_name(upstream.together, partial(upstream.teams.list, clinic_id=clinic_id))


def every_clinic(upstream: Upstream, organization_id: str) -> list[Clinic]:
    """Read the clinics of the organization by name."""
    return all_by_name(upstream.together, partial(upstream.clinics.list, organization_id=organization_id))


def every_user(upstream: Upstream, clinic_id: str) -> list[User]:
    """Read the users of a clinic by name."""
    return all_by_name(upstream.together, partial(upstream.users.list, clinic_id=clinic_id))
