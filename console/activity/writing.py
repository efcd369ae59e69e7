"""The entry of an act: made before its call as one of which nobody knows, and completed after it.

So a process that ends in the middle leaves "unknown", never nothing. An entry never fails what it tells of: where the
database does not take it, a line in the log and a metric say so.
"""

import dataclasses
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Self

import msgspec
from django.db import DatabaseError
from django.db.models.constants import OnConflict
from django.forms import BaseForm
from django.utils import timezone

from console import metrics, registry
from console.activity.audit import PLACES, write_line
from console.activity.content import DONE, NOT_DONE, OUTCOMES, REFUSED, UNKNOWN, Change, Content, Ref, Value, as_value
from console.activity.reading import thing_key
from console.grants.identity import keyed_hash
from console.grants.payload import key_mark
from console.http import ConsoleRequest, may_have_written, organization_of
from console.models import Activity
from console.upstream.errors import UpstreamError

logger = logging.getLogger(__name__)

PIECE = 1000
"""Rows of one statement: databases limit its variables, of which a row has as many as columns."""
TOLD = ("outcome", "target", "content", "key_mark")
"""The columns that change once it is known what became of an act."""
NONE = Ref()


@dataclass(frozen=True)
class Act:
    """What is about to be done, by the codes of its registered kind, and to what.

    What is moved goes to `clinic` and `team`, and comes from `other_clinic` and `other_team`. Without `changes`, those
    of the form are told: the fields that the kind has registered. With `edits`, it is an act only if it changes one.
    """

    kind: str
    act: str
    target: Ref = NONE
    clinic: Ref = NONE
    other_clinic: Ref = NONE
    team: Ref = NONE
    other_team: Ref = NONE
    changes: Sequence[Change] | None = None
    edits: bool = False


@dataclass(frozen=True)
class Became:
    """What became of an act: its outcome, the ID of what it made, and the service's words and code for a refusal."""

    outcome: str
    id: str = ""
    reasons: Sequence[str] = ()
    code: int | None = None


def changes_of(form: BaseForm, kind: str) -> list[Change]:
    """Return the fields of a valid form that are another value than they were, of those that the kind has registered.

    What has no word is not told, so nothing secret is: no password is anybody's field.
    """
    changes = []
    for name in registry.activity[kind].fields:
        if name in form.fields and name in form.cleaned_data:
            old, new = (
                as_value(form.get_initial_for_field(form.fields[name], name)),
                as_value(form.cleaned_data[name]),
            )
            if (old or None) != (new or None):
                changes.append(Change(name, old or None, new))
    return changes


def named(changes: Sequence[Change], **names: Mapping[str, str]) -> list[Change]:
    """Return changes with the names then instead of IDs, for the fields of these names."""

    def told(field: str, value: Value) -> Value:
        return names[field].get(value, value) if field in names and isinstance(value, str) else value

    return [Change(name, told(name, old), told(name, new)) for name, old, new in map(msgspec.structs.astuple, changes)]


def note(request: ConsoleRequest, act: Act | None, key: str, *, form: BaseForm | None = None) -> "Noted":
    """Make the entry of an act before its call; `key` is the Idempotency-Key, by which a repeat finds it again.

    Without an act, or one that changes nothing, nothing is noted.
    """
    if act is None:
        return Noted(request)
    if act.changes is None:
        act = dataclasses.replace(act, changes=changes_of(form, act.kind) if form else [])
    if act.edits and not act.changes:
        return Noted(request)
    noted = Noted(request, _entry(request, act, key), _content(request, act))
    noted.store()
    return noted


def note_rows(request: ConsoleRequest, act: Act, rows: Mapping[str, Act], *, key: str) -> "NotedRows":
    """Make the entry of a bulk act and those of its rows before their call; `rows` are by their own keys.

    Rows that follow later come with the same key: they join its entry, whose rows before them stay as they are.
    """
    noted = NotedRows(request, act, key, rows)
    noted.store()
    return noted


