"""Django's sessions, and what they leave open: doubled cookies, and a session that ends during its own request."""

from typing import cast

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from console.error_pages import lead

COOKIE_LENGTH = 64


class SessionMiddleware(DjangoSessionMiddleware):
    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = settings.SESSION_COOKIE_NAME
        strange = _is_strange(request, name)
        if strange:
            # Two cookies of one name: somebody on a sibling host planted one. Which is ours can't be known.
            request.COOKIES.pop(name, None)
        try:
            response = cast(HttpResponseBase, super().__call__(request))
        except SessionInterrupted:
            # Logged out by another request while this one ran and wanted to save.
            response = lead(request, "/login?reason=expired", status=401)
            strange = True
        if strange and name not in response.cookies:
            response.delete_cookie(name, path="/", samesite="Lax")
        return response


def _is_strange(request: HttpRequest, name: str) -> bool:
    raw = str(request.META.get("HTTP_COOKIE", ""))
    count = sum(1 for part in raw.split(";") if part.split("=", 1)[0].strip() == name)
    return count > 1 or len(request.COOKIES.get(name, "")) > COOKIE_LENGTH
