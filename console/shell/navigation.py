"""The side navigation: the entries of the apps, and the current one."""

import msgspec
from django.http import HttpRequest

from console.web.badges import Counts, badges
from console.web.contributions import contributed
from console.web.paths import get_path


def home() -> str:
    """Return the path to which / redirects a logged-in administrator (specification, section 2)."""
    return get_path(contributed().home)


class NavigationItem(msgspec.Struct, frozen=True):
    """An entry of the navigation. `badge` is its count; 0 shows none."""

    label: str
    href: str
    icon: str
    current: bool
    badge: int = 0


class BellView(msgspec.Struct, frozen=True):
    """The bell in the header, with its number (0 shows none) in words; both are read again from `count_href`."""

    href: str
    count_href: str
    count: int
    label: str


def bell(counts: Counts) -> BellView | None:
    """Return the bell; None if no app has one."""
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
