"""Activity of scanners and expected serial numbers: labels and entries."""

from collections.abc import Iterable
from typing import Any

from django.forms import BaseForm
from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import AuditAction, form_changes, named
from console.l10n.numbers import ngettext
from console.lists.query import Choice
from console.web.contributions import ActivityKind
from scanners import links
from scanners.labels import DECISIONS, SCANNER_STATUSES
from scanners.models import Expected
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE, STATUS_AFTER, Scanner

KINDS = (
    ActivityKind(
        "scanner",
        # Translators: noun: one intraoral scanner, as dentists use it; what something was done to.
        gettext_lazy("Scanner"),
        actions={action.lower(): DECISIONS[action].button for action in (APPROVE, DISAPPROVE, CANCEL_APPROVAL)},
        fields={"status": gettext_lazy("Status")},
        value=lambda _field, value: str(SCANNER_STATUSES[value][0]) if value in SCANNER_STATUSES else None,
        count_text=lambda count: ngettext("%(count)s scanner", "%(count)s scanners", count),
        href=lambda id, _clinic_id: links.scanner_page(id),
    ),
    ActivityKind(
        "expected",
        # Translators: column head and label: the number that identifies a scanner.
        gettext_lazy("Serial number"),
        actions={
            "import": gettext_lazy("Import serial numbers"),
            "create": gettext_lazy("Add serial numbers"),
            "edit": gettext_lazy("Edit expected serial number"),
            "delete": gettext_lazy("Delete expected serial number"),
            "delete_all": gettext_lazy("Delete all expected serial numbers"),
        },
        fields={
            "clinic_id": gettext_lazy("Clinic"),
            "note": gettext_lazy("Note"),
            # Translators: label and caption: the numbers that identify scanners.
            "count": gettext_lazy("Serial numbers"),
        },
        count_text=lambda count: ngettext("%(count)s serial number", "%(count)s serial numbers", count),
    ),
)


def decision(action: str, scanner: Scanner, *, clinic_name: str) -> AuditAction:
    """Return the entry of a decision about a scanner."""
    return AuditAction(
        "scanner",
        action.lower(),
        Ref(scanner.id, scanner.called),
        clinic=Ref(scanner.clinic_id, clinic_name),
        changes=[Change("status", scanner.status, STATUS_AFTER[action])],
    )


def expected_change(row: Expected, form: BaseForm, clinics: Iterable[Choice]) -> AuditAction:
    """Return the entry of a change of an expected serial number, with the names of the clinics."""
    names = {clinic.value: str(clinic.label) for clinic in clinics}
    return expected_entry("edit", row, changes=named(form_changes(form, "expected"), clinic_id=names), edits=True)


def expected_entry(action: str, row: Expected, **more: Any) -> AuditAction:
    """Return the entry of an action on an expected serial number."""
    return AuditAction(
        "expected", action, Ref(row.id, row.serial_number), **{"clinic": Ref(row.clinic_id, row.clinic_name), **more}
    )
