"""Addresses of user management: lists, pages of a user, breadcrumbs, and links for blocked deletions."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from console.files.links import FileLink, export_links
from console.forms import blockers
from console.forms.blockers import Blocker, NextStep
from console.forms.return_url import ViewPages, return_url, with_return_url
from console.lists.query import ID
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from groups.models import Subject
from upstream.client import Upstream
from upstream.errors import Reason, Ref
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team

USER_PAGES = {
    "show": "user-show",
    "edit": "user-edit",
    "move": "user-move",
    "permissions": "user-permission-edit",
    "copy_permissions": "user-permission-copy",
    "delete": "user-delete",
    "lock": "user-lock",
    "unlock": "user-unlock",
    "resend": "invitation-resend",
    "cancel": "invitation-cancel",
}

PRESET = "groups:preset-edit"
TEAM_DELETION = "groups:team-delete"

Crumbs = list[dict[str, str]]


def clinic_list_url() -> str:
    return get_path("groups:clinic-list")


def all_permissions_url() -> str:
    """Return the address of the table with the permissions of all clinics."""
    return get_path("groups:all-permission-list")


def preset_url(preset_id: str) -> str:
    return get_path(PRESET, preset_id)


def ordering_url() -> str:
    """Return the address of the page that asks which clinics may order from new partner labs."""
    return get_path("partners:ordering-show")


def clinic_delete_url(clinic_id: str, *, back: str = "") -> str:
    """Return the address of the page that confirms the deletion of a clinic, with the list to return to."""
    return with_return_url(get_path("groups:clinic-delete", clinic_id), back or clinic_list_url(), clinic_list_url())


def team_delete_url(clinic_id: str, team_id: str, *, back: str) -> str:
    """Return the address of the page that confirms the deletion of a team, with the list to return to."""
    return with_return_url(get_path(TEAM_DELETION, clinic_id, team_id), back, team_list_url(clinic_id))


def back_from_moving(request: ConsoleRequest, clinic_id: str) -> str:
    """Return the address to go to after a move: a list of users, the deletion that they blocked, or a preset."""
    deletion = [clinic_delete_url(clinic_id)] if clinic_id else []
    pages = ViewPages(TEAM_DELETION, (clinic_id,)) if clinic_id else ViewPages(PRESET, ())
    return without_panel(return_url(request, user_list_url(clinic_id), *deletion, pages=pages))


def back_from_clinics(request: ConsoleRequest) -> str:
    """Return the address to go to after permissions change: the list of clinics, or the preset that was applied."""
    return return_url(request, clinic_list_url(), pages=ViewPages(PRESET, ()))


def user_list_url(clinic_id: str = "") -> str:
    """Return the address of the users of a clinic, or of all."""
    return get_path("groups:user-list", clinic_id) if clinic_id else get_path("groups:all-user-list")


def team_list_url(clinic_id: str = "") -> str:
    """Return the address of the teams of a clinic, or of all."""
    return get_path("groups:team-list", clinic_id) if clinic_id else get_path("groups:all-team-list")


def team_users_url(clinic_id: str, team_id: str) -> str:
    """Return the address of the clinic's users, filtered by this team; "" if its ID can't be a filter."""
    users = get_path("groups:user-list", clinic_id)
    return f"{users}?{urlencode({'team': team_id})}" if users and ID.fullmatch(team_id) else ""


def review_url() -> str:
    return get_path("groups:review-list")


def signed_reviews_url() -> str:
    return get_path("groups:signed-review-list")


def signed_review_url(entry_id: str) -> str:
    return get_path("groups:signed-review-show", entry_id)


def user_overrides_url(clinic_id: str, permission: str) -> str:
    """Return the address of the users of a clinic who have their own setting for this permission."""
    return f"{user_list_url(clinic_id)}?{urlencode({'own_permission': permission})}"


def clinic_scanners_url(clinic: Clinic) -> str:
    """Return the address of a clinic's scanners; "" if its ID can't be a filter, or the clinic has no pages."""
    return _clinic_list_url("scanners:scanner-list", clinic)


def clinic_partners_url(clinic: Clinic) -> str:
    """Return the address of the labs that are partners of a clinic; "" as for `clinic_scanners_url`."""
    return _clinic_list_url("partners:partner-list", clinic)


def _clinic_list_url(view: str, clinic: Clinic) -> str:
    is_known = clinic_pages(clinic) and ID.fullmatch(clinic.id)
    return f"{get_path(view)}?{urlencode({'clinic': clinic.id})}" if is_known else ""


def clinic_pages(clinic: Clinic) -> str:
    """Return the start of the addresses of a clinic's pages; "" if its ID can't be part of an address."""
    return get_path("groups:clinic-edit", clinic.id).removesuffix("/edit")


def team_pages(team: Team) -> str:
    return get_path("groups:team-edit", team.clinic_id, team.id).removesuffix("/edit")


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


def clinic_permissions_url(clinic_id: str) -> str:
    return get_path("groups:clinic-permission-edit", clinic_id)


def reminder_pages(id: str, *, back: str = "") -> dict[str, str]:
    """Return the addresses of the actions on a reminder, with the page to return to."""
    paths = {name: get_path(f"groups:reminder-{name}", id) for name in ("edit", "delete")}
    return {name: with_return_url(path, back or user_list_url(), user_list_url()) for name, path in paths.items()}


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


def clinic_files() -> list[FileLink]:
    imports = FileLink(_("Import"), get_path("groups:clinic-import"))
    return [*export_links("groups:clinic"), imports, FileLink(_("Import users"), get_path("groups:all-user-import"))]


def all_permission_files() -> list[FileLink]:
    return export_links("groups:all-permission")


def all_permissions_crumb() -> dict[str, str]:
    return {"label": _("Permissions of all clinics"), "href": all_permissions_url()}


def preset_crumbs() -> Crumbs:
    return [all_permissions_crumb(), {"label": _("Permission presets"), "href": get_path("groups:preset-list")}]


def clinics_crumb() -> dict[str, str]:
    return {"label": _("Clinics"), "href": clinic_list_url()}


def users_crumb() -> dict[str, str]:
    return {"label": _("Users"), "href": user_list_url()}


def review_crumbs() -> Crumbs:
    """Return the breadcrumbs from the list of users to the access review."""
    # Translators: heading and link: a check of who still needs access.
    return [users_crumb(), {"label": _("Access review"), "href": review_url()}]


def clinic_crumbs(clinic: Clinic) -> Crumbs:
    """Return the breadcrumbs from the list of clinics to this clinic's users."""
    return [clinics_crumb(), {"label": clinic.called, "href": user_list_url(clinic.id)}]


