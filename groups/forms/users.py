"""What is typed for a user: who is invited, and what can be changed of somebody who is there."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from console.fields import EmailField, NameField

USER_TYPES = (("DOCTOR", _("Doctor")), ("STAFF", pgettext_lazy("a person", "Staff")))

Choices = Iterable[tuple[str, str]]
"""Ids and names of what can be chosen."""


class UserForm(forms.Form):
    """What is common to both. The team is one of those that were offered, or none."""

    field_order = ("name", "email", "user_type", "clinic_id", "team_id")

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    user_type = forms.ChoiceField(
        label=_("Type"),
        choices=(("", _("Choose a type")), *USER_TYPES),
        error_messages={"required": _("Choose a type")},
    )
    team_id = forms.ChoiceField(
        label=_("Team"),
        required=False,
        error_messages={"invalid_choice": _("This team is not of the chosen clinic. Choose another one.")},
    )

    def __init__(self, *args: Any, teams: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team_id"].choices = [("", _("No team")), *teams]  # type: ignore[attr-defined]


class InvitationForm(UserForm):
    """One person who is invited; `number` is the row's place in the page, which it keeps when other rows are done."""

    email = EmailField(
        label=_("Email"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Enter Email")},
    )

    def __init__(self, *args: Any, number: int, **kwargs: Any) -> None:
        super().__init__(*args, prefix=f"row-{number}", **kwargs)
        self.number = number

    def type_at_once(self) -> None:
        """Have the focus in this row when the page opens."""
        self.fields["name"].widget.attrs["autofocus"] = True

    @property
    def is_blank(self) -> bool:
        """Whether nobody is named in this row; a type or team that was carried over names nobody."""
        return not any(str(self.data.get(self.add_prefix(name), "")).strip() for name in ("name", "email"))


class UserEditForm(UserForm):
    """A user who is there. `version` is what the sender saw."""

    clinic_id = forms.ChoiceField(label=_("Clinic"))
    version = forms.IntegerField(min_value=0, max_value=2**53, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, clinics: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["clinic_id"].choices = list(clinics)  # type: ignore[attr-defined]
