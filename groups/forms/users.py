"""Forms for users: invitations, and changes of existing users."""

import re
from collections.abc import Sequence
from typing import Any, Self

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from console.forms.fields import EmailField, NameField
from console.forms.pasted import open_quotes, parse_rows
from console.forms.versioned import VersionedForm
from console.l10n.sentences import in_sentence
from groups.forms.bulk import add_finder
from groups.forms.teams import Choices
from groups.labels import USER_TYPES
from groups.models import Preset
from upstream.resources.users import User

NAMES = {"translate": "no"}
"""Attributes for a choice of names, which a browser must not translate."""
FOR_ALL = ("user_type", "team_id")
"""The fields of invited people that can also be set for all of them."""
AT_SIGN = re.compile(r"[@＠﹫]|[(\[{（]\s*at\s*[)\]}）]", re.IGNORECASE)
"""The sign of an email address, or how people write it; a name that contains it is most likely an address."""


class UserForm(forms.Form):
    """The fields that all forms for users share. The team is one of those offered, or none."""

    field_order: Sequence[str] = ("name", "email", "user_type", "clinic_id", "team_id")

    name = NameField(label=pgettext_lazy("person", "Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    user_type = forms.ChoiceField(
        label=_("Type"),
        choices=(("", _("Choose a type")), *USER_TYPES.items()),
        error_messages={"required": _("Choose a type")},
    )
    team_id = forms.ChoiceField(
        widget=forms.Select(attrs=NAMES),
        label=_("Team"),
        required=False,
        error_messages={"invalid_choice": _("This team doesn't belong to the chosen clinic. Choose another one.")},
    )

    def __init__(self, *args: Any, teams: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team_id"].choices = [("", _("No team")), *teams]  # type: ignore[attr-defined]

    @property
    def team_choices(self) -> Choices:
        """The teams that can be chosen, and "No team"."""
        return self.fields["team_id"].choices  # type: ignore[attr-defined, no-any-return]


class InvitationForm(UserForm):
    """One person to invite; `number` identifies the row in the page, and stays the same when other rows are removed."""

    has_initial_focus = False
    """The page says which row has it (`type_at_once`)."""

    email = EmailField(
        label=_("Email"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        is_checked_in_browser=True,
    )

    def __init__(self, *args: Any, number: int, **kwargs: Any) -> None:
        super().__init__(*args, prefix=f"row-{number}", **kwargs)
        email = self.fields["email"]
        email.error_messages["required"] = gettext("Enter %(field)s") % {"field": in_sentence(email.label)}
        self.number = number

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if AT_SIGN.search(name):
            message = gettext("A name can't contain “@” or “(at)”. Enter the email address in its own field.")
            raise ValidationError(message, code="invalid")
        return name

    def type_at_once(self) -> None:
        """Focus this row when the page opens."""
        self.fields["name"].widget.attrs["autofocus"] = True

    @property
    def problem_count(self) -> int:
        return sum(map(len, self.errors.values()))

    @property
    def is_blank(self) -> bool:
        """True if the row names no one; a type or team that was carried over doesn't count."""
        return not any(str(self.data.get(self.add_prefix(name), "")).strip() for name in ("name", "email"))


class SharedForm(UserForm):
    """The values that all invited people share, and the pasted people. With `clinics`, one of them has to be chosen."""

    field_order = ("clinic_id", "people", "user_type", "team_id", "preset", "several")
    has_initial_focus = True

    clinic_id = forms.ChoiceField(
        label=_("Clinic"), widget=forms.Select(attrs=NAMES), error_messages={"required": _("Choose a clinic")}
    )
    people = forms.CharField(
        # Translators: the label of a field: users to invite, as pasted text.
        label=_("Names and email addresses"),
        required=False,
        max_length=20_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "spellcheck": "false", "autocomplete": "off"}),
        help_text=_(
            "Paste names and email addresses from an email app or a spreadsheet, one user per line. "
            "You can check them before anyone is invited."
        ),
    )
    several = forms.CharField(required=False, widget=forms.HiddenInput)
    """Not empty on the page for several users."""

    preset = forms.ChoiceField(
        widget=forms.Select(attrs=NAMES),
        label=_("Preset"),
        required=False,
        error_messages={"invalid_choice": _("This item no longer exists. Choose another one.")},
    )

    def __init__(self, *args: Any, clinics: Choices | None, presets: Sequence[Preset], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["name"]
        self._presets = {preset.id: preset for preset in presets}
        if presets or self.data.get("preset"):
            choices = [("", gettext("No preset")), *((preset.id, preset.name) for preset in presets)]
            self.fields["preset"].choices = choices  # type: ignore[attr-defined]
        else:
            del self.fields["preset"]
        if clinics is None:
            del self.fields["clinic_id"]
        else:
            self.fields["clinic_id"].choices = [("", gettext("Choose a clinic")), *clinics]  # type: ignore[attr-defined]
        # Translators: label: the type of all users who are invited at once.
        self.fields["user_type"].label, self.fields["team_id"].label = _("Type for all users"), _("Team for all users")
        self.fields["user_type"].required = False

    def clean_people(self) -> str:
        pasted = str(self.cleaned_data["people"])
        if not_closed := open_quotes(row for row in parse_rows(pasted) if "\t" in row.text):
            raise ValidationError(not_closed, code="open_quote")
        return pasted

    @property
    def is_for_several(self) -> bool:
        return any(self[name].value() for name in ("several", "people"))

    @property
    def applied_values(self) -> dict[str, str]:
        """The values for all that the rows of the page already have, by the names of their hidden fields.

        A team that another clinic doesn't have is none of them.
        """
        values = {name: str(self[name].value() or "") for name in FOR_ALL}
        fields: Any = self.fields
        return {
            f"applied_{name}": value if value in dict(fields[name].choices) else "" for name, value in values.items()
        }

    @property
    def chosen_preset(self) -> Preset | None:
        """The preset that sets the permissions of all; None follows the clinic."""
        return self._presets.get(self.cleaned_data.get("preset", ""))

    def unchecked(self, **values: str) -> Self:
        """Return the form with its input, except these values, as if it had not been sent.

        A preset that no longer exists is reported at once, so that no other one is chosen silently.
        """
        if "preset" in self.errors:
            return self
        self.initial = {name: self.data.get(name, "") for name in self.fields} | values
        self.is_bound = False
        self.has_initial_focus = False
        return self


class UserEditForm(VersionedForm, UserForm):
    """An existing user."""

    clinic_id = forms.ChoiceField(
        label=_("Clinic"), widget=forms.Select(attrs=NAMES), error_messages={"invalid_choice": _("Choose a clinic")}
    )

    def __init__(self, *args: Any, user: User, clinics: Choices, stays: str = "", **kwargs: Any) -> None:
        """Create the form; `stays` is the reason why no other clinic can be chosen."""
        super().__init__(*args, initial=user_values(user), stored=user.version, **kwargs)
        field: Any = self.fields["clinic_id"]
        field.choices = list(clinics)
        add_finder(field, 0 if stays else len(field.choices))
        if stays:
            field.choices = [choice for choice in field.choices if choice[0] == user.clinic_id]
            field.help_text = field.error_messages["invalid_choice"] = stays

    @property
    def clinic_choices(self) -> Choices:
        """The clinics that can be chosen."""
        return self.fields["clinic_id"].choices  # type: ignore[attr-defined, no-any-return]

    @property
    def can_leave(self) -> bool:
        """True if another clinic can be chosen."""
        return len(list(self.clinic_choices)) > 1

    def unchecked(self) -> Self:
        """Return the form with its input, except the team, as if it had not been sent."""
        values = {name: self.data.get(name, "") for name in self.initial}
        self.rebase(self.next_version)
        self.initial, self.is_bound = {**values, "team_id": ""}, False
        return self

    def offer_team(self, team_id: str | None, name: str | None) -> None:
        """Add a team to the choices, so that its name can be shown."""
        field: Any = self.fields["team_id"]
        if team_id and team_id not in dict(field.choices):
            field.choices = [*field.choices, (team_id, name or "")]


class UserMoveForm(UserEditForm):
    """The clinic of a user, and the team there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["name"], self.fields["user_type"]
        self.fields["clinic_id"].help_text = ""  # the page explains it in detail


def user_values(user: User) -> dict[str, str]:
    """Return the values of a user as the form shows them."""
    return {
        "name": user.name,
        "user_type": user.user_type,
        "clinic_id": user.clinic_id,
        "team_id": user.team_id or "",
    }
