"""Pages that belong to no feature: errors, version, maintenance, health, and unknown paths."""

import json as stdlib_json
import logging
import sys
import threading
import time
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import console
from console.config.database_errors import is_unusable, reason
from console.config.static import asset
from console.i18n import catalogs
from console.l10n.dates import local_moment
from console.models import Attempt
from console.sessions.deferred_writes import can_write, delete_pending
from console.shell import navigation
from console.shell.error_pages import answer_stale_form, error_page, explain_refused_form, is_same_origin, layout
from console.web import maintenance
from console.web.access import public
from console.web.failures import Failure
from console.web.request import ConsoleRequest, get_login, get_tz, wants_json
from console.web.responses import Answer, json
from console.web.support import SupportDetails

logger = logging.getLogger(__name__)

KNOWN_FOR = 1.0
"""Seconds for which the result of the readiness check is cached."""
ANSWERS_WITHIN = 5.0
"""Seconds after which a database that doesn't answer counts as unavailable."""
RETRY_AFTER = 5
"""Seconds after which the database may be available again."""
MAX_PATH_LENGTH = 200
BARE_PAGE_ASSETS = ("app.css", "accounts.css", "favicon.svg", "behaviors.js", "icons.svg")
ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@public
def home(request: ConsoleRequest) -> HttpResponse:
    """Redirect / to the start page, or to the login (specification, section 2)."""
    return HttpResponseRedirect(navigation.home() if get_login(request) else "/login")


@public
def not_found(request: ConsoleRequest) -> HttpResponse:
    context = {"requested_path": request.GET.get("from", "")[:MAX_PATH_LENGTH], "base": layout(request)}
    return render(request, "pages/404.html", context, status=404)


@public
def server_error_520(request: ConsoleRequest) -> HttpResponse:
    """Show the page for code 15001. It makes no upstream call, because the same code would redirect here forever."""
    return render(request, "pages/520.html", {"base": layout(request)})


@public
def version(request: ConsoleRequest) -> HttpResponse:
    """Show version and build: a page for people, JSON or plain text for operators."""
    facts = {
        "product": "Enterprise for Admin",
        "version": console.__version__,
        "commit": settings.BUILD_COMMIT,
        "built": settings.BUILD_TIME,
        "environment": settings.CONSOLE_ENV,
        "variant": settings.CONSOLE_VARIANT,
        "language_pack": catalogs.version(),
    }
    accepted = request.headers.get("Accept", "")
    if wants_json(request):
        return HttpResponse(stdlib_json.dumps(facts), content_type="application/json")
    if accepted.startswith("text/plain"):
        return HttpResponse("".join(f"{k}: {v}\n" for k, v in facts.items()), content_type="text/plain; charset=utf-8")
    return render(request, "pages/version.html", {"facts": facts, "base": layout(request)})


@public
def maintenance_page(request: ConsoleRequest) -> HttpResponse:
    notice = maintenance.current_notice(request)
    services = {
        # Translators: noun: a part of the service, in the list of services under maintenance: creating an account.
        "SIGN_UP": pgettext("service", "Sign-up"),
        # Translators: noun: a part of the service, in the list of services under maintenance: logging in.
        "LOGIN": pgettext("service", "Login"),
        # Translators: a part of the service, in the list of services under maintenance.
        "FILE_UPLOAD_DOWNLOAD": _("File upload and download"),
        # Translators: noun: a part of the service, for orders to dental labs.
        "ORDER": pgettext("service", "Orders"),
        # Translators: noun: a part of the service, in the list of services under maintenance: sharing dental cases.
        "SHARE": pgettext("service", "Sharing"),
    }
    current = notice if notice.active else notice.planned or notice
    stopped = current.unavailable_services if notice.active or notice.planned else []
    reason, reason_lng = maintenance.reason_in(current, request.lng)
    context = {
        "notice": notice,
        "start": local_moment(current.start_date, get_tz(request)) if current.start_date else None,
        "end": local_moment(current.end_date, get_tz(request)) if current.end_date else None,
        "reason": reason,
        "reason_lng": reason_lng,
        "services": [{"label": label, "available": code not in stopped} for code, label in services.items()]
        # an unknown service is shown by its code rather than dropped
        + [{"label": code, "available": False} for code in stopped if code not in services],
        "back_href": request.session.get(maintenance.RETURN_KEY) or navigation.home()
        if get_login(request)
        else "/login",
    }
    if wants_json(request):
        return json(request, Answer(ok=True, item={"active": notice.active}))
    return render(request, "pages/maintenance.html", context)


@public
def healthz(request: ConsoleRequest) -> HttpResponse:
    """Report that the process responds; nothing else is checked."""
    return HttpResponse("ok\n", content_type="text/plain")


