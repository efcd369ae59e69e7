"""Locking and unlocking a user: a locked user can't log in, which can replace a deletion."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.forms.confirm import ConfirmPage, Question, row_result
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, State, WriteTexts, submit
from console.l10n.bidi import filled, isolated
from console.web.access import private
from console.web.failures import not_offered
from console.web.links import Link
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from console.web.responses import done
from groups.audit.users import user_action
from groups.labels import OPEN_SESSIONS, person
from groups.reading import ClinicUser, find_clinic_user
from groups.tables.users import subject_facts
from upstream.resources.users import User


@private(methods=("GET", "POST"))
@idempotent
def user_lock(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _set_locked(request, clinic_id, user_id, True)


@private(methods=("GET", "POST"))
@idempotent
def user_unlock(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _set_locked(request, clinic_id, user_id, False)


def _set_locked(request: ConsoleRequest, clinic_id: str, user_id: str, locked: bool) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    message, texts = _messages(locked)

    def question(problem: Problem | None) -> Question:
        current = replace(subject, user=problem.newest) if problem and problem.newest else subject
        return _question(current, locked, is_offered=users.can_be_locked)

    page = ConfirmPage(request, question, texts, back=subject.back, crumbs=subject.crumbs)
    if not page.is_confirmed:
        return page.show()

    def read_stored() -> State[User]:
        newest = users.get(user_id)
        return State(newest, is_as_sent=newest.is_locked == locked)

    outcome = submit(
        request,
        page.form,
        lambda _key: users.set_locked(user_id, locked),
        texts=texts,
        entry=user_action("lock" if locked else "unlock", subject.clinic, subject.user),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(user_id, problem=outcome))
    return done(
        request,
        goto=subject.back,
        message=message % {"name": person(subject.user)},
        about=[Link(subject.user.called, subject.links["show"])],
        item=row_result(user_id),
        undo=get_path("groups:user-unlock" if locked else "groups:user-lock", clinic_id, user_id),
    )


def _messages(locked: bool) -> tuple[str, WriteTexts]:
    """Return the sentence for success, and the other texts."""
    if locked:
        # Translators: %(name)s: a user, of any gender, maybe with the email address.
        return _("%(name)s was locked."), WriteTexts(action=_("Lock user"), failed=_("Failed to lock the user."))
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    return _("%(name)s was unlocked."), WriteTexts(action=_("Unlock user"), failed=_("Failed to unlock the user."))


def _question(subject: ClinicUser, locked: bool, *, is_offered: bool) -> Question:
    """Return the question, or the reason why there is nothing to confirm."""
    user, name = subject.user, {"name": isolated(subject.user.called)}
    facts = subject_facts(user, clinic_name=subject.clinic.called)
    title = (
        # Translators: a question, and a heading; %(name)s: name of a user.
        _("Lock %(name)s?")
        if locked
        # Translators: a question, and a heading; %(name)s: name of a user.
        else _("Unlock %(name)s?")
    ) % name
    if not is_offered:
        return Question(title, [not_offered()], facts=facts)
    if locked and not user.is_active:
        # Translators: %(name)s: name of a user, of any gender.
        text = _("%(name)s is already locked.") if user.is_locked else _("Only active users can be locked.")
        return Question(title, [filled(text, name)], facts=facts)
    if not locked and not user.is_locked:
        # Translators: %(name)s: name of a user, of any gender.
        return Question(title, [_("%(name)s isn't locked.") % name], facts=facts)
    if locked:
        # Translators: text of a confirmation page; %(name)s: a user, of any gender.
        text = _("%(name)s won't be able to log in until you unlock the account. No data will be deleted.") % name
        return Question(title, [text, str(OPEN_SESSIONS)], _("Lock user"), is_danger=False, facts=facts)
    # Translators: text of a confirmation page; %(name)s: name of a user, of any gender.
    text = _("%(name)s will be able to log in again.") % name
    return Question(title, [text], _("Unlock user"), is_danger=False, facts=facts)
