"""The way back from a form to the list that it was opened from, with the list's search, filters and page (LS-13)."""

from collections.abc import Container
from dataclasses import dataclass
from urllib.parse import unquote, urlencode

from django.urls import Resolver404, resolve
from django.utils.encoding import iri_to_uri

from console.forms.drafts import get_draft
from console.web.contributions import contributed
from console.web.paths import get_path
from console.web.request import ConsoleRequest, sent_from, split_address

FIELD = "back"
LENGTH = 2000
"""Characters of it as it is sent: a proxy reads the head of an answer into a buffer."""


@dataclass(frozen=True)
class ViewPages:
    """The pages of a view whose paths begin with these values: the deletions of all teams of a clinic."""

    view: str
    values: tuple[str, ...]

    def __contains__(self, path: object) -> bool:
        try:
            match = resolve(unquote(str(path)))
        except Resolver404:
            return False
        values = tuple(match.kwargs.values())
        matches_view = match.view_name == self.view and values[: len(self.values)] == self.values
        return matches_view and path == get_path(self.view, *values)


def return_url(request: ConsoleRequest, default: str, *others: str, pages: Container[str] = ()) -> str:
    """Return the list at `default` or at one of `others`, as it was when the form was opened; or one of the `pages`.

    What is decided in a page that has things of several lists leads back there, too (`Contributions.inboxes`).
    Only the query is taken from what the browser sends; the path is always one of these, so it can lead nowhere else.
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
    """Tell whether a redirect can lead there."""
    return len(address) <= LENGTH and len(iri_to_uri(address)) <= LENGTH


def with_return_url(url: str, back: str, default: str) -> str:
    """Return the address of a page that leads back there; its own return URL, the default, need not be said."""
    return url if back == default else f"{url}?{urlencode({FIELD: back})}"
