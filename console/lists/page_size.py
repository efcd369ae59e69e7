"""The page size that somebody chose for a list stays chosen for that list (conformance CO-16, DM-10)."""

import re

from django.http import HttpRequest

from console.lists.columns import hidden_columns, store_hidden_columns
from console.lists.memory import RedirectTo, read_cookie, write_cookie
from console.lists.query import DEFAULT_SIZE, ListDefinition, ListQuery
from console.lists.saved import Views
from console.lists.stored_views import StoredViews
from console.lists.view_links import apply_view
from console.web.request import ConsoleRequest, wants_json
from upstream.listing import PAGE_SIZES

COOKIE = "sizes"
_SIZE = re.compile(rf"([a-z]{{1,20}})-({'|'.join(map(str, PAGE_SIZES))})")


def read_query(request: ConsoleRequest, definition: ListDefinition) -> ListQuery:
    """The query of this request, with what is remembered of the list; a size or columns in the URL are from now on.

    Raises Remembered for a page whose address asks for nothing, where a saved view is the default.
    """
    sizes = _sizes(request)
    stored_size = sizes.get(definition.name, DEFAULT_SIZE)
    hidden, views = hidden_columns(request, definition), _views(request)
    query = ListQuery.read(definition, request.GET, stored_size=stored_size, hidden_columns=hidden, views=views)
    if views and views.default and not request.GET and not wants_json(request):
        first = apply_view(query, views.default.state)
        if first.hidden_columns != hidden:
            store_hidden_columns(request, definition, first.hidden_columns or frozenset())
        raise RedirectTo(first.url(request.path))
    if query.size != stored_size:
        sizes[definition.name] = query.size
        write_cookie(request, COOKIE, [f"{name}-{size}" for name, size in sizes.items()])
    return query


def _views(request: ConsoleRequest) -> Views | None:
    """The saved views of the list; None for a list that is a part of another page."""
    is_list = request.resolver_match and (request.resolver_match.url_name or "").endswith("-list")
    return StoredViews(request.admin.identity).for_list(request.path) if is_list else None


def _sizes(request: HttpRequest) -> dict[str, int]:
    """List name -> page size, as the cookie tells it; other values are ignored."""
    matches = [match for part in read_cookie(request, COOKIE) if (match := _SIZE.fullmatch(part))]
    return {match[1]: int(match[2]) for match in matches}
