"""The language menu, for templates."""

from typing import NamedTuple

from django.http import HttpRequest

from console.i18n.languages import DEFAULT, TABLE


class Choice(NamedTuple):
    """An entry of the language menu."""

    tag: str
    name: str
    href: str
    current: bool


def languages_for(request: HttpRequest) -> list[Choice]:
    """Return a link per language to the same page and query; links are relative, so they can't lead elsewhere."""
    query = request.GET.copy()
    query.pop("lng", None)
    start = f"?{query.urlencode()}&lng=" if query else "?lng="
    current: str = getattr(request, "lng", DEFAULT.tag)
    return [Choice(tag, name, start + tag, tag == current) for tag, _code, name, _plural in TABLE]
