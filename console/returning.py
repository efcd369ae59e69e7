"""The way back from a form to the list that it was opened from, with the list's search, filters and page (LS-13)."""

from urllib.parse import urlencode, urlsplit

from console.http import ConsoleRequest

FIELD = "back"
LENGTH = 2000


def way_back(request: ConsoleRequest, default: str, *others: str) -> str:
    """The address to return to: the list at `default` or at one of `others`, as it was when the form was opened.

    Only the query is taken from what the browser sends; the path is always one of these, so it can lead nowhere else.
    """
    asked = request.POST.get(FIELD) or request.GET.get(FIELD)
    if asked is None:
        asked = request.headers.get("Referer", "")
        if urlsplit(asked).netloc != request.get_host():
            return default
    parts = urlsplit(asked[:LENGTH])
    if parts.path not in (default, *others) or not parts.query.isprintable():
        return default
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def with_way_back(url: str, back: str, default: str) -> str:
    """The address of a page that leads back there; its own way back, the default, need not be said."""
    return url if back == default else f"{url}?{urlencode({FIELD: back})}"
