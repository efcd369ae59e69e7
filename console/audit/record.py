"""Record the entry of an action: stored before its call with an unknown outcome, and completed after it.

An entry belongs to one execution, so its key is random, and no other execution changes it once it is complete.
For the service, executions of one submission whose calls have the same Idempotency-Key are a single one, and it only
repeats its answer. The later execution then completes the entry that a process left behind, or keeps a complete one,
and adds none. A submission that is repeated without such a key is executed again, and gets its own entry.

A process that dies in the middle leaves an entry with an unknown outcome. Recording never makes an action fail: if the
database does not accept the entry, a log line and a metric report it.
"""

import dataclasses
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import Self
from uuid import uuid4

import msgspec
from django.db import DatabaseError, connection, transaction
from django.db.models import Count
from django.forms import BaseForm
from django.utils import timezone

from console.audit.content import (
    DONE,
    NOT_DONE,
    OUTCOMES,
    REFUSED,
    UNKNOWN,
    Change,
    Content,
    Ref,
    Value,
    as_value,
    thing_key,
)
from console.audit.log import REF_FIELDS, write_line
from console.config import metrics
from console.config.encryption import Unreadable, key_mark
from console.errors import ActionFailed, LoginRequired
from console.models import Activity
from console.sessions.identity import keyed_hash
from console.web.contributions import contributed
from console.web.request import ConsoleRequest, get_organization_key, may_have_written, may_repeat_answer
from upstream.errors import UpstreamError

logger = logging.getLogger(__name__)

CHUNK_SIZE = 1000
"""Rows of one transaction, and keys of one statement."""
IDEMPOTENCY_KEY_TTL = timedelta(hours=24)
"""Time for which the service repeats its answer to a key (contract, section 1.2)."""
OUTCOME_COLUMNS = ("outcome", "target", "content", "key_mark")
"""The columns that change once the outcome of an action is known."""
NONE = Ref()


@dataclass(frozen=True)
class AuditAction:
    """An action to be performed, by the codes of its registered kind, and its target.

    A move goes to `clinic` and `team`, and comes from `other_clinic` and `other_team`. Without `changes`, those of the
    form are recorded, for the fields that the kind has registered. With `edits`, it is only recorded if it changes one.

    `key` is the Idempotency-Key of its call, if that differs from the key of the submission. The call of a row that is
    not `is_repeatable` has no key, even if the calls of other rows have one.
    """

    kind: str
    code: str
    target: Ref = NONE
    clinic: Ref = NONE
    other_clinic: Ref = NONE
    team: Ref = NONE
    other_team: Ref = NONE
    changes: Sequence[Change] | None = None
    edits: bool = False
    key: str = ""
    is_repeatable: bool = True


@dataclass(frozen=True)
class AuditOutcome:
    """The outcome of an action, the ID of a created object, and the service's reasons and code for a refusal.

    `is_as_requested` is True for a refusal if the stored state is the requested one: an earlier try may have set it.
    """

    outcome: str
    id: str = ""
    reasons: Sequence[str] = ()
    code: int | None = None
    is_as_requested: bool = False


def form_changes(form: BaseForm, kind: str) -> list[Change]:
    """Return the changed fields of a valid form, of those that the kind has registered.

    Other fields are not recorded. No kind registers a password, so no secret is recorded.
    """
    changes = []
    for name in contributed().activity[kind].fields:
        if name in form.fields and name in form.cleaned_data:
            old, new = (
                as_value(form.get_initial_for_field(form.fields[name], name)),
                as_value(form.cleaned_data[name]),
            )
            if (old or None) != (new or None):
                changes.append(Change(name, old or None, new))
    return changes


def named(changes: Sequence[Change], **names: Mapping[str, str]) -> list[Change]:
    """Return changes with current names instead of IDs, for the given fields."""

    def with_name(field: str, value: Value) -> Value:
        return names[field].get(value, value) if field in names and isinstance(value, str) else value

    return [
        Change(name, with_name(name, old), with_name(name, new))
        for name, old, new in map(msgspec.structs.astuple, changes)
    ]


def record(
    request: ConsoleRequest, action: AuditAction | None, key: str, *, form: BaseForm | None = None
) -> "PendingEntry":
    """Store the entry of an action before its call; `key` is that of the submission.

    Nothing is recorded without an action, or for one with `edits` that changes nothing.
    """
    if action is None:
        return PendingEntry(request)
    if action.changes is None:
        action = dataclasses.replace(action, changes=form_changes(form, action.kind) if form else [])
    if action.edits and not action.changes:
        return PendingEntry(request)
    entry = PendingEntry(request, _entry(request, action, action.key or key), _content(request, action))
    entry.store()
    return entry


