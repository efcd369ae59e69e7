"""What somebody chose for a list, in cookies of its own: they outlive the session, and say nothing about anybody."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

CHOSEN = "CHOSEN_FOR_LISTS"
"""Where a request remembers what was chosen, by cookie, until its answer is made."""
YEAR = 365 * 24 * 3600
MAX_LISTS = 20
"""Lists that a cookie may name."""


class RedirectTo(Exception):
    """What was asked is remembered; the page goes on at this address, where it is not asked again."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def read_cookie(request: HttpRequest, cookie: str) -> list[str]:
    """Return what a cookie tells of each list."""
    return request.COOKIES.get(cookie, "").split(".")[:MAX_LISTS]


def write_cookie(request: HttpRequest, cookie: str, lists: list[str]) -> None:
    """Let the browser keep this of each list from now on."""
    request.META.setdefault(CHOSEN, {})[cookie] = ".".join(lists)


class ListMemoryMiddleware:
    """Give the browser the cookies of what was chosen in this request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        # The link of another site, or a question for the headers only, is nobody's choice.
        if request.method == "HEAD" or request.headers.get("Sec-Fetch-Site") == "cross-site":
            return response
        for cookie, value in request.META.get(CHOSEN, {}).items():
            response.set_cookie(
                cookie,
                value,
                max_age=YEAR,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return HttpResponseRedirect(exception.address) if isinstance(exception, RedirectTo) else None
