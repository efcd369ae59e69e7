"""What the activity tells of an import: the act, and that of each row, with what became of it."""

from collections.abc import Sequence
from dataclasses import replace

from console.audit.content import DONE, REFUSED, UNKNOWN, Change, as_value
from console.audit.record import Act, Became, NotedRows, note_rows
from console.files.importer import Line, form_of
from console.files.spec import ImportSpec, Values
from console.forms.submit import Problem, became
from console.web.contributions import contributed
from console.web.request import ConsoleRequest


def note_import(request: ConsoleRequest, spec: ImportSpec, lines: Sequence[Line], key: str) -> NotedRows:
    """Make the entries of an import and of its rows before they are sent."""
    rows = {str(line.number): _act(spec, line) for line in lines if line.is_effective}
    return note_rows(request, Act(spec.kind, "import"), rows, key=key)


def complete_import(noted: NotedRows, lines: Sequence[Line], after: Sequence[Line], problem: Problem | None) -> None:
    """Store what became of the rows; `after` are the lines where the import did not fail as a whole."""
    sent = [str(line.number) for line in lines if line.is_effective]
    if problem:
        told = dict.fromkeys(sent, became(problem))
    else:
        told = {str(line.number): _became(line) for line in after if str(line.number) in set(sent)}
    noted.complete(told)


def _act(spec: ImportSpec, line: Line) -> Act:
    values: Values = form_of(spec, line).cleaned_data
    act = spec.noted(values, line.existing)
    new = line.existing.change.fields if line.existing else values
    was = line.existing.was if line.existing else {}
    known = contributed().activity[spec.kind].fields
    told = {change.field for change in act.changes or ()}
    changes = [
        Change(name, as_value(was.get(name)), as_value(value))
        for name, value in new.items()
        if name in known and name not in told
    ]
    changes = [*(act.changes or ()), *(one for one in changes if one.new != one.old)]
    return replace(act, changes=changes, is_repeatable=line.existing is None)  # an update has no Idempotency-Key


def _became(line: Line) -> Became:
    if line.is_unknown and line.code is None:
        return Became(UNKNOWN)
    return Became(REFUSED, code=line.code) if line.reasons else Became(DONE, line.id)
