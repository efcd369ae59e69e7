"""Labels and audit entries of clinics, teams, users and presets for the activity."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, tzinfo
from typing import Any

from django.forms import BaseForm
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import AuditAction, form_changes, named
from console.l10n.countries import country_name
from console.l10n.dates import written_day
from console.web.contributions import ActivityKind
from groups.labels import PERMISSIONS, REMINDER_TOPICS, USER_TYPES
from groups.links.presets import preset_url
from groups.links.teams import team_users_url
from groups.links.users import user_list_url, user_pages
from groups.models import Preset, Reminder, Subject
from upstream.resources.clinics import Clinic
from upstream.resources.permissions import PermissionSet
from upstream.resources.teams import Team
from upstream.resources.users import User

NO_TEAM = "-"
"""The choice of a bulk plan that removes users from their teams; no ID looks like this."""
SETTINGS = {"on": gettext_lazy("On"), "off": gettext_lazy("Off"), "inherit": gettext_lazy("Same as the clinic")}
"""The values of a permission as they are stored, with their labels."""

KEEP, REDUCE, LOCK, DELETE, CANCEL = "keep", "reduce", "lock", "delete", "cancel"
OPEN, UNREADABLE = "open", "unreadable"
DECISIONS = {
    # Translators: button, a verb: leave the access of users as it is, after it was reviewed.
    KEEP: gettext_lazy("Keep"),
    # Translators: button, a verb, and a decision: give users fewer permissions.
    REDUCE: gettext_lazy("Reduce permissions"),
    LOCK: gettext_lazy("Lock"),
    DELETE: gettext_lazy("Delete"),
    CANCEL: gettext_lazy("Cancel invitation"),
    # Translators: shown if no administrator has decided about a user.
    OPEN: gettext_lazy("No decision"),
    # It can't be decrypted anymore because its key is gone.
    UNREADABLE: gettext_lazy("Can't be read"),
}
"""The decisions about a user in an access review as they are stored, with their labels."""
REVIEW_ACTIONS = ("keep", "permissions", "lock", "delete", "cancel")
"""The actions that execute these decisions; the field `decision` sets them apart from actions of the same name."""
SIGN_OFF = "sign_off"
NEVER, INVITED = "never", "invited"
"""The codes that are stored when there is no day of a last login."""
# Translators: noun: a name for five permissions that are set together; label, kind of what something was done to.
PRESET = gettext_lazy("Preset")


def _value(field: str, value: str) -> str | None:
    if field in PERMISSIONS:
        return str(SETTINGS.get(value, value))
    if field == "user_type":
        return str(USER_TYPES.get(value, value))
    if field == "decision":
        return str(DECISIONS[value]) if value in DECISIONS else last_login_text(value)
    if field == "about":
        return str({**REMINDER_TOPICS["user"], **REMINDER_TOPICS["clinic"]}.get(value, value))
    if field == "look_again":
        return last_login_text(value)
    return country_name(value) if field == "country_code" else None


def last_login_text(value: str) -> str:
    """Return the text for a stored last login: a day, "Never" or "Invited"; an unknown value stays as it is."""
    labels = {NEVER: gettext_lazy("Never"), INVITED: pgettext_lazy("state", "Invited")}
    if value in labels:
        return str(labels[value])
    try:
        return written_day(date.fromisoformat(value))
    except ValueError:
        return value


# Translators: an action in the history: set, change or remove the day on which to look again.
_REMIND = gettext_lazy("Set a date to look again")
_REMINDER = {
    "look_again": gettext_lazy("Look again on"),
    "about": gettext_lazy("What to look at"),
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
            "labs": gettext_lazy("Choose who may order"),
            "remind": _REMIND,
            "delete": gettext_lazy("Delete clinic"),
        },
        fields={
            "name": gettext_lazy("Name"),
            "country_code": gettext_lazy("Country"),
            "dentist_count": gettext_lazy("Number of dentists"),
            "staff_count": gettext_lazy("Number of staff"),
            "info": gettext_lazy("Info"),
            "preset": PRESET,
            "order_labs": gettext_lazy("Labs to order from"),
            **PERMISSIONS,
            **_REMINDER,
        },
        value=_value,
        href=lambda id, _clinic_id: user_list_url(id),
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
            "team_type": gettext_lazy("Team type"),
            "move_users_to": gettext_lazy("Move its users to"),
        },
        href=lambda id, clinic_id: team_users_url(clinic_id, id) if clinic_id else "",
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
            # Translators: heading, and an act: confirm that a review of who has access is complete.
            SIGN_OFF: gettext_lazy("Sign off access review"),
            "remind": _REMIND,
        },
        fields={
            "name": pgettext_lazy("person", "Name"),
            "email": gettext_lazy("Email"),
            "user_type": gettext_lazy("Type"),
            "clinic_id": gettext_lazy("Clinic"),
            "team_id": gettext_lazy("Team"),
            "preset": PRESET,
            **PERMISSIONS,
            # Translators: label and column head: what was decided about a user in a review of who has access. A noun.
            "decision": gettext_lazy("Decision"),
            "reason": gettext_lazy("Reason"),
            # Translators: label and column head: the name of who decided follows.
            "decided_by": gettext_lazy("Decided by"),
            # Translators: label and column head: the day follows.
            "decided_on": gettext_lazy("Decided on"),
            **_REMINDER,
        },
        value=_value,
        href=lambda id, clinic_id: user_pages(clinic_id, id) if clinic_id else "",
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


def last_login_state(user: User, tz: tzinfo) -> str:
    """Return the last login as an access review stores it: a day in ISO format, or a code instead."""
    if user.is_invited:
        return INVITED
    return user.last_login_date.astimezone(tz).date().isoformat() if user.last_login_date else NEVER


def clinic_ref(clinic: Clinic) -> Ref:
    return Ref(clinic.id, clinic.name)


def user_action(action: str, clinic: Clinic, user: User) -> AuditAction:
    """Return the audit entry of an action on a user of this clinic."""
    return AuditAction("user", action, Ref(user.id, user.name), clinic=clinic_ref(clinic))


def user_change(
    clinic: Clinic, user: User, changes: Sequence[Change], *, clinics: Mapping[str, str], teams: Mapping[str, str]
) -> AuditAction:
    """Return the audit entry of a change to a user, which is a move if the clinic or the team changes."""
    now = {change.field: str(change.new or "") for change in changes}
    named_changes = named(changes, clinic_id=clinics, team_id={**teams, user.team_id or "": user.team_name or ""})
    refs: dict[str, Any] = {}
    if "clinic_id" in now:
        new = now["clinic_id"]
        refs |= {"clinic": Ref(new, clinics.get(new, "")), "other_clinic": clinic_ref(clinic)}
    if "team_id" in now:
        new = now["team_id"]
        refs |= {"team": Ref(new, teams.get(new, "")), "other_team": Ref(user.team_id or "", user.team_name or "")}
    action = "move" if refs else "edit"
    return replace(user_action(action, clinic, user), changes=named_changes, edits=True, **refs)


def invitation(clinic: Clinic, form: Any, preset: Preset | None) -> AuditAction:
    """Return the audit entry of an invitation: the values of its row, and the permissions of the preset."""
    person, teams = form.cleaned_data, dict(form.team_choices)
    team = Ref(person["team_id"], str(teams.get(person["team_id"], ""))) if person["team_id"] else Ref()
    values = {"name": person["name"], "email": person["email"], "user_type": person["user_type"], "team_id": team.name}
    changes = [Change(name, None, value) for name, value in values.items() if value]
    if preset:
        changes += [Change("preset", None, preset.name), *permission_changes(preset.settings, {})]
    return AuditAction("user", "invite", Ref("", person["name"]), clinic=clinic_ref(clinic), team=team, changes=changes)


def permission_changes(chosen: Mapping[str, str], was: Mapping[str, str]) -> list[Change]:
    """Return a change for each chosen permission; its old value is None if the sender didn't see one."""
    return [Change(name, was.get(name) if was.get(name) in SETTINGS else None, new) for name, new in chosen.items()]


