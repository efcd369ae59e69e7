"""Perform writes: `submit` makes the call of a form, and returns `Done` or a `Problem`.

There are four outcomes with different texts. *Done*. *Refused*: the service refused it, with reasons. *Not done*: it
was certainly not carried out ("Failed to ..."). *Unknown*: the answer was lost, broken or late. Then the stored state
is read again, which settles the outcome if possible.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from django.forms import BaseForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
from console.l10n.numbers import ngettext
from console.lists.query import Label
from console.web.failures import ITEM_GONE, changed_by_others, describe, not_offered
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

# Translators: "this" is the action that the title names, such as "Delete user".
UNCONFIRMED = gettext_lazy("We couldn't confirm whether this worked.")
# Translators: "this" is the action that the title names, such as "Delete user".
CHECK_LIST = gettext_lazy("We couldn't confirm whether this worked. Check the list before you try again.")
CHECK_VALUES = gettext_lazy(
    # Translators: "this" is the action that the title names, such as "Edit user".
    "We couldn't confirm whether this worked. Check the current values before you try again."
)


@dataclass(frozen=True, kw_only=True)
class WriteTexts:
    """The sentences of one kind of write.

    `action` is its name, the title of an unknown outcome: "Delete user". It is empty if the page's title says it.
    `missing` is for a reference to an object that no longer exists, `already_sent` for a form that the service has
    already processed. `reasons` maps the service's reasons to the names under which their sentences are registered, if
    these differ (`Contributions.reasons`).
    """

    failed: str
    action: str = ""
    unknown: Label = CHECK_LIST
    done: str = ""
    missing: str = ""
    already_sent: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class State(Generic[T]):
    """The stored state, read after a write that did not simply succeed.

    `is_as_sent` is True if it matches the form, no matter which request stored it. `now` is a sentence about the stored
    state, for a write that was refused because another user was faster.
    """

    newest: T | None
    is_as_sent: bool
    differences: list[Difference] = field(default_factory=list)
    now: str = ""


@dataclass(frozen=True)
class Done(Generic[R]):
    """A write that was carried out. Its result is None if only the stored state shows that it was."""

    result: R | None = None


@dataclass(frozen=True)
class Problem:
    """The reason why a write was not carried out or is unknown, for the page that shows its form again."""

    status: int
    text: str
    details: list[str] = field(default_factory=list)
    error: WriteError | None = None
    action: str = ""
    """The name of the action, if its outcome is unknown: the text doesn't say it."""
    reasons: Sequence[Reason] = ()
    """The service's reasons."""
    state: State[Any] | None = None
    status_url: str = ""
    """The address where the user can check an unknown outcome."""
    was_sent: bool = False
    """True if the outcome of an earlier submission of the form is unknown; this error does not settle that."""

    @property
    def is_unknown(self) -> bool:
        """True if the write may have been carried out."""
        return self.was_sent or (self.error is not None and self.error.may_be_done)

    @property
    def is_repeat(self) -> bool:
        """True if the service has already processed this form (code 10006)."""
        return isinstance(self.error, AlreadyDone) or error_code(self.error) == Code.ALREADY_DONE

    @property
    def is_stale(self) -> bool:
        """True if the form was based on an older state than the stored one."""
        return isinstance(self.error, VersionConflict) or error_code(self.error) == Code.CHANGED_MEANWHILE

    @property
    def newest(self) -> Any:
        """The newest state of the object, if it was read."""
        return self.state.newest if self.state else None

    @property
    def conflicts(self) -> list[Difference]:
        """The submitted values that differ from the stored ones, if the problem is stale or unknown."""
        return self.state.differences if self.state and (self.is_stale or self.is_unknown) else []

    @property
    def reason_texts(self) -> list[str]:
        """The reasons as texts, for a page without links to the blocking objects."""
        return reason_texts(self.reasons)

    @property
    def texts(self) -> list[str]:
        """The title, followed by the other texts."""
        return [*([self.action] if self.action else []), self.text, *self.details]

    @property
    def sentences(self) -> list[str]:
        """All sentences, for a response without a page."""
        return [with_action(self.action, self.text), *self.details, *self.reason_texts]


