"""Activity of the organization and of the administrator's account: labels and entries."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref, as_value
from console.audit.record import AuditAction
from console.i18n.languages import TABLE
from console.l10n.countries import country_name
from console.l10n.zones import zone_name
from console.web.contributions import ActivityKind
from console.web.request import ConsoleRequest, split_address
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization

_LANGUAGES = {language.tag: language.name for language in TABLE}


def _value(field: str, value: str) -> str | None:
    if field == "time_zone":
        return zone_name(value)
    return _LANGUAGES.get(value) if field == "language" else None


KINDS = (
    ActivityKind(
        "organization",
        gettext_lazy("Organization"),
        actions={
            # Translators: what an administrator did, in the words of a button.
            "edit": gettext_lazy("Change organization name"),
            # Translators: what an administrator did, in the words of a button.
            "dashboard": gettext_lazy("Change dashboard URL"),
        },
        fields={
            # Translators: a field and a page: the name of the organization that the account belongs to.
            "name": gettext_lazy("Organization name"),
            "country_code": gettext_lazy("Country"),
            # Translators: a field and a page: the URL of the usage dashboard, given by the service provider.
            "dashboard_host": gettext_lazy("Dashboard URL"),
        },
        value=lambda field, value: country_name(value) if field == "country_code" else None,
        is_only_one=True,
    ),
    ActivityKind(
        "administrator",
        gettext_lazy("Administrator"),
        actions={
            # Translators: what an administrator did, in the words of a button.
            "email": gettext_lazy("Change email address"),
            "email_resend": gettext_lazy("Resend verification email"),
            "email_cancel": gettext_lazy("Keep current email address"),
            # Translators: what an administrator did, in the words of a button.
            "password": gettext_lazy("Change password"),
            # Translators: what an administrator did, in the words of a button.
            "preferences": gettext_lazy("Change preferences"),
            # Translators: a button, a verb; session: a browser or an app that is logged in.
            "session": gettext_lazy("End session"),
            # Translators: a button, a verb; sessions: browsers and apps that are logged in.
            "sessions": gettext_lazy("End all other sessions"),
        },
        fields={
            "email": gettext_lazy("Email"),
            "language": gettext_lazy("Email language"),
            "time_zone": gettext_lazy("Email time zone"),
            "marketing_agreed": gettext_lazy("Send me product news."),
        },
        value=_value,
        is_personal=True,
    ),
)


def account_entry(request: ConsoleRequest, action: str, *changes: Change, edits: bool = False) -> AuditAction:
    """Return the entry of an action on the administrator's account."""
    return AuditAction("administrator", action, Ref(request.admin.id, request.admin.name), changes=changes, edits=edits)


def preference_changes(admin: Admin, changes: Mapping[str, Any]) -> list[Change]:
    """Return the changed preferences, with their stored values."""
    return [Change(name, as_value(getattr(admin, name)), as_value(value)) for name, value in changes.items()]


def organization_entry(organization: Organization) -> AuditAction:
    """Return the entry of a change of the organization's name."""
    return AuditAction("organization", "edit", Ref(organization.id, organization.name), edits=True)


def dashboard_entry(request: ConsoleRequest, former: str, address: str) -> AuditAction:
    """Return the entry of a new address of the usage dashboard: its host only, because the rest may grant access."""
    old, new = (split_address(url).hostname for url in (former, address))
    change = Change("dashboard_host", old, new)
    target = Ref(request.admin.organization_id)
    return AuditAction("organization", "dashboard", target, changes=[change] if former != address else [], edits=True)
