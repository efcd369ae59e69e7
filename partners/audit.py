"""Activity of labs: labels and entries."""

from typing import Any

from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.l10n.numbers import ngettext
from console.web.contributions import ActivityKind
from partners import links
from partners.labels import STATES
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Party

KINDS = (
    ActivityKind(
        "lab",
        gettext_lazy("Lab"),
        actions={
            "add": gettext_lazy("Add to my list"),
            "remove": gettext_lazy("Remove from my list"),
            "send": gettext_lazy("Send request"),
            "accept": gettext_lazy("Accept request"),
            "reject": gettext_lazy("Reject request"),
            "cancel": gettext_lazy("Cancel request"),
            "end": gettext_lazy("End partnership"),
        },
        fields={
            "status": gettext_lazy("Status"),
            "message": gettext_lazy("Message"),
            "user": gettext_lazy("User"),
        },
        value=lambda field, value: str(STATES[value][0]) if field == "status" and value in STATES else None,
        count_text=lambda count: ngettext("%(count)s lab", "%(count)s labs", count),
        href=lambda id, _clinic_id: links.lab_url(id),
    ),
)


def lab_entry(action: str, lab: Lab, **more: Any) -> AuditAction:
    """Return the entry of an action on a lab."""
    return AuditAction("lab", action, Ref(lab.id, lab.name), **{"changes": (), **more})


def partnership_entry(action: str, lab: Lab, owner: Party, *, message: str = "") -> AuditAction:
    """Return the entry of an action on a request or partnership: the lab, and the clinic or user."""
    clinic = Ref(owner.id, owner.name) if owner.is_clinic else Ref()
    values = {"user": owner.called if owner.is_user else "", "message": message}
    return lab_entry(
        action, lab, clinic=clinic, changes=[Change(name, None, value) for name, value in values.items() if value]
    )
