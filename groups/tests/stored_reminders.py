"""Reminders of the administrator whom tests log in, for the tests of other packages."""

from datetime import UTC, date, datetime, timedelta

from console.sessions.crypto import StoredSession
from console.sessions.identity import organization_identity
from console.sessions.models import Grant
from groups.models import Content, Reminder, StoredReminder, Subject
from groups.storage.reminders import Reminders

KIM = Subject("user", "u-1", "User 1", "g-1", "Clinic 1")


def my_reminders() -> Reminders:
    return Reminders(organization_identity(StoredSession.decrypt(Grant.objects.get().payload)))


def today() -> date:
    return datetime.now(UTC).date()


def remind(
    days: int = 0, *, subject: Subject = KIM, about: str = "", note: str = "Back from leave?", id: int = 0
) -> Reminder:
    """Store a reminder of the logged-in administrator, in this many days; return it as it is read."""
    reminders = my_reminders()
    reminders.add(today() + timedelta(days=days), Content(subject, about or subject.kind, note, by="Ada Admin"))
    stored = StoredReminder.objects.latest("id")
    if id:
        StoredReminder.objects.filter(pk=stored.pk).update(id=id)
    return reminders.get(str(id or stored.pk))
