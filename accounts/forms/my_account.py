"""The forms of the administrator's account, one for each section."""

import hashlib
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.forms.availability import CheckedForm
from accounts.forms.passwords import NewPasswordForm
from console.forms.errors import unchanged
from console.forms.fields import EmailField, NameField, PresentPasswordField
from console.forms.versioned import VersionedForm
from console.i18n.languages import TABLE
from console.l10n.sentences import in_sentence
from console.l10n.zones import get_zone_id, zone_name, zones
from upstream.emails import email_key
from upstream.hosts import dashboard_address
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization


class OrganizationNameForm(CheckedForm, VersionedForm):
    """A new name for the organization."""

    name = NameField(
        label=gettext_lazy("Organization name"), widget=forms.TextInput(attrs={"autocomplete": "organization"})
    )

    def __init__(self, data: Any = None, *, organization: Organization) -> None:
        super().__init__(data, initial={"name": organization.name}, stored=organization.version)
        self._current = organization.name

    def clean_name(self) -> str:
        return self._must_differ(self.cleaned_data["name"])

    def clean_one(self, name: str) -> str:
        return self._must_differ(super().clean_one(name))

    def _must_differ(self, name: str) -> str:
        if name == self._current:
            raise ValidationError(unchanged(self, "name"))
        return name


class EmailForm(forms.Form):
    """A new email address and, if required, the current password."""

    email = EmailField(
        # Translators: the label of a field.
        label=gettext_lazy("New email address"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        is_checked_in_browser=True,
    )
    # Translators: the label of a field: the password that is used now.
    current_password = PresentPasswordField(label=gettext_lazy("Current password"))

    def __init__(self, data: Any = None, *, current: str, requires_password: bool) -> None:
        super().__init__(data)
        self._current = current
        if not requires_password:
            del self.fields["current_password"]
        else:
            _ask_current_password(self)
        field = self.fields["email"]
        field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        if email_key(email) == email_key(self._current):
            raise ValidationError(unchanged(self, "email"))
        return email


class ActivateEmailForm(forms.Form):
    """The button of the page that a mailed link opens; an email is activated only when it is pressed."""

    activate = forms.BooleanField(label=gettext_lazy("Verify the new email address"), widget=forms.HiddenInput)


class ChangePasswordForm(NewPasswordForm):
    """The current password, and a new one twice."""

    current_password = PresentPasswordField(label=gettext_lazy("Current password"))
    field_order = ("current_password", "new_password", "confirm_password")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        _ask_current_password(self)

    def clean(self) -> None:
        super().clean()
        new = self.cleaned_data.get("new_password")
        if new and new == self.cleaned_data.get("current_password"):
            self.add_error("new_password", _("Your new password cannot be the same as your current one."))


def _ask_current_password(form: forms.Form) -> None:
    field = form.fields["current_password"]
    field.widget.attrs["autocomplete"] = "current-password"
    field.error_messages["required"] = _("Enter %(field)s") % {"field": in_sentence(field.label)}


@dataclass(frozen=True)
class DashboardUrl:
    """The stored URL, or "" if there is none. The service keeps no version of it, so it is computed from the URL."""

    address: str

    @property
    def version(self) -> int:
        """A number that changes when the URL changes."""
        return int.from_bytes(hashlib.sha256(self.address.encode(errors="replace")).digest()[:6])


class DashboardUrlForm(VersionedForm):
    """The URL of the provider's usage dashboard; an empty value removes it."""

    dashboard_url = forms.CharField(
        label=gettext_lazy("Dashboard URL"),
        required=False,
        widget=forms.URLInput(attrs={"dir": "ltr", "autocomplete": "off"}),
    )

    def __init__(
        self, data: Any = None, *, stored: DashboardUrl, hosts: tuple[str, ...], console_hosts: frozenset[str]
    ) -> None:
        super().__init__(data, initial={"dashboard_url": stored.address}, stored=stored.version)
        self._hosts, self._console_hosts = hosts, console_hosts

    def clean_dashboard_url(self) -> str:
        value = str(self.cleaned_data["dashboard_url"])
        if not value:
            return ""
        address = dashboard_address(value, self._hosts)
        if address is None or address[1].removeprefix("https://") in self._console_hosts:
            raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(self.fields["dashboard_url"].label)})
        return address[0]


class PreferencesForm(VersionedForm):
    """The administrator's preferences: language and time zone of emails, and newsletter."""

    language = forms.ChoiceField(
        label=gettext_lazy("Email language"),
        help_text=gettext_lazy("To change the language of the console, use the language menu in the header."),
    )
    time_zone = forms.CharField(
        label=gettext_lazy("Email time zone"),
        required=False,
        widget=forms.TextInput(attrs={"list": "time-zones", "dir": "auto", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "Start typing a city or country, then choose one from the list. The console shows dates in your "
            "device's time zone."
        ),
    )
    marketing_agreed = forms.BooleanField(label=gettext_lazy("Send me product news."), required=False)

    def __init__(self, data: Any = None, *, admin: Admin) -> None:
        super().__init__(data, initial=get_preferences(admin), stored=admin.version)
        known = [(language.tag, language.name) for language in TABLE]
        unlisted = [] if admin.language in dict(known) else [(admin.language, admin.language or _("Choose a language"))]
        language = cast(forms.ChoiceField, self.fields["language"])
        language.choices = [*unlisted, *known]
        language.error_messages["required"] = language.error_messages["invalid_choice"] = _("Choose a language")

    @property
    def zones(self) -> list[str]:
        """Names of the available time zones."""
        return [name for _id, name in zones()]

    def clean_time_zone(self) -> str:
        value = str(self.cleaned_data["time_zone"])
        if value and not get_zone_id(value):
            raise ValidationError(_("Choose a time zone from the list."))
        return zone_name(get_zone_id(value)) if value else ""

    def changes(self, admin: Admin) -> dict[str, Any]:
        """Return the values that differ from the stored ones, by the field names of Admin."""
        now, new = get_preferences(admin), self.cleaned_data
        changed = {name: new[name] for name in now if new[name] != now[name]}
        if "time_zone" in changed:
            changed["time_zone"] = get_zone_id(changed["time_zone"]) or None
        return changed


def get_preferences(admin: Admin) -> dict[str, Any]:
    """Return the preferences of an administrator as the form shows them."""
    return {
        "language": admin.language,
        "time_zone": zone_name(admin.time_zone) if admin.time_zone else "",
        "marketing_agreed": admin.marketing_agreed,
    }
