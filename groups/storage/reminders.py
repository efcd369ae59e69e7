"""The reminders of an organization, read and changed where they are stored.

All of its administrators see them: who looks after access changes, and what only its author saw would be lost then.
"""

from collections.abc import Iterable
from datetime import date
from functools import partial

from django.db import connection
from django.db.models import F, QuerySet

from console.config.database_errors import insert_if_absent
from console.config.encryption import Unreadable, key_mark
from console.errors import AlreadyDone, LimitReached, ObjectNotFound, Rejected, VersionConflict
from console.sessions.identity import keyed_hash
from console.web.storage import number_of, stored
from groups.models import Content, Reminder, StoredReminder
from upstream.listing import Listing

MOST = 1000
"""Reminders that one organization may have."""
LIMIT, EXISTS = "REMINDER_LIMIT", "REMINDER_EXISTS"
"""Why another reminder is rejected."""
_COUNT_DUE = 'SELECT COUNT(*) FROM "reminder" WHERE organization = %s AND day <= %s'
"""Raw SQL because each page counts them."""
_stored = partial(stored, "a reminder could not be stored")


class Reminders:
    """Those of one `organization`, by its keyed hash. One thing has one reminder for each of what it may be about."""

    def __init__(self, organization: str) -> None:
        self._organization = organization

    def of(self, kind: str, id: str) -> list[Reminder]:
        """Read those about a thing, the earliest first."""
        return _read(self._rows.filter(thing=self._key(kind, id)).order_by("day", "pk"))

    def due(self, today: date, size: int) -> Listing[Reminder]:
        """Read the earliest of those whose day is today or past."""
        rows = self._rows.filter(day__lte=today)
        found = _read(rows.order_by("day", "pk")[:size])
        return Listing(found, rows.count() if len(found) == size else len(found), 1, size)

    def count_due(self, today: date) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_COUNT_DUE, [self._organization, today])
            return int(cursor.fetchone()[0])

    def get(self, id: str) -> Reminder:
        """Read one. Raises ObjectNotFound."""
        for reminder in _read(self._rows.filter(pk=number_of(id))):
            return reminder
        raise ObjectNotFound("no such reminder")

    def add(self, day: date, content: Content) -> None:
        """Add one. Raises LimitReached; Rejected for another one about the same, AlreadyDone if that is equal."""
        subject = content.subject
        thing, key = self._key(subject.kind, subject.id), self._key(subject.kind, subject.id, content.about)
        with _stored():
            if self._rows.count() >= MOST:
                raise LimitReached(reason=LIMIT)
            row = StoredReminder(organization=self._organization, thing=thing, key=key, day=day, **_columns(content))
            if insert_if_absent(row):
                return
            stored = _read(self._rows.filter(key=key))
        if any(reminder.day == day and reminder.content.note == content.note for reminder in stored):
            raise AlreadyDone("the same reminder")
        raise Rejected(reason=EXISTS)

    def update(self, reminder: Reminder, *, version: int | None, day: date, note: str, by: str) -> None:
        """Set day and note of one that was read. Raises VersionConflict."""
        seen = reminder.version if version is None else version
        columns = _columns(Content(reminder.content.subject, reminder.content.about, note, by))
        rows = self._rows.filter(pk=number_of(reminder.id), version=seen)
        with _stored():
            if not rows.update(day=day, version=F("version") + 1, **columns):
                raise VersionConflict("a reminder")

    def delete(self, reminder: Reminder, *, version: int | None) -> None:
        """Delete one that was read. Raises VersionConflict."""
        seen = reminder.version if version is None else version
        with _stored():
            if not self._rows.filter(pk=number_of(reminder.id), version=seen).delete()[0]:
                raise VersionConflict("a reminder")

    @property
    def _rows(self) -> QuerySet[StoredReminder]:
        return StoredReminder.objects.filter(organization=self._organization)

    def _key(self, *what: str) -> str:
        return keyed_hash("reminder", self._organization, *what)


def _columns(content: Content) -> dict[str, str]:
    return {"content": content.encrypt(), "key_mark": key_mark()}


def _read(rows: Iterable[StoredReminder]) -> list[Reminder]:
    found = []
    for row in rows:
        content, is_readable = Content(), True
        try:
            content = Content.decrypt(row.content)
        except Unreadable:
            is_readable = False
        found.append(Reminder(str(row.pk), row.day, row.version, content, is_readable))
    return found
