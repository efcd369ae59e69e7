"""The list of presets that can be applied to the permissions of one clinic or user."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.l10n.bidi import isolated
from console.lists.answers import list_json
from console.lists.query import ListQuery, read_list
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import show
from groups.labels import person
from groups.links.clinics import Crumbs, clinic_crumbs, clinic_list_url
from groups.links.permissions import clinic_permissions_url
from groups.links.users import user_list_url
from groups.reading import find_clinic_user, get_presets
from groups.tables.presets import PRESETS, preset_choices
from groups.views.permissions import back_to_clinics, clinic_permission_url


@private
def clinic_preset_apply(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic, back = request.upstream.clinics.get(clinic_id), back_to_clinics(request)
    return _page(
        request,
        clinic.called,
        isolated(clinic.called),
        target=clinic_permissions_url(clinic_id),
        back="" if back == clinic_list_url() else back,
        crumbs=[*clinic_crumbs(clinic), {"label": _("Permissions"), "href": clinic_permission_url(request, clinic_id)}],
    )


@private
def user_preset_apply(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject = find_clinic_user(request, clinic_id, user_id)
    return _page(
        request,
        subject.user.called,
        person(subject.user),
        target=reverse("groups:user-permission-edit", args=[clinic_id, user_id]),
        back="" if subject.back == user_list_url(clinic_id) else subject.back,
        crumbs=[*subject.crumbs, {"label": _("Permissions"), "href": subject.links["permissions"]}],
    )


def _page(request: ConsoleRequest, called: str, name: str, *, target: str, back: str, crumbs: Crumbs) -> HttpResponse:
    listing, query = read_list(ListQuery.read(PRESETS, request.GET), get_presets(request).read)
    table = preset_choices(query, listing, path=request.path, target=target, back=back)
    if wants_json(request):
        return list_json(request, table)
    return show(request, "groups/preset_apply.html", list=table, called=called, name=name, crumbs=crumbs)
