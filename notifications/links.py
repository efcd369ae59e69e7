"""The addresses of notifications, and of what they are about."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from console.web import contributions
from console.web.paths import path_of
from upstream.client import Upstream
from upstream.resources.notifications import Notification

OPENING = "/open"


def notification_list_url() -> str:
    return path_of("notifications:notification-list")


def unread_list_url() -> str:
    return f"{notification_list_url()}?filter=unread"


def notification_pages(notification_id: str) -> str:
    """What the addresses of a notification begin with; "" where its ID can't stand in any."""
    return path_of("notifications:notification-open", notification_id).removesuffix(OPENING)


def mark_url(notification_id: str, *, read: bool) -> str:
    """Where a POST marks it as read, or as unread."""
    return path_of(f"notifications:notification-{'read' if read else 'unread'}", notification_id)


def read_all_url(seen: datetime) -> str:
    """Where all that is not newer than this is marked as read."""
    moment = seen.astimezone(UTC)  # strftime writes the year 2 as "2", which can't be read again
    return path_of("notifications:all-notification-read", f"{moment.year:04}{moment:%m%dT%H%M%S.%fZ}")


def can_be_opened(notification: Notification) -> bool:
    """Tell whether there may be a page of what it is about. Whether it is there yet is known once it is opened."""
    about = notification.target
    return bool(about and about.id and about.kind in contributions.targets and notification.id)


def address_of_target(upstream: Upstream, notification: Notification) -> str:
    """Return the page of what a notification is about, "" for none. Raises NotFound where that is gone."""
    about = notification.target
    if about is None or not can_be_opened(notification):
        return ""
    return contributions.targets[about.kind](upstream, about.id)


PARTNERSHIP_LISTS = {
    "PENDING_IN": "partners:asking-list",
    "PENDING_OUT": "partners:sent-list",
    "ACCEPTED": "partners:partner-list",
    "REJECTED": "partners:past-list",
    "CANCELLED": "partners:past-list",
    "ENDED": "partners:past-list",
}


def scanners_url(status: str = "") -> str:
    """The scanners in a state, or all of them."""
    path = path_of("scanners:scanner-list")
    return f"{path}?{urlencode({'status': status})}" if status else path


def partnerships_url(status: str = "") -> str:
    """The tab of the partner list that has the partnerships in a state; the first one for any other."""
    return path_of(PARTNERSHIP_LISTS.get(status, "partners:asking-list"))


def users_url(status: str = "") -> str:
    path = path_of("groups:all-user-list")
    return f"{path}?{urlencode({'status': status})}" if status else path


def activity_list_url(thing: str = "") -> str:
    """What was done here, or only what was done to one thing (its keyed hash)."""
    path = path_of("notifications:activity-list")
    return f"{path}?{urlencode({'thing': thing})}" if thing else path


def service_log_url() -> str:
    return path_of("notifications:service-log-list")


def entry_url(list_path: str, entry_id: str) -> str:
    """The page of an entry, of either list; "" where its ID can't stand in a path."""
    view = "service-log-show" if list_path == service_log_url() else "activity-show"
    return path_of(f"notifications:{view}", entry_id)
