"""What the activity tells of labs: the words, and what is noted of an act."""

from typing import Any

from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import Act
from console.web.contributions import ActivityKind
from partners import links
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Party

KINDS = (
    ActivityKind(
        "lab",
        gettext_lazy("Lab"),
        acts={
            "add": gettext_lazy("Add to my list"),
            "remove": gettext_lazy("Remove from my list"),
            "send": gettext_lazy("Send request"),
            "accept": gettext_lazy("Accept request"),
            "reject": gettext_lazy("Reject request"),
            "cancel": gettext_lazy("Cancel request"),
            "end": gettext_lazy("End partnership"),
        },
        fields={"message": gettext_lazy("Message"), "user": gettext_lazy("User")},
        href=lambda id, _clinic_id: links.lab_url(id),
    ),
)


def lab_act(act: str, lab: Lab, **more: Any) -> Act:
    """What is noted of an act on a lab."""
    return Act("lab", act, Ref(lab.id, lab.name), **{"changes": (), **more})


def partnership_act(act: str, lab: Lab, owner: Party, *, message: str = "") -> Act:
    """What is noted of an act on a request or a partnership: the lab, and for whom."""
    clinic = Ref(owner.id, owner.name) if owner.is_clinic else Ref()
    told = {"user": owner.called if owner.is_user else "", "message": message}
    return lab_act(
        act, lab, clinic=clinic, changes=[Change(name, None, value) for name, value in told.items() if value]
    )