def submit(
    request: ConsoleRequest,
    form: VersionedForm | BaseForm,
    perform: Callable[[str], R],
    *,
    texts: WriteTexts,
    entry: AuditAction | None = None,
    verify: Callable[[], State[Any]] | None = None,
) -> Done[R] | Problem:
    """Perform the write of a valid form in an `@idempotent` view, and add problems to the form.

    `perform` gets the Idempotency-Key. `entry` is recorded in the activity before the call, and its outcome after it.
    `verify` reads the stored state if the answer does not settle the outcome. Raises Maintenance.
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
        if final is None and refusal is not None:  # the stored state matches the form
            pending.complete(AuditOutcome(REFUSED, code=error_code(refusal), is_as_requested=True))
        else:
            # The outcome of an earlier submission is recorded in the entry of that one.
            pending.complete(outcome_from(problem, id=result if isinstance(result, str) else ""))
    if problem and isinstance(problem.error, Maintenance):
        raise problem.error  # it has its own page
    if final is None:
        return Done(result)
    if final.is_unknown or final.is_repeat:
        mark_outcome_unknown(request)
    add_problem(form, final)
    return final


def unconfirmed_rows(count: int) -> str:
    """Return the sentence for the rows of a bulk action or an import whose outcome is unknown."""
    # Translators: "this" is the action that the title names, such as "Delete users".
    return ngettext(
        "We couldn't confirm whether this worked for %(count)s row.",
        "We couldn't confirm whether this worked for %(count)s rows.",
        count,
    )


def with_action(action: str, text: str) -> str:
    """Return a text after the name of its action, where it has no title; the text itself if there is no name."""
    return _("%(action)s: %(name)s") % {"action": action, "name": text} if action and text else text


def as_resubmission(request: ConsoleRequest, problem: Problem, texts: WriteTexts) -> Problem:
    """Return the problem for a form that was sent before with an unknown outcome, which it still has."""
    if problem.is_unknown or problem.is_repeat or not may_be_done(request):
        return problem
    details = [] if problem.text == texts.failed else [problem.text]
    details += problem.details
    return replace(problem, text=str(texts.unknown), details=details, action=texts.action, was_sent=True)


def add_problem(form: BaseForm, problem: Problem) -> None:
    """Add a problem to the form: above it, and at the fields that it concerns."""
    for text in problem.texts:
        form.add_error(None, text)
    if isinstance(problem.error, Refused | Rejected):
        add_field_errors(form, problem.error)


def run_write(
    perform: Callable[[], R], texts: WriteTexts, check: Callable[[], State[Any]] | None = None
) -> tuple[R | None, Problem | None]:
    """Perform one write; return its result, and the problem if there is one.

    If the answer does not settle the outcome, `check` reads the stored state: if it matches the form, the write is
    done, without a result. Maintenance is a problem like others, because earlier calls of a run have results to show.
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
        return None, replace(problem, details=[str(ITEM_GONE)])
    except WRITE_ERRORS:
        return None, problem
    is_gone = isinstance(problem.error, NOT_FOUND) and state.newest is None
    if state.is_as_sent and (problem.is_unknown or problem.is_stale or problem.is_repeat or is_gone):
        return None, None
    if isinstance(problem.error, NOT_FOUND) and texts.missing:
        problem = replace(problem, status=409)  # the object exists, but one that the form refers to does not
    details = [state.now] if state.now and not (problem.is_unknown or problem.reasons) else []
    return None, replace(problem, state=state, details=[*problem.details, *details])


def outcome_from(problem: Problem | None, *, id: str = "") -> AuditOutcome:
    """Return the outcome of a write for the activity."""
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
    """Return the state after an edit; `values` are those of the newest object, by field name."""
    changed = differences(form, values)
    return State(newest, is_as_sent=not changed, differences=changed)


def deleted(read: Callable[[], T]) -> State[T]:
    """Return the state after a deletion: the object is gone, or still exists."""
    try:
        return State(read(), is_as_sent=False)
    except NOT_FOUND:
        return State(None, is_as_sent=True)


def error_code(error: Exception | None) -> int | None:
    """Return the service's code of an error; a failure of the console has none."""
    return error.code if isinstance(error, UpstreamError) else None


def problem_from(error: WriteError, texts: WriteTexts) -> Problem:
    """Return the problem for the error of a write."""
    status = describe(error).status
    if error.may_be_done:
        return Problem(status, str(texts.unknown), error=error, action=texts.action)
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
            message = texts.already_sent or _("You already submitted this. Check the list before you submit it again.")
            return Problem(status, message, error=error)
        case NotDone() if is_missing(error):
            return Problem(status, texts.failed, [not_offered()], error)
        case Refused() | Rejected() if sentence := refusal_text(error):
            return Problem(status, texts.failed, [sentence], error)
    reasons = [Reason(texts.reasons.get(r.reason, r.reason), r.count, r.refs) for r in get_reasons(error)]
    return Problem(status, texts.failed, error=error, reasons=reasons)
