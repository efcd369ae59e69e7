"""The way back from a form to the list that it was opened from, with the list's search, filters and page (LS-13)."""

from collections.abc import Container
from dataclasses import dataclass
from urllib.parse import unquote, urlencode

from django.urls import Resolver404, resolve
from django.utils.encoding import iri_to_uri
from msgspec.structs import replace

from console.forms.drafts import get_draft
from console.lists.query import ListQuery
from console.web.contributions import contributed
from console.web.paths import get_path
from console.web.request import ConsoleRequest, sent_from, split_address

FIELD = "back"
LENGTH = 2000
"""Maximum characters of the encoded address: a proxy reads the response headers into a buffer."""


@dataclass(frozen=True)
class ViewPages:
    """The pages of a view whose paths start with these values, such as the deletions of all teams of a clinic.

    Those of the `other_views` are included.
    """

    view: str
    values: tuple[str, ...]
    other_views: tuple[str, ...] = ()

    def __contains__(self, path: object) -> bool:
        try:
            match = resolve(unquote(str(path)))
        except Resolver404:
            return False
        values = tuple(match.kwargs.values())
        matches_view = match.view_name in (self.view, *self.other_views) and values[: len(self.values)] == self.values
        return matches_view and path == get_path(match.view_name, *values)


def return_url(request: ConsoleRequest, default: str, *others: str, pages: Container[str] = ()) -> str:
    """Return the list at `default` or at one of `others`, as it was when the form was opened; or one of the `pages`.

    A page that shows objects of several lists is allowed, too (`Contributions.inboxes`). Only the query is taken from
    the browser's address; the path is always one of these, so there are no open redirects.
    """
    url = request.POST.get(FIELD) or request.GET.get(FIELD)
    if url is None and (draft := get_draft(request)):
        url = draft.data.get(FIELD)
    if url is None:
        url = sent_from(request)
    parts = split_address(url if is_short(url) else "")
    inboxes = map(get_path, contributed().inboxes)
    if not (parts.path in (default, *others, *inboxes) or parts.path in pages) or not parts.query.isprintable():
        parts = split_address(default)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def is_short(address: str) -> bool:
    """Return whether an address is short enough for a redirect."""
    return len(address) <= LENGTH and len(iri_to_uri(address)) <= LENGTH


def with_return_url(url: str, back: str, default: str) -> str:
    """Return the address of a page with `back` as its return URL, unless that is the page's default."""
    return url if back == default else f"{url}?{urlencode({FIELD: back})}"


def query_with_return_url(query: ListQuery, back: str) -> ListQuery:
    """Return the query of a list whose links keep `back` as their return URL; none if it is empty."""
    return replace(query, extra_pairs=((FIELD, back),) if back else ())
