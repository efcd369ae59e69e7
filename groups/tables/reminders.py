"""Due reminders for the page of pending decisions, and the facts of one reminder."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.l10n.bidi import isolated
from console.l10n.dates import written_day
from console.lists.query import empty_query
from console.lists.view import Cell, Column, Fact, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.failures import ITEM_GONE
from groups.labels import REMINDER_TOPICS
from groups.links.permissions import clinic_permissions_url
from groups.links.reminders import reminder_pages
from groups.links.users import user_pages
from groups.models import Reminder
from upstream.listing import Listing


def due_table(listing: Listing[Reminder], *, path: str, existing: Mapping[str, Mapping[str, Any] | None]) -> ListView:
    """Return the due reminders with subject, topic and note; `existing` is a groups.bulk.decisions.ExistingSubjects."""

    def href(row: Reminder) -> str:
        return _page(row, existing.get(row.content.subject.kind))

    def clinic(row: Reminder) -> Cell:
        subject = row.content.subject
        subjects = existing.get(subject.kind)
        if subjects is None or not row.is_readable:
            return Cell(subject.clinic_name)
        if subject.id not in subjects:
            return Cell(_("This user no longer exists.") if subject.kind == "user" else str(ITEM_GONE))
        return Cell((subjects[subject.id].clinic_name or "") if subject.kind == "user" else subject.clinic_name)

    columns: tuple[Column[Reminder], ...] = (
        Column("name", _("Name"), "person", lambda row: Cell(reminder_name(row)), href=href),
        Column("clinic", _("Clinic"), "text", clinic),
        Column("about", _("What to review"), "text", lambda row: Cell(reminder_topic(row))),
        Column("note", _("Note"), "text", lambda row: Cell(row.content.note)),
        Column("day", _("Reminder date"), "text", lambda row: Cell(written_day(row.day))),
    )
    return list_view(
        empty_query("reminders"),
        listing,
        ListTable(
            columns=columns,
            row_href=lambda row: reminder_pages(row.id)["edit"].removesuffix("/edit"),
            actions=(
                # Translators: button of a reminder, which is removed then: the review is done.
                RowAction(pgettext("button", "Done"), "/delete", is_act=True),
                # Translators: button: choose another day on which one is reminded.
                RowAction(_("Choose another date"), "/edit", lambda row: row.is_readable),
            ),
            texts=ListTexts(caption=_("Reminders")),
            detail=lambda row: reminder_topic(row),
            in_sight=lambda _row: True,
        ),
        path=path,
    )


def _page(row: Reminder, existing: Mapping[str, Any] | None) -> str:
    """Return the page of the subject; a user may be in another clinic by now, and either may no longer exist."""
    subject = row.content.subject
    if not row.is_readable or (existing is not None and subject.id not in existing):
        return ""
    if subject.kind == "clinic":
        return clinic_permissions_url(subject.id)
    return user_pages(existing[subject.id].clinic_id if existing else subject.clinic_id, subject.id)


def reminder_name(row: Reminder) -> str:
    return row.content.subject.name if row.is_readable else _("Unreadable")


def reminder_topic(row: Reminder) -> str:
    content = row.content
    return str(REMINDER_TOPICS.get(content.subject.kind, {}).get(content.about, content.about))


def reminder_text(row: Reminder) -> str:
    # Translators: %(date)s: such as Dec 25, 2026. On that day an administrator is reminded.
    return _("Reminder on %(date)s") % {"date": isolated(written_day(row.day))}


def reminder_facts(row: Reminder) -> list[Fact]:
    """Return the facts of a reminder for the confirmation of its removal."""
    details = (
        (_("Clinic"), row.content.subject.clinic_name),
        (_("What to review"), reminder_topic(row)),
        (_("Reminder date"), written_day(row.day)),
        (_("Note"), row.content.note),
        # Translators: label: which administrator set the date.
        (_("Set by"), row.content.by),
    )
    return [Fact(label, Cell(text)) for label, text in details if text]
