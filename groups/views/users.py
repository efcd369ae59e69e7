"""Users of a clinic: the list."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.http import ConsoleRequest, wants_json
from console.list_memory import read_query
from console.lists import Choice, read_list
from console.respond import Answer, json
from console.timezone import zone_of
from console.upstream.listing import ListParams
from groups.islands import UserListProps
from groups.tables import users as tables

ALL_TEAMS = ListParams(page=1, size=100, sort="name", order="asc")
"""The teams that the filter offers: one page, the largest there is."""


@private
def user_list(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    query = read_query(request, tables.USERS)
    upstream = request.upstream
    clinic, teams, (listing, query) = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.teams.list(ALL_TEAMS, clinic_id=clinic_id),
        lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
    )
    query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams.results))
    shown = tables.user_list(query, listing, path=request.path, clinic_id=clinic_id, where=zone_of(request))
    props = UserListProps(list=shown)
    if wants_json(request):
        return json(request, Answer(ok=True, item=props))
    context = {
        "clinic": clinic,
        "crumbs": [{"label": _("Clinics"), "href": reverse("groups:clinic-list")}],
        "props": props,
        "permissions_href": reverse("groups:clinic-permissions", args=[clinic_id]),
    }
    return render(request, "groups/user_list.html", context)
