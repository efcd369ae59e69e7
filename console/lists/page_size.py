"""The page size that somebody chose for a list stays chosen for that list (conformance CO-16, DM-10).

It is kept in a cookie of its own, because it outlives the session: it says nothing about anybody.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from console.http import ConsoleRequest
from console.lists.query import DEFAULT_SIZE, PAGE_SIZES, ListDefinition, ListQuery

COOKIE = "sizes"
CHOSEN = "CHOSEN_PAGE_SIZE"
"""Where a request remembers the list and the size that it chose, until its answer is made."""
YEAR = 365 * 24 * 3600
MOST_LISTS = 20
"""Lists that a cookie may name."""
_SIZE = re.compile(rf"([a-z]{{1,20}})-({'|'.join(map(str, PAGE_SIZES))})")


def read_query(request: ConsoleRequest, definition: ListDefinition) -> ListQuery:
    """The query of this request, with the remembered page size; a size in the URL is remembered from now on."""
    remembered = _sizes(request).get(definition.name, DEFAULT_SIZE)
    query = ListQuery.read(definition, request.GET, remembered_size=remembered)
    if query.size != remembered:
        request.META[CHOSEN] = (definition.name, query.size)
    return query


class ListMemoryMiddleware:
    """Give the browser the cookie of the size that was chosen in this request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if chosen := request.META.get(CHOSEN):
            name, size = chosen
            response.set_cookie(
                COOKIE,
                ".".join(f"{name}-{size}" for name, size in {**_sizes(request), name: size}.items()),
                max_age=YEAR,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


def _sizes(request: HttpRequest) -> dict[str, int]:
    """List name -> page size, as the cookie tells it; other values are ignored."""
    parts = request.COOKIES.get(COOKIE, "").split(".")
    found = [match for part in parts[:MOST_LISTS] if (match := _SIZE.fullmatch(part))]
    return {match[1]: int(match[2]) for match in found}