def team_crumbs(clinic: Clinic) -> Crumbs:
    """Return the breadcrumbs from the list of clinics to this clinic's teams."""
    return [*clinic_crumbs(clinic), {"label": _("Teams"), "href": team_list_url(clinic.id)}]


def blocker_links(
    reasons: Sequence[Reason], *, clinic_id: str, team_id: str = "", move: Callable[[int], NextStep] | None = None
) -> list[Blocker]:
    """Return the reasons with links to users and partnerships of this clinic, and the next step; cases have no page.

    `move` returns the step that moves this many users, who block the deletion.
    """
    labs = clinic_permissions_url(clinic_id) + "#labs"

    def href(ref: Ref) -> str:
        if ref.type == "USER" and ref.id:
            return get_path("groups:user-show", clinic_id, ref.id)
        return labs if ref.type in ("PARTNERSHIP", "LAB") else ""

    def list_href(reason: Reason) -> str:
        if not reason.refs or reason.refs[0].type != "USER":
            return ""
        return user_list_url(clinic_id) + (f"?{urlencode({'team': team_id})}" if team_id else "")

    def next_step(reason: Reason) -> NextStep | None:
        match reason.reason:
            case "ONGOING_ORDERED_CASE" | "PENDING_ORDERED_CASE_WITH_LAB":
                return NextStep(_("Ask the clinic to complete or cancel what is open."))
            case "CLINIC_HAS_PARTNER" | "PARTNER_WITH_LAB" if not reason.refs:
                return NextStep(_("See the labs of this clinic"), labs)
            case "NOT_EMPTY" | "TEAM_NOT_EMPTY" if move and reason.count:
                return move(reason.count)
        return None

    return blockers.blockers(reasons, href, list_href, next_step)
