"""Changing the email: requested in the account, and activated by the link in the email to the new address."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import links
from accounts.audit import account_entry
from accounts.ending import end
from accounts.forms.my_account import ActivateEmailForm, EmailForm
from accounts.reading.locations import get_api_url
from accounts.views.current_password import check_password, counted_attempt
from console.audit.content import Change
from console.forms.confirm import ConfirmPage, Question
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, submit
from console.l10n.bidi import isolated
from console.l10n.dates import local_moment
from console.sessions import throttle
from console.web.access import private, public
from console.web.request import ConsoleRequest, get_login, get_tz
from console.web.responses import done, show
from upstream.emails import email_key
from upstream.errors import Code, NotDone, NotFound, UpstreamError
from upstream.resources.admins import Admin


@private(methods=("GET", "POST"))
@idempotent
def email_edit(request: ConsoleRequest) -> HttpResponse:
    admins, requires_password = request.upstream.admins, settings.EMAIL_CHANGE_ASKS_PASSWORD
    admin = admins.get(request.admin.id)
    form = EmailForm(form_data_or_draft(request), current=admin.email, requires_password=requires_password)
    texts = WriteTexts(
        action=_("Change email address"),
        failed=_("Failed to change the email address."),
        unknown=_("We couldn't confirm whether this worked. Check the inbox of the new address before you try again."),
    )

    def page(*, problem: Problem | None = None, **more: Any) -> HttpResponse:
        current: Admin = problem.newest if problem and problem.newest else admin
        return _email_page(request, form, current, problem=problem, **more)

    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    email = form.cleaned_data["email"]

    def change(_key: str) -> None:
        if requires_password:
            with counted_attempt(request):
                check_password(request, admin.email, form.cleaned_data["current_password"])
        throttle.enter("email-change", email=request.admin.identity, address=request.client_ip)
        admins.change_email(request.admin.id, email)

    entry = account_entry(request, "email", Change("email", admin.email, email))
    outcome = submit(request, form, change, texts=texts, entry=entry, verify=lambda: _is_pending(request, email))
    url = reverse("accounts:email-edit")
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    # Translators: email: an email address.
    message = _("Verification link sent to %(email)s.") % {"email": isolated(email)}
    # The page of the form would report the same again, with the email that is pending.
    return done(request, goto=links.account_url(), message=message)


def _is_pending(request: ConsoleRequest, email: str) -> State[Admin]:
    """Return the stored state, which matches if this email is waiting for activation."""
    newest = request.upstream.admins.get(request.admin.id)
    pending = newest.pending_email
    return State(newest, is_as_sent=pending is not None and email_key(pending.email) == email_key(email))


def _email_page(request: ConsoleRequest, form: EmailForm, admin: Admin, **more: Any) -> HttpResponse:
    pending, admins = admin.pending_email, request.upstream.admins
    ends = pending.expires_date if pending else None
    context = {
        "problem": None,
        "back": links.account_url(),
        "crumbs": [links.account_crumb()],
        "admin": admin,
        "pending": pending if pending and pending.email else None,
        "ends": local_moment(ends, get_tz(request)) if ends else None,
        "has_ended": ends is not None and ends <= timezone.now(),
        "can_resend": admins.can_resend_email_change,
        "can_cancel": admins.can_cancel_email_change,
        **more,
    }
    return show(request, "accounts/email_edit.html", form=form, **context)


@private(methods=("GET", "POST"))
@idempotent
def email_change_resend(request: ConsoleRequest) -> HttpResponse:
    texts = WriteTexts(
        action=_("Resend"),
        failed=_("Failed to resend the email."),
        unknown=_("We couldn't confirm whether this worked. Check the inbox of the new address before you try again."),
        missing=_("There's no longer a new email address to verify."),
    )
    question = Question(
        # Translators: a question, and a heading.
        _("Resend the email?"),
        [_("The link in the previous email will stop working.")],
        _("Resend"),
        is_danger=False,
    )
    back = reverse("accounts:email-edit")
    page = ConfirmPage(request, lambda _problem: question, texts, back=back, crumbs=_email_crumbs())
    if not page.is_confirmed:
        return page.show()

    def resend(_key: str) -> None:
        email, address = request.admin.identity, request.client_ip
        throttle.enter("email-resend", email=email, address=address, account=throttle.MAILS)
        request.upstream.admins.resend_email_change(request.admin.id)

    outcome = submit(request, page.form, resend, texts=texts, entry=account_entry(request, "email_resend"))
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(request, goto=back, message=_("We're resending the email."))


@private(methods=("GET", "POST"))
@idempotent
def email_change_cancel(request: ConsoleRequest) -> HttpResponse:
    admins, me = request.upstream.admins, request.admin.id
    texts = WriteTexts(
        action=_("Keep current email address"),
        failed=_("Failed to cancel the email address change."),
        unknown=CHECK_VALUES,
        missing=_("There's no longer a new email address to verify."),
    )
    question = Question(
        _("Keep your current email address?"),
        [_("The link we sent to the new address will stop working.")],
        _("Keep current email address"),
    )
    back = reverse("accounts:email-edit")
    page = ConfirmPage(request, lambda _problem: question, texts, back=back, crumbs=_email_crumbs())
    if not page.is_confirmed:
        return page.show()

    def read_stored() -> State[Admin]:
        newest = admins.get(me)
        return State(newest, is_as_sent=newest.pending_email is None)

    outcome = submit(
        request,
        page.form,
        lambda _key: admins.cancel_email_change(me),
        texts=texts,
        entry=account_entry(request, "email_cancel"),
        verify=read_stored,
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(request, goto=back, message=_("Your email address won't change."))


def _email_crumbs() -> list[dict[str, str]]:
    return [links.account_crumb(), {"label": _("Email"), "href": reverse("accounts:email-edit")}]


@public(methods=("GET", "POST"), has_form=True)
@idempotent
def email_activate(request: ConsoleRequest, link_id: str, warning: str = "") -> HttpResponse:
    """Show a form on GET, because mail scanners open links (conformance RT-40)."""
    form = ActivateEmailForm(request.POST if request.method == "POST" else None)
    location = request.POST.get("r") or request.GET.get("r", "")
    waiting = _waiting_email(request) if request.method == "POST" else ""

    texts = WriteTexts(
        action=_("Verify the new email address"),
        failed=_("Failed to change the email address."),
        unknown=_(
            "We couldn't confirm whether this worked. Try logging in with the new email address before you try again."
        ),
        missing=_link_ended("UNKNOWN"),
        already_sent=_("You already submitted this. Try logging in with your new email address."),
    )

    def page(*, problem: Problem | None = None, **more: Any) -> HttpResponse:
        more |= {"form": form, "location": location, "warning": warning, "ended": _why_not(problem)}
        return show(request, "accounts/email_activate.html", problem=problem, **more)

    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def activate(_key: str) -> None:
        throttle.enter("activate", address=request.client_ip)
        request.upstream.admins.activate_email(link_id, api_url=get_api_url(location))

    # No entry: a link in an email, without a login, does not say whose organization it is.
    outcome = submit(request, form, activate, texts=texts)
    login_url = links.with_email(reverse("accounts:login"), waiting, reason="email")
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=login_url)
    end(request)
    return done(request, goto=login_url, message=_("Email address changed."))


def _waiting_email(request: ConsoleRequest) -> str:
    """Return the pending email of the current login, to prefill the next login; "" if unknown."""
    if get_login(request) is None:
        return ""
    try:
        pending = request.upstream.admins.get(request.admin.id).pending_email
    except UpstreamError:
        return ""
    return pending.email if pending else ""


def _why_not(problem: Problem | None) -> str:
    """Return why the link can't be used; "" if it may work."""
    match problem.error if problem else None:
        case NotFound() as error:
            return _link_ended(next((row.reason for row in error.reasons), "UNKNOWN"))
        case NotDone(code=Code.EMAIL_IN_USE):
            return _(
                "Another account now uses this email address. Log in with your previous address and choose a different "
                "one."
            )
    return ""


def _link_ended(reason: str) -> str:
    """Return the message about a link that the service refuses (code 11007)."""
    match reason:
        case "USED":
            return _("This link was already used, and your email address was changed. Log in with the new address.")
        case "EXPIRED":
            return _("This link has expired. Log in with your previous email address and request a new link.")
    return _("This link doesn't work. Use the link in our latest email, or request a new one.")
