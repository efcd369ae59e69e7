"""Access control: every view of the product is `@private` or `@public`.

The decorator also names the methods (GET by default). HEAD goes with GET, OPTIONS is answered here, and all other
methods get a 405.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, TypeVar, cast, overload

from django.http import HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from console.sessions.expiry import touch
from console.web.request import ConsoleRequest, get_calls, require_login
from upstream.errors import NotDone, NotFound

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
Access = Literal["private", "public"]

CHECKED_EVERY = 60
"""Seconds between two checks of a session's token (upstream contract, section 14)."""
CHECKED_AT = "token_checked_at"


@overload
def private(view: View) -> View: ...
@overload
def private(*, methods: tuple[str, ...] = ..., is_page: bool = ...) -> Callable[[View], View]: ...
def private(view: View | None = None, *, methods: tuple[str, ...] = ("GET",), is_page: bool = True) -> Any:
    """Admit only a logged-in administrator, and extend the session; other users are redirected to /login.

    The response is never cached. The middleware reads no badge counts for a view that is not a page (a file, a
    redirect).
    """
    return _restrict("private", view, methods, is_page=is_page)


@overload
def public(view: View) -> View: ...
@overload
def public(*, methods: tuple[str, ...], has_form: bool = ...) -> Callable[[View], View]: ...
def public(view: View | None = None, *, methods: tuple[str, ...] = ("GET",), has_form: bool = False) -> Any:
    """Admit all users.

    If a form was sent with the token of another login, a view with `has_form` is called with a `warning`, and renders
    the form with the submitted data. Its response is never cached.
    """
    return _restrict("public", view, methods, has_form=has_form)


def _restrict(
    access: Access, view: View | None, methods: tuple[str, ...], *, has_form: bool = False, is_page: bool = False
) -> Any:
    allowed = [*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"]

    def decorate(view: View) -> View:
        @wraps(view)
        def admitted(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method == "OPTIONS":
                return HttpResponse(status=204, headers={"Allow": ", ".join(allowed)})
            if request.method not in allowed:
                return HttpResponseNotAllowed(allowed)
            if access == "private":
                touch(require_login(request).grant, timezone.now())
            response = view(request, *args, **kwargs)
            if access == "private":
                _check_token(request, response)
                response.headers["Cache-Control"] = "no-store"
            elif has_form:
                response.headers["Cache-Control"] = "no-store"
            elif not response.has_header("Cache-Control"):
                patch_cache_control(response, private=True, no_cache=True)
            patch_vary_headers(response, ["Accept"])
            return response

        cast(Any, admitted).access = access
        cast(Any, admitted).methods = methods
        cast(Any, admitted).has_form = has_form
        cast(Any, admitted).is_page = is_page
        return cast(View, admitted)

    return decorate(view) if view else decorate


def _check_token(request: ConsoleRequest, response: HttpResponseBase) -> None:
    """Ask the service whether the token is still valid, if no call of this page has shown it.

    Raises SessionEnded if it is not. If the service can't answer, the page is returned unchanged.
    """
    if request.method != "GET" or response.status_code != 200:
        return
    if any(call.outcome == "ok" for call in get_calls(request)):
        return
    now = int(time.time())
    if now - int(request.session.get(CHECKED_AT, 0)) < CHECKED_EVERY:
        return
    request.session[CHECKED_AT] = now
    try:
        request.upstream.oauth.check_token(request.admin.id)
    except (NotDone, NotFound):
        return
