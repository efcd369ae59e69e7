"""The page size that somebody chose for a list stays chosen for that list (conformance CO-16, DM-10)."""

import re

from django.http import HttpRequest

from console.http import ConsoleRequest
from console.lists.columns import hidden_columns
from console.lists.memory import remember, told_by
from console.lists.query import DEFAULT_SIZE, ListDefinition, ListQuery
from console.upstream.listing import PAGE_SIZES

COOKIE = "sizes"
_SIZE = re.compile(rf"([a-z]{{1,20}})-({'|'.join(map(str, PAGE_SIZES))})")


def read_query(request: ConsoleRequest, definition: ListDefinition) -> ListQuery:
    """The query of this request, with what is remembered of the list; a size or columns in the URL are from now on."""
    sizes = _sizes(request)
    remembered = sizes.get(definition.name, DEFAULT_SIZE)
    hidden = hidden_columns(request, definition)
    query = ListQuery.read(definition, request.GET, remembered_size=remembered, hidden_columns=hidden)
    if query.size != remembered:
        sizes[definition.name] = query.size
        remember(request, COOKIE, [f"{name}-{size}" for name, size in sizes.items()])
    return query


def _sizes(request: HttpRequest) -> dict[str, int]:
    """List name -> page size, as the cookie tells it; other values are ignored."""
    found = [match for part in told_by(request, COOKIE) if (match := _SIZE.fullmatch(part))]
    return {match[1]: int(match[2]) for match in found}
