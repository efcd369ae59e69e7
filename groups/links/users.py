"""Addresses of users: lists, pages, files and breadcrumbs."""

from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.links import FileLink, export_links
from console.forms.return_url import return_url, with_return_url
from console.web.contributions import Section
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from upstream.client import Upstream

USER_PAGES = {
    "show": "user-show",
    "edit": "user-edit",
    "move": "user-move",
    "permissions": "user-permission-edit",
    "copy_permissions": "user-permission-copy",
    "apply_preset": "user-preset-apply",
    "delete": "user-delete",
    "lock": "user-lock",
    "unlock": "user-unlock",
    "resend": "invitation-resend",
    "cancel": "invitation-cancel",
}


def _section(name: str, label: Any) -> Section:
    return Section(name, label, lambda user: get_path(f"groups:{USER_PAGES[name]}", user.clinic_id, user.id))


USER_SECTIONS = (
    _section("edit", gettext_lazy("Edit")),
    _section("move", gettext_lazy("Move")),
    _section("permissions", gettext_lazy("Permissions")),
)
"""The user's pages that the search finds by their labels."""


def user_list_url(clinic_id: str = "") -> str:
    """Return the address of the users of a clinic, or of all."""
    return get_path("groups:user-list", clinic_id) if clinic_id else get_path("groups:all-user-list")


def user_overrides_url(clinic_id: str, permission: str) -> str:
    """Return the address of the users of a clinic who have their own setting for this permission."""
    return f"{user_list_url(clinic_id)}?{urlencode({'own_permission': permission})}"


def user_pages(clinic_id: str, user_id: str) -> str:
    return get_path("groups:user-show", clinic_id, user_id)


def find_user_url(upstream: Upstream, user_id: str) -> str:
    """Return the address of a user of whom only the ID is known. Raises NotFound."""
    return user_pages(upstream.users.get(user_id).clinic_id, user_id)


def user_links(clinic_id: str, user_id: str, *, back: str) -> dict[str, str]:
    """Return the addresses of a user's pages by name, with the list to return to; empty if the user has no pages."""
    if not user_pages(clinic_id, user_id):
        return {}
    default = user_list_url(clinic_id)
    paths = {name: get_path(f"groups:{view}", clinic_id, user_id) for name, view in USER_PAGES.items()}
    return {name: with_return_url(path, back, default) for name, path in paths.items()}


def back_to_users(request: ConsoleRequest, clinic_id: str) -> str:
    """Return the list that the user was opened from, of the clinic or of all, with the side panel closed."""
    return without_panel(return_url(request, user_list_url(clinic_id), user_list_url()))


def without_panel(address: str) -> str:
    """Return the address of a list of users without the user in the side panel, who may no longer exist."""
    path, _mark, query = address.partition("?")
    params = [pair for pair in query.split("&") if pair and pair.partition("=")[0] != "user"]
    return f"{path}?{'&'.join(params)}" if params else path


def user_files(clinic_id: str = "") -> list[FileLink]:
    """Return the links to the export and import of the users of a clinic, or of all."""
    which, args = ("user", [clinic_id]) if clinic_id else ("all-user", [])
    # Translators: button, a verb: bring the rows of a file into the console.
    return [*export_links(f"groups:{which}", *args), FileLink(_("Import"), get_path(f"groups:{which}-import", *args))]


def users_crumb() -> dict[str, str]:
    return {"label": _("Users"), "href": user_list_url()}


def first_clinic_url() -> str:
    """Return the URL of the form for a clinic that leads to the invitation of its first users."""
    return with_return_url(get_path("groups:clinic-create"), get_path("groups:all-user-invite"), "")
