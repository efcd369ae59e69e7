"""Forms of an access review: the reason, the reduced permissions, and the note of a sign-off."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext_lazy

from console.forms.fields import NoteField
from groups.forms.permissions import INHERIT, OFF

KEEP_REASON = "keep_reason"
"""The field above the list with the reason for all users who are kept there."""


class ReasonForm(forms.Form):
    """The reason for a decision; keeping an unused access requires one, because an auditor would ask for it."""

    def __init__(self, data: Mapping[str, object] | None = None, *, required: bool = False) -> None:
        super().__init__(data)
        self.fields["reason"] = NoteField(
            label=gettext_lazy("Reason"),
            required=required,
            error_messages={"required": gettext_lazy("Enter a reason")},
        )


class ReduceForm(ReasonForm):
    """The new setting of all permissions, with the reason."""

    to = forms.ChoiceField(
        # Translators: label of a field with the choices “Clinic setting” and “All off”.
        label=gettext_lazy("Set all permissions to"),
        choices=[
            ("", gettext_lazy("Choose a setting")),
            (INHERIT, gettext_lazy("Clinic setting")),
            # Translators: choice for all permissions of users: each of them is off.
            (OFF, gettext_lazy("All off")),
        ],
        widget=forms.Select(attrs={"class": "select"}),
        error_messages={"required": gettext_lazy("Choose a setting")},
    )


class SignOffForm(forms.Form):
    """The note of a sign-off; `digest` is that of the review that the page showed."""

    digest = forms.CharField(required=False, widget=forms.HiddenInput)
    note = NoteField()
