"""Rows of imported files for clinics and users; the fields are the columns, in their order."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.files.spec import Parts, RowForm
from console.forms.fields import EmailField, NameField, WholeNumberField, clean_lines
from console.forms.spreadsheet_values import refuse_spreadsheet_faults
from console.l10n.bidi import isolated
from console.l10n.countries import country_code, sort_key
from groups.forms.clinics import INFO_LENGTH
from groups.labels import USER_TYPES, user_type_in


class ClinicRow(RowForm):
    heads = {
        # Translators: names that people give to the column of clinics' names in their files, separated by |.
        "name": gettext_lazy("Clinic|Clinic name|Practice|Practice name|Location"),
        # Translators: names that people give to the column of countries in their files, separated by |.
        "country_code": gettext_lazy("Country code|Country or region|Nation"),
        # Translators: names that people give to the column of numbers of dentists in their files, separated by |.
        "dentist_count": gettext_lazy("Dentists|No. of dentists|Doctors|Number of doctors"),
        # Translators: names that people give to the column of numbers of staff in their files, separated by |.
        "staff_count": gettext_lazy("Staff|No. of staff|Employees|Number of employees"),
        # Translators: names that people give to the column of further information in their files, separated by |.
        "info": gettext_lazy("Information|Additional information"),
    }

    name = NameField(label=gettext_lazy("Name"))
    country_code = forms.CharField(label=gettext_lazy("Country"))
    dentist_count = WholeNumberField(label=gettext_lazy("Number of dentists"))
    staff_count = WholeNumberField(label=gettext_lazy("Number of staff"))
    info = forms.CharField(
        label=gettext_lazy("Info"),
        max_length=INFO_LENGTH,
        required=False,
        validators=[refuse_spreadsheet_faults],
    )

    def clean_info(self) -> str:
        return clean_lines(self.cleaned_data["info"], self.fields["info"].label)

    def clean_country_code(self) -> str:
        if code := country_code(self.cleaned_data["country_code"]):
            return code
        # Translators: a message about a row of a file: its country isn't known.
        raise ValidationError(_("Unknown country"), code="invalid")


class UserRow(RowForm):
    """The row of a user of any clinic; clinic and team are given by name."""

    heads = {
        # Translators: names that people give to the column of users' names in their files, separated by |.
        "name": gettext_lazy("Full name|User name|User|Display name|Person"),
        # Translators: names that people give to the column of users' types in their files, separated by |.
        "user_type": gettext_lazy("User type|Role|Position|Job"),
        # Translators: names that people give to the column of email addresses in their files, separated by |.
        "email": gettext_lazy("E-mail|Mail|Email address|E-mail address|Mail address"),
        # Translators: names that people give to the column of teams in their files, separated by |.
        "team_name": gettext_lazy("Team name|Group|Department"),
        # Translators: names that people give to the column of the users' clinics in their files, separated by |.
        "clinic_name": gettext_lazy("Clinic name|Practice|Practice name|Location"),
    }

    parts = {
        "name": Parts(
            # Translators: names of the column with the part of a person's name that comes first, separated by |.
            first=gettext_lazy("First name|Given name|Forename"),
            # Translators: names of the column with the part of a person's name that comes last, separated by |.
            second=gettext_lazy("Last name|Surname|Family name"),
            # Translators: label of the choice of a second column for the name, such as that of the family name.
            label=gettext_lazy("Additional name column"),
            hint=gettext_lazy("If the file has two name columns, they're combined in this order."),
        )
    }

    name = NameField(label=pgettext_lazy("person", "Name"))
    user_type = forms.CharField(label=gettext_lazy("Type"))
    email = EmailField(label=gettext_lazy("Email"))
    team_name = NameField(label=gettext_lazy("Team"), required=False)
    clinic_name = NameField(label=gettext_lazy("Clinic"))

    def clean_user_type(self) -> str:
        if code := user_type_in(self.cleaned_data["user_type"]):
            return code
        types = {"first": USER_TYPES["DOCTOR"], "second": USER_TYPES["STAFF"]}
        # Translators: %(first)s: Doctor, %(second)s: Staff, in your words for them.
        raise ValidationError(_("The type must be %(first)s or %(second)s.") % types, code="invalid")


class ClinicUserRow(UserRow):
    """The row of a user of one clinic, whose name it may leave out."""

    clinic_name = NameField(label=gettext_lazy("Clinic"), required=False)

    def __init__(self, *args: Any, clinic: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clinic = clinic

    def clean_clinic_name(self) -> str:
        written = self.cleaned_data["clinic_name"]
        if written and sort_key(written) != sort_key(self.clinic):
            # Translators: %(clinic)s: name of a clinic.
            text = _("Only users in %(clinic)s can be imported here.") % {"clinic": isolated(self.clinic)}
            raise ValidationError(text, code="invalid")
        return self.clinic
