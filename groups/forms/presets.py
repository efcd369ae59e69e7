"""The form to add or change a preset."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from console.forms.fields import NameField
from console.forms.versioned import VersionedForm
from groups.forms.permissions import OFF, ON
from groups.labels import PERMISSIONS
from groups.models import Preset


class PresetForm(VersionedForm):
    """The name of a preset, and each of the five permissions on or off."""

    name = NameField(label=gettext_lazy("Name"))

    def __init__(
        self, data: Any = None, *, preset: Preset | None = None, chosen: Mapping[str, str] | None = None
    ) -> None:
        """`chosen`: permissions for a new preset."""
        settings = {name: ON if chosen and chosen.get(name) == ON else OFF for name in PERMISSIONS}
        known = {"name": preset.name, **preset.settings} if preset else settings
        super().__init__(data, initial=known, stored=preset.version if preset else None)
        for name, label in PERMISSIONS.items():
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=[(ON, gettext_lazy("On")), (OFF, gettext_lazy("Off"))],
                widget=forms.RadioSelect,
            )

    def settings(self) -> dict[str, str]:
        """Return each permission, on or off."""
        return {name: str(self.cleaned_data[name]) for name in PERMISSIONS}


def preset_values(preset: Preset) -> dict[str, object]:
    """Return the stored values by the names of the form's fields."""
    return {"name": preset.name, **preset.settings}
