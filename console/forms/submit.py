"""The one way to write: `submit` makes the call of a form, and returns `Done` or a `Problem`.

Four outcomes, four texts. *Done*. *Refused*: the service said no, and why. *Not done*: it can't have been carried out
("Failed to ..."). *Unknown*: an answer was lost, broken or late; then what is stored now is read again, and decides
where it can.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from django.forms import BaseForm
from django.utils.translation import gettext as _

from console.audit.content import DONE, NOT_DONE, REFUSED, UNKNOWN
from console.audit.record import AuditAction, AuditOutcome, record
from console.errors import (
    ActionFailed,
    AlreadyDone,
    ObjectNotFound,
    Rejected,
    StateConflict,
    TooManyAttempts,
    VersionConflict,
)
from console.forms.blockers import get_reasons, reason_texts, refusal_text
from console.forms.errors import Difference, add_field_errors, differences
from console.forms.idempotency import mark_outcome_unknown, may_be_done
from console.forms.versioned import VersionedForm
from console.web.failures import changed_by_others, describe, not_offered
from console.web.request import ConsoleRequest
from upstream.errors import (
    Code,
    Conflict,
    Limited,
    Maintenance,
    NotDone,
    NotFound,
    NotOffered,
    Reason,
    Refused,
    UpstreamError,
    is_missing,
)

WriteError: TypeAlias = NotDone | NotFound | Maintenance | ActionFailed
WRITE_ERRORS = (NotDone, NotFound, Maintenance, ActionFailed)
NOT_FOUND = (NotFound, ObjectNotFound)

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class WriteTexts:
    """The sentences of one kind of write, each whole.

    `missing` is for a reference to something that no longer exists, `again` for a form that the service knows already.
    `reasons` are the names under which the sentences of the service's reasons are registered, if they have others
    (`Contributions.reasons`).
    """

    failed: str
    unknown: str
    done: str = ""
    missing: str = ""
    already_sent: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class State(Generic[T]):
    """What is stored now, read after a write that did not simply succeed.

    `is_as_sent` says that it is what the form asked for, whoever made it so. `now` tells in a sentence what is so now,
    to who was refused because somebody else was quicker.
    """

    newest: T | None
    is_as_sent: bool
    differences: list[Difference] = field(default_factory=list)
    now: str = ""


@dataclass(frozen=True)
class Done(Generic[R]):
    """A write that was carried out. Its result is None if only reading what is stored showed that it was."""

    result: R | None = None


@dataclass(frozen=True)
class Problem:
    """Why a write was not carried out, or that nobody knows; for the page that shows its form again."""

    status: int
    text: str
    details: list[str] = field(default_factory=list)
    error: WriteError | None = None
    reasons: Sequence[Reason] = ()
    """What stands in the way, as the service tells it."""
    state: State[Any] | None = None
    status_url: str = ""
    """The address where one would see what became of a write of which nobody knows."""
    was_sent: bool = False
    """Whether nobody knows what became of an earlier submission of the form, of which this error says nothing."""

    @property
    def is_unknown(self) -> bool:
        """Whether it may have been carried out."""
        return self.was_sent or (self.error is not None and self.error.may_be_done)

    @property
    def is_repeat(self) -> bool:
        """Whether the service knows this form already (code 10006)."""
        return isinstance(self.error, AlreadyDone) or error_code(self.error) == Code.ALREADY_DONE

    @property
    def is_stale(self) -> bool:
        """Whether it was based on an older state than the stored one."""
        return isinstance(self.error, VersionConflict) or error_code(self.error) == Code.CHANGED_MEANWHILE

    @property
    def newest(self) -> Any:
        """The newest state of what was to be changed, as far as it was read."""
        return self.state.newest if self.state else None

    @property
    def conflicts(self) -> list[Difference]:
        """What was typed beside what is stored now."""
        return self.state.differences if self.state and (self.is_stale or self.is_unknown) else []

    @property
    def reason_texts(self) -> list[str]:
        """What stands in the way, in words, for a page that does not link to it."""
        return reason_texts(self.reasons)

    @property
    def sentences(self) -> list[str]:
        """All that there is to say, for an answer without a page."""
        return [self.text, *self.details, *self.reason_texts]


def submit(
    request: ConsoleRequest,
    form: VersionedForm | BaseForm,
    perform: Callable[[str], R],
    *,
    texts: WriteTexts,
    entry: AuditAction | None = None,
    verify: Callable[[], State[Any]] | None = None,
) -> Done[R] | Problem:
    """Make the write of a valid form in an `@idempotent` view, and add what went wrong to the form.

    `perform` gets the Idempotency-Key. `entry` is recorded in the activity before the call, and its outcome after it.
    `verify` reads what is stored now, where the answer does not settle what happened. Raises Maintenance.
    """
    submission = request.submission
    if submission.error is not None:
        not_started = as_resubmission(request, problem_from(submission.error, texts), texts)
        add_problem(form, not_started)
        return not_started
    refusal: Refused | NotFound | Rejected | None = None

    def attempt() -> R:
        nonlocal refusal
        try:
            if isinstance(form, VersionedForm):
                form.check_version()
            return perform(submission.key)
        except (Refused, NotFound, Rejected) as error:
            refusal = error
            raise

    submission.is_started = True
    with record(request, entry, submission.key, form=form) as pending:
        result, problem = run_write(attempt, texts, verify)
        final = problem and as_resubmission(request, problem, texts)
        if final is None and refusal is not None:  # what is stored is what was asked for, whoever stored it
            pending.complete(AuditOutcome(REFUSED, code=error_code(refusal), is_as_requested=True))
        else:
            # What may have come of an earlier submission is recorded in the entry of that one.
            pending.complete(outcome_from(problem, id=result if isinstance(result, str) else ""))
    if problem and isinstance(problem.error, Maintenance):
        raise problem.error  # a page of its own
    if final is None:
        return Done(result)
    if final.is_unknown or final.is_repeat:
        mark_outcome_unknown(request)
    add_problem(form, final)
    return final


def as_resubmission(request: ConsoleRequest, problem: Problem, texts: WriteTexts) -> Problem:
    """Return the problem as it is to who sent the form before and was told that nobody knows: that is still so."""
    if problem.is_unknown or problem.is_repeat or not may_be_done(request):
        return problem
    details = [] if problem.text == texts.failed else [problem.text]
    return replace(problem, text=texts.unknown, details=[*details, *problem.details], was_sent=True)


def add_problem(form: BaseForm, problem: Problem) -> None:
    """Tell a problem in the form: above it, and at the fields that it concerns."""
    for text in (problem.text, *problem.details):
        form.add_error(None, text)
    if isinstance(problem.error, Refused | Rejected):
        add_field_errors(form, problem.error)


def run_write(
    perform: Callable[[], R], texts: WriteTexts, check: Callable[[], State[Any]] | None = None
) -> tuple[R | None, Problem | None]:
    """Make one write; return its result, and the problem if there is one.

    Where the answer does not settle it, `check` does: what is stored as it was sent is done, without a result.
    Maintenance is a problem like others: who makes several calls tells what became of those before.
    """
    try:
        return perform(), None
    except WRITE_ERRORS as error:
        problem = problem_from(error, texts)
        lost_race = isinstance(error, VersionConflict | StateConflict | AlreadyDone) or (
            isinstance(error, Conflict) and not error.fields
        )
        if check is None or not (problem.is_unknown or lost_race or isinstance(error, NOT_FOUND)):
            return None, problem
    try:
        state = check()
    except NOT_FOUND:
        return None, replace(problem, details=[_("This no longer exists.")])
    except WRITE_ERRORS:
        return None, problem
    is_gone = isinstance(problem.error, NOT_FOUND) and state.newest is None
    if state.is_as_sent and (problem.is_unknown or problem.is_stale or problem.is_repeat or is_gone):
        return None, None
    if isinstance(problem.error, NOT_FOUND) and texts.missing:
        problem = replace(problem, status=409)  # it is there: something that the form refers to is not
    details = [state.now] if state.now and not (problem.is_unknown or problem.reasons) else []
    return None, replace(problem, state=state, details=[*problem.details, *details])


def outcome_from(problem: Problem | None, *, id: str = "") -> AuditOutcome:
    """Return what became of a write, as it is noted."""
    if problem is None:
        return AuditOutcome(DONE, id)
    if problem.is_unknown or problem.is_repeat:
        return AuditOutcome(UNKNOWN)
    error = problem.error
    is_refused = isinstance(error, Refused | NotFound | Rejected) and not isinstance(error, NotOffered)
    reasons = [reason.reason for reason in problem.reasons]
    if isinstance(error, Rejected) and error.reason:
        reasons = [error.reason]
    return AuditOutcome(REFUSED if is_refused else NOT_DONE, reasons=reasons, code=error_code(error))


def edited(form: BaseForm, newest: T, values: Mapping[str, object]) -> State[T]:
    """The state of what a form was to change; `values` are those of the newest, by the form's names."""
    changed = differences(form, values)
    return State(newest, is_as_sent=not changed, differences=changed)


