"""What is chosen for the five permissions of a clinic or a user."""

from django import forms
from django.utils.translation import gettext_lazy as _

ON, OFF, INHERIT = "on", "off", "inherit"
PERMISSIONS = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")

LABELS = {
    "allow_order": _("Allow order to listed labs"),
    "allow_export": _("Allow export"),
    "allow_case_converting": _("Allow case converting"),
    "allow_case_talk": _("Allow case talk"),
    "allow_download": _("Allow download"),
}


class PermissionForm(forms.Form):
    """A permission that is not sent, or sent as the sender saw it (`was_` and its name), stays as it is.

    `version` is that of what the sender saw.
    """

    version = forms.IntegerField(min_value=0, max_value=2**53, required=False)

    def __init__(self, data: object = None, *, can_inherit: bool) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        choices = (ON, OFF, INHERIT) if can_inherit else (ON, OFF)
        for name in PERMISSIONS:
            self.fields[name] = forms.ChoiceField(label=LABELS[name], choices=[(c, c) for c in choices], required=False)
            self.fields[f"was_{name}"] = forms.CharField(required=False)

    def chosen(self) -> dict[str, str]:
        """The permissions to change, as they were sent."""
        sent = {name: (self.cleaned_data.get(name), self.cleaned_data.get(f"was_{name}")) for name in PERMISSIONS}
        return {name: chosen for name, (chosen, was) in sent.items() if chosen and chosen != was}

    def changes(self) -> dict[str, bool | None]:
        """The permissions to change: on, off, or None for the clinic's own value."""
        values = {ON: True, OFF: False, INHERIT: None}
        return {name: values[chosen] for name, chosen in self.chosen().items()}
