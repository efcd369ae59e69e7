"""The form for the five permissions of a clinic or a user."""

from collections.abc import Mapping

from django import forms

from console.forms.versioned import VersionedForm
from groups.labels import PERMISSIONS

ON, OFF, INHERIT = "on", "off", "inherit"


class PermissionForm(VersionedForm):
    """The permissions to change; one that is not sent, or sent as it was `displayed`, stays as it is."""

    preset = forms.CharField(required=False, widget=forms.HiddenInput)
    """The ID of the preset that filled the form."""

    def __init__(self, data: object = None, *, can_inherit: bool, displayed: Mapping[str, str] | None) -> None:
        super().__init__(data)
        self.displayed = displayed
        choices = (ON, OFF, INHERIT) if can_inherit else (ON, OFF)
        for name, label in PERMISSIONS.items():
            self.fields[name] = forms.ChoiceField(label=label, choices=[(c, c) for c in choices], required=False)

    def sent(self) -> dict[str, str]:
        """Return the permissions that were sent."""
        sent = {name: str(self.data.get(name) or "") for name in PERMISSIONS}
        return {name: choice for name, choice in sent.items() if choice}

    def chosen(self) -> dict[str, str]:
        """Return the permissions to change, as they were sent."""
        displayed = self.displayed or {}
        return {name: choice for name, choice in self.sent().items() if choice != displayed.get(name)}

    def expected(self) -> dict[str, str]:
        """Return the permissions as they should be after a save: those to change, or all of a preset."""
        return self.sent() if self.data.get("preset") else self.chosen()

    def changes(self) -> dict[str, bool | None]:
        """Return the permissions to change: on, off, or None to follow the clinic."""
        values = {ON: True, OFF: False, INHERIT: None}
        return {name: values[chosen] for name, chosen in self.chosen().items()}
