"""Users of a clinic: the list, with one of them beside it if asked for, and the page of each."""

from dataclasses import dataclass, field

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.http import ConsoleRequest, wants_json
from console.list_memory import read_query
from console.lists import ID, Choice, ListQuery, read_list
from console.respond import Answer, json
from console.timezone import zone_of
from console.upstream.clinics import Clinic
from console.upstream.errors import NotDone, NotFound
from console.upstream.permissions import PermissionSet
from console.upstream.users import User
from groups.blockers import blockers
from groups.choices import every_team
from groups.islands import Toggle, UserListProps, permission_toggles
from groups.tables import users as tables
from groups.views.user_bulk import user_bulk_bar
from groups.views.user_changes import place_of, user_hrefs


@dataclass(frozen=True)
class Panel:
    """One user beside the list; None when the user is not there (any more)."""

    user: User | None
    close_href: str
    facts: list[tables.Fact] = field(default_factory=list)
    toggles: list[Toggle] = field(default_factory=list)
    hrefs: dict[str, str] = field(default_factory=dict)


@private
def user_list(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    query = read_query(request, tables.USERS)
    upstream = request.upstream
    asked = "" if wants_json(request) else request.GET.get("user", "")
    clinic, teams, (listing, query), beside = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
        lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
        lambda: _read_beside(request, asked),
    )
    query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams))
    shown = tables.user_list(query, listing, path=request.path, clinic_id=clinic_id, where=zone_of(request))
    props = UserListProps(list=shown)
    if wants_json(request):
        return json(request, Answer(ok=True, item=props))
    context = {
        "clinic": clinic,
        "crumbs": [{"label": _("Clinics"), "href": reverse("groups:clinic-list")}],
        "props": props,
        "bulk": user_bulk_bar(clinic_id),
        "invite_href": reverse("groups:user-invite", args=[clinic_id]),
        "panel": _panel(request, clinic, query, beside) if asked else None,
    }
    return render(request, "groups/user_list.html", context)


def _read_beside(request: ConsoleRequest, user_id: str) -> tuple[User, PermissionSet] | None:
    """The user of the panel; None where there is none or the service fails: the list is worth more."""
    if not ID.fullmatch(user_id):
        return None
    try:
        return request.upstream.users.get(user_id), request.upstream.permissions.of_user(user_id)
    except (NotDone, NotFound):
        return None


def _panel(
    request: ConsoleRequest, clinic: Clinic, query: ListQuery, beside: tuple[User, PermissionSet] | None
) -> Panel:
    close_href = query.url(request.path, page=query.page)
    if beside is None or beside[0].clinic_id != clinic.id:
        return Panel(None, close_href)
    user, permissions = beside
    toggles = permission_toggles(permissions, url="", owner_name=user.name, can_inherit=True).toggles
    facts = tables.user_facts(user, clinic_name=clinic.name, where=zone_of(request))
    return Panel(user, close_href, facts, toggles, user_hrefs(clinic.id, user.id, back=close_href))


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
