"""The outcome of each row of a bulk action, by the answer of the service."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.bulk.action import BulkAction
from console.bulk.job import Outcome
from console.forms.blockers import known_reasons, reason_texts
from console.forms.submit import UNCONFIRMED, Problem
from console.lists.query import Label
from console.web.contributions import contributed
from upstream.bulk import RowOutcome
from upstream.errors import Code


def row_outcome(row: RowOutcome | None, action: BulkAction[Any], gone: Label, *, was_sent: bool) -> tuple[Outcome, str]:
    """Return the outcome of a row, and the reason if it was not done; `gone` is that of a row that no longer exists."""
    if row is None or row.maybe_applied or (was_sent and not row.is_verdict):
        return "unknown", str(UNCONFIRMED)
    if row.ok:
        return "done", ""
    if row.code == Code.ALREADY_DONE:
        return "unknown", _("You already submitted this. Check the list before you submit it again.")
    if reasons := known_reasons(row.code, row.reasons):
        return "blocked", "\n".join(reason_texts(reasons))
    if row.code == Code.NOT_FOUND and action.deletes:
        return "done", ""  # it no longer exists, as requested
    if row.code == Code.NOT_FOUND:
        return "blocked", str(gone)
    if refusal := contributed().refusals.get(row.code or 0):
        return "blocked", str(refusal)
    return "failed", str(_BY_CODE.get(row.code) or action.texts.failed)


def call_outcome(problem: Problem | None, action: BulkAction[Any], *, was_sent: bool) -> tuple[Outcome, str]:
    """Return the outcome of each row of a call that failed as a whole.

    After an earlier try that may have been carried out (`was_sent`), it is unknown.
    """
    if problem is not None and problem.is_repeat:
        return "unknown", "\n".join(problem.sentences)
    if problem is None or problem.is_unknown or was_sent:
        return "unknown", str(UNCONFIRMED)
    return "failed", "\n".join(problem.sentences)


_BY_CODE: dict[int | None, Label] = {
    Code.CHANGED_MEANWHILE: gettext_lazy("Someone else changed this in the meantime."),
    Code.MAINTENANCE: gettext_lazy("The service is under maintenance."),
    Code.TOO_MANY_REQUESTS: gettext_lazy("Too many requests. Try again in a moment."),
}
