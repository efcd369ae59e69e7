"""Export and import of clinics."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from console.audit.content import Ref
from console.audit.record import AuditAction
from console.files.exporter import Export
from console.files.spec import ColumnValues, Existing, Import, ImportSpec, Match, Values, difference
from console.forms.return_url import return_url
from console.l10n.countries import countries, country_code, country_code_in_any_language, country_name
from console.l10n.sentences import in_sentence
from console.lists.query import ListQuery
from console.lists.view import Column
from console.web.request import ConsoleRequest
from groups.forms.clinics import clinic_values
from groups.forms.files import ClinicRow
from groups.links.clinics import clinic_list_url, clinics_crumb
from groups.reading import ComparedClinics
from groups.tables.all_permissions import ALL_PERMISSIONS, all_permission_columns
from groups.tables.clinics import CLINICS, clinic_columns
from upstream.bulk import RowUpdate
from upstream.client import Upstream
from upstream.listing import Listing, ListParams
from upstream.resources.clinics import Clinic, ClinicSettings, NewClinic

CLINIC_EXAMPLE = "Harbor Dental"
"""The clinic of all examples, so that importing both templates as they are creates a user in a clinic."""


class ClinicExport(Export[Clinic]):
    definition = CLINICS

    def read(self, params: ListParams) -> Listing[Clinic]:
        return self.upstream.clinics.list(params, organization_id=self.request.admin.organization_id)

    def columns(self, query: ListQuery, listing: Listing[Clinic]) -> Sequence[Column[Clinic]]:
        return clinic_columns(self.tz)


class PermissionExport(Export[ClinicSettings]):
    """The permissions of all clinics, with the differences from most of them."""

    definition = ALL_PERMISSIONS

    def __init__(self, request: ConsoleRequest) -> None:
        super().__init__(request)
        self._compared = ComparedClinics(request)

    def read(self, params: ListParams) -> Listing[ClinicSettings]:
        return self._compared.read(params)

    def columns(self, query: ListQuery, listing: Listing[ClinicSettings]) -> Sequence[Column[ClinicSettings]]:
        return all_permission_columns(self._compared.compared(query.params()))


def build_clinic_import(request: ConsoleRequest) -> Import:
    upstream = request.upstream
    return Import(
        ImportSpec(
            ClinicRow,
            key="name",
            create=lambda rows, is_dry, key: upstream.clinics.bulk_create(
                [NewClinic(**row) for row in rows], dry_run=is_dry, idempotency_key=key
            ),
            create_failed=_("Failed to create the clinic."),
            find=lambda rows: _find(upstream, rows),
            update=upstream.clinics.update_each,
            update_failed=_("Failed to update the clinic."),
            kind="clinic",
            audit_entry=_audit_entry,
            values={"country_code": _country_values()},
            recognizers={"country_code": lambda text: bool(country_code_in_any_language(text))},
            stand_ins={"country_code": "US", "dentist_count": 1, "staff_count": 1, "info": ""},
        ),
        name="clinics",
        title=_("Import clinics"),
        overwrite_label=_("Update existing clinics"),
        crumbs=[clinics_crumb()],
        example={
            "name": CLINIC_EXAMPLE,
            "country_code": "US",
            "dentist_count": "4",
            "staff_count": "9",
            "info": "",
        },
        template_url=reverse("groups:clinic-template-export"),
        back=return_url(request, clinic_list_url()),
        hints=[
            # Translators: begins with the name of the column, as it is translated on its own.
            _("Country: a two-letter code (such as US or KR) or the country name.")
        ],
        next=(_("Import users for all clinics"), reverse("groups:all-user-import")),
    )


def _country_values() -> ColumnValues:
    return ColumnValues(
        options=lambda _scope: countries(),
        find=lambda _scope, text: country_code(text),
        suggest=lambda _scope, text: country_code_in_any_language(text),
    )


def _find(upstream: Upstream, rows: Sequence[Values]) -> list[Match]:
    """Return what each row would change in the clinic that has its name."""
    matches = upstream.clinics.find_by_names([row["name"] for row in rows])
    return [_match(row, clinic) if clinic else None for row, clinic in zip(rows, matches, strict=True)]


def _match(row: Values, clinic: Clinic) -> Match:
    """Return what a row changes in a clinic; info that isn't text at the service can't be changed."""
    if row["info"] and not isinstance(clinic.info, str | None):
        return _("Invalid %(label)s") % {"label": in_sentence(ClinicRow.base_fields["info"].label)}
    now = clinic_values(clinic)
    fields = {
        name: value for name, value in row.items() if name != "name" and value not in (None, "") and value != now[name]
    }
    texts = [
        difference(ClinicRow, name, _display_value(name, now[name]), _display_value(name, value))
        for name, value in fields.items()
    ]
    return Existing(RowUpdate(clinic.id, clinic.version, fields), texts, {name: now[name] for name in fields})


def _audit_entry(row: Values, existing: Existing | None) -> AuditAction:
    return AuditAction(
        "clinic", "edit" if existing else "create", Ref(existing.change.id if existing else "", row["name"])
    )


def _display_value(name: str, value: Any) -> str:
    return country_name(value) if name == "country_code" and value else "" if value is None else str(value)
