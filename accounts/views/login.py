"""Logging in: the region first, then the token, then a session of our own."""

import time
from contextlib import suppress
from typing import NoReturn

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.forms.login import LoginForm
from accounts.views.session import state_of
from console import maintenance, throttle
from console.access import public
from console.failures import describe, generic_message
from console.grants.opening import add_detail, close_login, open_login
from console.grants.payload import StoredSession
from console.grants.tokens import DEFAULT_SERVICE_ID
from console.http import ConsoleRequest, attach_client, login_of, wants_json
from console.navigation import home
from console.respond import Answer, json
from console.upstream.errors import ForeignHost, NotDone, NotFound, Refused, UpstreamError
from console.upstream.hosts import check_base_url
from console.upstream.resources.oauth import TokenInfo
from console.upstream.resources.regions import ORGANIZATION_ADMIN, DomainKind, Region

REFUSAL_TAKES = 0.6
"""Seconds that a refusal takes at least, so that its time does not tell whether the address is known."""


class LoginRefused(Exception):
    """The service does not let this person in; why is nobody's business."""


@public(methods=("GET", "POST"))
def login(request: ConsoleRequest) -> HttpResponse:
    goto = safe_next(request)
    if login_of(request):
        return _logged_in(request, goto)
    notice = maintenance.current_notice(request)
    if maintenance.closes(maintenance.LOGIN, notice):
        if wants_json(request):
            return json(request, Answer(ok=False, message=_("The service is being maintained.")), status=503)
        return HttpResponseRedirect("/maintenance")
    form = LoginForm(request.POST if request.method == "POST" else None)
    status, wait = 200, 0
    if request.method == "POST":
        status = 422
        if form.is_valid():
            started = time.monotonic()
            try:
                _log_in(request, **form.cleaned_data)
                return _logged_in(request, goto)
            except throttle.Throttled as throttled:
                status, wait = 429, throttled.seconds
                _refuse(form, started)
            except LoginRefused:
                _refuse(form, started)
            except (NotDone, ForeignHost) as error:
                close_login(request)  # the token may be there already, without all that a session needs
                attach_client(request)
                form.add_error(None, generic_message())
                status = describe(error).status
    wait_minutes = -(-wait // 60)
    context = {
        "form": form,
        "next": goto if goto != home() else "",
        "expired": request.GET.get("reason") == "expired" and request.method == "GET",
        "notice": notice,
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
    """Go on to `goto`; the dialog of a page that is open gets what the forms of that page need."""
    if wants_json(request):
        return json(request, Answer(ok=True, item=state_of(request)))
    return HttpResponseRedirect(goto, status=303 if request.method == "POST" else 302)


def _refused(request: ConsoleRequest, form: LoginForm, *, status: int, wait_minutes: int) -> HttpResponse:
    """The page's own words, for the dialog."""
    errors = {name: [str(text) for text in texts] for name, texts in form.errors.items()}
    sentences = [text for texts in errors.values() for text in texts]
    if wait_minutes:
        wait = ngettext(
            "Too many attempts. Wait %(minutes)s minute before you try again.",
            "Too many attempts. Wait %(minutes)s minutes before you try again.",
            wait_minutes,
        )
        sentences.append(wait % {"minutes": wait_minutes})
    fields = {name: texts for name, texts in errors.items() if name in form.fields}
    return json(request, Answer(ok=False, message=" ".join(sentences), errors=fields), status=status)


def safe_next(request: ConsoleRequest) -> str:
    """Where to go after the login: a path of this site that begins with one slash, else the start."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    one_slash = asked.startswith("/") and asked[1:2] not in ("/", "\\") and asked.isprintable()
    safe = one_slash and url_has_allowed_host_and_scheme(asked, allowed_hosts=None, require_https=request.is_secure())
    return asked if safe and asked.split("?")[0] not in ("/", "/login", "/logout") else home()


def _log_in(request: ConsoleRequest, *, email: str, password: str, keep: bool) -> None:
    """Open a session for this person. Raises LoginRefused, Throttled, or what keeps the service from answering."""
    throttle.enter("login", email=email, address=request.client_ip)
    try:
        # In the China variant there is no region: what domain data there was goes, and the login is direct.
        region = None if settings.CONSOLE_VARIANT == "china" else _region(request, email)
        info = request.upstream.oauth.request_token(email, password, region=region)
    except (Refused, NotFound) as error:
        raise LoginRefused from error
    # A detail without a type is an administrator's: the specification names only the detail, not what is in it.
    if str(info.admin_detail.get("type", ORGANIZATION_ADMIN)) != str(ORGANIZATION_ADMIN):
        _refuse_type(request, info, region)
    throttle.forgive("login", email=email, address=request.client_ip)
    open_login(request, _stored(info, region, keep=keep))
    attach_client(request)
    _introduce(request)


def _region(request: ConsoleRequest, email: str) -> Region:
    """Where this person's organization lives. An address outside of the allow list is never stored."""
    region = request.upstream.regions.lookup(email)
    if not region.api_url:
        raise LoginRefused
    for kind in (DomainKind.MAIN, DomainKind.API):
        if url := region.url(kind):
            check_base_url(url, settings.UPSTREAM)
    return region


def _stored(info: TokenInfo, region: Region | None, *, keep: bool) -> StoredSession:
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


def _introduce(request: ConsoleRequest) -> None:
    """Learn what the header shows and all calls need: the organization. Its name is not worth a failed login."""
    login = login_of(request)
    if login and not request.admin.organization_id:
        add_detail(login, {"organizationId": request.upstream.admins.get(request.admin.id).organization_id})
        attach_client(request)
    try:
        name = request.upstream.organizations.get(request.admin.organization_id).name
    except (NotDone, NotFound):
        name = ""
    request.session["organization_name"] = name


def _refuse_type(request: ConsoleRequest, info: TokenInfo, region: Region | None) -> NoReturn:
    """Types 2 and 3 have no rights here: their token ends at once, and they read what everybody reads."""
    with suppress(UpstreamError):
        request.upstream.oauth.expire(
            info.refresh_token,
            access_token=info.access_token,
            api_url=region.api_url if region else settings.UPSTREAM.api_url,
            service_id=region.service_domain_id if region else DEFAULT_SERVICE_ID,
        )
    raise LoginRefused


def _refuse(form: LoginForm, started: float) -> None:
    time.sleep(max(0.0, REFUSAL_TAKES - (time.monotonic() - started)))
    form.add_error(None, _("Login failed. Check your ID and password again."))
