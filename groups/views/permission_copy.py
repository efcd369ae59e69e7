"""Whose permissions are copied to a user: somebody of the same clinic, found in the list of users."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.http import ConsoleRequest
from console.lists import Choice, ListQuery, read_list
from groups.choices import every_team
from groups.tables.clinics import users_url
from groups.tables.permission_sources import source_list
from groups.tables.users import USERS
from groups.views.user_changes import find_place


@private
def permission_copy(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    place = find_place(request, clinic_id, user_id)
    query = ListQuery.read(USERS, request.GET)
    teams, (listing, query) = upstream.together(
        lambda: every_team(upstream, clinic_id),
        lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
    )
    query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams))
    target = reverse("groups:user-permissions", args=[clinic_id, user_id])
    back = "" if place.back == users_url(clinic_id) else place.back
    context = {
        "list": source_list(query, listing, path=request.path, target=target, not_id=user_id, back=back),
        "user": place.user,
        "crumbs": [*place.crumbs(), {"label": _("Permissions"), "href": place.hrefs["permissions"]}],
    }
    return render(request, "groups/permission_copy.html", context)
