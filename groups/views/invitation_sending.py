"""Invitations for the rows of a form, sent one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _

from console.audit.content import DONE
from console.audit.record import AuditAction, AuditOutcome, record, record_rows
from console.forms.blockers import reason_texts
from console.forms.form_page import INVALID
from console.forms.idempotency import compute_key, mark_outcome_unknown
from console.forms.submit import Problem, WriteTexts, add_problem, as_resubmission, outcome_from, run_write
from console.l10n.names import disambiguate
from console.l10n.numbers import ngettext
from console.sessions.deferred_writes import write_if_possible
from console.web.links import Link
from console.web.request import ConsoleRequest
from groups.audit.clinics import clinic_ref
from groups.audit.users import invitation
from groups.forms.bulk import user_changes
from groups.forms.users import InvitationForm
from groups.links.users import user_pages
from groups.models import Preset
from groups.reading import get_presets
from groups.views.invitation_rows import find_email_conflicts, get_email
from upstream.resources.clinics import Clinic


@dataclass
class Sent:
    """The result for the rows: names and addresses of the invited people, the remaining rows, and their problem."""

    people: list[Link] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    remaining: list[InvitationForm] = field(default_factory=list)
    problem: Problem | None = None

    def leave(self, row: InvitationForm, problem: Problem) -> None:
        """Keep a row; report the problem with an unknown outcome if there is one, otherwise the last."""
        self.problem = self.problem if self.problem and self.problem.is_unknown else problem
        self.remaining.append(row)


def invite(
    request: ConsoleRequest, clinic: Clinic, rows: list[InvitationForm], key: str, preset: Preset | None
) -> Sent:
    """Invite row by row; a row that fails remains with the reason, and the others are still sent."""
    conflicts = find_email_conflicts(request, rows)
    entries = {
        str(row.number): replace(invitation(clinic, row, preset), key=_key(request, clinic, row, preset))
        for row in rows
        if get_email(row) not in conflicts
    }
    if not entries:
        return _send(request, clinic, rows, conflicts, preset)[0]
    if len(entries) == 1:
        with record(request, next(iter(entries.values())), key) as pending:
            sent, outcomes = _send(request, clinic, rows, conflicts, preset)
            pending.complete(next(iter(outcomes.values())))
        return sent
    with record_rows(
        request, AuditAction("user", "invite", clinic=clinic_ref(clinic)), entries, key=key
    ) as pending_rows:
        sent, outcomes = _send(request, clinic, rows, conflicts, preset)
        pending_rows.complete(outcomes)
    return sent


def _send(
    request: ConsoleRequest,
    clinic: Clinic,
    rows: list[InvitationForm],
    conflicts: Mapping[str, str],
    preset: Preset | None,
) -> tuple[Sent, dict[str, AuditOutcome]]:
    sent, outcomes = Sent(), dict[str, AuditOutcome]()
    for row in rows:
        if error := conflicts.get(get_email(row)):
            row.add_error("email", error)
            sent.leave(row, sent.problem or Problem(INVALID, sending_texts().failed))
            continue
        created, problem = run_write(partial(_create, request, clinic, row, preset), sending_texts())
        problem = problem and as_resubmission(request, problem, sending_texts())
        outcomes[str(row.number)] = outcome_from(problem, id=created or "")
        if problem is None:
            person = row.cleaned_data
            sent.emails.append(person["email"])
            sent.people.append(Link(person["name"], user_pages(clinic.id, created) if created else ""))
            continue
        add_problem(row, problem)
        for text in reason_texts(problem.reasons):
            row.add_error(None, text)
        if problem.is_unknown:
            mark_outcome_unknown(request)
        sent.leave(row, problem)
    if len(sent.remaining) > 1:
        _leave_to_fields(sent.remaining)
    if preset:
        ids = [outcome.id for outcome in outcomes.values() if outcome.outcome == DONE and outcome.id]
        write_if_possible(partial(get_presets(request).note_uses, preset.id, "user", ids))
    return sent, outcomes


def success_message(people: list[Link], emails: list[str]) -> dict[str, Any]:
    """Return the message that names the only invited user and links to the page, or says how many were invited."""
    if len(people) == 1:
        name = disambiguate(people[0].label, emails[0])
        return {"message": _("Invitation sent to %(name)s.") % {"name": name}, "about": people}
    count = len(people)
    return {"message": ngettext("%(count)s invitation sent.", "%(count)s invitations sent.", count)}


def _create(request: ConsoleRequest, clinic: Clinic, row: InvitationForm, preset: Preset | None) -> str:
    """Create the user of a row; return the ID, empty if unknown."""
    person = row.cleaned_data
    return request.upstream.users.create(
        clinic_id=clinic.id,
        team_id=person["team_id"] or None,
        name=person["name"],
        user_type=person["user_type"],
        email=person["email"],
        language=request.lng,
        settings=_settings(preset),
        idempotency_key=_key(request, clinic, row, preset),
    )


def _key(request: ConsoleRequest, clinic: Clinic, row: InvitationForm, preset: Preset | None) -> str:
    """Return the Idempotency-Key of a row.

    A row that is sent again has the same key, regardless of the other rows, unless the preset has changed.
    """
    person = row.cleaned_data
    return compute_key(
        request,
        clinic.id,
        str(row.number),
        *(str(person[name] or "") for name in sorted(person)),
        *(f"{name}={value}" for name, value in _settings(preset).items()),
    )


def _settings(preset: Preset | None) -> dict[str, bool | None]:
    return user_changes(preset.settings) if preset else {}


def _leave_to_fields(rows: list[InvitationForm]) -> None:
    """Remove the general error of rows that have errors at their fields; the page shows these above several rows."""
    for row in rows:
        if any(field.errors for field in row) and NON_FIELD_ERRORS in row.errors:
            del row.errors[NON_FIELD_ERRORS][0]


def sending_texts() -> WriteTexts:
    return WriteTexts(
        done="",
        action=_("Send invitation"),
        failed=_("Failed to send the invitation."),
        missing=_("The clinic or team no longer exists. Reload the page."),
    )
