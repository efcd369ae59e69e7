"""The addresses of notifications, and of what they are about."""

from datetime import datetime

from console import registry
from console.paths import path_of
from console.upstream.client import Upstream
from console.upstream.resources.notifications import Notification

OPENING = "/open"


def notification_list_url() -> str:
    return path_of("notifications:notification-list")


def unread_list_url() -> str:
    return f"{notification_list_url()}?filter=unread"


def notification_pages(notification_id: str) -> str:
    """What the addresses of a notification begin with; "" where its ID can't stand in any."""
    return path_of("notifications:notification-open", notification_id).removesuffix(OPENING)


def read_all_url(seen: datetime) -> str:
    """Where all that is not newer than this is marked as read."""
    return path_of("notifications:notification-read-all", seen.isoformat().replace("+00:00", "Z"))


def can_be_opened(notification: Notification) -> bool:
    """Tell whether there may be a page of what it is about. Whether it is there yet is known once it is opened."""
    about = notification.target
    return bool(about and about.id and about.kind in registry.targets and notification.id)


def address_of_target(upstream: Upstream, notification: Notification) -> str:
    """Return the page of what a notification is about, "" for none. Raises NotFound where that is gone."""
    about = notification.target
    if about is None or not can_be_opened(notification):
        return ""
    return registry.targets[about.kind](upstream, about.id)
