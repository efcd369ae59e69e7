"""URLs of the lists behind the dashboard's numbers, and of the activity."""

from collections.abc import Mapping
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


def scanners_url(status: str = "", **filters: str) -> str:
    """Return the URL of the scanners in a state, or of all, filtered by these parameters."""
    return _filtered("scanners:scanner-list", {"status": status, **filters} if status else filters)


def partnerships_url(status: str = "") -> str:
    """Return the URL of the tab with the partnerships in a state; the first tab for an unknown state."""
    return get_path(PARTNERSHIP_LISTS.get(status, "partners:asking-list"))


def users_url(**filters: str) -> str:
    """Return the URL of the users, filtered or sorted by these parameters."""
    return _filtered("groups:all-user-list", filters)


def clinics_url(**filters: str) -> str:
    """Return the URL of the clinics, filtered by these parameters."""
    return _filtered("groups:clinic-list", filters)


def differing_permissions_url() -> str:
    """Return the URL of the clinics whose permissions are not those of most clinics."""
    return _filtered("groups:all-permission-list", {"differs": "true"})


def ordering_url() -> str:
    """Return the URL of the labs that clinics can order from."""
    return _filtered("partners:ordering-list", {"can_order": "true"})


def _filtered(view: str, filters: Mapping[str, str]) -> str:
    return get_path(view) + (f"?{urlencode(filters)}" if filters else "")


def activity_list_url(thing: str = "") -> str:
    """Return the URL of the console's activity, or of the history of one object (by its keyed hash)."""
    path = get_path("overview:activity-list")
    return f"{path}?{urlencode({'thing': thing})}" if thing else path


def service_log_url(keyword: str = "") -> str:
    """Return the URL of the service's log, or of a search in it."""
    path = get_path("overview:service-log-list")
    return f"{path}?{urlencode({'keyword': keyword})}" if keyword else path


def entry_url(list_path: str, entry_id: str) -> str:
    """Return the URL of an entry of either list; "" if its ID can't be part of a path."""
    view = "service-log-show" if list_path == service_log_url() else "activity-show"
    return get_path(f"overview:{view}", entry_id)
