"""Django's sessions, extended for duplicate cookies and for sessions that end during their own request."""

import re
from typing import cast

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from console.shell.error_pages import logout_reason, redirect_or_json

NAMES = ("auth", "__Host-auth")
"""Both possible names of the cookie (SESSION_COOKIE_NAME): deploy/nginx.conf counts either."""
PLAIN = re.compile(r" ?(?:__Host-)?auth=[a-z0-9]{1,64}")
"""The only spelling that browsers send. Django reads others as the same session, but the proxy, which limits the
requests of each session, does not."""


class SessionMiddleware(DjangoSessionMiddleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        strange = _strange_names(request)
        if strange:
            # If there are two, a sibling host may have set one, and the console's own can't be identified.
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        try:
            response = cast(HttpResponseBase, super().__call__(request))
        except SessionInterrupted:
            # Another request logged out while this one ran and was about to save.
            response = redirect_or_json(request, f"/login?reason={logout_reason(request)}", status=401)
            strange = {settings.SESSION_COOKIE_NAME}
        for name in strange - response.cookies.keys():
            response.delete_cookie(name, path="/", samesite="Lax")
        return response


def _strange_names(request: HttpRequest) -> set[str]:
    """Return the names of the session's cookies, unless there is at most one, in the plain spelling."""
    header = str(request.META.get("HTTP_COOKIE", "")).encode("latin-1").decode(errors="replace")  # as Django reads it
    parts = [part for part in header.split(";") if _name(part) in NAMES]
    return set(map(_name, parts)) if len(parts) > 1 or not all(map(PLAIN.fullmatch, parts)) else set()


def _name(part: str) -> str:
    return part.split("=", 1)[0].strip()
