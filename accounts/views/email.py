"""Another email: asked for in the own account, and activated by the link of the mail that goes to it."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import links
from accounts.activity import own_act
from accounts.ending import end
from accounts.forms.my_account import ActivateEmailForm, EmailForm
from accounts.reading.locations import api_url_of
from accounts.views.current_password import asked, check_password
from console import throttle
from console.access import private, public
from console.activity.content import Change
from console.email_addresses import email_key
from console.forms.confirm import Question, confirm
from console.forms.drafts import typed
from console.forms.submit import Problem, State, WriteTexts
from console.forms.write import save
from console.http import ConsoleRequest, login_of, zone_of
from console.respond import show
from console.text.bidi import isolated
from console.text.dates import told
from console.upstream.errors import Code, NotDone, NotFound, UpstreamError
from console.upstream.resources.admins import Admin


@private(methods=("GET", "POST"))
def email_edit(request: ConsoleRequest) -> HttpResponse:
    admins, asks = request.upstream.admins, settings.EMAIL_CHANGE_ASKS_PASSWORD
    admin = admins.get(request.admin.id)
    form = EmailForm(typed(request), current=admin.email, asks_password=asks)

    def act(_key: str) -> None:
        if asks:
            with asked(request):
                check_password(request, admin.email, form.cleaned_data["current_password"])
        throttle.enter("email-change", email=request.admin.identity, address=request.client_ip)
        admins.change_email(request.admin.id, form.cleaned_data["email"])

    def said(_result: object) -> str:
        # Translators: email: an email address.
        return _("We are sending an email with a link to %(email)s.") % {"email": isolated(form.cleaned_data["email"])}

    def page(*, problem: Problem | None = None, **more: Any) -> HttpResponse:
        shown: Admin = problem.newest if problem and problem.newest else admin
        return _email_page(request, form, shown, problem=problem, **more)

    return save(
        request,
        form,
        act=act,
        activity=lambda: own_act(request, "email", Change("email", admin.email, form.cleaned_data["email"])),
        check=lambda: _waits(request, form.cleaned_data["email"]),
        said=said,
        texts=WriteTexts(
            done="",
            failed=_("Failed to change the email address."),
            unknown=_("It is not known whether the email was sent. Check the inbox of the new address."),
        ),
        goto=reverse("accounts:email-edit"),
        page=page,
    )


def _waits(request: ConsoleRequest, email: str) -> State[Admin]:
    """Whether this address waits for its activation now."""
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
        "ends": told(ends, zone_of(request)) if ends else None,
        "has_ended": ends is not None and ends <= timezone.now(),
        "can_resend": admins.can_resend_email_change,
        "can_cancel": admins.can_cancel_email_change,
        **more,
    }
    return show(request, "accounts/email_edit.html", form=form, **context)


@private(methods=("GET", "POST"))
def email_change_resend(request: ConsoleRequest) -> HttpResponse:
    def act(_key: str, _version: int | None) -> None:
        email, address = request.admin.identity, request.client_ip
        throttle.enter("email-resend", email=email, address=address, account=throttle.MAILS)
        request.upstream.admins.resend_email_change(request.admin.id)

    return confirm(
        request,
        lambda _problem: Question(
            _("Send the email again?"),
            [_("The link in the previous email stops working.")],
            _("Send again"),
            is_danger=False,
        ),
        act=act,
        activity=lambda: own_act(request, "email_resend"),
        texts=WriteTexts(
            done=_("We are sending the email again."),
            failed=_("Failed to send the email again."),
            unknown=_("It is not known whether the email was sent. Check the inbox of the new address."),
            missing=_("No new email is waiting to be activated anymore."),
        ),
        back=reverse("accounts:email-edit"),
        crumbs=_email_crumbs(),
    )


@private(methods=("GET", "POST"))
def email_change_cancel(request: ConsoleRequest) -> HttpResponse:
    admins = request.upstream.admins

    def check() -> State[Admin]:
        newest = admins.get(request.admin.id)
        return State(newest, is_as_sent=newest.pending_email is None)

    return confirm(
        request,
        lambda _problem: Question(
            _("Keep your current email?"),
            [_("The link that was sent to the new email stops working.")],
            _("Keep the current email"),
        ),
        act=lambda _key, _version: admins.cancel_email_change(request.admin.id),
        activity=lambda: own_act(request, "email_cancel"),
        check=check,
        texts=WriteTexts(
            done=_("Your email stays as it is."),
            failed=_("Failed to cancel the email change."),
            unknown=_("It is not known whether the email change was canceled."),
            missing=_("No new email is waiting to be activated anymore."),
        ),
        back=reverse("accounts:email-edit"),
        crumbs=_email_crumbs(),
    )


def _email_crumbs() -> list[dict[str, str]]:
    return [links.account_crumb(), {"label": _("Email"), "href": reverse("accounts:email-edit")}]


@public(methods=("GET", "POST"), has_form=True)
def email_activate(request: ConsoleRequest, link_id: str, warning: str = "") -> HttpResponse:
    """A GET only asks: scanners of mails open links (conformance RT-40)."""
    form = ActivateEmailForm(request.POST if request.method == "POST" else None)
    location = request.POST.get("r") or request.GET.get("r", "")
    waiting = _waiting_email(request) if request.method == "POST" else ""

    def act(_key: str) -> None:
        throttle.enter("activate", address=request.client_ip)
        request.upstream.admins.activate_email(link_id, api_url=api_url_of(location))

    def goto() -> str:
        end(request)
        return links.with_email(reverse("accounts:login"), waiting, reason="email")

    def page(*, problem: Problem | None = None, **more: Any) -> HttpResponse:
        more |= {"form": form, "location": location, "warning": warning, "ended": _why_not(problem)}
        return show(request, "accounts/email_activate.html", problem=problem, **more)

    return save(
        request,
        form,
        act=act,
        activity=None,  # by a link in a mail, without a login: nobody knows whose organization it is
        texts=WriteTexts(
            done=_("Your email was changed."),
            failed=_("Failed to change the email address."),
            unknown=_("It is not known whether your email was changed. Try to log in with the new one."),
            missing=_link_ended("UNKNOWN"),
            again=_("This was sent before. Try to log in with the new email."),
        ),
        goto=goto,
        page=page,
    )


def _waiting_email(request: ConsoleRequest) -> str:
    """The new email of whoever is logged in, so that the login begins with it; "" where that is not known."""
    if login_of(request) is None:
        return ""
    try:
        pending = request.upstream.admins.get(request.admin.id).pending_email
    except UpstreamError:
        return ""
    return pending.email if pending else ""


def _why_not(problem: Problem | None) -> str:
    """Why the link can't be used; "" where it may be."""
    match problem.error if problem else None:
        case NotFound() as error:
            return _link_ended(next((told.reason for told in error.reasons), "UNKNOWN"))
        case NotDone(code=Code.EMAIL_IN_USE):
            return _("Someone else uses this email now. Log in with your former email, and choose another one.")
    return ""


def _link_ended(reason: str) -> str:
    """What to do about a link that the service does not take (code 11007)."""
    match reason:
        case "USED":
            return _("This link was already used, so your email was changed. Log in with the new one.")
        case "EXPIRED":
            return _("This link is too old. Log in with your former email, and have the link sent again.")
    return _("This link does not work. Use the latest email from us, or have it sent again.")
