"""Expected serial numbers as files: the export, and the import of a purchase list."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.files.exporter import Export
from console.files.importer import Line, cell
from console.files.known_values import closest_names, complete, named_values
from console.files.spec import Existing, Import, ImportSpec, Match, Reference, Values, difference
from console.forms.return_url import return_url
from console.l10n.countries import listed
from console.lists.query import ListQuery
from console.lists.view import Column
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from scanners.forms.expected_serials import MAX_ROWS, ExpectedRow
from scanners.models import Expected, NewExpected
from scanners.reading import expected_serials
from scanners.storage.changes import ExpectedSerials
from scanners.tables.expected_serials import EXPECTED, serial_columns
from upstream.bulk import BulkResult, RowOutcome, RowUpdate
from upstream.client import Upstream
from upstream.errors import Code
from upstream.listing import Listing, ListParams, read_all
from upstream.nouns import plain, plain_serial
from upstream.resources.clinics import Clinic

MAX_CLINICS = 10_000
"""Maximum number of clinics that are searched for the names in a file."""
REFERENCES = {
    "clinic_name": Reference(
        missing=gettext_lazy("No clinic has this name."), ambiguous=gettext_lazy("Several clinics have this name.")
    ),
}

ClinicIds = Mapping[str, Sequence[str]]
"""IDs of clinics by normalized name."""


class ExpectedExport(Export[Expected]):
    definition = EXPECTED
    reads_in_order = True

    def read(self, params: ListParams) -> Listing[Expected]:
        return expected_serials(self.request).read(params, self.upstream.clinics.get_names)

    def columns(self, query: ListQuery, listing: Listing[Expected]) -> Sequence[Column[Expected]]:
        return serial_columns(self.tz, self.upstream.clinics.get_names(listing.results))


def get_expected_import(request: ConsoleRequest) -> Import:
    """Return the import into the list."""
    path = get_path("scanners:expected-serial-list")
    return Import(
        expected_spec(request),
        name="expected",
        title=_("Import expected serial numbers"),
        # Translators: a label of a check box.
        overwrite_label=_("Update serial numbers that are already listed"),
        # Translators: a heading: serial numbers of scanners that are not connected yet.
        crumbs=[{"label": _("Expected serial numbers"), "href": path}],
        example={
            "serial_number": "EA1-48271",
            # Translators: the name of a clinic in the example that people can download.
            "clinic_name": _("Example Clinic"),
            # Translators: what an administrator may note of a scanner, in the example that people can download.
            "note": _("For room 2"),
        },
        template_url=reverse("scanners:expected-serial-template-export"),
        back=return_url(request, path),
        hints=[_("Clinic: the name of one of your clinics. Leave blank for any clinic.")],
    )


def expected_spec(request: ConsoleRequest) -> ImportSpec:
    """Return the rules for pasted or imported rows, and the functions that store the valid ones."""
    upstream, serials = request.upstream, expected_serials(request)
    clinics = named_values(
        lambda _scope: [clinic.name for clinic in _read_clinics(upstream)],
        can_be_empty=True,
        # Translators: choice: a scanner is not expected at one clinic only.
        empty_label=_("Any clinic"),
    )
    return ImportSpec(
        ExpectedRow,
        key="serial_number",
        same=plain_serial,
        create=lambda rows, is_dry, _key: _add(upstream, serials, rows, is_dry),
        create_failed=_("Failed to add the serial number."),
        find=lambda rows: _find(upstream, serials, rows),
        update=serials.update_each,
        update_failed=_("Failed to update the serial number."),
        kind="expected",
        audit_entry=_audit_entry,
        references=REFERENCES,
        values={"clinic_name": clinics},
        recognizers={"clinic_name": lambda text: bool(clinics.find("", text))},
        stand_ins={"clinic_name": "", "note": ""},
        max_rows=MAX_ROWS,
    )


def complete_clinics(spec: ImportSpec, lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the name of a clinic in full, if only one begins with what was typed."""

    def clinic(line: Line) -> str:
        text = cell(spec, line, "clinic_name")
        return complete(spec.values["clinic_name"], text) if _is_unknown(spec, text) else ""

    return [
        replace(line, cells=[line.cells[0], name, *line.cells[2:]]) if (name := clinic(line)) else line
        for line in lines
    ]


