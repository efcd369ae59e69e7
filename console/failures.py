"""What each error of the telephone becomes: a redirect, or the page of the error where the person is.

The table is in ARCHITECTURE.md ("Who handles what the upstream refuses"). Nothing that the service wrote is shown.
"""

import logging
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console import drafts
from console.grants.opening import close_login
from console.http import login_of, wants_json
from console.respond import Answer, json
from console.upstream import errors

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """How an error is told: the HTTP status, a title and a sentence."""

    status: int
    title: str
    text: str


def answer_failure(request: HttpRequest, error: errors.UpstreamError) -> HttpResponse:
    """The response for an upstream error that no view handles."""
    if isinstance(error, errors.SessionEnded):
        return _session_ended(request)
    if isinstance(error, errors.ServerCode15001):
        return lead(request, "/520", status=520)
    if isinstance(error, errors.Maintenance):
        return lead(request, "/maintenance", status=503)
    failure = describe(error)
    extra = {"request_id": getattr(request, "request_id", "")}
    logger.warning("upstream: %s: %s", type(error).__name__, error, extra=extra)
    response = error_page(request, failure)
    if isinstance(error, errors.Limited) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def describe(error: errors.UpstreamError, *, was_write: bool = False) -> Failure:
    """Status and texts of an error; `was_write` says that something may have been carried out."""
    match error:
        case errors.NotFound():
            return Failure(404, _("Not found"), _("This no longer exists, or it belongs to another organization."))
        case errors.Limited():
            return Failure(429, _("Too many requests"), _wait(error.retry_after))
        case errors.TimedOut() if was_write:
            return Failure(
                504,
                _("No answer in time"),
                _("The service did not answer in time. The change may have been made; look before you try again."),
            )
        case errors.TimedOut():
            return Failure(504, _("No answer in time"), _("The service did not answer in time. Try again."))
        case errors.Unreachable():
            return Failure(
                503, _("Service not reachable"), _("The service can't be reached right now. Try again later.")
            )
        case errors.Conflict():
            status = 412 if error.status == 412 else 409
            return Failure(
                status, _("Changed meanwhile"), _("Somebody else changed this meanwhile. Load the page again.")
            )
        case errors.Refused():
            return Failure(422, _("Not possible"), generic_message())
        case _:
            return Failure(502, _("Something went wrong"), generic_message())


def generic_message() -> str:
    """The specification's generic message (section 8)."""
    if not settings.SUPPORT_EMAIL:
        return _("An error has occurred. Try again later.")
    return _("An error has occurred. Try again later, or contact support at %(email)s.") % {
        "email": settings.SUPPORT_EMAIL
    }


def error_page(request: HttpRequest, failure: Failure, *, template: str = "pages/error.html") -> HttpResponse:
    """The page of an error, in place: same address, the console's layout, the request's id."""
    if wants_json(request):
        response = json(request, Answer(ok=False, message=failure.text), status=failure.status)
    else:
        retry = request.get_full_path() if request.method == "GET" else _page_of(request)
        context = {
            "failure": failure,
            "retry_href": retry if failure.status != 404 else "",  # it will not come back
            "list_href": _list_above(request.path) if failure.status == 404 else "",
            "base": layout(request),
        }
        response = render(request, template, context, status=failure.status)
    response.headers["Cache-Control"] = "no-store"
    return response


def layout(request: HttpRequest) -> str:
    """The template that frames a page: with navigation for who is logged in."""
    return "base.html" if login_of(request) else "base_public.html"


def _session_ended(request: HttpRequest) -> HttpResponse:
    """Clear what is left and lead to /login, with the way back to the page where this happened."""
    query = {"next": request.get_full_path() if request.method in ("GET", "HEAD") else _page_of(request)}
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        query["reason"] = "expired"
    close_login(request)
    response = lead(request, "/login?" + urlencode(query), status=401)
    if request.method == "POST" and not wants_json(request):
        drafts.keep(request, response, page=urlsplit(query["next"]).path)
    return response


def lead(request: HttpRequest, path: str, *, status: int) -> HttpResponse:
    """Lead a browser to another page; an island gets the path and this status, and its page goes there."""
    if wants_json(request):
        response = json(request, Answer(ok=False, goto=path), status=status)
    else:
        response = HttpResponseRedirect(path)
    response.headers["Cache-Control"] = "no-store"
    return response


def _list_above(path: str) -> str:
    """The nearest list that what is not there would be in: of users, teams or clinics; "" where there is none."""
    parts = path.split("/")
    ends = [place for place in range(1, len(parts) - 1) if parts[place] in ("clinic", "team", "user")]
    return "/".join(parts[: ends[-1] + 1]) if ends else ""


def _page_of(request: HttpRequest) -> str:
    """The page that a form was sent from; "/" when the browser does not say or it was not ours."""
    parts = urlsplit(request.headers.get("Referer", ""))
    ours = parts.netloc == request.get_host() and parts.path.startswith("/")
    return (parts.path + (f"?{parts.query}" if parts.query else "")) if ours else "/"


def _wait(seconds: int | None) -> str:
    if not seconds:
        return _("Too many requests. Try again in a moment.")
    return ngettext(
        "Too many requests. Try again in %(count)s second.",
        "Too many requests. Try again in %(count)s seconds.",
        seconds,
    ) % {"count": seconds}
