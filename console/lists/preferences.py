"""Preferences for a list: page size, hidden columns (conformance CO-16, DM-10, DM-12) and saved views as links.

Sizes and hidden columns are in cookies of their own, which outlive the session. Each administrator of a browser has
other ones, named by a part of the keyed identity. Hidden columns are stored, not visible ones, so that a new column is
visible until it is hidden.
"""

import re
from collections.abc import Callable
from urllib.parse import urlencode

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from console.lists.query import DEFAULT_SIZE, ListDefinition, ListQuery
from console.lists.saved_views import ListState, StoredViews, Views
from console.web.failures import not_loaded
from console.web.paths import get_path
from console.web.request import ConsoleRequest, wants_json
from upstream.listing import PAGE_SIZES

OFFERED, VISIBLE, QUERY = "columns", "column", "list_query"
"""URL parameters of the form that chooses columns: those offered, each one checked, and the query of the list."""
MAX_URL_LENGTH = 2000
"""Characters of an address that can be saved as a view, because it becomes the target of a redirect."""
ALL_SIZES = 0
"""A default page size that no query has, so that the address names its size."""

_SIZES, _COLUMNS = "sizes", "columns"
_SIZE = re.compile(rf"([a-z]{{1,20}})-({'|'.join(map(str, PAGE_SIZES))})")
_HIDDEN = re.compile(r"[a-z]{1,20}(-[a-z_]{1,30}){0,20}")
_COOKIES = "CONSOLE_LIST_COOKIES"
"""The key of the request's META under which changed cookies are until the response is made."""
_COOKIE_MAX_AGE_SECONDS = 365 * 24 * 3600
_MAX_LISTS = 20
"""Lists that a cookie may name."""