def suggest_clinics(spec: ImportSpec, lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the closest names of clinics, if no clinic has the name that was typed."""

    def suggestion(line: Line) -> list[str]:
        text = cell(spec, line, "clinic_name")
        names = closest_names(spec.values["clinic_name"], text) if _is_unknown(spec, text) else []
        # Translators: after a name that doesn't exist; %(names)s: one or more names, such as “A, B, or C”.
        return [_("Did you mean %(names)s?") % {"names": listed(names, style="or")}] if names else []

    return [replace(line, reasons=[*line.reasons, *suggestion(line)]) if line.reasons else line for line in lines]


def _is_unknown(spec: ImportSpec, clinic: str) -> bool:
    return bool(clinic) and spec.values["clinic_name"].find("", clinic) == ""


def _add(upstream: Upstream, serials: ExpectedSerials, rows: Sequence[Values], is_dry: bool) -> BulkResult:
    """Add the rows whose clinics are known; return an error for each of the others."""
    ids_by_name = _clinic_ids_by_name(upstream, rows)
    clinics = [_find_clinic(row, ids_by_name) for row in rows]
    items = [
        NewExpected(row["serial_number"], clinic, row["note"])
        for row, clinic in zip(rows, clinics, strict=True)
        if isinstance(clinic, str)
    ]
    outcomes = iter(serials.add(items, dry_run=is_dry).rows)
    return BulkResult(tuple(next(outcomes) if isinstance(clinic, str) else clinic for clinic in clinics))


def _find(upstream: Upstream, serials: ExpectedSerials, rows: Sequence[Values]) -> list[Match]:
    """Return the changes that each row would make to the listed serial number."""
    ids_by_name, existing = _clinic_ids_by_name(upstream, rows), serials.among(row["serial_number"] for row in rows)
    listed = upstream.clinics.get_names(existing.values())
    return [
        _match(row, clinic, existing.get(plain_serial(row["serial_number"])), listed)
        for row, clinic in ((row, _find_clinic(row, ids_by_name)) for row in rows)
    ]


def _match(row: Values, clinic: str | RowOutcome, now: Expected | None, names: Mapping[str, str]) -> Match:
    if isinstance(clinic, RowOutcome):
        return clinic
    if now is None:
        return _("This serial number is already listed but can't be read. Delete it from the list and add it again.")
    fields: dict[str, Any] = {}
    texts: list[str] = []
    if clinic and clinic != now.clinic_id:
        fields["clinic_id"] = clinic
        texts.append(difference(ExpectedRow, "clinic_name", names.get(now.clinic_id, ""), row["clinic_name"]))
    if row["note"] and row["note"] != now.note:
        fields["note"] = row["note"]
        texts.append(difference(ExpectedRow, "note", now.note, row["note"]))
    was = {"clinic_id": names.get(now.clinic_id), "note": now.note}
    return Existing(RowUpdate(now.id, now.version, fields), texts, {name: was[name] for name in fields})


def _audit_entry(row: Values, existing: Existing | None) -> AuditAction:
    """Return the entry of a row, with the clinic's name as it is in the file."""
    name, was = row["clinic_name"] or None, existing.was if existing else {"clinic_id": None}
    changes = [Change("clinic_id", was["clinic_id"], name)] if name and "clinic_id" in was else []
    target = Ref(existing.change.id if existing else "", row["serial_number"])
    return AuditAction(
        "expected", "edit" if existing else "create", target, clinic=Ref("", name or ""), changes=changes
    )


def _find_clinic(row: Values, ids_by_name: ClinicIds) -> str | RowOutcome:
    """Return the ID of the clinic that a row names, "" for none; or an error if the clinic is unknown or ambiguous."""
    if not row["clinic_name"]:
        return ""
    match ids_by_name.get(plain(row["clinic_name"]), ()):
        case []:
            return RowOutcome(ok=False, code=Code.NOT_FOUND, field="clinic_name")
        case [id]:
            return id
        case _:
            return RowOutcome(ok=False, code=Code.PARAMETER_INVALID, field="clinic_name")


def _clinic_ids_by_name(upstream: Upstream, rows: Iterable[Values]) -> ClinicIds:
    """Read the clinics, but only if a row names one."""
    ids_by_name: dict[str, list[str]] = {}
    if not any(row["clinic_name"] for row in rows):
        return ids_by_name
    for clinic in _read_clinics(upstream):
        if clinic.id:
            ids_by_name.setdefault(plain(clinic.name), []).append(clinic.id)
    return ids_by_name


def _read_clinics(upstream: Upstream) -> list[Clinic]:
    read = partial(upstream.clinics.list, organization_id=upstream.organization_id)
    return read_all(upstream.together, read, params=ListParams(sort="name"), max_rows=MAX_CLINICS).results
