"""The entries of an import in the activity: of the whole import, and of each row with its outcome."""

from collections.abc import Sequence
from dataclasses import replace

from console.audit.content import DONE, REFUSED, UNKNOWN, Change, as_value
from console.audit.record import AuditAction, AuditOutcome, PendingEntries, record_rows
from console.files.importer import Line, build_form
from console.files.spec import ImportSpec, Values
from console.forms.submit import Problem, outcome_from
from console.web.contributions import contributed
from console.web.request import ConsoleRequest


def record_import(request: ConsoleRequest, spec: ImportSpec, lines: Sequence[Line], key: str) -> PendingEntries:
    """Store the entries of an import and of its rows before they are sent."""
    rows = {str(line.number): _row_action(spec, line) for line in lines if line.is_effective}
    return record_rows(request, AuditAction(spec.kind, "import"), rows, key=key)


def complete_import(
    entries: PendingEntries, lines: Sequence[Line], after: Sequence[Line], problem: Problem | None
) -> None:
    """Store the outcomes of the rows; `after` are the imported lines if the import did not fail as a whole."""
    sent = [str(line.number) for line in lines if line.is_effective]
    if problem:
        outcomes = dict.fromkeys(sent, outcome_from(problem))
    else:
        outcomes = {str(line.number): _row_outcome(line) for line in after if str(line.number) in set(sent)}
    entries.complete(outcomes)


def _row_action(spec: ImportSpec, line: Line) -> AuditAction:
    values: Values = build_form(spec, line).cleaned_data
    action = spec.audit_entry(values, line.existing)
    new = line.existing.change.fields if line.existing else values
    was = line.existing.was if line.existing else {}
    known = contributed().activity[spec.kind].fields
    changed = {change.field for change in action.changes or ()}
    changes = [
        Change(name, as_value(was.get(name)), as_value(value))
        for name, value in new.items()
        if name in known and name not in changed
    ]
    changes = [*(action.changes or ()), *(one for one in changes if one.new != one.old)]
    return replace(action, changes=changes, is_repeatable=line.existing is None)  # an update has no Idempotency-Key


def _row_outcome(line: Line) -> AuditOutcome:
    if line.is_unknown and line.code is None:
        return AuditOutcome(UNKNOWN)
    return AuditOutcome(REFUSED, code=line.code) if line.reasons else AuditOutcome(DONE, line.id)
