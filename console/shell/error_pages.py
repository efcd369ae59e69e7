"""The page, redirect or JSON for a failure that no view handles.

The table is in ARCHITECTURE.md ("Who handles a failure").
"""

from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware import csrf
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _

from console.errors import ActionFailed, DomainError, LoginRequired, ObjectNotFound
from console.forms import drafts
from console.forms.return_url import is_short
from console.sessions.login import close_login
from console.web import maintenance
from console.web.failures import Failure, describe
from console.web.request import get_login, may_have_written, note_failure, sent_from, wants_json
from console.web.responses import Answer, json
from upstream import errors

_CHANGED_ADDRESS = (
    csrf.REASON_BAD_ORIGIN.partition("%s")[0],
    csrf.REASON_BAD_REFERER.partition("%s")[0],
    csrf.REASON_NO_REFERER,
    csrf.REASON_MALFORMED_REFERER,
    csrf.REASON_INSECURE_REFERER,
)
"""The start of Django's reasons if the Origin or the Referer is missing or not the console's."""


def answer_error(
    request: HttpRequest, error: errors.UpstreamError | DomainError, *, list_href: str = ""
) -> HttpResponse:
    """Return the response for a failure that no view handles; `list_href` is as in `error_page`."""
    if isinstance(error, errors.SessionEnded | LoginRequired):
        return _session_ended(request)
    has_form = not (list_href or isinstance(error, errors.NotFound | ObjectNotFound))
    draft = _store_draft(request) if has_form else ""
    if isinstance(error, errors.ServerCode15001):
        response = redirect_or_json(request, "/520", status=520)
    elif isinstance(error, errors.Maintenance):
        maintenance.store_notice(request, error.notice, page=_page_for(request))
        response = redirect_or_json(request, "/maintenance", status=503)
    else:
        note_failure(request, error)
        response = error_page(request, describe(error), list_href=list_href, has_draft=bool(draft))
    if draft:
        drafts.give_key(response, draft)
    if isinstance(error, errors.NotDone | ActionFailed) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _store_draft(request: HttpRequest) -> str:
    """Store the data of a form that was certainly not executed, for its page; return the draft's key."""
    if request.method != "POST" or wants_json(request) or may_have_written(request):
        return ""
    return drafts.store(request, page=urlsplit(_page_for(request)).path)


