"""Users of a clinic or of all: the list, with one of them beside it if asked for, and the page of each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.http import ConsoleRequest, wants_json
from console.list_memory import read_query
from console.lists import ID, Choice, ListQuery, read_list
from console.respond import Answer, json
from console.tables import ListView
from console.timezone import zone_of
from console.upstream.clinics import Clinic
from console.upstream.errors import NotDone, NotFound
from console.upstream.permissions import PermissionSet
from console.upstream.users import User
from groups.blockers import blockers
from groups.choices import every_team
from groups.clinic_names import known_clinic_names
from groups.islands import Toggle, UserListProps, permission_toggles
from groups.tables import users as tables
from groups.views.user_bulk import user_bulk_bar
from groups.views.user_changes import place_of, user_hrefs


@dataclass(frozen=True)
class Beside:
    """Who was asked for beside the list, as far as they could be read; no user: there is none (any more).

    The clinic is read for the list of all only.
    """

    user: User | None = None
    clinic: Clinic | None = None
    permissions: PermissionSet | None = None
    is_failed: bool = False


@dataclass(frozen=True)
class Panel:
    """One user beside the list. Without a user, there is none, or (`is_failed`) the service did not tell."""

    user: User | None
    close_href: str
    is_failed: bool = False
    facts: list[tables.Fact] = field(default_factory=list)
    toggles: list[Toggle] = field(default_factory=list)
    hrefs: dict[str, str] = field(default_factory=dict)


@private
def all_users(request: ConsoleRequest) -> HttpResponse:
    query = read_query(request, tables.ALL_USERS)
    upstream, organization = request.upstream, request.admin.organization_id
    (listing, query), beside = upstream.together(
        lambda: read_list(query, lambda params: upstream.users.list(params, organization_id=organization)),
        lambda: _read_beside(request),
    )
    names = known_clinic_names(upstream, listing.results, organization)
    shown = tables.user_list(query, listing, path=request.path, where=zone_of(request), clinic_names=names)
    return _page(request, query, shown, beside, {"bulk": user_bulk_bar()})


@private
def user_list(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    query = read_query(request, tables.USERS)
    upstream = request.upstream
    clinic, teams, (listing, query), beside = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
        lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
        lambda: _read_beside(request, clinic_id=clinic_id),
    )
    query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams))
    shown = tables.user_list(query, listing, path=request.path, clinic_id=clinic_id, where=zone_of(request))
    more = {
        "clinic": clinic,
        "crumbs": [{"label": _("Clinics"), "href": reverse("groups:clinic-list")}],
        "bulk": user_bulk_bar(clinic_id),
    }
    return _page(request, query, shown, beside, more)


def _page(
    request: ConsoleRequest,
    query: ListQuery,
    shown: ListView,
    beside: Beside | None,
    more: Mapping[str, Any],
) -> HttpResponse:
    props = UserListProps(list=shown)
    if wants_json(request):
        return json(request, Answer(ok=True, item=props))
    panel = _panel(request, query, beside, more.get("clinic") or beside.clinic) if beside else None
    return render(request, "groups/user_list.html", {"props": props, "panel": panel, **more})


def _read_beside(request: ConsoleRequest, *, clinic_id: str = "") -> Beside | None:
    """The user of the panel, of this clinic or of any; what fails is told there: the list is worth more."""
    upstream, user_id = request.upstream, request.GET.get("user", "")
    if wants_json(request) or not user_id:
        return None
    try:
        user = upstream.users.get(user_id) if ID.fullmatch(user_id) else None
        if user is None or clinic_id not in ("", user.clinic_id):
            return Beside()
        # The page reads its own; any other must be one of this organization.
        clinic = None if clinic_id else upstream.clinics.get(user.clinic_id)
    except NotFound:
        return Beside()
    except NotDone:
        return Beside(is_failed=True)
    try:
        return Beside(user, clinic, upstream.permissions.of_user(user_id))
    except (NotDone, NotFound):
        return Beside(user, clinic)


def _panel(request: ConsoleRequest, query: ListQuery, beside: Beside, clinic: Clinic | None) -> Panel:
    close_href = query.url(request.path, page=query.page)
    user, permissions = beside.user, beside.permissions
    if user is None or clinic is None:
        return Panel(None, close_href, beside.is_failed)
    return Panel(
        user,
        close_href,
        is_failed=permissions is None,
        facts=tables.user_facts(user, clinic_name=clinic.name, where=zone_of(request)),
        toggles=permission_toggles(permissions, url="", owner_name=user.name, can_inherit=True).toggles
        if permissions
        else [],
        hrefs=user_hrefs(clinic.id, user.id, back=close_href),
    )


@private
def user_detail(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, user, permissions = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: upstream.permissions.of_user(user_id),
    )
    place = place_of(request, clinic, user)
    panel = permission_toggles(permissions, url=place.hrefs["permissions"], owner_name=user.name, can_inherit=True)
    context = {
        "place": place,
        "crumbs": place.crumbs()[:-1],
        "facts": tables.user_facts(user, clinic_name=clinic.name, where=zone_of(request)),
        "panel": panel,
        "own": [toggle.name for toggle in panel.toggles if not toggle.inherited],
        "blockers": blockers(user.delete_blockers, clinic_id=clinic.id),
        "back": place.back,
        "beside_href": f"{place.back}{'&' if '?' in place.back else '?'}user={user.id}",
    }
    return render(request, "groups/user_detail.html", context)
