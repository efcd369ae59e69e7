"""The paths of views, remembered: a page names dozens, and to build one takes as long as to draw a row."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=4096)
def path_of(view: str, *values: str) -> str:
    """Return the path of a view by its name ("groups:user-list") and the values in it, which are quoted."""
    return reverse(view, args=values)