def is_same_origin(request: HttpRequest) -> bool:
    """Return True if the browser's headers name a page of this console as the sender."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    if origin := request.headers.get("Origin"):
        return origin == f"{request.scheme}://{request.get_host()}"
    return sent_from(request) not in ("", "/")


def explain_refused_form(request: HttpRequest, reason: str) -> str:
    """Return why a form can't be accepted from this browser, given Django's reason; "" for an outdated token."""
    if reason == csrf.REASON_NO_CSRF_COOKIE:
        return _(
            "Your browser didn't send this site's cookie. Allow cookies for this site, then submit the form again."
        )
    if request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin" and reason.startswith(_CHANGED_ADDRESS):
        return _(
            "A proxy or browser extension removed or changed the page address that your browser sent with this "
            "form. Turn off the extension or contact support."
        )
    return ""


def answer_stale_form(request: HttpRequest, text: str = "") -> HttpResponse | None:
    """Respond to one of the console's forms with the token of another login: nothing is executed or lost.

    `text` adds an explanation. Returns None if the data can't be kept: the browser's previous page still has it.
    """
    match = cast(ResolverMatch, request.resolver_match)
    if cast(Any, match.func).access == "public":
        return _render_form(request, match, text or _("This form has expired. Submit it again."))
    login = get_login(request)
    if login is None:
        return _session_ended(request)
    if wants_json(request):  # the page renews its token, and repeats the call
        return redirect_or_json(request, "/login", status=401)
    page = sent_from(request) or "/"
    response = HttpResponseRedirect(page, status=303)
    is_same_sender = drafts.get_sender(request) == login.identity
    if not is_same_sender or not drafts.keep(request, response, page=urlsplit(page).path):
        return None
    messages.warning(request, _("This form has expired, so nothing was saved. Check it and submit it again."))
    return response


def _render_form(request: HttpRequest, match: ResolverMatch, text: str) -> HttpResponse | None:
    """Render the form of a public page with its data; a dialog gets the token for another try."""
    if wants_json(request):
        return json(request, Answer(ok=False, message=text, item={"csrf_token": get_token(request)}), status=403)
    if not cast(Any, match.func).has_form:
        return None
    request.POST.get("")  # parse the body while the method is POST
    method, request.method = request.method, "GET"  # renders the form without executing it
    try:
        response = cast(HttpResponse, match.func(request, *match.args, warning=text, **match.kwargs))
    finally:
        request.method = method  # for the log
    if response.status_code == 200:
        response.status_code = 403
    return response


def error_page(
    request: HttpRequest,
    failure: Failure,
    *,
    template: str = "pages/error.html",
    list_href: str = "",
    has_draft: bool = False,
) -> HttpResponse:
    """Return the page of an error, in place: same address, the console's layout, the request's ID.

    `list_href` is the list from which to try again, if repeating the request wouldn't help. `has_draft` means that the
    form will have its data again.
    """
    if wants_json(request):
        response = json(request, Answer(ok=False, message=failure.text), status=failure.status)
    else:
        retry = request.get_full_path() if request.method == "GET" else sent_from(request) or "/"
        context = {
            "failure": failure,
            "has_draft": has_draft,
            "retry_href": retry if failure.status not in (404, 405) and not list_href else "",  # won't change
            "list_href": list_href or (_list_above(request.path) if failure.status == 404 else ""),
            "base": layout(request),
        }
        try:
            response = render(request, template, context, status=failure.status)
        except (errors.SessionEnded, errors.ServerCode15001, errors.Maintenance) as error:
            # The counts in the frame were read concurrently, and report a failure that concerns more than this page.
            return answer_error(request, error)
    response.headers["Cache-Control"] = "no-store"
    return response


def layout(request: HttpRequest) -> str:
    """Return the base template of a page: with navigation for a logged-in administrator."""
    return "base.html" if get_login(request) else "base_public.html"


def redirect_or_json(request: HttpRequest, path: str, *, status: int) -> HttpResponse:
    """Redirect a browser to another page; an island gets the path and this status, and opens the page itself."""
    if wants_json(request):
        response = json(request, Answer(ok=False, goto=path), status=status)
    else:
        response = HttpResponseRedirect(path)
    response.headers["Cache-Control"] = "no-store"
    return response


def logout_reason(request: HttpRequest) -> str:
    """Return the reason for /login: the session has expired, and the outcome of a change may be unknown."""
    return "unknown" if may_have_written(request) else "expired"


def _page_for(request: HttpRequest) -> str:
    """Return the page of a request, or the page that sent it; the address that an island reads is a page as well."""
    page = request.get_full_path() if request.method in ("GET", "HEAD") else sent_from(request) or "/"
    return next((to for to in (page, urlsplit(page).path) if is_short(to)), "/")


def _session_ended(request: HttpRequest) -> HttpResponse:
    """End the login here and redirect to /login, with the way back to the current page."""
    query = {"next": _page_for(request)}
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        query["reason"] = logout_reason(request)
    close_login(request)
    response = redirect_or_json(request, "/login?" + urlencode(query), status=401)
    if request.method == "POST" and not wants_json(request):
        drafts.keep(request, response, page=urlsplit(query["next"]).path)
    return response


def _list_above(path: str) -> str:
    """Return the nearest list above a path, by the names of the views ("...-list"); "" if there is none."""
    parts = path.split("/")
    for end in range(len(parts) - 1, 1, -1):
        above = "/".join(parts[:end])
        try:
            name = resolve(above).url_name or ""
        except Resolver404:
            continue
        if name.endswith("-list"):
            return above
    return ""
