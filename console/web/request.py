"""The request as views see it, and the attributes that the middleware attaches to it."""

import json
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from console.config import metrics
from console.errors import DomainError, LoginRequired
from console.l10n.dates import zone
from console.sessions.identity import organization_identity
from console.sessions.login import Login, find_login
from console.sessions.tokens import GrantTokens
from upstream.breaker import Breaker
from upstream.calls import CallRecord
from upstream.client import Upstream
from upstream.errors import NeedsRefresh, UpstreamError
from upstream.transport import Transport

if TYPE_CHECKING:
    from console.forms.idempotency import Attempt

TIME_ZONE_COOKIE = "tz"
RENEWS = NeedsRefresh.__name__

transport = Transport(settings.UPSTREAM, breaker=Breaker(on_open=metrics.count_opening))
"""One per process: it keeps the connections of each thread."""


@dataclass(frozen=True)
class Administrator:
    """The logged-in administrator; read from the grant only, never from a URL or a form.

    `identity` is the same in each session of one administrator, and unique: an id may occur in several regions.
    """

    id: str
    organization_id: str
    name: str
    identity: str


class ConsoleRequest(HttpRequest):
    """Annotation for views: a request with the attributes that the middleware attaches to it."""

    request_id: str
    client_ip: str
    lng: str
    lng_source: str
    lng_dir: str
    upstream: Upstream
    admin: Administrator
    calls: list[CallRecord]
    """The upstream calls of this request so far."""
    failures: list[str]
    login: Login | None
    submission: "Attempt"
    """The attempt to carry out the form of a POST, in an `@idempotent` view."""


def attach_client(request: HttpRequest) -> None:
    """Attach the client and the administrator to a request; both are read lazily.

    Called again after a login or logout during the request.
    """
    target = cast(Any, request)
    if hasattr(target, "login"):
        del target.login
    target.calls = get_calls(request)
    target.upstream = SimpleLazyObject(lambda: _upstream(target))
    target.admin = SimpleLazyObject(lambda: _admin(target))


def get_login(request: HttpRequest) -> Login | None:
    """Return the usable login of this request, which is read once."""
    target = cast(Any, request)
    if not hasattr(target, "login"):
        target.login = find_login(request)
    return cast(Login | None, target.login)


def require_login(request: HttpRequest) -> Login:
    """Return the usable login of this request. Raises LoginRequired."""
    login = get_login(request)
    if login is None:
        raise LoginRequired("no usable login")
    return login


def get_organization_key(request: HttpRequest) -> str:
    """Return the keyed hash for the console's rows of the administrator's organization."""
    login = get_login(request)
    if login is None:
        raise RuntimeError("only a @private view has an organization")
    return organization_identity(login.stored)


def get_calls(request: HttpRequest) -> list[CallRecord]:
    """Return the upstream calls of this request so far."""
    return getattr(request, "calls", [])


def get_failures(request: HttpRequest) -> list[str]:
    """Return the failed calls of this request with their errors, for its log line; a renewed token is no failure."""
    failed = [f"{call.outcome}: {call.error}" for call in get_calls(request) if call.outcome not in ("ok", RENEWS)]
    return list(dict.fromkeys([*failed, *getattr(request, "failures", [])]))


def note_failure(request: HttpRequest, error: UpstreamError | DomainError) -> None:
    """Add an error to the log line of this request, raised by a call or while its response was read."""
    target = cast(Any, request)
    target.failures = [*getattr(target, "failures", []), f"{type(error).__name__}: {error}"]


def may_have_written(request: HttpRequest) -> bool:
    """Return True if this request has changed something at the service, or may have."""
    return any(call.may_be_done for call in get_calls(request))


def may_repeat_answer(request: HttpRequest) -> bool:
    """Return True if the service may have repeated its response to an earlier, equal write."""
    return any(call.may_be_done and call.is_repeatable for call in get_calls(request))


def get_tz(request: HttpRequest) -> tzinfo:
    """Return the time zone of this request's dates: the cookie that the boot script writes, else UTC."""
    return zone(request.COOKIES.get(TIME_ZONE_COOKIE, "").replace("%2F", "/"))


def bound(request: ConsoleRequest, *purpose: str) -> str:
    """Return the salt of a signature that is valid only for this administrator and purpose."""
    return json.dumps([*purpose, request.admin.identity])


def split_address(address: str) -> SplitResult:
    """Split an address sent by a browser; all parts of an invalid address are empty."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def sent_from(request: HttpRequest) -> str:
    """Return path and query of the console's page that sent a request; "" if the browser doesn't name one."""
    parts = split_address(request.headers.get("Referer", ""))
    # A path that begins with two slashes is another site's address, and browsers read a backslash as a slash.
    is_path = parts.path.startswith("/") and not parts.path.startswith(("//", "/\\"))
    is_same_host = parts.netloc == request.get_host() and is_path
    return (parts.path + (f"?{parts.query}" if parts.query else "")) if is_same_host else ""


def wants_json(request: HttpRequest) -> bool:
    """Return True for requests of islands; a browser that navigates never names JSON first."""
    return request.headers.get("Accept", "").split(",")[0].split(";")[0].strip() == "application/json"


def _upstream(request: Any) -> Upstream:
    login = get_login(request)
    if login is None:
        return _client(request)

    def keep_cookie() -> None:
        # A persistent login ends 30 days after its last refresh, so its cookie is sent again.
        if login.stored.isAuthPersist:
            request.session.modified = True

    tokens = GrantTokens(login.grant, login.stored, settings.UPSTREAM, _client(request).oauth, keep_cookie)
    return _client(request, tokens=tokens, organization_id=request.admin.organization_id, admin_id=request.admin.id)


def _client(request: Any, **options: Any) -> Upstream:
    def count(call: CallRecord) -> None:
        request.calls.append(call)
        metrics.count_call(call=f"{call.method} {call.path}", outcome=call.outcome, seconds=call.milliseconds / 1000)

    return Upstream(transport, request_id=request.request_id, language=request.lng, on_call=count, **options)


def _admin(request: Any) -> Administrator:
    login = get_login(request)
    if login is None:
        raise RuntimeError("only a @private view has an administrator")
    return Administrator(
        id=login.stored.adminId,
        organization_id=str(login.detail.get("organizationId") or ""),
        name=str(login.detail.get("name") or ""),
        identity=login.identity,
    )