@dataclass
class Noted:
    """The entry of one act, until it is known what became of it."""

    _request: ConsoleRequest
    _row: Activity | None = None
    _content: Content = field(default_factory=Content)
    _is_stored: bool = False
    _is_complete: bool = False

    def store(self) -> None:
        """Store it as one of which nobody knows; an entry of the same form stays as it is."""
        if row := self._row:
            _fill(row, self._content, UNKNOWN)
            self._is_stored = _stored(lambda: _insert([row], updates=False))

    def complete(self, became: Became) -> None:
        """Store what became of it. What is known already is never taken back by a repeat of which less is known."""
        row, self._is_complete = self._row, True
        if row is None:
            return
        content = _told(self._content, became)
        if became.outcome != UNKNOWN or not self._is_stored:
            entry = Activity.objects.filter(key=row.key, outcome=UNKNOWN)
            _fill(row, content, became.outcome)
            if became.outcome in (REFUSED, NOT_DONE):
                row.key = _free_key(row)  # a further try of the same form is an act of its own
            values = {name: getattr(row, name) for name in (*TOLD, "key")}
            _stored(lambda: entry.update(**values) if self._is_stored else _insert([row], updates=False))
        write_line(self._request, row, content, became.outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        if not self._is_complete and _is_not_done(self._request, error):
            self.complete(Became(NOT_DONE))


class NotedRows:
    """The entry of a bulk act with those of some of its rows, until it is known what became of them."""

    def __init__(self, request: ConsoleRequest, act: Act, key: str, rows: Mapping[str, Act]) -> None:
        self._request = request
        self._act = _entry(request, act, key)
        self._act.is_bulk = True
        self._is_complete = False
        self.is_stored = False
        """Whether the database took it the last time."""
        self._about = _content(request, act)
        self._rows = {name: (_entry(request, row, key, name), _content(request, row)) for name, row in rows.items()}
        for row, _about in self._rows.values():
            row.parent = self._act.key

    def store(self) -> None:
        """Store all of them as some of which nobody knows."""
        _fill(self._act, self._about, UNKNOWN)
        for row, content in self._rows.values():
            _fill(row, content, UNKNOWN)
        self._insert()

    def complete(self, became: Mapping[str, Became], counts: Mapping[str, int]) -> None:
        """Store what became of the rows, by their keys, and how many rows of the whole act ended how, by outcome."""
        self._is_complete = True
        for name, (row, content) in self._rows.items():
            told = became.get(name, Became(UNKNOWN))
            row.outcome = told.outcome
            if told.id or told.reasons or told.code:
                self._rows[name] = (row, _told(content, told))
                _fill(*self._rows[name], told.outcome)
        about = msgspec.structs.replace(
            self._about, counts={name: counts[name] for name in OUTCOMES if counts.get(name)}
        )
        _fill(self._act, about, worst(counts))
        self._insert()
        write_line(self._request, self._act, about, self._act.outcome, tuple(self._rows.values()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _tb: TracebackType | None
    ) -> None:
        if not self._is_complete and _is_not_done(self._request, error):
            self.complete(dict.fromkeys(self._rows, Became(NOT_DONE)), {NOT_DONE: len(self._rows)})

    def _insert(self) -> None:
        rows = [self._act, *(row for row, _content in self._rows.values())]
        pieces = (rows[start : start + PIECE] for start in range(0, len(rows), PIECE))
        self.is_stored = all(_stored(partial(_insert, piece, updates=True)) for piece in pieces)


def worst(counts: Mapping[str, int]) -> str:
    """Return the outcome of a bulk act: what is to be looked at first, where its rows did not end alike."""
    return next((outcome for outcome in (UNKNOWN, NOT_DONE, REFUSED) if counts.get(outcome)), DONE)


def _entry(request: ConsoleRequest, act: Act, key: str, *row: str) -> Activity:
    organization, who = organization_of(request), request.admin.identity
    entry = Activity(
        at=timezone.now(),
        organization=organization,
        who=who,
        act=act.act,
        kind=act.kind,
        target=thing_key(organization, act.kind, act.target.id),
        key=keyed_hash("entry", who, key, *row),
    )
    for name in PLACES:
        setattr(entry, name, thing_key(organization, name.removeprefix("other_"), getattr(act, name).id))
    return entry


def _content(request: ConsoleRequest, act: Act) -> Content:
    told = {name: getattr(act, name) for name in ("target", *PLACES)}
    return Content(who=request.admin.name, who_id=request.admin.id, changes=list(act.changes or ()), **told)


def _told(content: Content, became: Became) -> Content:
    """Return what an entry tells once it is known what became of it."""
    target = Ref(became.id, content.target.name) if became.id and not content.target.id else content.target
    return msgspec.structs.replace(content, target=target, reasons=list(became.reasons), code=became.code)


def _fill(row: Activity, content: Content, outcome: str) -> None:
    row.outcome, row.content, row.key_mark = outcome, content.encrypt(), key_mark()
    row.target = thing_key(row.organization, row.kind, content.target.id)


def _free_key(row: Activity) -> str:
    return keyed_hash("entry", row.key, row.at.isoformat())


def _insert(rows: Sequence[Activity], *, updates: bool) -> None:
    """Insert entries by one statement; those that are there already stay, or get what became of them.

    `bulk_create` would take several: it counts with 999 variables for SQLite, which allows 32,766 since 3.32. Django
    6.0 asks SQLite for its limit; then this is `bulk_create`.
    """
    fields = [found for found in Activity._meta.concrete_fields if not found.primary_key]
    told = [found for found in fields if found.name in TOLD]
    unique = [found for found in fields if found.unique]
    Activity.objects._insert(  # type: ignore[attr-defined]  # Django's own; stubs leave it out
        rows,
        fields=fields,
        using=Activity.objects.db,
        on_conflict=OnConflict.UPDATE if updates else OnConflict.IGNORE,
        update_fields=told if updates else None,
        unique_fields=unique if updates else None,
    )


def _is_not_done(request: ConsoleRequest, error: BaseException | None) -> bool:
    """Whether an act that was left by an error can't have been carried out: such as a session that has ended."""
    return isinstance(error, UpstreamError) and not error.may_be_done and not may_have_written(request)


def _stored(act: Callable[[], object]) -> bool:
    try:
        act()
    except DatabaseError as error:
        metrics.activity_not_stored.inc()
        logger.error("what was done could not be noted: %s", type(error).__name__)
        return False
    return True
