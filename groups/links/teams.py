"""Addresses of teams: lists, pages and breadcrumbs."""

from urllib.parse import urlencode

from django.utils.translation import gettext as _

from console.forms.return_url import with_return_url
from console.lists.query import ID
from console.web.paths import get_path
from groups.links.clinics import Crumbs, clinic_crumbs
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team

TEAM_DELETION = "groups:team-delete"


def team_delete_url(clinic_id: str, team_id: str, *, back: str) -> str:
    """Return the address of the page that confirms the deletion of a team, with the list to return to."""
    return with_return_url(get_path(TEAM_DELETION, clinic_id, team_id), back, team_list_url(clinic_id))


def team_list_url(clinic_id: str = "") -> str:
    """Return the address of the teams of a clinic, or of all."""
    return get_path("groups:team-list", clinic_id) if clinic_id else get_path("groups:all-team-list")


def team_users_url(clinic_id: str, team_id: str) -> str:
    """Return the address of the clinic's users, filtered by this team; "" if its ID can't be a filter."""
    users = get_path("groups:user-list", clinic_id)
    return f"{users}?{urlencode({'team': team_id})}" if users and ID.fullmatch(team_id) else ""


def team_pages(team: Team) -> str:
    return get_path("groups:team-edit", team.clinic_id, team.id).removesuffix("/edit")


def team_crumbs(clinic: Clinic) -> Crumbs:
    """Return the breadcrumbs from the list of clinics to this clinic's teams."""
    return [*clinic_crumbs(clinic), {"label": _("Teams"), "href": team_list_url(clinic.id)}]
