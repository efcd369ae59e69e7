"""Reminders to review a user, a clinic or a permission: set, changed, removed. Nothing else changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.confirm import ActionMessages, ConfirmPage, row_result
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, deleted, edited, submit
from console.l10n.bidi import isolated
from console.web.access import private
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from groups.audit.reminders import reminder_action
from groups.forms.reminders import ReminderForm
from groups.labels import REMINDER_TOPICS
from groups.links.clinics import Crumbs, clinic_crumbs, clinics_crumb
from groups.links.reminders import back_from_reminder, reminder_create_url, reminder_pages
from groups.links.users import users_crumb
from groups.models import Content, Reminder, Subject
from groups.reading import ClinicUser, find_clinic_user, get_reminders, get_today, logger
from groups.tables.reminders import reminder_facts, reminder_name, reminder_text
from upstream.resources.clinics import Clinic

REMOVE = ActionMessages(
    # Translators: %(name)s: a user or a clinic with a reminder.
    title=gettext_lazy("Remove the reminder for %(name)s?"),
    text=gettext_lazy("No one will be reminded. Access and permissions stay the same."),
    button=gettext_lazy("Remove reminder"),
    done=gettext_lazy("Reminder removed."),
    failed=gettext_lazy("Failed to remove the reminder."),
)


@dataclass(frozen=True)
class ReminderRow:
    """A reminder as the page of its subject shows it."""

    about: str
    text: str
    note: str
    by: str
    is_due: bool
    links: dict[str, str]


@dataclass(frozen=True)
class ReminderCard:
    """The reminders about the subject of a page, and the form for a new one; no form if each topic has a reminder.

    The form is sent to `action`; `page_url` is the page with the list to return to. `is_read` is False if the reminders
    could not be read.
    """

    action: str
    page_url: str
    rows: Sequence[ReminderRow] = ()
    form: ReminderForm | None = None
    is_read: bool = True


def user_subject(clinic_user: ClinicUser) -> Subject:
    clinic, user = clinic_user.clinic, clinic_user.user
    return Subject("user", user.id, user.called, clinic.id, clinic.called)


def clinic_subject(clinic: Clinic) -> Subject:
    return Subject("clinic", clinic.id, clinic.called)


def reminder_card(request: ConsoleRequest, subject: Subject, *, page_url: str) -> ReminderCard:
    """Read the reminders about a subject for its page, with one statement; the page is shown even if that fails."""
    action, today, labels = reminder_create_url(subject), get_today(request), REMINDER_TOPICS[subject.kind]
    try:
        reminders = get_reminders(request).for_subject(subject.kind, subject.id)
    except DatabaseError as error:
        logger.warning("the reminders could not be read: %s", type(error).__name__)
        return ReminderCard(action, page_url, is_read=False)
    rows = [
        ReminderRow(
            about=str(labels.get(row.content.about, row.content.about)) if row.is_readable else reminder_name(row),
            text=reminder_text(row),
            note=row.content.note,
            by=row.content.by,
            is_due=row.day <= today,
            links=reminder_pages(row.id, back=page_url),
        )
        for row in reminders
    ]
    used_topics = {row.content.about for row in reminders if row.is_readable}
    free_topics = {code: label for code, label in labels.items() if code not in used_topics}
    return ReminderCard(action, page_url, rows, ReminderForm(today=today, offered=free_topics) if free_topics else None)


@private(methods=("GET", "POST"))
@idempotent
def user_reminder_create(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    clinic_user = find_clinic_user(request, clinic_id, user_id)
    return _create(request, user_subject(clinic_user), crumbs=clinic_user.crumbs)


@private(methods=("GET", "POST"))
@idempotent
def clinic_reminder_create(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    return _create(request, clinic_subject(clinic), crumbs=clinic_crumbs(clinic))


def _create(request: ConsoleRequest, subject: Subject, *, crumbs: Crumbs) -> HttpResponse:
    form, texts = (
        ReminderForm(form_data_or_draft(request), today=get_today(request), offered=REMINDER_TOPICS[subject.kind]),
        _texts(),
    )
    page = partial(_page, request, form, subject, about=subject.kind, crumbs=crumbs)
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    about, day, note = (form.cleaned_data[name] for name in ("about", "day", "note"))
    outcome = submit(
        request,
        form,
        lambda _key: get_reminders(request).add(day, Content(subject, about, note, by=request.admin.name)),
        texts=texts,
        entry=reminder_action(subject, about, day=day, note=note),
        verify=lambda: State(None, is_as_sent=True),  # called only if the same reminder is stored already
    )
    url = back_from_reminder(request)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=url, message=_("Reminder saved."))


@private(methods=("GET", "POST"))
@idempotent
def reminder_edit(request: ConsoleRequest, reminder_id: str) -> HttpResponse:
    reminders = get_reminders(request)
    reminder = reminders.get(reminder_id)
    if not reminder.is_readable:
        return HttpResponseRedirect(reminder_pages(reminder.id)["delete"])
    subject, about = reminder.content.subject, reminder.content.about
    form, texts = ReminderForm(form_data_or_draft(request), today=get_today(request), reminder=reminder), _texts()
    page = partial(_page, request, form, subject, about=about, crumbs=_crumbs(subject))
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    day, note = form.cleaned_data["day"], form.cleaned_data["note"]

    def read_stored() -> State[Reminder]:
        newest = reminders.get(reminder.id)
        return edited(form, newest, {"day": newest.day, "note": newest.content.note})

    outcome = submit(
        request,
        form,
        lambda _key: reminders.update(reminder, version=form.sent_version, day=day, note=note, by=request.admin.name),
        texts=texts,
        entry=reminder_action(subject, about, was=reminder, day=day, note=note),
        verify=read_stored,
    )
    url = back_from_reminder(request)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=url, message=_("Reminder saved."))


@private(methods=("GET", "POST"))
@idempotent
def reminder_delete(request: ConsoleRequest, reminder_id: str) -> HttpResponse:
    reminders = get_reminders(request)
    reminder = reminders.get(reminder_id)
    content, name = reminder.content, {"name": isolated(reminder_name(reminder))}
    texts, back = REMOVE.texts(name), back_from_reminder(request)
    page = ConfirmPage(
        request,
        lambda _problem: REMOVE.question(name, facts=reminder_facts(reminder)),
        texts,
        back=back,
        crumbs=_crumbs(content.subject),
        # A due reminder needs no version to be removed; one that another administrator has postponed does.
        version=reminder.version if reminder.day > get_today(request) else None,
    )
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: reminders.delete(reminder, version=page.form.sent_version),
        texts=texts,
        # One that can't be read has no entry because its subject is not known.
        entry=reminder_action(content.subject, content.about, was=reminder) if reminder.is_readable else None,
        verify=lambda: deleted(lambda: reminders.get(reminder.id)),
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(reminder.id, problem=outcome))
    return done(request, goto=back, message=texts.done, item=row_result(reminder.id))


def _crumbs(subject: Subject) -> Crumbs:
    return [clinics_crumb() if subject.kind == "clinic" else users_crumb()]


def _texts() -> WriteTexts:
    return WriteTexts(
        action=_("Set reminder"),
        failed=_("Failed to save the reminder."),
        unknown=CHECK_VALUES,
    )


def _page(
    request: ConsoleRequest,
    form: ReminderForm,
    subject: Subject,
    *,
    about: str,
    crumbs: Crumbs,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "subject": subject,
        "about": REMINDER_TOPICS[subject.kind].get(about, about) if about != subject.kind else "",
        "problem": problem,
        "crumbs": crumbs,
        "back": back_from_reminder(request),
    }
    return show(request, "groups/reminder_form.html", status=status, **context)
