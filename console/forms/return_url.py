"""The way back from a form to the list that it was opened from, with the list's search, filters and page (LS-13)."""

from urllib.parse import urlencode

from django.utils.encoding import iri_to_uri

from console.forms.drafts import draft_of
from console.http import ConsoleRequest, sent_from, split_address

FIELD = "back"
LENGTH = 2000
"""Characters of it as it is sent: a proxy reads the head of an answer into a buffer."""


def return_url(request: ConsoleRequest, default: str, *others: str) -> str:
    """Return the list at `default` or at one of `others`, as it was when the form was opened.

    Only the query is taken from what the browser sends; the path is always one of these, so it can lead nowhere else.
    """
    asked = request.POST.get(FIELD) or request.GET.get(FIELD)
    if asked is None and (draft := draft_of(request)):
        asked = draft.data.get(FIELD)
    if asked is None:
        asked = sent_from(request)
    parts = split_address(asked if is_short(asked) else "")
    if parts.path not in (default, *others) or not parts.query.isprintable():
        return default
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def is_short(address: str) -> bool:
    """Tell whether a redirect can lead there."""
    return len(address) <= LENGTH and len(iri_to_uri(address)) <= LENGTH


def with_return_url(url: str, back: str, default: str) -> str:
    """Return the address of a page that leads back there; its own return URL, the default, need not be said."""
    return url if back == default else f"{url}?{urlencode({FIELD: back})}"
