"""A pending invitation: resent, or canceled."""

from dataclasses import replace
from datetime import datetime, tzinfo

from django.http import HttpResponse
from django.utils.translation import gettext as _

from console.forms.confirm import ConfirmPage, Question, row_result
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, WriteTexts, deleted, error_code, submit
from console.l10n.bidi import isolated
from console.l10n.dates import long_date_text
from console.lists.view import Fact
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest, get_tz
from console.web.responses import done
from groups.audit.users import user_action
from groups.labels import person
from groups.links.blockers import blocker_links
from groups.reading import ClinicUser, find_clinic_user
from groups.tables.users import subject_facts
from groups.views.invitation_sending import sending_texts
from upstream.errors import Code


@private(methods=("GET", "POST"))
@idempotent
def invitation_resend(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    texts = replace(sending_texts(), action=_("Resend invitation"))
    page = ConfirmPage(
        request, lambda problem: _resending(subject, problem), texts, back=subject.back, crumbs=subject.crumbs
    )
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda key: users.resend_invitation(user_id, idempotency_key=key),
        texts=texts,
        entry=user_action("resend", subject.clinic, subject.user),
    )
    url = subject.links["show"] if "stay" in request.POST else subject.back
    if isinstance(outcome, Problem):
        return page.refuse(outcome, item=row_result(user_id, problem=outcome), url=url)
    return done(
        request,
        goto=url,
        message=_sent(subject, outcome.result, get_tz(request)),
        about=[Link(subject.user.called, subject.links["show"])],
        item=row_result(user_id),
    )


def _sent(subject: ClinicUser, expires: datetime | None, tz: tzinfo) -> str:
    name = {"name": person(subject.user)}
    if expires is None:
        # Translators: %(name)s: name of a user, maybe with the email address.
        return _("Invitation sent to %(name)s.") % name
    # Translators: "It" is the invitation; %(name)s: a user; %(date)s: a day, such as Nov 25, 2026.
    text = _("Invitation sent to %(name)s. It expires on %(date)s.")
    return text % {**name, "date": long_date_text(expires, tz)}


@private(methods=("GET", "POST"))
@idempotent
def invitation_cancel(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    subject, users = find_clinic_user(request, clinic_id, user_id), request.upstream.users
    texts = WriteTexts(
        action=_("Cancel invitation"),
        failed=_("Failed to cancel the invitation."),
    )
    page = ConfirmPage(
        request, lambda problem: _canceling(subject, problem), texts, back=subject.back, crumbs=subject.crumbs
    )
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: users.cancel_invitation(user_id),
        texts=texts,
        entry=user_action("cancel", subject.clinic, subject.user),
        verify=lambda: deleted(lambda: users.get(subject.user.id)),
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    # Translators: %(name)s: the user who was invited.
    message = _("Invitation for %(name)s canceled.") % {"name": person(subject.user)}
    return done(request, goto=subject.back, message=message, about=[Link(subject.user.called, "")])


def _resending(subject: ClinicUser, problem: Problem | None) -> Question:
    # Translators: a question, and a heading; %(name)s: name of a user.
    title = _("Resend the invitation to %(name)s?") % {"name": isolated(subject.user.called)}
    if _has_accepted(subject, problem):
        return _accepted(subject, title)
    email = {"email": isolated(subject.user.email)}
    # Translators: text of a confirmation page; %(email)s: an email address.
    text = _("A new email will be sent to %(email)s. The link in the earlier email will no longer work.") % email
    return Question(
        title,
        [text],
        _("Resend invitation"),
        is_danger=False,
        facts=_facts(subject),
    )


def _canceling(subject: ClinicUser, problem: Problem | None) -> Question:
    name = {"name": isolated(subject.user.called)}
    # Translators: a question, and a heading; %(name)s: name of a user.
    title = _("Cancel the invitation for %(name)s?") % name
    if _has_accepted(subject, problem):
        return _accepted(subject, title)
    return Question(
        title,
        # Translators: text of a confirmation page; %(name)s: name of a user, of any gender.
        [_("%(name)s will be removed from the clinic, and the link in the email will no longer work.") % name],
        _("Cancel invitation"),
        facts=_facts(subject),
        blockers=blocker_links(
            problem.reasons if problem else (), clinic_id=subject.clinic.id, user_name=subject.user.name
        ),
        blocked=_("You can't cancel this invitation yet."),
        # Translators: button: go back, and do not cancel the invitation.
        keep=_("Keep invitation"),
    )


def _has_accepted(subject: ClinicUser, problem: Problem | None) -> bool:
    """Return True if the user has accepted by now, so that there is nothing left to confirm."""
    is_refused = problem is not None and error_code(problem.error) == Code.NOT_INVITED
    return is_refused or not subject.user.is_invited


def _accepted(subject: ClinicUser, title: str) -> Question:
    name = {"name": isolated(subject.user.called)}
    return Question(
        title,
        # Translators: %(name)s: name of a user, of any gender.
        [_("%(name)s has already accepted the invitation.") % name],
        facts=_facts(subject),
    )


def _facts(subject: ClinicUser) -> list[Fact]:
    return subject_facts(subject.user, clinic_name=subject.clinic.called)
