"""Reminders to look again at a user, a clinic or a permission: set, changed, removed. Nothing else is changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.access import private
from console.forms.confirm import ActWords, confirm, stays_in_list
from console.forms.drafts import typed
from console.forms.submit import Problem, State, WriteTexts, deleted, edited
from console.forms.write import save
from console.http import ConsoleRequest
from console.respond import show
from console.text.bidi import isolated
from console.upstream.resources.clinics import Clinic
from groups import links
from groups.activity import reminder_act
from groups.forms.reminders import ReminderForm
from groups.labels import REMINDED_OF
from groups.models import Content, Reminder, Subject
from groups.reading import ClinicUser, find_clinic_user, logger, reminders_of, today_of
from groups.tables.reminders import name_of, reminder_facts, reminder_text

REMOVE = ActWords(
    # Translators: %(name)s: a user or a clinic, of which somebody was to be reminded on a date.
    title=gettext_lazy("Remove the date for %(name)s?"),
    text=gettext_lazy("Nobody will be reminded. Access and permissions stay as they are."),
    button=gettext_lazy("Remove date"),
    done=gettext_lazy("Date removed."),
    failed=gettext_lazy("Failed to remove the date."),
    unknown=gettext_lazy("It is not known whether the date was removed. Look at it before you try again."),
)


@dataclass(frozen=True)
class ReminderRow:
    """A reminder as the page of its thing shows it."""

    about: str
    text: str
    note: str
    by: str
    is_due: bool
    links: dict[str, str]


@dataclass(frozen=True)
class ReminderCard:
    """The reminders of a page's thing, and the form of a new one; no form where each choice has its reminder.

    `action` is where the form is sent, `here` the page, which knows its list. `is_read` is False where they could not
    be read.
    """

    action: str
    here: str
    rows: Sequence[ReminderRow] = ()
    form: ReminderForm | None = None
    is_read: bool = True


def user_subject(found: ClinicUser) -> Subject:
    clinic, user = found.clinic, found.user
    return Subject("user", user.id, user.called, clinic.id, clinic.called)


def clinic_subject(clinic: Clinic) -> Subject:
    return Subject("clinic", clinic.id, clinic.called)


def reminder_card(request: ConsoleRequest, subject: Subject, *, here: str) -> ReminderCard:
    """Read the reminders of a thing for its page, by one statement; the page is worth more."""
    action, today, labels = links.reminder_create_url(subject), today_of(request), REMINDED_OF[subject.kind]
    try:
        found = reminders_of(request).of(subject.kind, subject.id)
    except DatabaseError as error:
        logger.warning("the reminders could not be read: %s", type(error).__name__)
        return ReminderCard(action, here, is_read=False)
    rows = [
        ReminderRow(
            about=str(labels.get(row.content.about, row.content.about)) if row.is_readable else name_of(row),
            text=reminder_text(row),
            note=row.content.note,
            by=row.content.by,
            is_due=row.day <= today,
            links=links.reminder_pages(row.id, back=here),
        )
        for row in found
    ]
    taken = {row.content.about for row in found if row.is_readable}
    left = {code: label for code, label in labels.items() if code not in taken}
    return ReminderCard(action, here, rows, ReminderForm(today=today, offered=left) if left else None)


@private(methods=("GET", "POST"))
def user_reminder_create(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    found = find_clinic_user(request, clinic_id, user_id)
    return _create(request, user_subject(found), crumbs=found.crumbs)


@private(methods=("GET", "POST"))
def clinic_reminder_create(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    return _create(request, clinic_subject(clinic), crumbs=links.clinic_crumbs(clinic))


def _create(request: ConsoleRequest, subject: Subject, *, crumbs: links.Crumbs) -> HttpResponse:
    form = ReminderForm(typed(request), today=today_of(request), offered=REMINDED_OF[subject.kind])

    def add(_key: str) -> None:
        values = form.cleaned_data
        reminders_of(request).add(
            values["day"], Content(subject, values["about"], values["note"], by=request.admin.name)
        )

    return save(
        request,
        form,
        act=add,
        activity=lambda: reminder_act(
            subject, form.cleaned_data["about"], day=form.cleaned_data["day"], note=form.cleaned_data["note"]
        ),
        # Read only where the same reminder is stored already.
        check=lambda: State(None, is_as_sent=True),
        texts=_texts(),
        goto=lambda: links.back_from_reminder(request),
        page=partial(_page, request, form, subject, about=subject.kind, crumbs=crumbs),
    )


@private(methods=("GET", "POST"))
def reminder_edit(request: ConsoleRequest, reminder_id: str) -> HttpResponse:
    reminders = reminders_of(request)
    reminder = reminders.get(reminder_id)
    if not reminder.is_readable:
        return HttpResponseRedirect(links.reminder_pages(reminder.id)["delete"])
    subject, about = reminder.content.subject, reminder.content.about
    form = ReminderForm(typed(request), today=today_of(request), reminder=reminder)

    def update(_key: str) -> None:
        values = form.cleaned_data
        reminders.update(reminder, version=form.seen, day=values["day"], note=values["note"], by=request.admin.name)

    def check() -> State[Reminder]:
        newest = reminders.get(reminder.id)
        return edited(form, newest, {"day": newest.day, "note": newest.content.note})

    return save(
        request,
        form,
        act=update,
        activity=lambda: reminder_act(
            subject, about, was=reminder, day=form.cleaned_data["day"], note=form.cleaned_data["note"]
        ),
        check=check,
        texts=_texts(),
        goto=lambda: links.back_from_reminder(request),
        page=partial(_page, request, form, subject, about=about, crumbs=_crumbs(subject)),
    )


@private(methods=("GET", "POST"))
def reminder_delete(request: ConsoleRequest, reminder_id: str) -> HttpResponse:
    reminders = reminders_of(request)
    reminder = reminders.get(reminder_id)
    content, name = reminder.content, {"name": isolated(name_of(reminder))}
    return confirm(
        request,
        lambda _problem: REMOVE.question(name, facts=reminder_facts(reminder)),
        act=lambda _key, version: reminders.delete(reminder, version=version),
        # Of one that can't be read, nobody could find the entry: what it was about is not known.
        activity=(lambda: reminder_act(content.subject, content.about, was=reminder)) if reminder.is_readable else None,
        check=lambda: deleted(lambda: reminders.get(reminder.id)),
        texts=REMOVE.texts(name),
        item=stays_in_list(reminder.id),
        back=links.back_from_reminder(request),
        crumbs=_crumbs(content.subject),
        # Who is done with one that is due need not say which they saw, unless it is not due any more.
        version=reminder.version if reminder.day > today_of(request) else None,
    )


def _crumbs(subject: Subject) -> links.Crumbs:
    return [links.clinics_crumb() if subject.kind == "clinic" else links.users_crumb()]


def _texts() -> WriteTexts:
    return WriteTexts(
        done=_("Date saved."),
        failed=_("Failed to save the date."),
        unknown=_("It is not known whether the date was saved. Look at it before you try again."),
    )


def _page(
    request: ConsoleRequest,
    form: ReminderForm,
    subject: Subject,
    *,
    about: str,
    crumbs: links.Crumbs,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "subject": subject,
        "about": REMINDED_OF[subject.kind].get(about, about) if about != subject.kind else "",
        "problem": problem,
        "crumbs": crumbs,
        "back": links.back_from_reminder(request),
    }
    return show(request, "groups/reminder_form.html", status=status, **context)
