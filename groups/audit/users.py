"""Audit entries of users."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from console.audit.content import Change, Ref
from console.audit.record import AuditAction, named
from groups.audit.clinics import clinic_ref
from groups.audit.permissions import permission_changes
from groups.models import Preset
from upstream.resources.clinics import Clinic
from upstream.resources.users import User


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
