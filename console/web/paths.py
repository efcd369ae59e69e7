"""The paths of views, remembered: a page names dozens, and to build one takes as long as to draw a row."""

from functools import lru_cache

from django.urls import NoReverseMatch, register_converter, reverse
from django.urls.converters import StringConverter

WORDS = ("new", "import", "export", "bulk", "expected")
"""What stands in our paths where else an ID stands."""
MAX_ID_LENGTH = 200
"""Characters."""


class IdConverter(StringConverter):
    """An ID of the service in a path: whatever leads back to the same view with the same ID (`<id:clinic_id>`).

    No slash, which servers decode; no dots alone, which browsers resolve; no control character, nor what stands for a
    lone surrogate; none of our own words; and short enough for a request line.
    """

    regex = rf"(?!(?:{'|'.join(WORDS)}|\s*(?:\.{{1,2}}\s*)?)(?:/|\Z))[^/\x00-\x1f\x7f\ufffd]{{1,{MAX_ID_LENGTH}}}"


class XlsxConverter(StringConverter):
    """The kind of a file, where it is not CSV (`<xlsx:kind>`)."""

    regex = "xlsx"


register_converter(IdConverter, "id")
register_converter(XlsxConverter, "xlsx")


@lru_cache(maxsize=4096)
def get_path(view: str, *values: str) -> str:
    """Return the path of a view by its name ("groups:user-list") and the values in it, which are quoted.

    Empty for a value that no path can hold: what the service sends as an ID may be anything.
    """
    if any(len(value) > MAX_ID_LENGTH for value in values):
        return ""  # before each path of ours is compared with it
    try:
        return reverse(view, args=values)
    except NoReverseMatch:
        if not values:
            raise
        return ""
