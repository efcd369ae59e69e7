"""Who may enter a view: every view of the product has one of these two doors.

A door also says which methods lead through it (GET alone when nothing is said): HEAD goes with GET, OPTIONS is answered
here, and everything else is 405.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast, overload

from django.http import HttpResponse, HttpResponseNotAllowed
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers

from console.grants.limits import touch
from console.http import ConsoleRequest, login_of
from console.upstream.errors import SessionEnded

View = TypeVar("View", bound=Callable[..., HttpResponse])


@overload
def private(view: View) -> View: ...
@overload
def private(*, methods: tuple[str, ...]) -> Callable[[View], View]: ...
def private(view: View | None = None, *, methods: tuple[str, ...] = ("GET",)) -> Any:
    """Only a logged-in administrator enters, whose session this extends; everybody else goes to /login.

    Nothing behind it is ever cached.
    """
    return _door("private", view, methods)


@overload
def public(view: View) -> View: ...
@overload
def public(*, methods: tuple[str, ...]) -> Callable[[View], View]: ...
def public(view: View | None = None, *, methods: tuple[str, ...] = ("GET",)) -> Any:
    """Everybody enters."""
    return _door("public", view, methods)


def _door(kind: str, view: View | None, methods: tuple[str, ...]) -> Any:
    allowed = [*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"]

    def hang(view: View) -> View:
        @wraps(view)
        def entered(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "OPTIONS":
                return HttpResponse(status=204, headers={"Allow": ", ".join(allowed)})
            if request.method not in allowed:
                return HttpResponseNotAllowed(allowed)
            if kind == "private":
                if (login := login_of(request)) is None:
                    raise SessionEnded("no usable login")
                touch(login.grant, timezone.now())
            response = view(request, *args, **kwargs)
            if kind == "private":
                response.headers["Cache-Control"] = "no-store"
            elif not response.has_header("Cache-Control"):
                patch_cache_control(response, private=True, no_cache=True)
            patch_vary_headers(response, ["Accept"])
            return response

        cast(Any, entered).door = kind
        cast(Any, entered).methods = methods
        return cast(View, entered)

    return hang(view) if view else hang
