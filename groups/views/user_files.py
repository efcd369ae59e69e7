"""Users of a clinic as CSV files: the list exported, and users imported."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console import csv_pages
from console.access import private
from console.csv_import import Kind
from console.http import ConsoleRequest
from console.lists import ListQuery
from console.returning import way_back
from console.timezone import zone_of
from console.upstream.clinics import Clinic
from console.upstream.users import NewUser
from groups.forms.files import UserRow
from groups.tables.clinics import users_url
from groups.tables.users import USER_TYPES, USERS
from groups.tables.users import user_list as draw_list


@private
def user_export(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    query, path = ListQuery.read(USERS, request.GET), users_url(clinic.id)
    return csv_pages.export(
        request,
        query,
        read=lambda params: request.upstream.users.list(params, clinic_id=clinic.id),
        draw=lambda listing: draw_list(query, listing, path=path, clinic_id=clinic.id, where=zone_of(request)),
        list_path=path,
    )


@private(methods=("GET", "POST"))
def user_import(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    return csv_pages.import_page(request, _page(request, request.upstream.clinics.get(clinic_id)))


@private
def user_import_template(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    return csv_pages.template_file(_page(request, request.upstream.clinics.get(clinic_id)))


def _page(request: ConsoleRequest, clinic: Clinic) -> csv_pages.ImportPage:
    upstream, language = request.upstream, request.lng
    types = {"first": USER_TYPES["DOCTOR"], "second": USER_TYPES["STAFF"]}
    return csv_pages.ImportPage(
        Kind(
            UserRow,
            key="email",
            run=lambda rows, is_dry, key: upstream.users.bulk_create(
                [NewUser(**row, clinic_name=clinic.name, language=language) for row in rows],
                dry_run=is_dry,
                idempotency_key=key,
            ),
            failure=_("Failed to create the user."),
        ),
        name="users",
        title=_("Import users"),
        crumbs=[
            {"label": _("Clinics"), "href": reverse("groups:clinic-list")},
            {"label": clinic.name, "href": users_url(clinic.id)},
        ],
        example={"name": "Alex Example", "user_type": str(types["first"]), "email": "alex@clinic.example"},
        template_href=reverse("groups:user-import-template", args=[clinic.id]),
        back=way_back(request, users_url(clinic.id)),
        hints=[
            _("Type: %(first)s or %(second)s.") % types,
            _("Team: the name of a team of this clinic; empty for none."),
        ],
        note=_("Each person gets an invitation by email."),
    )