def deleted(read: Callable[[], T]) -> State[T]:
    """The state of what was to be deleted: gone, or still there."""
    try:
        return State(read(), is_as_sent=False)
    except NOT_FOUND:
        return State(None, is_as_sent=True)


def error_code(error: Exception | None) -> int | None:
    """Return the service's code of an error; a failure of the console has none."""
    return error.code if isinstance(error, UpstreamError) else None


def problem_from(error: WriteError, texts: WriteTexts) -> Problem:
    """Return what an error is to the one who wrote."""
    status = describe(error).status
    if error.may_be_done:
        return Problem(status, texts.unknown, error=error)
    match error:
        case ObjectNotFound():
            return Problem(status, texts.failed, [texts.missing or describe(error).text], error)
        case NotFound():
            why = not_offered() if error.code is None else describe(error).text
            return Problem(status, texts.failed, [texts.missing or why], error)
        case Maintenance():
            return Problem(status, texts.failed, [describe(error).text], error)
        case Limited() | TooManyAttempts():
            return Problem(status, describe(error).text, error=error)
        case Refused(code=Code.CHANGED_MEANWHILE) | VersionConflict():
            return Problem(status, changed_by_others(), error=error)
        case Refused(code=Code.ALREADY_DONE) | AlreadyDone():
            message = texts.already_sent or _("This was sent before. Look at the list before you send it again.")
            return Problem(status, message, error=error)
        case NotDone() if is_missing(error):
            return Problem(status, texts.failed, [not_offered()], error)
        case Refused() | Rejected() if sentence := refusal_text(error):
            return Problem(status, texts.failed, [sentence], error)
    reasons = [Reason(texts.reasons.get(r.reason, r.reason), r.count, r.refs) for r in get_reasons(error)]
    return Problem(status, texts.failed, error=error, reasons=reasons)
