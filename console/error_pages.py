"""Which page, redirect or JSON an upstream error becomes where no view handles it.

The table is in ARCHITECTURE.md ("Who handles what the upstream refuses").
"""

import logging
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import Resolver404, resolve

from console import maintenance
from console.failures import Failure, describe
from console.forms import drafts
from console.grants.opening import close_login
from console.http import login_of, wants_json
from console.respond import Answer, json
from console.upstream import errors

logger = logging.getLogger(__name__)


def answer_error(request: HttpRequest, error: errors.UpstreamError) -> HttpResponse:
    """Return the response for an upstream error that no view handles."""
    if isinstance(error, errors.SessionEnded):
        return _session_ended(request)
    if isinstance(error, errors.ServerCode15001):
        return lead(request, "/520", status=520)
    if isinstance(error, errors.Maintenance):
        maintenance.remember(request, error.notice)
        return lead(request, "/maintenance", status=503)
    failure = describe(error)
    extra = {"request_id": getattr(request, "request_id", "")}
    logger.warning("upstream: %s: %s", type(error).__name__, error, extra=extra)
    response = error_page(request, failure)
    if isinstance(error, errors.Limited) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def error_page(request: HttpRequest, failure: Failure, *, template: str = "pages/error.html") -> HttpResponse:
    """Return the page of an error, in place: same address, the console's layout, the request's ID."""
    if wants_json(request):
        response = json(request, Answer(ok=False, message=failure.text), status=failure.status)
    else:
        retry = request.get_full_path() if request.method == "GET" else _sending_page(request)
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
    """Return the template that frames a page: with navigation for who is logged in."""
    return "base.html" if login_of(request) else "base_public.html"


def lead(request: HttpRequest, path: str, *, status: int) -> HttpResponse:
    """Lead a browser to another page; an island gets the path and this status, and its page goes there."""
    if wants_json(request):
        response = json(request, Answer(ok=False, goto=path), status=status)
    else:
        response = HttpResponseRedirect(path)
    response.headers["Cache-Control"] = "no-store"
    return response


def _session_ended(request: HttpRequest) -> HttpResponse:
    """Clear what is left and lead to /login, with the way back to the page where this happened."""
    query = {"next": request.get_full_path() if request.method in ("GET", "HEAD") else _sending_page(request)}
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        query["reason"] = "expired"
    close_login(request)
    response = lead(request, "/login?" + urlencode(query), status=401)
    if request.method == "POST" and not wants_json(request):
        drafts.keep(request, response, page=urlsplit(query["next"]).path)
    return response


def _list_above(path: str) -> str:
    """Return the nearest list above a path, by the names of the views ("...-list"); "" where there is none."""
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


def _sending_page(request: HttpRequest) -> str:
    """Return the page that a form was sent from; "/" when the browser does not say or it was not ours."""
    try:
        parts = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return "/"
    ours = parts.netloc == request.get_host() and parts.path.startswith("/")
    return (parts.path + (f"?{parts.query}" if parts.query else "")) if ours else "/"
