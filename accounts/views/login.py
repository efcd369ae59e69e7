"""Logging in: find the region, get a token, open a session."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import links
from accounts.ending import end, expire
from accounts.forms.login import LoginForm
from accounts.reading.locations import default_api_url, find_region
from accounts.views.session import session_state
from console.config.database_errors import log_storage_failure
from console.errors import TooManyAttempts, UnusableResponse
from console.sessions import throttle
from console.sessions.crypto import StoredSession
from console.sessions.login import add_detail, open_login
from console.shell.navigation import home
from console.web import maintenance
from console.web.access import public
from console.web.failures import describe, generic_message
from console.web.request import ConsoleRequest, attach_client, get_login, wants_json
from console.web.responses import Answer, json
from upstream.errors import (
    ForeignHost,
    Maintenance,
    NotDone,
    NotFound,
    Refused,
    ServerCode15001,
    SessionEnded,
    UpstreamError,
)
from upstream.nouns import UNREADABLE_ID
from upstream.resources.oauth import TokenInfo
from upstream.resources.regions import DomainKind, Region

MIN_REFUSAL_S = 0.6
"""Minimum seconds of a refusal, so that its duration does not reveal whether the email is known."""


class LoginRefused(Exception):
    """The service refuses the login; the reason stays secret."""


@public(methods=("GET", "POST"), has_form=True)
def login(request: ConsoleRequest, warning: str = "") -> HttpResponse:
    goto = safe_next(request)
    if request.method != "POST" and get_login(request):
        return _logged_in(request, goto)
    notice = maintenance.current_notice(request)
    if maintenance.closes(maintenance.LOGIN, notice):
        if wants_json(request):
            return json(request, Answer(ok=False, message=_("The service is under maintenance.")), status=503)
        return HttpResponseRedirect("/maintenance")
    initial = {name: request.POST.get(name, "") for name in ("email", "keep")}  # values of a request with a stale token
    initial["email"] = initial["email"] or links.email_in(request)
    form = LoginForm(request.POST if request.method == "POST" else None, initial=initial)
    status, wait, wait_minutes = 200, 0, 0
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                with _constant_time_refusal():
                    _log_in(request, **form.cleaned_data)
                return _logged_in(request, goto)
            except TooManyAttempts as error:
                wait = error.retry_after or 0
                status, wait_minutes = 429, -(-wait // 60)
                form.add_error(None, _("Login failed. Check your ID and password again."))
            except LoginRefused:
                form.add_error(None, _("Login failed. Check your ID and password again."))
            except (NotDone, NotFound, SessionEnded, ForeignHost, UnusableResponse) as error:
                form.add_error(None, generic_message())
                # A service that doesn't know its own administrator must not cause a 404 of this page.
                status = 502 if isinstance(error, NotFound) else describe(error).status
            except DatabaseError as error:
                log_storage_failure("a login could not be stored", error)
                form.add_error(None, generic_message())
                status = 503
    reason = request.GET.get("reason") if request.method == "GET" else None
    context = {
        "form": form,
        "next": goto if goto != home() else "",
        "expired": reason in ("expired", "unknown"),
        "unknown": reason == "unknown",
        "created": reason == "created",
        "reset": reason == "reset",
        "email_changed": reason == "email",
        "notice": notice,
        "warning": warning,
        "wait_minutes": wait_minutes,
    }
    if wants_json(request):
        response = _refused(request, form, status=status, wait_minutes=wait_minutes)
    else:
        response = render(request, "accounts/login.html", context, status=status)
    if wait:
        response.headers["Retry-After"] = str(wait)
    return response


def _logged_in(request: ConsoleRequest, goto: str) -> HttpResponse:
    """Redirect to `goto`; the dialog of an open page gets the session state for its forms."""
    if wants_json(request):
        return json(request, Answer(ok=True, item=session_state(request)))
    return HttpResponseRedirect(goto, status=303 if request.method == "POST" else 302)


def _refused(request: ConsoleRequest, form: LoginForm, *, status: int, wait_minutes: int) -> HttpResponse:
    """Return the page's messages for the dialog."""
    errors = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    sentences = [text for texts in errors.values() for text in texts]
    if wait_minutes:
        wait = ngettext(
            "Too many attempts. Try again in %(minutes)s minute.",
            "Too many attempts. Try again in %(minutes)s minutes.",
            wait_minutes,
        )
        sentences.append(wait % {"minutes": wait_minutes})
    fields = {name: texts for name, texts in errors.items() if name in form.fields}
    return json(request, Answer(ok=False, message=" ".join(sentences), errors=fields), status=status)


