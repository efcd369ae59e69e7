"""Clinics as CSV files: the list exported, and clinics imported."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console import csv_pages
from console.access import private
from console.csv_import import Kind, Present, Values
from console.http import ConsoleRequest
from console.lists import ListQuery
from console.places import country_name
from console.returning import way_back
from console.timezone import zone_of
from console.upstream.bulk import BulkRow, Change
from console.upstream.client import Upstream
from console.upstream.clinics import Clinic, NewClinic
from groups.forms.clinics import values_of
from groups.forms.files import ClinicRow, difference
from groups.tables.clinics import CLINICS
from groups.tables.clinics import clinic_list as draw_list
from groups.views.user_files import CLINIC_EXAMPLE


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
            find=lambda rows: _find(upstream, rows),
            update=upstream.clinics.change_each,
            update_failure=_("Failed to update the clinic."),
        ),
        name="clinics",
        title=_("Import clinics"),
        crumbs=[{"label": _("Clinics"), "href": path}],
        example={
            "name": CLINIC_EXAMPLE,
            "country_code": "US",
            "dentist_count": "4",
            "staff_count": "9",
            "info": "",
        },
        template_href=reverse("groups:clinic-import-template"),
        back=way_back(request, path),
        hints=[_("Country: the code of two letters, such as US or KR, or the name of the country.")],
        next=(_("Import users of all clinics"), reverse("groups:all-user-import")),
    )


def _find(upstream: Upstream, rows: Sequence[Values]) -> list[Present | BulkRow | str]:
    """What each row would change of the clinic that has its name."""
    found = upstream.clinics.named([row["name"] for row in rows])
    return [_present(row, clinic) if clinic else "" for row, clinic in zip(rows, found, strict=True)]


def _present(row: Values, clinic: Clinic) -> Present | str:
    """Only what is text already becomes another text: the service may keep something else as info."""
    if row["info"] and not isinstance(clinic.info, str | None):
        return _("Invalid %(label)s") % {"label": ClinicRow.base_fields["info"].label}
    now = values_of(clinic)
    fields = {
        name: value for name, value in row.items() if name != "name" and value not in (None, "") and value != now[name]
    }
    texts = [
        difference(ClinicRow, name, _shown(name, now[name]), _shown(name, value)) for name, value in fields.items()
    ]
    return Present(Change(clinic.id, clinic.version, fields), texts)


def _shown(name: str, value: Any) -> str:
    return country_name(value) if name == "country_code" and value else "" if value is None else str(value)
