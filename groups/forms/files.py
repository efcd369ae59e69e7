"""What a row of a CSV file must be to become a clinic or a user; the fields are the columns, in their order."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.csv_import import RowForm
from console.fields import EmailField, NameField
from console.places import country_code, sort_key
from groups.tables.users import USER_TYPES


class ClinicRow(RowForm):
    """A clinic."""

    name = NameField(label=gettext_lazy("Name"))
    country_code = forms.CharField(label=gettext_lazy("Country"))

    def clean_country_code(self) -> str:
        if code := country_code(self.cleaned_data["country_code"]):
            return code
        raise ValidationError(_("Unknown country"), code="invalid")


class UserRow(RowForm):
    """A user of one clinic; the team is named as people name it."""

    name = NameField(label=gettext_lazy("Name"))
    user_type = forms.CharField(label=gettext_lazy("Type"))
    email = EmailField(label=gettext_lazy("Email"))
    team_name = NameField(label=gettext_lazy("Team"), required=False)

    def clean_user_type(self) -> str:
        written = sort_key(self.cleaned_data["user_type"])
        if code := _user_types().get(written):
            return code
        types = {"first": USER_TYPES["DOCTOR"], "second": USER_TYPES["STAFF"]}
        raise ValidationError(_("The type must be %(first)s or %(second)s") % types, code="invalid")


def _user_types() -> dict[str, str]:
    """The types by all that they may be written as: their codes, and their names in English and for the reader."""
    with translation.override("en"):
        english = {sort_key(str(label)): code for code, label in USER_TYPES.items()}
    return english | {sort_key(str(text)): code for code, label in USER_TYPES.items() for text in (code, label)}
