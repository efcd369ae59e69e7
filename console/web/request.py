"""The request as our views see it, and what the middleware attaches to it."""

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
"""One for the process: it keeps the connections of each thread."""


@dataclass(frozen=True)
class Administrator:
    """Who is logged in; read from the grant only, never from a URL or a form.

    `identity` is the same in each session of one administrator, and nobody else's: an id may repeat between regions.
    """

    id: str
    organization_id: str
    name: str
    identity: str


class ConsoleRequest(HttpRequest):
    """Annotation for views: a request with what the middleware attaches to it."""

    request_id: str
    client_ip: str
    lng: str
    lng_source: str
    lng_dir: str
    upstream: Upstream
    admin: Administrator
    calls: list[CallRecord]
    """The upstream calls that it made so far."""
    failures: list[str]
    login: Login | None
    submission: "Attempt"
    """The attempt to carry out the form of a POST, in an `@idempotent` view."""


def attach_client(request: HttpRequest) -> None:
    """Attach the client and the administrator to a request; nothing is read before a view asks for them.

    Called again when somebody logged in or out during the request.
    """
    target = cast(Any, request)
    if hasattr(target, "login"):
        del target.login
    target.calls = get_calls(request)
    target.upstream = SimpleLazyObject(lambda: _upstream(target))
    target.admin = SimpleLazyObject(lambda: _admin(target))


def get_login(request: HttpRequest) -> Login | None:
    """The usable login of this request, read once."""
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
    """The keyed hash under which the console keeps what belongs to the organization of who is logged in."""
    login = get_login(request)
    if login is None:
        raise RuntimeError("only a @private view has an organization")
    return organization_identity(login.stored)


def get_calls(request: HttpRequest) -> list[CallRecord]:
    """The upstream calls that this request made so far."""
    return getattr(request, "calls", [])


def get_failures(request: HttpRequest) -> list[str]:
    """Which calls of this request failed, and how, for its line in the log; a token that was renewed is no failure."""
    failed = [f"{call.outcome}: {call.error}" for call in get_calls(request) if call.outcome not in ("ok", RENEWS)]
    return list(dict.fromkeys([*failed, *getattr(request, "failures", [])]))


def note_failure(request: HttpRequest, error: UpstreamError | DomainError) -> None:
    """Have the line of this request tell an error, whether a call of it or the reading of its answer raised it."""
    target = cast(Any, request)
    target.failures = [*getattr(target, "failures", []), f"{type(error).__name__}: {error}"]


def may_have_written(request: HttpRequest) -> bool:
    """Tell whether this request has changed something at the service, or may have."""
    return any(call.may_be_done for call in get_calls(request))


def may_repeat_answer(request: HttpRequest) -> bool:
    """Return whether the service may have answered a write of this request as it did the same one before."""
    return any(call.may_be_done and call.is_repeatable for call in get_calls(request))


def get_tz(request: HttpRequest) -> tzinfo:
    """The time zone in which this request's dates are shown: the cookie that the boot script writes, else UTC."""
    return zone(request.COOKIES.get(TIME_ZONE_COOKIE, "").replace("%2F", "/"))


def bound(request: ConsoleRequest, *purpose: str) -> str:
    """Return the salt of a signature that holds for who is logged in and for this purpose only."""
    return json.dumps([*purpose, request.admin.identity])


def split_address(address: str) -> SplitResult:
    """Split an address that a browser sent; what is none has no part."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def sent_from(request: HttpRequest) -> str:
    """Return path and query of the page of ours that a request was sent from; "" when the browser does not say one."""
    parts = split_address(request.headers.get("Referer", ""))
    # A path that begins with two slashes is another site's address, and browsers take a backslash for one.
    is_path = parts.path.startswith("/") and not parts.path.startswith(("//", "/\\"))
    is_same_host = parts.netloc == request.get_host() and is_path
    return (parts.path + (f"?{parts.query}" if parts.query else "")) if is_same_host else ""


def wants_json(request: HttpRequest) -> bool:
    """True for the islands' requests; a browser that navigates never names JSON first."""
    return request.headers.get("Accept", "").split(",")[0].split(";")[0].strip() == "application/json"


def _upstream(request: Any) -> Upstream:
    login = get_login(request)
    if login is None:
        return _client(request)

    def keep_cookie() -> None:
        # A kept login lives 30 days from its last refresh, so its cookie is sent anew.
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
