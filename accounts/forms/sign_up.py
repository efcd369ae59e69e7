"""The sign-up form: an organization, its first administrator, and the agreements."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.forms.availability import Availability, CheckedForm, was_checked
from accounts.forms.passwords import RepeatedPasswordField, check_match
from console.forms.fields import EmailField, NameField, NewPasswordField
from console.l10n.countries import countries
from console.l10n.sentences import in_sentence
from upstream.resources.admins import NewAccount

if TYPE_CHECKING:
    from accounts.reading.locations import Location

CHECKED = ("organization_name", "email")
"""The fields whose values must be free."""


class SignUpForm(CheckedForm):
    """The sign-up form. The server location can't be changed later (conformance VA-28)."""

    organization_name = NameField(
        label=gettext_lazy("Organization name"), widget=forms.TextInput(attrs={"autocomplete": "organization"})
    )
    country_code = forms.ChoiceField(
        # Translators: a field and a column: the country of an organization, a clinic or a lab.
        label=gettext_lazy("Country"),
        widget=forms.Select(attrs={"autocomplete": "country"}),
    )
    server_location = forms.ChoiceField(
        # Translators: a label: the part of the world where the organization's data is stored.
        label=gettext_lazy("Server location"),
        help_text=gettext_lazy(
            "This is where your organization's data is stored. For many countries, we suggest a location. You can't "
            "change it after you create the account."
        ),
    )
    # Translators: the label of a field: the name of the person who signs up.
    name = NameField(label=gettext_lazy("Your name"), widget=forms.TextInput(attrs={"autocomplete": "name"}))
    email = EmailField(label=gettext_lazy("Email"), widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    password = NewPasswordField(label=gettext_lazy("Password"))
    confirm_password = RepeatedPasswordField("password")
    # Translators: the label of a check box.
    terms = forms.BooleanField(label=gettext_lazy("I agree to the terms and conditions"))
    # Translators: the label of a check box.
    privacy = forms.BooleanField(label=gettext_lazy("I agree to the privacy policy"))
    marketing = forms.BooleanField(
        label=gettext_lazy("Send me product news. I can change this at any time."), required=False
    )
    terms_version = forms.CharField(widget=forms.HiddenInput, required=False)
    organization_name_checked = forms.CharField(widget=forms.HiddenInput, required=False)
    email_checked = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self, data: Any = None, *, initial: dict[str, Any], locations: "Sequence[Location]", terms_version: str
    ) -> None:
        super().__init__(data, initial={**initial, "terms_version": terms_version})
        self.terms_now = terms_version
        self._offer("country_code", _("Choose a country"), countries())
        self.fields["country_code"].widget.attrs["data-finder"] = _("Find a country")
        self._offer("server_location", _("Choose a server location"), [(row.code, row.label) for row in locations])
        known = {code for code, _name in countries()}
        self.suggested = {code: row.code for row in reversed(locations) for code in row.countries if code in known}
        self.fields["server_location"].widget.attrs["data-suggested"] = json.dumps(self.suggested)
        if len(locations) == 1:
            self.initial.setdefault("server_location", locations[0].code)
        for name in ("email", "terms", "privacy"):
            field = self.fields[name]
            field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}
        self.fields["terms"].error_messages["required"] = _("Agree to the terms and conditions to continue.")
        self.fields["privacy"].error_messages["required"] = _("Agree to the privacy policy to continue.")

    def _offer(self, name: str, empty: str, choices: Sequence[tuple[str, str]]) -> None:
        field = cast(forms.ChoiceField, self.fields[name])
        field.choices = [("", empty), *choices]
        field.error_messages["required"] = field.error_messages["invalid_choice"] = empty

    def clean(self) -> None:
        self._suggest()
        check_match(self, "password")
        for name in CHECKED:
            value = self.cleaned_data.get(name)
            if value and not was_checked(name, value, self.cleaned_data.get(f"{name}_checked", "")):
                label = in_sentence(self.fields[name].label)
                # Translators: label: a field, such as “email”; “%(label)s: check …” is fine.
                self.add_error(name, _("Check the availability of %(label)s") % {"label": label})
        if self.cleaned_data.get("terms_version") != self.terms_now:
            message = _("The terms and conditions changed after you opened this page. Review them again.")
            self.add_error("terms", message)

    def account(self, *, language: str) -> NewAccount:
        """Return the values to send, without the confirmation of the password."""
        names = [name for name in NewAccount.__struct_fields__ if name != "language"]
        return NewAccount(language=language, **{name: self.cleaned_data[name] for name in names})

    def _suggest(self) -> None:
        """Preselect the location for the chosen country when the form is shown again, if none was chosen."""
        code = self.suggested.get(self.data.get("country_code", ""))
        if code and not self.data.get("server_location"):
            self.data = {**{name: self.data.get(name) for name in self.data}, "server_location": code}

    def note_check(self, name: str, check: Availability) -> None:
        self._suggest()
        super().set_check(name, check)
