"""The addresses of notifications, and of what they are about."""

from datetime import UTC, datetime

from console.web.contributions import contributed
from console.web.paths import get_path
from upstream.client import Upstream
from upstream.resources.notifications import Notification

OPENING = "/open"


def notification_list_url() -> str:
    return get_path("notifications:notification-list")


def unread_list_url() -> str:
    return f"{notification_list_url()}?filter=unread"


def notification_pages(notification_id: str) -> str:
    """What the addresses of a notification begin with; "" where its ID can't stand in any."""
    return get_path("notifications:notification-open", notification_id).removesuffix(OPENING)


def mark_url(notification_id: str, *, read: bool) -> str:
    """Where a POST marks it as read, or as unread."""
    return get_path(f"notifications:notification-{'read' if read else 'unread'}", notification_id)


def read_all_url(until: datetime) -> str:
    """Where all that is not newer than this is marked as read."""
    moment = until.astimezone(UTC)  # strftime writes the year 2 as "2", which can't be read again
    return get_path("notifications:all-notification-read", f"{moment.year:04}{moment:%m%dT%H%M%S.%fZ}")


def can_be_opened(notification: Notification) -> bool:
    """Tell whether there may be a page of what it is about. Whether it is there yet is known once it is opened."""
    about = notification.target
    return bool(about and about.id and about.kind in contributed().targets and notification.id)


def get_target_url(upstream: Upstream, notification: Notification) -> str:
    """Return the page of what a notification is about, "" for none. Raises NotFound where that is gone."""
    about = notification.target
    if about is None or not can_be_opened(notification):
        return ""
    return contributed().targets[about.kind](upstream, about.id)
