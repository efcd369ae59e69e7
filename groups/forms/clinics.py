"""What is typed to add, edit or delete a clinic."""

from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.versioned import VersionedForm
from console.text.countries import countries, country_name
from console.text.fields import NameField, WholeNumberField, in_sentence, is_printable
from console.upstream.nouns import normalized
from console.upstream.resources.clinics import Clinic, NewClinic

INFO_LENGTH = 1000


class ClinicForm(VersionedForm):
    """The fields of a clinic that may change; the server location is none of them (conformance VA-28)."""

    name = NameField(label=gettext_lazy("Name"))
    country_code = forms.ChoiceField(label=gettext_lazy("Country"))
    dentist_count = WholeNumberField(label=gettext_lazy("Number of dentists"))
    staff_count = WholeNumberField(label=gettext_lazy("Number of staff"))
    info = forms.CharField(
        label=gettext_lazy("Info"),
        max_length=INFO_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=gettext_lazy("For example an address or opening hours."),
    )

    def __init__(self, data: Any = None, *, clinic: Clinic | None = None, country_code: str = "") -> None:
        super().__init__(
            data,
            initial=values_of(clinic) if clinic else {"country_code": country_code},
            stored=clinic.version if clinic else None,
        )
        country = cast(forms.ChoiceField, self.fields["country_code"])
        country.choices = [("", _("Choose a country")), *_countries(clinic)]
        country.error_messages["required"] = _("Choose a country")
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        # The service may keep something else than text there; what can't be shown is left alone.
        if clinic and not isinstance(clinic.info, str | None):
            del self.fields["info"]

    def clean_info(self) -> str:
        return clean_info(self.cleaned_data["info"], self.fields["info"].label)

    def values(self) -> dict[str, Any]:
        """What was typed, by the names of a clinic; an empty number is none."""
        return {name: self.cleaned_data[name] for name in NewClinic.__struct_fields__ if name in self.fields}

    def changes(self, clinic: Clinic) -> dict[str, Any]:
        """What was typed and is not so already."""
        now = values_of(clinic)
        changed = {name: value for name, value in self.values().items() if value != now[name]}
        return {name: 0 if value is None else value for name, value in changed.items()}


class DeleteClinicForm(VersionedForm):
    """The name of the clinic, typed: Enter alone deletes nothing (conformance LS-15)."""

    typed_name = forms.CharField(
        label=gettext_lazy("Type the name of the clinic to delete it"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "dir": "auto"}),
    )

    def __init__(self, data: Any = None, *, clinic: Clinic) -> None:
        super().__init__(data, stored=clinic.version)
        self.name = clinic.name
        self.fields["typed_name"].help_text = clinic.name
        self.fields["typed_name"].error_messages["required"] = _("Type the name of the clinic")

    def clean_typed_name(self) -> str:
        typed = str(self.cleaned_data["typed_name"])
        if _same(typed) != _same(self.name):
            raise ValidationError(_("This is not the name of the clinic"), code="invalid")
        return typed


def clean_info(text: str, label: Any) -> str:
    """Return what was typed as info, with line ends of one kind; raise ValidationError for what can't be shown."""
    # Browsers send line ends of their own; what nobody changed must not look changed.
    text = text.replace("\r\n", "\n")
    if not is_printable(text.replace("\n", "").replace("\t", "")):
        raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(label)}, code="invalid")
    return text


def values_of(clinic: Clinic) -> dict[str, Any]:
    """The values of a clinic as the form shows them."""
    stored = {name: getattr(clinic, name) for name in NewClinic.__struct_fields__}
    info = clinic.info.strip() if isinstance(clinic.info, str) else ""
    return {**stored, "country_code": clinic.country_code or "", "info": info}


def _countries(clinic: Clinic | None) -> list[tuple[str, str]]:
    """All countries, and what the clinic has now, whatever it is: an edit of its name must not need another country."""
    known = countries()
    code = clinic.country_code if clinic else None
    return known if not code or code in dict(known) else [(code, country_name(code)), *known]


def _same(name: str) -> str:
    return normalized("NFC", " ".join(name.split()))
