"""The list of users of the same clinic from whom permissions can be copied."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.l10n.bidi import isolated
from console.lists.answers import list_json
from console.lists.query import Choice, ListQuery, read_list, report_missing
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import show
from groups.labels import person
from groups.links.users import user_list_url
from groups.reading import every_team, find_clinic_user
from groups.tables.permission_sources import source_table
from groups.tables.users import USERS
from upstream.listing import Listing
from upstream.resources.users import User


@private
def user_permission_copy(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    subject = find_clinic_user(request, clinic_id, user_id)
    query = ListQuery.read(USERS, request.GET)
    teams, (listing, query) = upstream.together(
        lambda: every_team(upstream, clinic_id),
        lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
    )
    query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams))
    query = report_missing(upstream, query)
    target = reverse("groups:user-permission-edit", args=[clinic_id, user_id])
    back = "" if subject.back == user_list_url(clinic_id) else subject.back
    # Translators: %(clinic)s: the clinic of the user to whom permissions are copied.
    scope = _("Only users of %(clinic)s are listed.") % {"clinic": isolated(subject.clinic.called)}
    table = source_table(query, _without(listing, user_id), path=request.path, target=target, back=back, scope=scope)
    if wants_json(request):
        return list_json(request, table)
    return show(
        request,
        "groups/permission_copy.html",
        list=table,
        user=subject.user,
        person=person(subject.user),
        scope=scope,
        crumbs=[*subject.crumbs, {"label": _("Permissions"), "href": subject.links["permissions"]}],
    )


def _without(listing: Listing[User], user_id: str) -> Listing[User]:
    """Return the users from whom this user's permissions can be copied: the others of the page."""
    others = [user for user in listing.results if user.id != user_id]
    return replace(listing, results=others, result_count=listing.result_count - len(listing.results) + len(others))
