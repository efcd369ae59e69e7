"""URLs of the lists behind the dashboard's numbers, and of the activity."""

from urllib.parse import urlencode

from console.web.paths import get_path

PARTNERSHIP_LISTS = {
    "PENDING_IN": "partners:asking-list",
    "PENDING_OUT": "partners:sent-list",
    "ACCEPTED": "partners:partner-list",
    "REJECTED": "partners:past-list",
    "CANCELLED": "partners:past-list",
    "ENDED": "partners:past-list",
}


def scanners_url(status: str = "") -> str:
    """Return the URL of the scanners in a state, or of all."""
    path = get_path("scanners:scanner-list")
    return f"{path}?{urlencode({'status': status})}" if status else path


def partnerships_url(status: str = "") -> str:
    """Return the URL of the tab with the partnerships in a state; the first tab for an unknown state."""
    return get_path(PARTNERSHIP_LISTS.get(status, "partners:asking-list"))


def users_url(status: str = "") -> str:
    path = get_path("groups:all-user-list")
    return f"{path}?{urlencode({'status': status})}" if status else path


def activity_list_url(thing: str = "") -> str:
    """Return the URL of the console's activity, or of the history of one object (by its keyed hash)."""
    path = get_path("overview:activity-list")
    return f"{path}?{urlencode({'thing': thing})}" if thing else path


def service_log_url() -> str:
    return get_path("overview:service-log-list")


def entry_url(list_path: str, entry_id: str) -> str:
    """Return the URL of an entry of either list; "" if its ID can't be part of a path."""
    view = "service-log-show" if list_path == service_log_url() else "activity-show"
    return get_path(f"overview:{view}", entry_id)
