"""Audit entries of teams."""

from collections.abc import Iterable

from django.forms import BaseForm

from console.audit.content import Ref
from console.audit.record import AuditAction, form_changes, named
from groups.audit.clinics import clinic_ref
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team


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
