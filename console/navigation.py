"""The side navigation: which rooms there are, and which one the reader is in."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

HOME = "/user-manage"


@dataclass(frozen=True)
class NavigationItem:
    """One entry. `badge` counts what waits there; 0 shows none."""

    label: str
    href: str
    icon: str
    current: bool
    badge: int = 0


def navigation(request: HttpRequest) -> list[NavigationItem]:
    """The rooms of the console, in the order of daily use."""
    rooms = [
        (_("Clinics"), "/user-manage/clinic", "hospital"),
        (_("Teams"), "/user-manage/team", "users"),
        (_("Users"), "/user-manage/user", "user"),
    ]
    return [
        NavigationItem(label=label, href=href, icon=icon, current=f"{request.path}/".startswith(f"{href}/"))
        for label, href, icon in rooms
    ]
