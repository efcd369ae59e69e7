"""The side navigation: the entries of the apps by group, and the current one."""

from typing import Any, get_args

import msgspec
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from console.web.badges import Counts, badges
from console.web.contributions import NavigationEntry, NavigationGroup, contributed
from console.web.paths import get_path


def home() -> str:
    """Return the path to which / redirects a logged-in administrator (specification, section 2)."""
    return get_path(contributed().home)


LABELS: dict[NavigationGroup, Any] = {
    # Translators: heading in the navigation, above Clinics, Teams, Users and Permissions.
    "people": _("User management"),
    # Translators: heading in the navigation, above Scanners and Partners.
    "devices": _("Devices and labs"),
    # Translators: noun: heading in the navigation, above Activity and Access review.
    "records": _("Records"),
}
"""The headings of groups; the others have none."""


class NavigationItem(msgspec.Struct, frozen=True):
    """An entry of the navigation. `badge` is its count; 0 shows none."""

    label: str
    href: str
    icon: str
    current: bool
    badge: int = 0


class NavigationView(msgspec.Struct, frozen=True):
    """A group of entries; `label` is its heading, "" for none."""

    label: str
    entries: list[NavigationItem]


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


def navigation(request: HttpRequest, counts: Counts) -> list[NavigationView]:
    """Return the groups with their entries and counts. The path alone decides which entry is current."""
    waiting = badges(request, counts)
    items: dict[NavigationGroup, list[NavigationItem]] = {name: [] for name in get_args(NavigationGroup)}
    for entry in contributed().navigation:
        items[entry.group].append(
            NavigationItem(
                label=str(entry.label),
                href=get_path(entry.url_name) + (f"#{entry.fragment}" if entry.fragment else ""),
                icon=entry.icon,
                current=_is_current(entry, request.path),
                badge=waiting.get(entry.url_name, 0),
            )
        )
    return [NavigationView(str(LABELS.get(name, "")), entries) for name, entries in items.items()]


def _is_current(entry: NavigationEntry, path: str) -> bool:
    parents = entry.parts if entry.fragment else (entry.url_name, *entry.parts)
    return path == get_path(entry.url_name) or any(f"{path}/".startswith(f"{get_path(name)}/") for name in parents)