@public
def readyz(request: ConsoleRequest) -> HttpResponse:
    """Report whether the console can serve pages: the database is writable, its tables are current, the build is there.

    The upstream service is not checked: one failure of it must not take down every console.
    """
    checks = _readiness()
    ready = all(checks.values())
    return HttpResponse(
        stdlib_json.dumps({"ready": ready, **checks}), status=200 if ready else 503, content_type="application/json"
    )


@public(methods=ALL_METHODS)
def unknown(request: ConsoleRequest, path: str) -> HttpResponse:
    """Redirect a path with a trailing slash to the one without; redirect other paths to /404, which shows the path."""
    if wants_json(request):
        return error_page(request, Failure(404, _("Not found"), _("This page does not exist")))
    if path.strip("/") and path.endswith("/") and request.method == "GET":
        query = request.META.get("QUERY_STRING", "")
        # One leading slash only: //host would be another site's address.
        return HttpResponsePermanentRedirect(escape_uri_path("/" + path.strip("/")) + (f"?{query}" if query else ""))
    return HttpResponseRedirect("/404?" + urlencode({"from": ("/" + path)[:MAX_PATH_LENGTH]}))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form without a valid token: from another site, or from before a login or logout."""
    explanation = explain_refused_form(request, reason)
    if is_same_origin(request) and (response := answer_stale_form(request, explanation)):
        return response
    text = explanation or _("This form has expired. Reload the page and submit it again.")
    # Translators: heading of a page: you may not do what you tried.
    return error_page(request, Failure(403, _("Not allowed"), text))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, Failure(403, _("Not allowed"), _("You can't do this here.")))


def missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    # Translators: a heading: what was looked for doesn't exist.
    return error_page(request, Failure(404, _("Not found"), _("This page does not exist")))


def wrong_method(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Return the page for a 405 response, with its Allow header."""
    page = error_page(request, Failure(405, _("Not allowed"), _("You can't do this here.")))
    page.headers["Allow"] = answer.headers["Allow"]
    return page


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for an unreadable request or a foreign host; the reason is in the log."""
    cast(Any, request).refused = type(exception).__name__
    with translation.override(getattr(request, "LANGUAGE_CODE", settings.LANGUAGE_CODE)):
        return _bare_page(request, 400, _("The console couldn't read your request. Go back and try again."))


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an internal error, with 503 instead of 500 if the database failed, for proxies and alerts."""
    text = _("Something went wrong on our side. The error was logged. Try again in a moment.")
    error = sys.exc_info()[1]
    if error is None or not is_unusable(error):
        return _bare_page(request, 500, text)
    logger.error("the database can't be used: %s", reason(error))
    page = _bare_page(request, 503, text)
    page.headers["Retry-After"] = str(RETRY_AFTER)
    return page


def _bare_page(request: HttpRequest, status: int, text: str) -> HttpResponse:
    """Render a page without anything that may have caused the error: no session, no context processors."""
    if wants_json(request):
        return json(request, Answer(ok=False, message=text), status=status)
    context: dict[str, Any] = {
        "request": request,
        "support": SupportDetails(request),
        "text": text,
        "support_email": settings.SUPPORT_EMAIL,
        "assets": {name.replace(".", "_"): asset(name) for name in BARE_PAGE_ASSETS},
    }
    return HttpResponse(render_to_string("pages/bare.html", context, using="django"), status=status)


class _Known:
    """The last result of the readiness check, and its time."""

    lock = threading.Lock()
    checks: dict[str, bool] = {}
    at = float("-inf")


def _readiness() -> dict[str, bool]:
    """Return the checks, run at most once a second and by one request at a time: anonymous users may call this."""
    is_checking = _Known.lock.acquire(blocking=not _Known.checks)
    if is_checking:
        try:
            if time.monotonic() - _Known.at >= KNOWN_FOR:
                _Known.checks = {
                    "database": _database_writes(),
                    "migrations": _migrations_applied(),
                    "assets": _assets_built(),
                }
                _Known.at = time.monotonic()
        finally:
            _Known.lock.release()
    elif time.monotonic() - _Known.at > ANSWERS_WITHIN:  # the running check has waited for the database since then
        return {**_Known.checks, "database": False}
    return _Known.checks


def _database_writes() -> bool:
    """Return True if a row can be written: a full disk accepts a statement that changes nothing."""
    now = {"window_ends": timezone.now()}
    if not can_write(lambda: Attempt.objects.update_or_create(key="readyz", defaults=now)):
        return False
    delete_pending()
    return True


def _migrations_applied() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except (DatabaseError, InterfaceError):
        return False


def _assets_built() -> bool:
    return settings.ASSETS_MANIFEST.is_file()
