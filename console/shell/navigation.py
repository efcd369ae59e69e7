"""The side navigation: the entries that the apps add, and which one the reader is in."""

import msgspec
from django.http import HttpRequest

from console.web.badges import Counts, badges
from console.web.contributions import contributed
from console.web.paths import get_path


def home() -> str:
    """Return where / leads who is logged in (specification, section 2)."""
    return get_path(contributed().home)


class NavigationItem(msgspec.Struct, frozen=True):
    """One entry. `badge` counts what waits there; 0 shows none."""

    label: str
    href: str
    icon: str
    current: bool
    badge: int = 0


class BellView(msgspec.Struct, frozen=True):
    """The bell in the header, with its number (0 shows none) in words; `count_href` tells both anew."""

    href: str
    count_href: str
    count: int
    label: str


def bell(counts: Counts) -> BellView | None:
    """Return the bell; None where no app has one."""
    if not (config := contributed().bell):
        return None
    return BellView(get_path(config.list), get_path(config.count), counts.unread, config.label(counts.unread))


def navigation(request: HttpRequest, counts: Counts) -> list[NavigationItem]:
    """Return the entries, in the order of the apps, with their counts. The path decides which one is current."""
    waiting, path = badges(request, counts), f"{request.path}/"
    return [
        NavigationItem(
            label=str(entry.label),
            href=get_path(entry.url_name),
            icon=entry.icon,
            current=any(path.startswith(f"{get_path(name)}/") for name in (entry.url_name, *entry.parts)),
            badge=waiting.get(entry.url_name, 0),
        )
        for entry in contributed().navigation
    ]
