"""Forms for the options of bulk actions: the clinic or team to move to, the type, the permissions."""

import json
from collections.abc import Callable, Mapping, Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.lists.query import Choice, Label
from groups.forms.permissions import INHERIT, OFF, ON
from groups.labels import PERMISSIONS, USER_TYPES
from groups.models import Preset

FINDER_THRESHOLD = 25
"""More clinics than this are found by typing."""
NOTHING: Mapping[str, str] = {}
NO_TEAM = "-"
"""The choice that removes users from their teams; no ID looks like this."""


class _OptionForm(forms.Form):
    """One option, which is required; `prompt` is shown until one is chosen."""

    def __init__(
        self, data: Mapping[str, object] | None, *, name: str, label: Label, prompt: Label, choices: Sequence[Choice]
    ) -> None:
        super().__init__(data)
        self.fields[name] = forms.ChoiceField(
            label=label,
            choices=[("", prompt), *((choice.value, choice.label) for choice in choices)],
            widget=forms.Select(attrs={"class": "select"}),
            error_messages={"required": prompt},
        )


class TeamOptionForm(_OptionForm):
    def __init__(self, data: Mapping[str, object] | None = None, *, teams: Sequence[Choice]) -> None:
        # Translators: choice: users who are in no team of their clinic.
        choices = [Choice(NO_TEAM, _("No team")), *teams]
        # Translators: noun: a group of users inside a clinic; label, column head, filter.
        super().__init__(data, name="team", label=_("Team"), prompt=_("Choose a team"), choices=choices)


class ClinicOptionForm(_OptionForm):
    def __init__(self, data: Mapping[str, object] | None = None, *, clinics: Sequence[Choice]) -> None:
        # Translators: noun: a dental clinic; label, column head, filter.
        super().__init__(data, name="clinic", label=_("Clinic"), prompt=_("Choose a clinic"), choices=clinics)
        add_finder(self.fields["clinic"], len(clinics))


def add_finder(field: forms.Field, clinic_count: int) -> None:
    """Let a choice of many clinics have a box that finds them."""
    if clinic_count > FINDER_THRESHOLD:
        field.widget.attrs["data-finder"] = _("Find a clinic")


class TypeOptionForm(_OptionForm):
    def __init__(self, data: Mapping[str, object] | None = None) -> None:
        choices = [Choice(code, label) for code, label in USER_TYPES.items()]
        # Translators: noun: the kind of a user, Doctor or Staff; label, column head, filter.
        super().__init__(data, name="user_type", label=_("Type"), prompt=_("Choose a type"), choices=choices)


class PermissionOptionsForm(forms.Form):
    """Each permission: unchanged, on, off, or (users) as in the clinic. At least one must be chosen.

    Instead, one of `people` can be chosen, whose permissions `settings` reads once, when the form is sent; or one of
    `presets`, of which `preset` is chosen at first, as are the permissions in `chosen`. What is chosen for a permission
    itself takes precedence.
    """

    requires_any = True
    has_segments = True
    """The page needs the sheet of choices that are side by side."""

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        *,
        can_inherit: bool,
        people: Sequence[Choice] = (),
        settings: Callable[[str], Mapping[str, str]] = lambda _id: {},
        presets: Sequence[Preset] = (),
        preset: str = "",
        chosen: Mapping[str, str] = NOTHING,
    ) -> None:
        self._settings = settings
        self._presets = {preset.id: dict(preset.settings) for preset in presets}
        # The radio buttons of permissions that are not set show "No change".
        unset = dict.fromkeys(PERMISSIONS, "")
        super().__init__(data, initial={**unset, **self._presets.get(preset, {}), **chosen, "preset": preset})
        if presets:
            self.fields["preset"] = forms.ChoiceField(
                # Translators: noun: a name for five permissions that are set together; label of a choice.
                label=gettext_lazy("Preset"),
                help_text=gettext_lazy("Permissions you set below override the preset."),
                # Translators: first choice for "Preset": permissions are not set by a preset.
                choices=[("", gettext_lazy("No preset")), *((preset.id, preset.name) for preset in presets)],
                required=False,
                widget=forms.Select(attrs={"class": "select", "data-presets": json.dumps(self._presets)}),
            )
        else:
            self.hint = gettext_lazy("If you choose all five permissions, you can save them as a preset afterward.")
        if people:
            self.fields["source"] = forms.ChoiceField(
                # Translators: label of a choice: the user whose permissions are taken over.
                label=gettext_lazy("Copy from"),
                help_text=gettext_lazy("Permissions you set below override the copied ones."),
                # Translators: first choice for "Copy from": no permissions are taken over.
                choices=[("", gettext_lazy("No one")), *((choice.value, choice.label) for choice in people)],
                required=False,
                widget=forms.Select(attrs={"class": "select"}),
            )
        choices: list[tuple[str, Label]] = [
            # Translators: choice for a permission: it is not changed.
            ("", gettext_lazy("No change")),
            (ON, gettext_lazy("On")),
            (OFF, gettext_lazy("Off")),
        ]
        if can_inherit:
            choices.append((INHERIT, gettext_lazy("Clinic setting")))
        for name, label in PERMISSIONS.items():
            self.fields[name] = forms.ChoiceField(
                label=label, choices=choices, required=False, widget=forms.RadioSelect
            )

    def clean(self) -> dict[str, str]:
        cleaned: dict[str, str] = super().clean() or {}
        preset, source = cleaned.get("preset", ""), cleaned.get("source")
        if preset and source:
            self.add_error("preset", _("Choose either a preset or a user to copy from, not both."))
        elif preset:
            preset_settings = self._presets[preset]
            cleaned |= {name: cleaned.get(name) or preset_settings.get(name, "") for name in PERMISSIONS}
        elif source:
            cleaned |= {name: cleaned.get(name) or value for name, value in self._settings(source).items()}
            if not user_changes(cleaned):
                self.add_error("source", _("This user's permissions aren't available. Choose another user."))
        elif not self.errors and not any(cleaned.values()):
            self.add_error(next(iter(self.fields)), _("Choose at least one permission to change."))
        return cleaned


def get_team_id(options: Mapping[str, str]) -> str | None:
    """Return the chosen team; None removes users from theirs."""
    return options["team"] if options["team"] != NO_TEAM else None


def clinic_changes(options: Mapping[str, str]) -> dict[str, bool]:
    """Return the chosen permissions of clinics: on or off."""
    return {name: value for name, value in user_changes(options).items() if value is not None}


def user_changes(options: Mapping[str, str]) -> dict[str, bool | None]:
    """Return the chosen permissions of users; None follows the clinic."""
    values = {ON: True, OFF: False, INHERIT: None}
    return {name: values[options[name]] for name in PERMISSIONS if options.get(name) in values}
