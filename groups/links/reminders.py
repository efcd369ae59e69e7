"""Addresses of reminders."""

from console.forms.return_url import ViewPages, return_url, with_return_url
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from groups.links.users import user_list_url
from groups.models import Subject


class PagesWithReminders:
    """The paths of pages that show reminders: of any clinic or user, because a user may have changed clinics."""

    def __contains__(self, path: object) -> bool:
        views = ("user-show", "user-permission-edit", "clinic-permission-edit")
        return any(path in ViewPages(f"groups:{view}", ()) for view in views)


def back_from_reminder(request: ConsoleRequest) -> str:
    """Return the address of the page that showed the reminder."""
    return return_url(request, user_list_url(), pages=PagesWithReminders())


def reminder_create_url(subject: Subject) -> str:
    """Return the address at which a reminder about this user or clinic is set."""
    ids = [subject.clinic_id, subject.id] if subject.kind == "user" else [subject.id]
    return get_path(f"groups:{subject.kind}-reminder-create", *ids)


def reminder_pages(id: str, *, back: str = "") -> dict[str, str]:
    """Return the addresses of the actions on a reminder, with the page to return to."""
    paths = {name: get_path(f"groups:reminder-{name}", id) for name in ("edit", "delete")}
    return {name: with_return_url(path, back or user_list_url(), user_list_url()) for name, path in paths.items()}
