"""Audit entries of reminders."""

from datetime import date

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from groups.models import Reminder, Subject


def reminder_action(
    subject: Subject, about: str, *, was: Reminder | None = None, day: date | None = None, note: str = ""
) -> AuditAction:
    """Return the audit entry of a reminder that is set or changed, or without a `day` removed."""
    old = (was.day.isoformat(), about, was.content.note) if was else ("", "", "")
    new = (day.isoformat(), about, note) if day else ("", "", "")
    changes = [
        Change(field, before or None, after or None)
        for field, before, after in zip(("look_again", "about", "note"), old, new, strict=True)
        if before != after
    ]
    clinic = Ref(subject.clinic_id, subject.clinic_name)
    return AuditAction(
        subject.kind, "remind", Ref(subject.id, subject.name), clinic=clinic, changes=changes, edits=True
    )
