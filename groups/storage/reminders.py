"""Storage of the reminders of an organization.

All of its administrators see them: responsibilities change, and what only its author saw would be lost then.
"""

from datetime import date
from functools import partial

from django.db import connection

from console.config.database_errors import insert_if_absent, storing
from console.errors import AlreadyDone, LimitReached, Rejected, VersionConflict
from console.models import OwnedRows, row_number
from console.sessions.identity import keyed_hash
from groups.models import Content, Reminder, StoredReminder
from upstream.listing import Listing

MAX_REMINDERS = 1000
"""Reminders that one organization may have."""
LIMIT, EXISTS = "REMINDER_LIMIT", "REMINDER_EXISTS"
"""The reasons for which another reminder is rejected."""
_COUNT_DUE = 'SELECT COUNT(*) FROM "reminder" WHERE organization = %s AND day <= %s'
"""Raw SQL because each page counts them."""
_storing = partial(storing, "a reminder could not be stored")


class Reminders:
    """The reminders of one `organization`, by its keyed hash. A subject has at most one for each topic."""

    def __init__(self, organization: str) -> None:
        self._organization = organization

    def for_subject(self, kind: str, id: str) -> list[Reminder]:
        """Read those about a subject, the earliest first."""
        rows = self._rows.filter(thing=self._key(kind, id))
        return [_reminder(row) for row in rows.order_by("day", "pk")]

    def due(self, today: date, size: int) -> Listing[Reminder]:
        """Read the earliest of those whose day is today or past."""
        rows = self._rows.filter(day__lte=today)
        reminders = [_reminder(row) for row in rows.order_by("day", "pk")[:size]]
        return Listing(reminders, rows.count() if len(reminders) == size else len(reminders), 1, size)

    def count_due(self, today: date) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_COUNT_DUE, [self._organization, today])
            return int(cursor.fetchone()[0])

    def get(self, id: str) -> Reminder:
        """Read one. Raises ObjectNotFound."""
        return _reminder(self._rows.find(id))

    def add(self, day: date, content: Content) -> None:
        """Add one.

        Raises LimitReached; Rejected if the topic has another reminder, AlreadyDone if it has an equal one.
        """
        subject = content.subject
        thing, key = self._key(subject.kind, subject.id), self._key(subject.kind, subject.id, content.about)
        with _storing():
            if self._rows.count() >= MAX_REMINDERS:
                raise LimitReached(reason=LIMIT)
            row = StoredReminder(organization=self._organization, thing=thing, key=key, day=day, content=content)
            if insert_if_absent(row):
                return
            existing = [_reminder(row) for row in self._rows.filter(key=key)]
        if any(reminder.day == day and reminder.content.note == content.note for reminder in existing):
            raise AlreadyDone("the same reminder")
        raise Rejected(reason=EXISTS)

    def update(self, reminder: Reminder, *, version: int | None, day: date, note: str, by: str) -> None:
        """Set day and note of one that was read. Raises VersionConflict."""
        expected_version = reminder.version if version is None else version
        content = Content(reminder.content.subject, reminder.content.about, note, by)
        with _storing():
            self._rows.change(reminder.id, version=expected_version, day=day, content=content)

    def delete(self, reminder: Reminder, *, version: int | None) -> None:
        """Delete one that was read. Raises VersionConflict."""
        expected_version = reminder.version if version is None else version
        with _storing():
            if not self._rows.filter(pk=row_number(reminder.id), version=expected_version).delete()[0]:
                raise VersionConflict("a reminder")

    @property
    def _rows(self) -> OwnedRows[StoredReminder]:
        return StoredReminder.objects.for_owner(self._organization)

    def _key(self, *what: str) -> str:
        return keyed_hash("reminder", self._organization, *what)


def _reminder(row: StoredReminder) -> Reminder:
    return Reminder(str(row.pk), row.day, row.version, row.content or Content(), row.content is not None)
