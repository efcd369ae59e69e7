"""Cached paths of views: a page has dozens of links, and reversing a URL takes as long as rendering a row."""

from functools import lru_cache

from django.urls import NoReverseMatch, register_converter, reverse
from django.urls.converters import StringConverter

WORDS = ("new", "import", "export", "bulk", "expected")
"""Words of the console's own paths in places where other paths have an ID."""
MAX_ID_LENGTH = 200
"""Characters."""


class IdConverter(StringConverter):
    """An ID of the service in a path (`<id:clinic_id>`), if the path leads back to the same view with the same ID.

    No slash, which servers decode; not only dots, which browsers resolve; no control character or replacement of a lone
    surrogate; none of the words of our own paths; and short enough for a request line.
    """

    regex = rf"(?!(?:{'|'.join(WORDS)}|\s*(?:\.{{1,2}}\s*)?)(?:/|\Z))[^/\x00-\x1f\x7f\ufffd]{{1,{MAX_ID_LENGTH}}}"


class XlsxConverter(StringConverter):
    """The format of a file that is not CSV (`<xlsx:kind>`)."""

    regex = "xlsx"


register_converter(IdConverter, "id")
register_converter(XlsxConverter, "xlsx")


@lru_cache(maxsize=4096)
def get_path(view: str, *values: str) -> str:
    """Return the path of a view by its name ("groups:user-list") and its values, which are quoted.

    Empty if no path can hold a value: IDs from the service may be anything.
    """
    if any(len(value) > MAX_ID_LENGTH for value in values):
        return ""  # faster than matching it with each path
    try:
        return reverse(view, args=values)
    except NoReverseMatch:
        if not values:
            raise
        return ""
