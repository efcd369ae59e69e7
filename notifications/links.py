"""URLs of notifications, and of the pages they are about."""

from datetime import UTC, datetime

from console.web.contributions import contributed
from console.web.paths import get_path
from upstream.client import Upstream
from upstream.resources.notifications import Notification

OPENING = "/open"


def notification_list_url() -> str:
    return get_path("notifications:notification-list")


def notification_pages(notification_id: str) -> str:
    """Return the common start of a notification's URLs; "" if its ID can't be part of a path."""
    return get_path("notifications:notification-open", notification_id).removesuffix(OPENING)


def mark_url(notification_id: str, *, read: bool) -> str:
    """Return the URL whose POST marks the notification as read or unread."""
    return get_path(f"notifications:notification-{'read' if read else 'unread'}", notification_id)


def read_all_url(until: datetime) -> str:
    """Return the URL that marks all notifications up to this moment as read."""
    moment = until.astimezone(UTC)  # strftime writes the year 2 as "2", which can't be parsed
    return get_path("notifications:all-notification-read", f"{moment.year:04}{moment:%m%dT%H%M%S.%fZ}")


def unread_url_for_all() -> str:
    """Return the URL whose POST reverts that all notifications were marked as read."""
    return get_path("notifications:all-notification-unread")


def can_be_opened(notification: Notification) -> bool:
    """Return True if the target has a kind of page. It may still be gone when it is opened."""
    about = notification.target
    return bool(about and about.id and about.kind in contributed().targets and notification.id)


def get_target_url(upstream: Upstream, notification: Notification) -> str:
    """Return the URL of a notification's target, "" for none. Raises NotFound if the target is gone."""
    about = notification.target
    if about is None or not can_be_opened(notification):
        return ""
    return contributed().targets[about.kind](upstream, about.id)
