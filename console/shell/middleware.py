"""The middleware: setup before each view, and pages for failures that the view did not handle."""

import ipaddress
import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from console.config import metrics
from console.config.logging import request_id
from console.errors import DomainError
from console.shell import pages
from console.shell.error_pages import answer_error
from console.web.badges import COUNTS_PARAM, start_counts
from console.web.maintenance import start_planned_notice
from console.web.request import ConsoleRequest, attach_client, get_calls, get_failures, get_login, wants_json
from upstream.errors import UpstreamError
from upstream.tasks import end_all

logger = logging.getLogger("console.request")

GetResponse = Callable[[HttpRequest], HttpResponseBase]

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REAL_IP", "HTTP_X_REQUEST_ID")
FOR_MONITORING = ("/healthz", "/readyz", "/metrics")
"""Paths that answer under any host name."""
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"


class RequestMiddleware:
    """Set the request's ID and the client's address, check the host, set Content-Length, and log one line."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        target: Any = request
        trusted = _from_trusted_proxy(request)
        if not trusted:
            for name in (*FORWARDED, "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED"):
                request.META.pop(name, None)
        target.request_id = _given_id(request) or uuid.uuid4().hex
        target.client_ip = request.META.get("HTTP_X_FORWARDED_FOR") or request.META.get("REMOTE_ADDR", "")
        request_id.set(target.request_id)  # until the thread's next request: a response may be sent while it is read
        started = time.monotonic()
        with metrics.in_progress.track_inprogress():
            response = self._answer(request)
        response.headers["X-Request-ID"] = target.request_id
        if isinstance(response, HttpResponse) and response.status_code not in (204, 304):
            # Without it gunicorn sends the body as a chunk, and its end as another one.
            response.headers.setdefault("Content-Length", str(len(response.content)))
        self._log(request, response, started)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        try:
            if request.path not in FOR_MONITORING:
                request.get_host()  # raises for a foreign host, on every page
            _ = request.GET  # raises for too many fields here, before an error page reads it
            return self.get_response(request)
        except SuspiciousOperation as error:
            return pages.bad_request(request, error)
        finally:
            end_all()  # ends reads of the frame that are late

    def _log(self, request: HttpRequest, response: HttpResponseBase, started: float) -> None:
        match = request.resolver_match
        route = (match.view_name or match.route) if match else ""
        calls, seconds = get_calls(request), time.monotonic() - started
        metrics.count_request(route=route, method=request.method or "", status=response.status_code, seconds=seconds)
        failed = get_failures(request)
        logger.log(
            logging.WARNING if response.status_code >= 500 else logging.INFO,
            "request",
            extra={
                "method": request.method,
                "route": route,
                "status": response.status_code,
                **({"refused": refused} if (refused := getattr(request, "refused", "")) else {}),
                **({"failed": failed} if failed else {}),
                "ms": round(seconds * 1000, 1),
                "upstream_calls": len(calls),
                "upstream_ms": round(sum(call.milliseconds for call in calls), 1),
            },
        )


class HeadersMiddleware:
    """Add the security headers that Django has no setting for."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = PERMISSIONS_POLICY
        return response


class CrossSiteMiddleware:
    """Refuse cross-site requests before the CSRF token is checked."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and request.headers.get("Sec-Fetch-Site") == "cross-site":
            raise PermissionDenied("sent by another site")


class ConsoleMiddleware:
    """Attach the client to the request, and render a page for errors of the upstream service or the view."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        attach_client(request)
        response = self.get_response(request)
        return pages.wrong_method(request, response) if isinstance(response, HttpResponseNotAllowed) else response

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> None:
        """Start the reads of a private page's frame, so that they run concurrently with its own."""
        is_page = getattr(view, "is_page", False) and "GET" in view.methods
        if not is_page or request.method != "GET" or get_login(request) is None:
            return
        page = cast(ConsoleRequest, request)
        is_rendered = not wants_json(request)
        if is_rendered or COUNTS_PARAM in request.GET:
            start_counts(page)
        if is_rendered:
            start_planned_notice(page)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer_error(request, exception) if isinstance(exception, UpstreamError | DomainError) else None


def _from_trusted_proxy(request: HttpRequest) -> bool:
    sender = request.META.get("REMOTE_ADDR", "")
    if settings.TRUSTED_PROXY == ["unix"]:
        return not sender  # a unix socket has no address
    try:
        address = ipaddress.ip_address(sender)
    except ValueError:
        return False
    return any(address in ipaddress.ip_network(network) for network in settings.TRUSTED_PROXY)


def _given_id(request: HttpRequest) -> str:
    """Return the proxy's request id; one from the browser was removed."""
    given = str(request.META.get("HTTP_X_REQUEST_ID", ""))
    return given if REQUEST_ID.fullmatch(given) else ""