def record_rows(
    request: ConsoleRequest,
    action: AuditAction,
    rows: Mapping[str, AuditAction],
    *,
    key: str,
    run: str = "",
    is_first: bool = True,
) -> "PendingEntries":
    """Store the entries of a bulk action and of its rows, which are by their keys, before their call.

    The steps of one action have the same `run`: the rows of later steps are added to the entry of the first one.
    """
    entries = PendingEntries(request, action, rows, key=key, run=run, is_first=is_first)
    entries.store()
    return entries


def record_complete(
    request: ConsoleRequest,
    action: AuditAction,
    rows: Sequence[tuple[AuditAction, str]],
    *,
    key: str,
    check: Callable[[], None],
) -> bool:
    """Store a completed bulk action and its rows with their outcomes, all or none; return whether that succeeded.

    `key` is that of the submission, by which `recorded` finds the action. `check` raises an error if the action is no
    longer right; no other entry is stored between the check and this action.
    """
    parent, about = _entry(request, action, key), _content(request, action)
    parent.is_bulk = True
    _fill(parent, msgspec.structs.replace(about, counts={DONE: len(rows)}), DONE)
    entries = [parent]
    for row, outcome in rows:
        entry = _entry(request, row)
        entry.parent = parent.key
        _fill(entry, _content(request, row), outcome)
        entries.append(entry)

    def store() -> None:
        with transaction.atomic():
            _lock()
            check()
            for start in range(0, len(entries), CHUNK_SIZE):
                _insert(entries[start : start + CHUNK_SIZE])

    is_stored = _stored(store)
    if is_stored:
        write_line(request, parent, Content.decrypt(parent.content), DONE)
    return is_stored


def recorded(request: ConsoleRequest, key: str) -> Activity | None:
    """Return the bulk action of this submission that was stored as done. Raises DatabaseError."""
    submission = _submission(request.admin.identity, key)
    return Activity.objects.filter(submission=submission, is_bulk=True, outcome=DONE).first()


