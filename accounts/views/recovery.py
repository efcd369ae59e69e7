"""Account recovery for a lost password: an email with a link, and the page that the link opens."""

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import links
from accounts.forms.forgot import ForgotForm
from accounts.forms.passwords import NewPasswordForm
from accounts.reading.locations import default_api_url, find_region, get_api_url
from console.errors import UnusableResponse
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.submit import Problem, WriteTexts, submit
from console.sessions import throttle
from console.web.access import public
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from upstream.errors import Code, ForeignHost, NotFound

ANSWER_TAKES = 0.6
"""Minimum seconds of the response, so that its duration does not reveal whether the email is known."""


@public(methods=("GET", "POST"), has_form=True)
@idempotent
def reset_link_send(request: ConsoleRequest, warning: str = "") -> HttpResponse:
    if request.method == "POST" and "carried" in request.POST:  # from the login
        return HttpResponseRedirect(links.with_email(request.path, request.POST.get("email", "")), status=303)
    email = links.email_in(request)
    is_sent = request.method == "POST"
    form = ForgotForm(request.POST if is_sent else None, initial={"email": email or request.POST.get("email", "")})
    texts = WriteTexts(
        action=_("Send email"),
        failed=_("Failed to send you a password reset email."),
        unknown=_("We couldn't confirm whether this worked. Check your inbox before you try again."),
        already_sent=_("You already submitted this. Check your inbox before you submit it again."),
    )

    def page(**more: Any) -> HttpResponse:
        return show(
            request,
            "accounts/reset_link_send.html",
            form=form,
            warning=warning,
            sent_to=email if "sent" in request.GET and not is_sent else "",
            wait=throttle.MAILS.gap.seconds,
            login_url=links.with_email(reverse("accounts:login"), email),
            **{"problem": None, **more},
        )

    if not is_sent or not form.is_valid():
        return show_form(request, form, page, texts)

    # No entry: without a login, the account must not be revealed.
    email = form.cleaned_data["email"]
    outcome = submit(request, form, lambda _key: _send_link(request, email), texts=texts)
    url = links.with_email(request.path, email, sent="1")
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    message = _("If there's an account for this email address, we'll send a link to it.")
    return done(request, goto=url, message=message)


def _send_link(request: ConsoleRequest, email: str) -> None:
    """Request the email. A known and an unknown address make the same calls and take the same time."""
    try:
        with throttle.lasting(ANSWER_TAKES):
            throttle.enter("forgot", email=email, address=request.client_ip, account=throttle.MAILS)
            region = find_region(request, email)
            api_url = region.api_url if region else default_api_url()
            if api_url:
                service_id = region.service_domain_id if region else None
                request.upstream.admins.forgot_password(email, api_url=api_url, service_id=service_id)
    except ForeignHost as error:
        raise UnusableResponse("a region at a foreign host") from error
    except NotFound as error:
        if error.code != Code.NOT_FOUND:
            raise UnusableResponse("no such call") from error
        # The address is unknown, which stays secret.


@public(methods=("GET", "POST"), has_form=True)
@idempotent
def password_reset(request: ConsoleRequest, link_id: str, warning: str = "") -> HttpResponse:
    """The page never reveals whose password it is, and the link isn't tried before the form is submitted."""
    form = NewPasswordForm(request.POST if request.method == "POST" else None)
    location = request.POST.get("r") or request.GET.get("r", "")
    texts = WriteTexts(
        action=_("Set password"),
        failed=_("Failed to update your password."),
        unknown=_(
            "We couldn't confirm whether this worked. Try logging in with the new password before you try again."
        ),
        missing=_link_ended("UNKNOWN"),
        already_sent=_("You already submitted this. Try logging in with the new password before you submit it again."),
    )

    def page(*, problem: Problem | None = None, **more: Any) -> HttpResponse:
        more |= {"form": form, "location": location, "warning": warning, "ended": _why_ended(problem)}
        return show(request, "accounts/password_reset.html", problem=problem, **more)

    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def reset(_key: str) -> None:
        throttle.enter("reset", address=request.client_ip)
        password = form.cleaned_data["new_password"]
        request.upstream.admins.reset_password(link_id, password, api_url=get_api_url(location))

    # No entry: there is no login, and the link does not identify the account.
    outcome = submit(request, form, reset, texts=texts)
    url = reverse("accounts:login") + "?reason=reset"
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=url, message=_("Password changed."))


def _why_ended(problem: Problem | None) -> str:
    """Return why the link can't be used; "" if it may work."""
    if problem is None or not isinstance(problem.error, NotFound):
        return ""
    return _link_ended(next((row.reason for row in problem.error.reasons), "UNKNOWN"))


def _link_ended(reason: str) -> str:
    """Return the message about a link that the service refuses (code 11007)."""
    match reason:
        case "USED":
            return _("This link was already used. If you still can't log in, request a new one.")
        case "EXPIRED":
            return _("This link has expired. Request a new one.")
    return _("This link doesn't work. Use the link in our latest email, or request a new one.")
