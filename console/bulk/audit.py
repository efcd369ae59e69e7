"""The entries of a bulk action in the activity: of the whole action, and of each row of a step with its outcome."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms

from console.audit.content import DONE, NOT_DONE, REFUSED, UNKNOWN, Ref
from console.audit.record import AuditAction, AuditOutcome
from console.bulk.action import BulkAction, BulkList
from console.bulk.job import MAX_TEXT_LENGTH, NONE, Job, Outcome
from console.forms.submit import Problem, outcome_from
from upstream.bulk import BulkResult

OUTCOMES: Mapping[Outcome, str] = {"done": DONE, "blocked": REFUSED, "failed": NOT_DONE, "unknown": UNKNOWN}


def build_entries(rows: BulkList[Any], action: BulkAction[Any], job: Job) -> tuple[AuditAction, dict[str, AuditAction]]:
    """Return the entry of the whole action, and those of the rows of the next step, by their IDs."""

    def to_entry(entry: AuditAction, was: int = NONE) -> AuditAction:
        return action.entry(entry, job.ref(was), job.options, job.chosen)

    clinics = {row.clinic for row in job.rows}
    clinic = job.ref(clinics.pop()) if len(clinics) == 1 else Ref()
    whole = AuditAction(rows.kind, action.activity or action.name, clinic=clinic)
    return to_entry(whole), {
        row.id: to_entry(
            replace(whole, target=job.ref(row.target) or Ref(row.id, row.name), clinic=job.ref(row.clinic)),
            row.was,
        )
        for row in job.next_rows
    }


def outcomes_by_row(
    before: Job, after: Job, result: BulkResult | None, problem: Problem | None
) -> dict[str, AuditOutcome]:
    """Return the outcomes of the rows of a step, by their IDs."""
    sent = {row.id for row in before.next_rows}
    results = {row.id: row for row in result.rows} if result else {}
    outcome = outcome_from(problem)
    rows = {}
    for row in after.rows:
        if row.id in sent and row.outcome != "waiting":
            why = results.get(row.id)
            if row.outcome == "done" and why and why.code:  # refused, because the requested state is already stored
                rows[row.id] = AuditOutcome(REFUSED, code=why.code, is_as_requested=True)
                continue
            reasons, code = ([r.reason for r in why.reasons], why.code) if why else (outcome.reasons, outcome.code)
            rows[row.id] = AuditOutcome(OUTCOMES[row.outcome], "", reasons, code)
    return rows


def chosen_names(form: forms.Form) -> dict[str, str]:
    """Return the current labels of the chosen options of a form, by value."""
    names: dict[str, str] = {}
    for name, field in form.fields.items():
        if isinstance(field, forms.ChoiceField) and (value := form.cleaned_data.get(name)):
            choices: Any = field.choices
            names |= {str(code): str(label)[:MAX_TEXT_LENGTH] for code, label in choices if code == value}
    return names