class RedirectTo(Exception):
    """The request changed a preference; the page continues at this address, which doesn't change it again."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class ListPreferencesMiddleware:
    """Set the cookies that a request changed, and redirect on RedirectTo."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        # Neither the link of another site nor a request for headers is a choice of the administrator.
        if request.method == "HEAD" or request.headers.get("Sec-Fetch-Site") == "cross-site":
            return response
        for cookie, value in request.META.get(_COOKIES, {}).items():
            response.set_cookie(
                cookie,
                value,
                max_age=_COOKIE_MAX_AGE_SECONDS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return HttpResponseRedirect(exception.address) if isinstance(exception, RedirectTo) else None


class ViewLink(msgspec.Struct, frozen=True):
    """A link to a saved view; the first one leads to the list in its plain form."""

    label: str
    href: str
    is_current: bool


class ViewLinks(msgspec.Struct, frozen=True):
    """The links above a list, named `label` together. Without saved views there are none; the other
    text is the message that they could not be read.

    `act_label` and `act_href` are the link that saves or edits what the list shows, and `share_href` is the address
    that shows the same to others; all are empty in its plain form.
    """

    label: str
    links: list[ViewLink] = []
    message: str = ""
    act_label: str = ""
    act_href: str = ""
    share_href: str = ""


def read_query(request: ConsoleRequest, definition: ListDefinition) -> ListQuery:
    """Return the query of this request with the stored preferences; a size or columns in the URL are stored.

    Raises RedirectTo for a page that chooses columns, or that has no query while a saved view is the default.
    """
    sizes = _stored_sizes(request)
    stored_size = sizes.get(definition.name, DEFAULT_SIZE)
    hidden, views = _hidden_columns(request, definition), _views(request)
    query = ListQuery.read(definition, request.GET, stored_size=stored_size, hidden_columns=hidden, views=views)
    if views and views.default and not request.GET and not wants_json(request):
        first = apply_view(query, views.default.state)
        if first.hidden_columns != hidden:
            _store_hidden_columns(request, definition, first.hidden_columns or frozenset())
        raise RedirectTo(first.url(request.path))
    if query.size != stored_size:
        sizes[definition.name] = query.size
        _write_cookie(request, _SIZES, [f"{name}-{size}" for name, size in sizes.items()])
    return query


def apply_view(query: ListQuery, state: ListState) -> ListQuery:
    """Return the query of a view of the same list. What the list can't apply any more stays, and is reported there."""
    definition = query.definition
    result = ListQuery.read(
        definition,
        QueryDict(state.query),
        stored_size=query.default_size,
        hidden_columns=frozenset(state.hidden).intersection(definition.columns),
    )
    return replace(result, views=query.views, extra_pairs=query.extra_pairs)


def plain_form(query: ListQuery) -> ListQuery:
    """Return the query of the same list without search, filters and preferences."""
    return apply_view(query, ListState("", f"size={DEFAULT_SIZE}", query.definition.hidden))


def build_url(query: ListQuery, path: str) -> str:
    """Return the address of the first page of a list to store or share, which names its page size."""
    return replace(query, page=1, default_size=ALL_SIZES, extra_pairs=()).url(path)


def view_links(query: ListQuery, path: str) -> ViewLinks | UnsetType:
    """Return the links to the saved views of a list; UNSET if none is saved and the list is in its plain form."""
    if (saved := query.views) is None:
        return UNSET
    # Translators: noun: a menu of the saved views of a list; “saved” is an adjective.
    label = _("Saved views")
    if not saved.is_read:
        return ViewLinks(label, message=_("%(filter)s: %(value)s") % {"filter": label, "value": not_loaded()})
    current_key = _comparison_key(query)
    # Translators: the link to a list without search and filters, next to those of saved views; neutral form.
    queries = [(_("All"), plain_form(query)), *((view.name, apply_view(query, view.state)) for view in saved.views)]
    indexes = [index for index, (_name, view_query) in enumerate(queries) if _comparison_key(view_query) == current_key]
    current = indexes[-1] if indexes else None  # a view that is like the plain form can be edited, too
    links = [
        ViewLink(name, _href(query, view_query, path), n == current) for n, (name, view_query) in enumerate(queries)
    ]
    links = links if saved.views else []
    share = _share_url(query, path)
    if current:
        edit = get_path("saved-view-edit", saved.views[current - 1].id)
        return ViewLinks(label, links, act_label=_("Edit view"), act_href=edit, share_href=share)
    address = build_url(query, path)
    is_part = any(f.default for f in query.definition.filters)  # then the plain form is a choice, too, and has a name
    if (current is None or is_part) and len(address) <= MAX_URL_LENGTH and not query.invalid:
        params = {
            "back": address,
            **({"hidden": ".".join(sorted(query.hidden_columns))} if query.hidden_columns else {}),
        }
        save = f"{get_path('saved-view-create')}?{urlencode(params)}"
        return ViewLinks(label, links, act_label=_("Save view"), act_href=save, share_href=share)
    return ViewLinks(label, links) if links else UNSET


def _hidden_columns(request: ConsoleRequest, definition: ListDefinition) -> frozenset[str]:
    """Return the hidden columns of a list, after storing those that the URL chooses.

    Raises RedirectTo for a page that chooses: a shared or older address would choose them again.
    """
    before = _stored_hidden_columns(request).get(definition.name, frozenset(definition.hidden))
    names = frozenset(request.GET.get(OFFERED, "").split(".")).intersection(definition.columns)
    if not names:
        return before
    hidden = (before - names) | names.difference(request.GET.getlist(VISIBLE))
    if hidden != before:
        _store_hidden_columns(request, definition, hidden)
    if not wants_json(request):
        query = request.GET.get(QUERY, "")
        raise RedirectTo(f"{request.path}?{query}" if query and query.isprintable() else request.path)
    return hidden


def _store_hidden_columns(request: ConsoleRequest, definition: ListDefinition, hidden: frozenset[str]) -> None:
    lists = {**_stored_hidden_columns(request), definition.name: hidden}
    if hidden == frozenset(definition.hidden):
        del lists[definition.name]
    _write_cookie(request, _COLUMNS, ["-".join([name, *sorted(columns)]) for name, columns in lists.items()])


def _stored_hidden_columns(request: ConsoleRequest) -> dict[str, frozenset[str]]:
    """Return the hidden columns by the list's name; other values in the cookie are ignored."""
    lists = [part.split("-") for part in _read_cookie(request, _COLUMNS) if _HIDDEN.fullmatch(part)]
    return {name: frozenset(columns) for name, *columns in lists}


def _stored_sizes(request: ConsoleRequest) -> dict[str, int]:
    """Return the page sizes by the list's name; other values in the cookie are ignored."""
    matches = [match for part in _read_cookie(request, _SIZES) if (match := _SIZE.fullmatch(part))]
    return {match[1]: int(match[2]) for match in matches}


def _read_cookie(request: ConsoleRequest, cookie: str) -> list[str]:
    return request.COOKIES.get(_cookie_name(request, cookie), "").split(".")[:_MAX_LISTS]


def _write_cookie(request: ConsoleRequest, cookie: str, lists: list[str]) -> None:
    request.META.setdefault(_COOKIES, {})[_cookie_name(request, cookie)] = ".".join(lists)


def _cookie_name(request: ConsoleRequest, cookie: str) -> str:
    return f"{cookie}-{request.admin.identity[:8]}"


def _views(request: ConsoleRequest) -> Views | None:
    """Return the saved views of the list; None for a list that is a part of another page."""
    is_list = request.resolver_match and (request.resolver_match.url_name or "").endswith("-list")
    return StoredViews(request.admin.identity).for_list(request.path) if is_list else None


def _comparison_key(query: ListQuery) -> object:
    """Return a value that is equal for two queries of the same view."""
    return frozenset(replace(query, page=1, default_size=ALL_SIZES).pairs()), query.hidden_columns


def _href(current: ListQuery, target: ListQuery, path: str) -> str:
    """Return the address of a view, which also chooses its columns where they differ from the current ones."""
    address = replace(target, page=1).url(path)
    return address if target.hidden_columns == current.hidden_columns else _with_columns(address, target)


def _share_url(query: ListQuery, path: str) -> str:
    """Return the address of the list for others, which also chooses its columns unless they are the usual ones."""
    address = build_url(query, path)
    is_usual = query.hidden_columns in (None, frozenset(query.definition.hidden))
    return address if is_usual else _with_columns(address, query)


def _with_columns(address: str, query: ListQuery) -> str:
    path, _mark, address_query = address.partition("?")
    columns = query.definition.columns
    visible = [(VISIBLE, name) for name in columns if name not in (query.hidden_columns or ())]
    return f"{path}?{urlencode([(QUERY, address_query), (OFFERED, '.'.join(columns)), *visible])}"
