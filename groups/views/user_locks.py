"""A user locked, who can't log in until they are unlocked: for who is away or has left, instead of deleting them."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.access import private
from console.failures import not_offered
from console.forms.confirm import Question, confirm
from console.forms.submit import Problem, State, WriteTexts
from console.http import ConsoleRequest
from console.lists.view import Link
from console.text.bidi import filled, isolated
from console.upstream.resources.users import User
from groups.activity import user_act
from groups.labels import person
from groups.reading import ClinicUser, find_clinic_user
from groups.tables.users import subject_facts


@private(methods=("GET", "POST"))
def user_lock(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _set_locked(request, clinic_id, user_id, True)


@private(methods=("GET", "POST"))
def user_unlock(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    return _set_locked(request, clinic_id, user_id, False)


def _set_locked(request: ConsoleRequest, clinic_id: str, user_id: str, locked: bool) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    done, failed, unknown = _told(locked)

    def check() -> State[User]:
        newest = users.get(user_id)
        return State(newest, is_as_sent=newest.is_locked == locked)

    def question(problem: Problem | None) -> Question:
        shown = replace(subject, user=problem.newest) if problem and problem.newest else subject
        return _question(shown, locked, is_offered=users.can_be_locked)

    return confirm(
        request,
        question,
        act=lambda _key, _version: users.set_locked(user_id, locked),
        activity=lambda: user_act("lock" if locked else "unlock", subject.clinic, subject.user),
        check=check,
        texts=WriteTexts(done % {"name": person(subject.user)}, failed, unknown),
        about=Link(subject.user.called, subject.links["show"]),
        back=subject.back,
        crumbs=subject.crumbs,
    )


def _told(locked: bool) -> tuple[str, str, str]:
    """That it was done, was not, or that nobody knows."""
    if locked:
        unknown = _("It is not known whether the user was locked. Look at the list before you try again.")
        # Translators: %(name)s: a user, of any gender, maybe with the email address.
        return _("%(name)s was locked."), _("Failed to lock the user."), unknown
    unknown = _("It is not known whether the user was unlocked. Look at the list before you try again.")
    # Translators: %(name)s: a user, of any gender, maybe with the email address.
    return _("%(name)s was unlocked."), _("Failed to unlock the user."), unknown


def _question(subject: ClinicUser, locked: bool, *, is_offered: bool) -> Question:
    """Ask, or say why there is nothing to ask."""
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
        told = _("%(name)s is locked already.") if user.is_locked else _("Only active users can be locked.")
        return Question(title, [filled(told, name)], facts=facts)
    if not locked and not user.is_locked:
        # Translators: %(name)s: name of a user, of any gender.
        return Question(title, [_("%(name)s is not locked.") % name], facts=facts)
    if locked:
        # Translators: said before it is done; %(name)s and "them": a user, of any gender.
        told = _("%(name)s won't be able to log in until you unlock them. Nothing will be deleted.") % name
        return Question(title, [told], _("Lock user"), is_danger=False, facts=facts)
    # Translators: said before it is done; %(name)s: name of a user, of any gender.
    told = _("%(name)s will be able to log in again.") % name
    return Question(title, [told], _("Unlock user"), is_danger=False, facts=facts)
