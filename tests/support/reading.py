"""A page as it is read."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any


def as_read(html: str) -> str:
    """Return a page in which each name of its own direction, linked or not, is the text that sentences have it as."""
    return re.sub(r'(?:<a href="[^"]*">)?<bdi translate=no>([^<]*)</bdi>(?:</a>)?', "\u2068\\1\u2069", html)


def one_line(html: str) -> str:
    """Return a page without its line breaks: next to a tag they are removed, elsewhere they become a space."""
    return re.sub(r"\s*\n\s*", " ", re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", html))


def words(response: Any) -> str:
    """Return the text of a page, without its markup."""
    return _without_markup(response.content.decode())


def is_unconfirmed(html: str, action: str) -> bool:
    """Return whether a page says that the outcome of an action is unknown, under the action's name."""
    return f"{action} We couldn't confirm whether this worked." in _without_markup(html)


def preference_cookie(cookies: Mapping[str, Any], name: str) -> Any:
    """Return the cookie with an administrator's preferences for lists, "sizes" or "columns"; None if there is none."""
    return next((cookie for key, cookie in cookies.items() if key.startswith(f"{name}-")), None)


def _without_markup(html: str) -> str:
    html = re.sub(r"<script.*?</script>|<style.*?</style>", " ", html, flags=re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))))
