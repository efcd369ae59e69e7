"""Labels of clinics, teams, users and presets, of their actions and fields, for the activity."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from console.l10n.countries import country_name
from console.l10n.numbers import ngettext
from console.web.contributions import ActivityKind
from groups.audit.permissions import SETTINGS
from groups.audit.review import DECISIONS, OPEN, SIGN_OFF, last_login_text
from groups.labels import PERMISSIONS, REMINDER_TOPICS, USER_STATUSES, USER_TYPES
from groups.links.presets import preset_url
from groups.links.teams import team_users_url
from groups.links.users import user_list_url, user_pages

# Translators: noun: a name for five permissions that are set together; label, kind of what something was done to.
PRESET = gettext_lazy("Preset")


def _value(field: str, value: str) -> str | None:
    if field in PERMISSIONS:
        return str(SETTINGS.get(value, value))
    if field == "user_type":
        return str(USER_TYPES.get(value, value))
    if field == "status":
        return str(USER_STATUSES[value][0]) if value in USER_STATUSES else None
    if field == "decision":
        # Its old value is the last login at that time, which is no decision; the review itself shows it.
        return str(DECISIONS[value]) if value in DECISIONS else ""
    if field == "about":
        return str({**REMINDER_TOPICS["user"], **REMINDER_TOPICS["clinic"]}.get(value, value))
    if field == "look_again":
        return last_login_text(value)
    return country_name(value) if field == "country_code" else None


# Translators: an action in the history: set, change or remove the day of a reminder.
_REMIND = gettext_lazy("Set reminder")
_REMINDER = {
    "look_again": gettext_lazy("Reminder date"),
    "about": gettext_lazy("What to review"),
    "note": gettext_lazy("Note"),
}

KINDS = (
    ActivityKind(
        "clinic",
        gettext_lazy("Clinic"),
        actions={
            "create": gettext_lazy("Add clinic"),
            "import": gettext_lazy("Import clinics"),
            "edit": gettext_lazy("Edit clinic"),
            "permissions": gettext_lazy("Change permissions"),
            "labs": gettext_lazy("Change labs to order from"),
            "remind": _REMIND,
            "delete": gettext_lazy("Delete clinic"),
        },
        fields={
            "name": gettext_lazy("Name"),
            "country_code": gettext_lazy("Country"),
            # Translators: a field and a column: the dentists who work in a clinic.
            "dentist_count": gettext_lazy("Number of dentists"),
            # Translators: a field and a column: all who work in a clinic and are not dentists.
            "staff_count": gettext_lazy("Number of staff"),
            "info": gettext_lazy("Info"),
            "preset": PRESET,
            # Translators: a heading and a label: the labs that the users of a clinic can order from.
            "order_labs": gettext_lazy("Labs to order from"),
            **PERMISSIONS,
            **_REMINDER,
        },
        value=_value,
        href=lambda id, _clinic_id: user_list_url(id),
        count_text=lambda count: ngettext("%(count)s clinic", "%(count)s clinics", count),
    ),
    ActivityKind(
        "team",
        gettext_lazy("Team"),
        actions={
            "create": gettext_lazy("Add team"),
            "edit": gettext_lazy("Edit team"),
            "delete": gettext_lazy("Delete team"),
        },
        fields={
            "name": gettext_lazy("Name"),
            # Translators: a field and a column: the kind of a team.
            "team_type": gettext_lazy("Team type"),
            "move_users_to": gettext_lazy("Move users to"),
        },
        href=lambda id, clinic_id: team_users_url(clinic_id, id) if clinic_id else "",
        count_text=lambda count: ngettext("%(count)s team", "%(count)s teams", count),
    ),
    ActivityKind(
        "user",
        gettext_lazy("User"),
        actions={
            "invite": gettext_lazy("Send invitation"),
            "import": gettext_lazy("Import users"),
            "resend": gettext_lazy("Resend invitation"),
            "cancel": gettext_lazy("Cancel invitation"),
            "edit": gettext_lazy("Edit user"),
            "move": gettext_lazy("Move user"),
            "permissions": gettext_lazy("Change permissions"),
            "lock": gettext_lazy("Lock user"),
            "unlock": gettext_lazy("Unlock user"),
            "delete": gettext_lazy("Delete user"),
            # Translators: title of a page, and an act: leave the access of users as it is, after it was reviewed.
            "keep": gettext_lazy("Keep access"),
            # Translators: what an administrator did in an access review: took a decision about a user back.
            "reopen": gettext_lazy("Clear decision"),
            # Translators: heading, and an act: confirm that a review of who has access is complete.
            SIGN_OFF: gettext_lazy("Sign off on access review"),
            "remind": _REMIND,
        },
        fields={
            "name": pgettext_lazy("person", "Name"),
            "email": gettext_lazy("Email"),
            "user_type": gettext_lazy("Type"),
            "clinic_id": gettext_lazy("Clinic"),
            "team_id": gettext_lazy("Team"),
            "status": gettext_lazy("Status"),
            "preset": PRESET,
            **PERMISSIONS,
            # Translators: label and column head: what was decided about a user in a review of who has access. A noun.
            "decision": gettext_lazy("Decision"),
            "undecided": DECISIONS[OPEN],
            "reason": gettext_lazy("Reason"),
            # Translators: label and column head: the name of who decided follows.
            "decided_by": gettext_lazy("Decided by"),
            # Translators: label and column head: the day follows.
            "decided_on": gettext_lazy("Decision date"),
            **_REMINDER,
        },
        value=_value,
        href=lambda id, clinic_id: user_pages(clinic_id, id) if clinic_id else "",
        count_text=lambda count: ngettext("%(count)s user", "%(count)s users", count),
    ),
    ActivityKind(
        "preset",
        PRESET,
        actions={
            "create": gettext_lazy("Add preset"),
            "edit": gettext_lazy("Edit preset"),
            "delete": gettext_lazy("Delete preset"),
        },
        fields={"name": gettext_lazy("Name"), **PERMISSIONS},
        value=_value,
        href=lambda id, _clinic_id: preset_url(id),
    ),
)