def lab_changes(current: PermissionSet, changes: Mapping[str, bool]) -> list[Change]:
    """Return the labs that a clinic may order from as one change, before and after, by name; empty without changes."""
    before = [lab.lab_name for lab in current.order_labs if lab.allowed]
    after = [lab.lab_name for lab in current.order_labs if changes.get(lab.lab_id, lab.allowed)]
    return [Change("order_labs", before, after)] if changes else []


def team_action(
    action: str,
    clinic: Clinic,
    form: BaseForm,
    team: Team | None = None,
    *,
    types: Iterable[tuple[str, str]] = (),
    teams: Iterable[Team] = (),
) -> AuditAction:
    """Return the audit entry of an action on a team of this clinic; without `team` it is a new one."""
    target = Ref(team.id, team.name) if team else Ref("", form.cleaned_data["name"])
    names = {other.id: other.name for other in teams}
    changes = named(form_changes(form, "team"), team_type=dict(types), move_users_to=names)
    return AuditAction("team", action, target, clinic=clinic_ref(clinic), changes=changes, edits=action == "edit")


def permission_mark(settings: Mapping[str, bool]) -> Ref:
    """Return the permissions of a row in a short form, because a plan carries it for thousands of rows."""
    words = {True: "on", False: "off", None: ""}
    return Ref(",".join(words[settings.get(name)] for name in PERMISSIONS))


def chosen_permissions(
    action: AuditAction, was: Ref, options: Mapping[str, str], names: Mapping[str, str]
) -> AuditAction:
    """Add the chosen permissions to an entry, with the old values that the list has read (`permission_mark`)."""
    chosen = {name: options[name] for name in PERMISSIONS if options.get(name)}
    before = dict(zip(PERMISSIONS, was.id.split(","), strict=False))
    preset = options.get("preset", "")
    by = [Change("preset", None, names.get(preset, preset))] if preset else []
    return replace(action, changes=[*by, *permission_changes(chosen, before)])


def preset_action(action: str, preset: Preset | None, form: BaseForm | None = None) -> AuditAction:
    """Return the audit entry of an action on a preset; without `preset` it is a new one."""
    target = Ref(preset.id, preset.name) if preset else Ref("", form.cleaned_data["name"] if form else "")
    return AuditAction("preset", action, target, changes=form_changes(form, "preset") if form else [])


def reminder_action(
    subject: Subject, about: str, *, was: Reminder | None = None, day: date | None = None, note: str = ""
) -> AuditAction:
    """Return the audit entry of a reminder that is set or changed, or without a `day` removed."""
    old = (was.day.isoformat(), about, was.content.note) if was else ("", "", "")
    new = (day.isoformat(), about, note) if day else ("", "", "")
    changes = [
        Change(field, before or None, after or None)
        for field, before, after in zip(("look_again", "about", "note"), old, new, strict=True)
        if before != after
    ]
    clinic = Ref(subject.clinic_id, subject.clinic_name)
    return AuditAction(
        subject.kind, "remind", Ref(subject.id, subject.name), clinic=clinic, changes=changes, edits=True
    )
