"""What is chosen for the five permissions of a clinic or a user."""

from django import forms

from console.forms.versioned import VersionedForm
from groups.labels import PERMISSIONS

ON, OFF, INHERIT = "on", "off", "inherit"


class PermissionForm(VersionedForm):
    """A permission that is not sent, or sent as the sender saw it (`was_` and its name), stays as it is."""

    def __init__(self, data: object = None, *, can_inherit: bool) -> None:
        super().__init__(data)
        choices = (ON, OFF, INHERIT) if can_inherit else (ON, OFF)
        for name, label in PERMISSIONS.items():
            self.fields[name] = forms.ChoiceField(label=label, choices=[(c, c) for c in choices], required=False)
            self.fields[f"was_{name}"] = forms.CharField(required=False)

    def chosen(self) -> dict[str, str]:
        """The permissions to change, as they were sent."""
        sent = {name: (str(self.data.get(name) or ""), self.data.get(f"was_{name}")) for name in PERMISSIONS}
        return {name: chosen for name, (chosen, was) in sent.items() if chosen and chosen != was}

    def seen_settings(self) -> dict[str, str]:
        """What the sender saw of those; a single switch sends it as `saw`."""
        saw = str(self.data.get("saw") or "")
        return {name: str(self.data.get(f"was_{name}") or saw) for name in self.chosen()}

    def changes(self) -> dict[str, bool | None]:
        """The permissions to change: on, off, or None for the clinic's own value."""
        values = {ON: True, OFF: False, INHERIT: None}
        return {name: values[chosen] for name, chosen in self.chosen().items()}
