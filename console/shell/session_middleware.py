"""Django's sessions, and what they leave open: doubled cookies, and a session that ends during its own request."""

import re
from typing import cast

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from console.shell.error_pages import logout_reason, redirect_or_json

NAMES = ("auth", "__Host-auth")
"""Both names that the cookie may have (SESSION_COOKIE_NAME): deploy/nginx.conf counts either."""
PLAIN = re.compile(r" ?(?:__Host-)?auth=[a-z0-9]{1,64}")
"""The one spelling that browsers send. Django reads others as the same session, and the proxy, which limits the
requests of each, does not."""


class SessionMiddleware(DjangoSessionMiddleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        strange = _strange_names(request)
        if strange:
            # Of two, somebody on a sibling host planted one, and which is ours can't be known.
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        try:
            response = cast(HttpResponseBase, super().__call__(request))
        except SessionInterrupted:
            # Logged out by another request while this one ran and wanted to save.
            response = redirect_or_json(request, f"/login?reason={logout_reason(request)}", status=401)
            strange = {settings.SESSION_COOKIE_NAME}
        for name in strange - response.cookies.keys():
            response.delete_cookie(name, path="/", samesite="Lax")
        return response


def _strange_names(request: HttpRequest) -> set[str]:
    """The names of the session's cookies, unless there is one at most, and that one plain."""
    header = str(request.META.get("HTTP_COOKIE", "")).encode("latin-1").decode(errors="replace")  # as Django reads it
    parts = [part for part in header.split(";") if _name(part) in NAMES]
    return set(map(_name, parts)) if len(parts) > 1 or not all(map(PLAIN.fullmatch, parts)) else set()


def _name(part: str) -> str:
    return part.split("=", 1)[0].strip()
