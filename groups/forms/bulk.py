"""The options of bulk actions: where to move people, which type, which permissions."""

from django import forms
from django.utils.translation import gettext_lazy as _

from console.lists import Choice
from groups.forms.permissions import INHERIT, LABELS, OFF, ON, PERMISSIONS

NO_TEAM = "-"
"""The choice that takes people out of their teams; no id looks like this."""


class MoveForm(forms.Form):
    team = forms.ChoiceField(label=_("Team"))

    def __init__(self, data: object = None, *, teams: list[Choice]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = [("", _("Choose a team")), (NO_TEAM, _("No team")), *((t.value, t.label) for t in teams)]
        self.fields["team"].choices = choices  # type: ignore[attr-defined]
        self.fields["team"].widget.attrs["class"] = "select"
        self.fields["team"].error_messages["required"] = _("Choose a team")


class ClinicMoveForm(forms.Form):
    clinic = forms.ChoiceField(label=_("Clinic"))

    def __init__(self, data: object = None, *, clinics: list[Choice]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = [("", _("Choose a clinic")), *((c.value, c.label) for c in clinics)]
        self.fields["clinic"].choices = choices  # type: ignore[attr-defined]
        self.fields["clinic"].widget.attrs["class"] = "select"
        self.fields["clinic"].error_messages["required"] = _("Choose a clinic")


class TypeForm(forms.Form):
    user_type = forms.ChoiceField(label=_("Type"), choices=[])

    def __init__(self, data: object = None, *, types: list[Choice]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = [("", _("Choose a type")), *((t.value, t.label) for t in types)]
        self.fields["user_type"].choices = choices  # type: ignore[attr-defined]
        self.fields["user_type"].widget.attrs["class"] = "select"
        self.fields["user_type"].error_messages["required"] = _("Choose a type")


class BulkPermissionForm(forms.Form):
    """Each permission: left as it is, on, off, or (users) the clinic's. At least one must be chosen."""

    def __init__(self, data: object = None, *, can_inherit: bool) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = [("", _("Leave as it is")), (ON, _("On")), (OFF, _("Off"))]
        if can_inherit:
            choices.append((INHERIT, _("Same as the clinic")))
        for name in PERMISSIONS:
            self.fields[name] = forms.ChoiceField(
                label=LABELS[name], choices=choices, required=False, widget=forms.Select(attrs={"class": "select"})
            )

    def clean(self) -> dict[str, str]:
        cleaned: dict[str, str] = super().clean() or {}
        if not any(cleaned.values()):
            raise forms.ValidationError(_("Choose at least one permission to change."))
        return cleaned


def team_of(options: dict[str, str]) -> str | None:
    """The chosen team; None takes people out of theirs."""
    return options["team"] if options["team"] != NO_TEAM else None


def clinic_changes(options: dict[str, str]) -> dict[str, bool]:
    """The chosen options for clinics: on or off."""
    return {name: value for name, value in permission_changes(options).items() if value is not None}


def permission_changes(options: dict[str, str]) -> dict[str, bool | None]:
    """The chosen options for users; None is the clinic's own value."""
    values = {ON: True, OFF: False, INHERIT: None}
    return {name: values[options[name]] for name in PERMISSIONS if options.get(name) in values}
