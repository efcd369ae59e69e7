"""Forms to add, edit or delete a clinic."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.fields import NameField, WholeNumberField, clean_lines
from console.forms.typed_name import NameConfirmationForm
from console.forms.versioned import VersionedForm
from console.l10n.countries import countries, country_name
from upstream.resources.clinics import Clinic, NewClinic

INFO_LENGTH = 1000


class ClinicForm(VersionedForm):
    """The fields of a clinic that can change; the server location is not one of them (conformance VA-28)."""

    name = NameField(label=gettext_lazy("Name"))
    country_code = forms.ChoiceField(label=gettext_lazy("Country"))
    dentist_count = WholeNumberField(label=gettext_lazy("Number of dentists"))
    staff_count = WholeNumberField(label=gettext_lazy("Number of staff"))
    info = forms.CharField(
        # Translators: noun: free text about a clinic; label, and head of a column of a file. Keep short.
        label=gettext_lazy("Info"),
        max_length=INFO_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=gettext_lazy("For example, an address or opening hours."),
    )

    def __init__(self, data: Any = None, *, clinic: Clinic | None = None, country_code: str = "") -> None:
        super().__init__(
            data,
            initial=clinic_values(clinic) if clinic else {"country_code": country_code},
            stored=clinic.version if clinic else None,
        )
        country = cast(forms.ChoiceField, self.fields["country_code"])
        country.choices = [("", _("Choose a country")), *_countries(clinic)]
        country.error_messages["required"] = _("Choose a country")
        country.widget.attrs["data-finder"] = _("Find a country")
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        # The service may store something other than text there, which can't be shown and stays as it is.
        if clinic and not isinstance(clinic.info, str | None):
            del self.fields["info"]

    def clean_info(self) -> str:
        return clean_lines(self.cleaned_data["info"], self.fields["info"].label)

    def values(self) -> dict[str, Any]:
        """Return the cleaned values by the names of a clinic's fields; an empty number is None."""
        return {name: self.cleaned_data[name] for name in NewClinic.__struct_fields__ if name in self.fields}

    def changes(self, clinic: Clinic) -> dict[str, Any]:
        """Return the values that differ from those of the clinic; an emptied number is 0."""
        now = clinic_values(clinic)
        changed = {name: value for name, value in self.values().items() if value != now[name]}
        return {name: 0 if value is None else value for name, value in changed.items()}


class DeleteClinicForm(NameConfirmationForm):
    """The confirmation of a deletion by typing the clinic's name."""

    # Translators: the label of a field.
    question = gettext_lazy("Enter the clinic name to delete it")
    missing = gettext_lazy("Enter the clinic name")
    wrong = gettext_lazy("The name doesn't match")


def clinic_values(clinic: Clinic) -> dict[str, Any]:
    """Return the values of a clinic as the form shows them."""
    stored = {name: getattr(clinic, name) for name in NewClinic.__struct_fields__}
    info = clinic.info.strip() if isinstance(clinic.info, str) else ""
    return {**stored, "country_code": clinic.country_code or "", "info": info}


def _countries(clinic: Clinic | None) -> list[tuple[str, str]]:
    """Return all countries and the clinic's current one, even if unknown: an edit must not force another country."""
    known = countries()
    code = clinic.country_code if clinic else None
    return known if not code or code in dict(known) else [(code, country_name(code)), *known]