def safe_next(request: ConsoleRequest) -> str:
    """Return the path after the login: one on this site that starts with a single slash, or else the home page."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    one_slash = target.startswith("/") and target[1:2] not in ("/", "\\") and target.isprintable()
    safe = one_slash and url_has_allowed_host_and_scheme(target, allowed_hosts=None, require_https=request.is_secure())
    return target if safe and target.split("?")[0] not in ("/", "/login", "/logout") else home()


def _log_in(request: ConsoleRequest, *, email: str, password: str, keep: bool) -> None:
    """Open a session for this administrator. Raises LoginRefused, TooManyAttempts, or the failure of a call."""
    throttle.enter("login", email=email, address=request.client_ip)
    try:
        region = find_region(request, email)
        # In the China variant there are no regions: any previous domain data is dropped, and the login is direct.
        if region is None and settings.CONSOLE_VARIANT != "china":
            _dummy_login_call(request, email, password)
            raise LoginRefused
        info = request.upstream.oauth.request_token(email, password, region=region)
    except (Refused, NotFound) as error:
        raise LoginRefused from error
    stored = to_stored_session(info, region, keep=keep)
    if not info.is_organization_admin:
        # Account types 2 and 3 have no rights here: expire their token at once, and show the general message.
        expire(request, stored)
        raise LoginRefused
    former = get_login(request)
    try:
        throttle.forgive("login", email=email, address=request.client_ip)
        open_login(request, stored)
    except DatabaseError:
        expire(request, stored)  # these tokens can't be used
        raise
    attach_client(request)
    if former:
        expire(request, former.stored)
    try:
        _find_organization(request)
        request.session["organization_name"] = _organization_name(request)
    except (ServerCode15001, Maintenance):
        if not request.admin.organization_id:
            end(request)
        raise
    except (DatabaseError, UpstreamError, UnusableResponse):
        end(request)  # a partial login can't be used
        raise


def _dummy_login_call(request: ConsoleRequest, email: str, password: str) -> None:
    """Make the call for a known email, so that neither time nor failures reveal that this one is unknown."""
    if url := default_api_url():
        region = Region(domain_urls={str(int(DomainKind.API)): url})
        info = request.upstream.oauth.request_token(email, password, region=region)
        expire(request, to_stored_session(info, region, keep=False))  # the token can't be used without its region


def to_stored_session(info: TokenInfo, region: Region | None, *, keep: bool) -> StoredSession:
    """Return the session data for tokens from a region or, in the China variant, from the configured URL."""
    return StoredSession(
        accessToken=info.access_token,
        refreshToken=info.refresh_token,
        adminAuthDetail=info.admin_detail,
        adminId=info.admin_id,
        isLoggedIn=True,
        isAuthPersist=keep,
        serviceDomainId=region.service_domain_id if region else 0,
        domainUrls=dict(region.domain_urls) if region else {},
        variant=settings.CONSOLE_VARIANT,
    )


def _find_organization(request: ConsoleRequest) -> None:
    """Store the organization's ID, which all calls require, if the token response lacks it."""
    login = get_login(request)
    if login and not request.admin.organization_id:
        organization_id = request.upstream.admins.get(request.admin.id).organization_id
        if organization_id in ("", UNREADABLE_ID):
            raise UnusableResponse("an administrator without an organization")
        add_detail(login, {"organizationId": organization_id})
        attach_client(request)


def _organization_name(request: ConsoleRequest) -> str:
    """Return the name for the header; a failure doesn't stop the login."""
    try:
        return request.upstream.organizations.get(request.admin.organization_id).heading
    except (NotDone, NotFound):
        return ""


@contextmanager
def _constant_time_refusal() -> Iterator[None]:
    """Give all refusals the same duration."""
    started = time.monotonic()
    try:
        yield
    except LoginRefused:
        time.sleep(max(0.0, MIN_REFUSAL_S - (time.monotonic() - started)))
        raise
