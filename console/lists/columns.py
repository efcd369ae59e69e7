"""The columns that somebody hid in a list stay hidden in that list (conformance DM-12).

Those that are hidden are remembered, and not those that are shown: a column that is new, or that the list has elsewhere
only, is there until somebody hides it. Some lists have columns that are hidden until somebody shows them.
"""

import re

from django.http import HttpRequest

from console.lists.choosing import OFFERED, QUERY, VISIBLE
from console.lists.memory import RedirectTo, read_cookie, write_cookie
from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest, wants_json

COOKIE = "columns"
_HIDDEN = re.compile(r"[a-z]{1,20}(-[a-z_]{1,30}){0,20}")


def hidden_columns(request: ConsoleRequest, definition: ListDefinition) -> frozenset[str]:
    """The columns that this answer leaves out; what the URL says of them is remembered from now on.

    Raises Remembered for a page, which then has an address that says nothing of them: in a link that is shared, or on
    the way back, they would be chosen again.
    """
    before = _hidden(request).get(definition.name, frozenset(definition.hidden))
    names = frozenset(request.GET.get(OFFERED, "").split(".")).intersection(definition.columns)
    if not names:
        return before
    hidden = (before - names) | names.difference(request.GET.getlist(VISIBLE))
    if hidden != before:
        store_hidden_columns(request, definition, hidden)
    if not wants_json(request):
        query = request.GET.get(QUERY, "")
        raise RedirectTo(f"{request.path}?{query}" if query and query.isprintable() else request.path)
    return hidden


def store_hidden_columns(request: HttpRequest, definition: ListDefinition, hidden: frozenset[str]) -> None:
    """Let these columns of the list be hidden from now on."""
    lists = {**_hidden(request), definition.name: hidden}
    if hidden == frozenset(definition.hidden):
        del lists[definition.name]
    write_cookie(request, COOKIE, ["-".join([name, *sorted(columns)]) for name, columns in lists.items()])


def _hidden(request: HttpRequest) -> dict[str, frozenset[str]]:
    """List name -> the hidden columns, as the cookie tells it; other values are ignored."""
    lists = [part.split("-") for part in read_cookie(request, COOKIE) if _HIDDEN.fullmatch(part)]
    return {name: frozenset(columns) for name, *columns in lists}
