"""Clinics as CSV files: the list exported, and clinics imported."""

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
from console.upstream.clinics import NewClinic
from groups.forms.files import ClinicRow
from groups.tables.clinics import CLINICS
from groups.tables.clinics import clinic_list as draw_list


@private
def clinic_export(request: ConsoleRequest) -> HttpResponse:
    query = ListQuery.read(CLINICS, request.GET)
    organization, path = request.admin.organization_id, reverse("groups:clinic-list")
    return csv_pages.export(
        request,
        query,
        read=lambda params: request.upstream.clinics.list(params, organization_id=organization),
        draw=lambda listing: draw_list(query, listing, path=path, where=zone_of(request)),
        list_path=path,
    )


@private(methods=("GET", "POST"))
def clinic_import(request: ConsoleRequest) -> HttpResponse:
    return csv_pages.import_page(request, _page(request))


@private
def clinic_import_template(request: ConsoleRequest) -> HttpResponse:
    return csv_pages.template_file(_page(request))


def _page(request: ConsoleRequest) -> csv_pages.ImportPage:
    upstream, path = request.upstream, reverse("groups:clinic-list")
    return csv_pages.ImportPage(
        Kind(
            ClinicRow,
            key="name",
            run=lambda rows, is_dry, key: upstream.clinics.bulk_create(
                [NewClinic(**row) for row in rows], dry_run=is_dry, idempotency_key=key
            ),
            failure=_("Failed to create the clinic."),
        ),
        name="clinics",
        title=_("Import clinics"),
        crumbs=[{"label": _("Clinics"), "href": path}],
        example={"name": "Harbour Dental", "country_code": "US"},
        template_href=reverse("groups:clinic-import-template"),
        back=way_back(request, path),
        hints=[_("Country: the code of two letters, such as US or KR, or the name of the country.")],
    )
