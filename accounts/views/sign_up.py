"""Signing up: creates an organization and its first administrator in one call."""

from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import links
from accounts.forms.sign_up import CHECKED, SignUpForm
from accounts.reading import locations
from accounts.reading.documents import document
from accounts.views.availability import check_availability, is_in_use
from console.errors import ValueInUse
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent, may_be_done
from console.forms.submit import Problem, WriteTexts, submit
from console.sessions import throttle
from console.shell.error_pages import redirect_or_json
from console.shell.navigation import home
from console.web import maintenance
from console.web.access import public
from console.web.request import ConsoleRequest, get_login, wants_json
from console.web.responses import Answer, done, json, show
from upstream.resources.admins import NewAccount


@public(methods=("GET", "POST"), has_form=True)
@idempotent
def account_create(request: ConsoleRequest, warning: str = "") -> HttpResponse:
    if get_login(request):
        return HttpResponseRedirect(home(), status=303 if request.method == "POST" else 302)
    if maintenance.closes(maintenance.SIGN_UP, maintenance.current_notice(request)):
        return redirect_or_json(request, "/maintenance", status=503)
    if request.method == "POST" and "carried" in request.POST:  # from the login
        return HttpResponseRedirect(links.with_email(request.path, request.POST.get("email", "")), status=303)
    form = _form(request)
    if request.method == "POST" and (field := request.POST.get("check")) in CHECKED:
        return _checked(request, form, field)
    page = partial(_page, request, form, warning=warning)
    texts = WriteTexts(
        action=_("Create account"),
        failed=_("Failed to create your account."),
        unknown=_(
            "We couldn't confirm whether this worked. Check your inbox for our email, or try logging in, before you "
            "try again."
        ),
        already_sent=_("You already submitted this. Try logging in before you submit it again."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    url = links.with_email(reverse("accounts:login"), form.cleaned_data["email"], reason="created")
    # No entry: there is no organization yet.
    outcome = submit(request, form, lambda key: _sign_up(request, form, key), texts=texts)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=url, message=_("Account created."))


def _form(request: ConsoleRequest) -> SignUpForm:
    """Return the submitted form, or an unbound one with the same values if its token was stale."""
    is_sent = request.method == "POST"
    initial = {"email": links.email_in(request), **(request.POST.dict() if not is_sent else {})}
    return SignUpForm(
        request.POST if is_sent else None,
        initial=initial,
        locations=locations.offered(request),
        terms_version=document("terms", request.lng).version,
    )


def _page(
    request: ConsoleRequest, form: SignUpForm, *, problem: Problem | None = None, warning: str = "", **more: Any
) -> HttpResponse:
    return show(request, "accounts/account_create.html", form=form, problem=problem, warning=warning, **more)


def _checked(request: ConsoleRequest, form: SignUpForm, name: str) -> HttpResponse:
    """Respond to "Check Availability" of one field: in place, or with the form and all its values."""
    location = form.data.get("server_location", "")
    check = check_availability(request, form, name, lambda value: is_in_use(request, name, value, location))
    if wants_json(request):
        return json(request, Answer(ok=not check.is_error, message=check.text, item=check))
    form.set_check(name, check)
    return _page(request, form)


def _sign_up(request: ConsoleRequest, form: SignUpForm, key: str) -> None:
    """Check again that the values are free, and sign up."""
    # This also reveals which values are in use, so it is throttled.
    throttle.enter("sign-up", address=request.client_ip)
    account = form.account(language=request.lng)
    if not may_be_done(request):  # otherwise this form may have created them
        _reject_duplicates(request, account)
    request.upstream.admins.sign_up(account, idempotency_key=key)


def _reject_duplicates(request: ConsoleRequest, account: NewAccount) -> None:
    """Raise ValueInUse if the email or the name is in use; values that can't be checked are left to the service."""
    email, name = request.upstream.together(
        lambda: is_in_use(request, "email", account.email, account.server_location),
        lambda: is_in_use(request, "organization_name", account.organization_name, account.server_location),
    )
    if duplicates := [field for field, exists in (("email", email), ("organization_name", name)) if exists]:
        raise ValueInUse(*duplicates)