@dataclass
class PendingEntry:
    """The entry of one action, until its outcome is known."""

    _request: ConsoleRequest
    _row: Activity | None = None
    _content: Content = field(default_factory=Content)
    _is_stored: bool = False
    _is_complete: bool = False

    def store(self) -> None:
        """Store the entry with an unknown outcome."""
        if row := self._row:
            _fill(row, self._content, UNKNOWN)
            self._is_stored = _stored(lambda: _insert([row]))

    def complete(self, outcome: AuditOutcome) -> None:
        """Store the outcome, in the entry of the earlier execution if the service only repeated its answer."""
        row, self._is_complete = self._row, True
        if row is None:
            return
        content = _with_outcome(self._content, outcome)
        _fill(row, content, outcome.outcome)
        if _may_repeat_earlier_execution(self._request, outcome) and _merge([(row, outcome)]):
            return
        values = {name: getattr(row, name) for name in OUTCOME_COLUMNS}
        entry = Activity.objects.filter(key=row.key, outcome=UNKNOWN)  # a complete one is not changed
        _stored(lambda: entry.update(**values) if self._is_stored else _insert([row]))
        write_line(self._request, row, content, outcome.outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        if not self._is_complete and _is_not_done(self._request, error):
            self.complete(AuditOutcome(NOT_DONE))


class PendingEntries:
    """The entry of a bulk action with those of some of its rows, until their outcomes are known."""

    def __init__(
        self,
        request: ConsoleRequest,
        action: AuditAction,
        rows: Mapping[str, AuditAction],
        *,
        key: str,
        run: str,
        is_first: bool,
    ) -> None:
        self._request = request
        self._parent = _entry(request, action)
        self._parent.is_bulk = True
        if run:
            self._parent.key = keyed_hash("entry", self._parent.who, run)
        self._is_first = is_first
        self._earlier_steps: Mapping[str, int] = {}
        self._is_complete = False
        self._about = _content(request, action)
        self._rows: dict[str, tuple[Activity, Content]] = {}
        for name, row in rows.items():
            entry = _entry(request, row, row.key or f"{key}/{name}") if row.is_repeatable else _entry(request, row)
            entry.parent = self._parent.key
            self._rows[name] = (entry, _content(request, row))

    def store(self) -> None:
        """Store all of them with an unknown outcome."""
        _fill(self._parent, self._about, UNKNOWN)
        for row, content in self._rows.values():
            _fill(row, content, UNKNOWN)
        if not self._is_first:
            _stored(self._count_earlier_steps)
        self._insert(updates=("outcome",))

    def complete(self, outcomes: Mapping[str, AuditOutcome]) -> None:
        """Store the outcomes of the rows, by their keys."""
        self._is_complete = True
        for name, (row, content) in self._rows.items():
            outcome = outcomes.get(name, AuditOutcome(UNKNOWN))
            row.outcome = outcome.outcome
            if outcome.id or outcome.reasons or outcome.code:
                self._rows[name] = (row, _with_outcome(content, outcome))
                _fill(*self._rows[name], outcome.outcome)
        repeated = [
            (row, outcome)
            for name, (row, _content) in self._rows.items()
            if _may_repeat_earlier_execution(self._request, outcome := outcomes.get(name, AuditOutcome(UNKNOWN)))
        ]
        merged = _merge(repeated) if repeated else set()
        self._rows = {name: pair for name, pair in self._rows.items() if pair[0].key not in merged}
        counts = Counter(self._earlier_steps) + Counter(row.outcome for row, _content in self._rows.values())
        targets = [content.target for _row, content in self._rows.values()]
        about = msgspec.structs.replace(
            self._about,
            target=targets[0] if targets and counts.total() == 1 else NONE,
            counts={name: counts[name] for name in OUTCOMES if counts.get(name)},
        )
        _fill(self._parent, about, worst(counts))
        self._insert(updates=OUTCOME_COLUMNS)
        if merged:
            _stored(lambda: _recount(self._parent.organization, self._parent.key))
        if self._rows:
            write_line(self._request, self._parent, about, self._parent.outcome, tuple(self._rows.values()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        if not self._is_complete and _is_not_done(self._request, error):
            self.complete(dict.fromkeys(self._rows, AuditOutcome(NOT_DONE)))

    def _count_earlier_steps(self) -> None:
        self._earlier_steps = _counts(self._parent.organization, self._parent.key)

    def _insert(self, *, updates: Sequence[str]) -> None:
        rows = [self._parent, *(row for row, _content in self._rows.values())]
        for start in range(0, len(rows), CHUNK_SIZE):
            _stored(partial(_insert, rows[start : start + CHUNK_SIZE], updates=updates))


def worst(counts: Mapping[str, int]) -> str:
    """Return the outcome of a bulk action: of different outcomes, the one that most needs attention."""
    return next((outcome for outcome in (UNKNOWN, NOT_DONE, REFUSED) if counts.get(outcome)), DONE)


def _entry(request: ConsoleRequest, action: AuditAction, key: str = "") -> Activity:
    """Return the entry of an execution; `key` is that of its call, if a repeat has the same one."""
    organization, identity = get_organization_key(request), request.admin.identity
    entry = Activity(
        at=timezone.now(),
        organization=organization,
        who=identity,
        act=action.code,
        kind=action.kind,
        target=thing_key(organization, action.kind, action.target.id),
        key=keyed_hash("entry", identity, str(uuid4())),
        submission=_submission(identity, key) if key else "",
    )
    for name in REF_FIELDS:
        setattr(entry, name, thing_key(organization, name.removeprefix("other_"), getattr(action, name).id))
    return entry


def _content(request: ConsoleRequest, action: AuditAction) -> Content:
    refs = {name: getattr(action, name) for name in ("target", *REF_FIELDS)}
    return Content(who=request.admin.name, who_id=request.admin.id, changes=list(action.changes or ()), **refs)


def _with_outcome(content: Content, outcome: AuditOutcome) -> Content:
    """Return the content of an entry with its outcome."""
    target = Ref(outcome.id, content.target.name) if outcome.id and not content.target.id else content.target
    return msgspec.structs.replace(content, target=target, reasons=list(outcome.reasons), code=outcome.code)


def _fill(row: Activity, content: Content, outcome: str) -> None:
    row.outcome, row.content, row.key_mark = outcome, content.encrypt(), key_mark()
    row.target = thing_key(row.organization, row.kind, content.target.id)


def _submission(identity: str, key: str) -> str:
    return keyed_hash("submission", identity, key)


def _may_repeat_earlier_execution(request: ConsoleRequest, outcome: AuditOutcome) -> bool:
    """Return whether the outcome may come from an earlier execution of the same submission."""
    return outcome.is_as_requested or (outcome.outcome in (DONE, UNKNOWN) and may_repeat_answer(request))


def _merge(rows: Sequence[tuple[Activity, AuditOutcome]]) -> set[str]:
    """Complete the entries of earlier executions and delete their duplicates; return the keys of the duplicates."""
    merged = dict[str, Activity]()

    @transaction.atomic
    def merge() -> None:
        earlier = _earlier_entries([row for row, _outcome in rows])
        parents = dict[str, str]()
        for row, outcome in rows:
            if not (entry := earlier.get(row.submission)):
                continue
            merged[row.key] = entry
            if entry.outcome == UNKNOWN and outcome.outcome != UNKNOWN:
                _fill(entry, _with_outcome(_readable(entry, row), AuditOutcome(DONE, outcome.id)), DONE)
                values = {name: getattr(entry, name) for name in OUTCOME_COLUMNS}
                Activity.objects.filter(pk=entry.pk, outcome=UNKNOWN).update(**values)
                parents[entry.parent] = entry.organization
        for chunk in _chunks(list(merged)):
            Activity.objects.filter(key__in=chunk, outcome=UNKNOWN).delete()
        for parent, organization in parents.items():
            if parent:
                _recount(organization, parent)

    return set(merged) if _stored(merge) else set()


def _earlier_entries(rows: Sequence[Activity]) -> dict[str, Activity]:
    """Return the entries of earlier executions that are done or unknown, by their submission."""
    entries = dict[str, Activity]()
    since, numbers = timezone.now() - IDEMPOTENCY_KEY_TTL, dict[str, int]()
    for chunk in _chunks([row.key for row in rows]):
        numbers |= dict(Activity.objects.filter(key__in=chunk).values_list("submission", "pk"))
    for chunk in _chunks([row.submission for row in rows if row.submission]):
        for entry in Activity.objects.filter(submission__in=chunk, outcome__in=(DONE, UNKNOWN), at__gte=since):
            pk, known = numbers.get(entry.submission), entries.get(entry.submission)
            is_earlier = pk is None or entry.pk < pk  # storing the entry of this execution may have failed
            if is_earlier and (known is None or known.outcome == UNKNOWN):
                entries[entry.submission] = entry
    return entries


def _readable(entry: Activity, otherwise: Activity) -> Content:
    try:
        return Content.decrypt(entry.content)
    except Unreadable:
        return Content.decrypt(otherwise.content)


def _counts(organization: str, parent: str) -> dict[str, int]:
    """Return the number of rows of a bulk action by outcome."""
    rows = Activity.objects.filter(organization=organization, parent=parent).order_by()
    return dict(rows.values_list("outcome").annotate(Count("pk")))


def _recount(organization: str, key: str) -> None:
    """Update the counts and the outcome of a bulk action; delete it if all its rows belong to earlier executions."""
    counts, parent = _counts(organization, key), Activity.objects.filter(key=key).first()
    if parent is None:
        return
    if not counts:
        parent.delete()
        return
    try:
        content = Content.decrypt(parent.content)
    except Unreadable:
        return
    by_outcome = {name: counts[name] for name in OUTCOMES if counts.get(name)}
    _fill(parent, msgspec.structs.replace(content, counts=by_outcome), worst(counts))
    parent.save(update_fields=OUTCOME_COLUMNS)


def _chunks(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[start : start + CHUNK_SIZE] for start in range(0, len(values), CHUNK_SIZE))


def _lock() -> None:
    """Keep other transactions from storing entries until this one ends. In SQLite they are IMMEDIATE, so this is done.

    Locking rows is not enough: an entry that is not yet committed may have a lower ID than those of the transaction.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE activity IN SHARE ROW EXCLUSIVE MODE")


def _insert(rows: Sequence[Activity], *, updates: Sequence[str] = ()) -> None:
    """Insert entries, all or none; existing ones get the new values of `updates`."""
    for row in rows:
        row.pk = None  # set by an earlier insertion; an entry is identified by its key
    with transaction.atomic():  # a database error must not break the transaction of a caller
        if updates:
            Activity.objects.bulk_create(rows, update_conflicts=True, update_fields=updates, unique_fields=["key"])
        else:
            Activity.objects.bulk_create(rows, ignore_conflicts=True)


def _is_not_done(request: ConsoleRequest, error: BaseException | None) -> bool:
    """Return whether an action that ended in an error was certainly not performed, as when the session has ended."""
    is_certain = isinstance(error, LoginRequired) or (
        isinstance(error, UpstreamError | ActionFailed) and not error.may_be_done
    )
    return is_certain and not may_have_written(request)


def _stored(write: Callable[[], object]) -> bool:
    try:
        write()
    except DatabaseError as error:
        metrics.activity_not_stored.inc()
        logger.error("the activity could not be stored: %s", type(error).__name__)
        return False
    return True
