"""The form for the labs that a clinic may order from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from console.forms.errors import Difference

if TYPE_CHECKING:
    from upstream.resources.permissions import OrderLab


PARTNER, PENDING = "ACCEPTED", "PENDING"


@dataclass(frozen=True)
class LabChoice:
    """A lab as the form shows it; one that can't be chosen has a `reason`."""

    id: str
    name: str
    chosen: bool
    reason: str
    can_request: bool
    """True if neither a partnership nor a request exists, so that one can be sent."""


class OrderLabsForm(forms.Form):
    """The ticked labs (`lab`), and those that were ticked when the page was rendered (`was`, all in one field).

    A lab is changed only if the two differ, so that concurrent changes of other administrators stay.
    """

    def __init__(self, data: QueryDict | None = None, *, labs: Sequence[OrderLab]) -> None:
        super().__init__(data)
        self.labs = labs
        self.ticked = set(data.getlist("lab")) if data else set()
        self.was = {unquote(lab_id) for ids in data.getlist("was") for lab_id in ids.split()} if data else set()
        self.partners = [lab.lab_id for lab in labs if lab.status == PARTNER]
        self.fields["lab"] = forms.MultipleChoiceField(
            choices=[(lab_id, lab_id) for lab_id in self.partners],
            required=False,
            error_messages={"invalid_choice": only_partners()},
        )

    @property
    def stored(self) -> str:
        """The labs that can be ordered from now, as the form sends them back in `was`."""
        return " ".join(quote(lab.lab_id, safe="") for lab in self.labs if lab.lab_id in self.partners and lab.allowed)

    def changes(self) -> dict[str, bool]:
        """Return lab ID -> True if it can be ordered from, for the labs that were changed."""
        return {lab_id: lab_id in self.ticked for lab_id in self.partners if lab_id in self.ticked ^ self.was}

    def is_stale(self) -> bool:
        """Return True if another administrator has changed the labs since the page was rendered."""
        return any(lab.allowed != (lab.lab_id in self.was) for lab in self.labs if lab.lab_id in self.partners)

    def conflicts(self) -> list[Difference]:
        """Return the labs for which the choice differs from the stored one."""
        changes = self.changes()
        names = {True: _("On"), False: _("Off")}
        return [
            Difference(lab.lab_name, names[changes[lab.lab_id]], names[lab.allowed])
            for lab in self.labs
            if changes.get(lab.lab_id, lab.allowed) != lab.allowed
        ]

    def choices(self) -> list[LabChoice]:
        """Return the labs to show, those that can be chosen first; unsaved changes are kept."""
        changes = self.changes()
        return [
            LabChoice(
                id=lab.lab_id,
                name=lab.lab_name,
                chosen=changes.get(lab.lab_id, lab.allowed),
                reason=_reason(lab),
                can_request=lab.status not in (PARTNER, PENDING),
            )
            for lab in sorted(self.labs, key=lambda lab: lab.status != PARTNER)
        ]


def only_partners() -> str:
    return _("You can choose partner labs only.")


def _reason(lab: OrderLab) -> str:
    if lab.status == PARTNER:
        return ""
    if lab.status == PENDING:
        return _("The lab hasn't answered the partnership request yet.")
    # Translators: about a lab, whose name comes before.
    return _("Not a partner yet.")
