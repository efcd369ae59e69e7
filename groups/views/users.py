"""Users of a clinic or of all: the list, with one of them in a side panel on request, and the page of each."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse

from console.audit.query import last_changes, read_history
from console.l10n.numbers import ngettext
from console.lists.choices import Choices, find_clinics, known_choices
from console.lists.query import ID, Choice, ListQuery, read_list, report_missing
from console.lists.view import Fact, ListView, list_view, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest, get_tz, wants_json
from console.web.responses import show
from groups.bulk.users import AllUserActions, UserActions
from groups.files.users import AllUserExport, UserExport, build_user_import
from groups.islands.permissions import Toggle, change_links, permission_toggles
from groups.links.blockers import blocker_links
from groups.links.clinics import clinics_crumb
from groups.links.users import user_files, user_links
from groups.reading import clinic_user, every_team, lock_link
from groups.tables import users as tables
from groups.views.reminders import reminder_card, user_subject
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import Listing
from upstream.resources.clinics import Clinic
from upstream.resources.permissions import PermissionSet
from upstream.resources.users import User


@dataclass(frozen=True)
class PanelData:
    """The user requested for the side panel, with all that could be read; without `user` there is none (anymore).

    The clinic is read for the list of all users only.
    """

    user: User | None = None
    clinic: Clinic | None = None
    permissions: PermissionSet | None = None
    is_failed: bool = False


@dataclass(frozen=True)
class SidePanel:
    """The side panel of a user. Without `user`, there is none or (`is_failed`) it could not be read."""

    user: User | None
    user_id: str
    close_href: str
    is_failed: bool = False
    facts: list[Fact] = field(default_factory=list)
    toggles: list[Toggle] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    lock: Link | None = None


class AllUserList(ListPage[User]):
    definition = tables.ALL_USERS
    template = "groups/user_list.html"
    bulk = AllUserActions
    exports = AllUserExport
    imports = build_user_import

    def load(self, query: ListQuery) -> tuple[Listing[User], ListQuery]:
        upstream, organization = self.request.upstream, self.request.admin.organization_id
        (listing, query), clinics, teams, *panels = upstream.together(
            lambda: read_list(query, lambda params: upstream.users.list(params, organization_id=organization)),
            lambda: find_clinics(self.request, query),
            lambda: _team_choices(self.request, query),
            *_panel_reads(self.request),
        )
        query = query.with_choices("clinic", clinics.choices, search_term=clinics.search_term).with_choices(
            "team", teams
        )
        query = report_missing(upstream, query)
        self.clinic_names = upstream.clinics.get_known_names(listing.results)
        self.has_clinics = bool(listing.result_count or query.is_narrowed) or _has_clinics(upstream)
        self.panel = _panel(self.request, query, panels[0], panels[0].clinic) if panels else None
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[User]) -> ListView:
        can_lock = self.request.upstream.users.can_be_locked
        table = tables.user_table(
            self.tz, clinic_names=self.clinic_names, can_lock=can_lock, has_clinics=self.has_clinics
        )
        view = list_view(query, listing, table, path=self.request.path)
        count = ngettext("%(count)s user", "%(count)s users", view.total) % {"count": view.total}
        return with_facts(view, count, once=["clinic"])

    def context(self) -> dict[str, Any]:
        return {"clinic": None, "crumbs": [], "panel": self.panel, "files": user_files()}


class UserList(ListPage[User]):
    definition = tables.USERS
    template = "groups/user_list.html"
    bulk = UserActions
    exports = UserExport
    imports = build_user_import

    def load(self, query: ListQuery) -> tuple[Listing[User], ListQuery]:
        upstream, clinic_id = self.request.upstream, self.kwargs["clinic_id"]
        self.clinic, teams, (listing, query), *panels = upstream.together(
            lambda: upstream.clinics.get(clinic_id),
            lambda: every_team(upstream, clinic_id),
            lambda: read_list(query, lambda params: upstream.users.list(params, clinic_id=clinic_id)),
            *_panel_reads(self.request, clinic_id),
        )
        query = query.with_choices("team", tuple(Choice(team.id, team.name) for team in teams))
        query = report_missing(upstream, query)
        self.panel = _panel(self.request, query, panels[0], self.clinic) if panels else None
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[User]) -> ListView:
        can_lock = self.request.upstream.users.can_be_locked
        table = tables.user_table(self.tz, clinic_id=self.kwargs["clinic_id"], can_lock=can_lock)
        return list_view(query, listing, table, path=self.request.path)

    def context(self) -> dict[str, Any]:
        return {
            "clinic": self.clinic,
            "crumbs": [clinics_crumb()],
            "panel": self.panel,
            "files": user_files(self.clinic.id),
        }


def _has_clinics(upstream: Upstream) -> bool:
    """Return False if the organization is known to have no clinic."""
    try:
        return upstream.clinics.offered().result_count > 0
    except (NotDone, NotFound):
        return True


def _team_choices(request: ConsoleRequest, query: ListQuery) -> Choices:
    """Return the teams of the clinic if one is chosen."""
    chosen = query.filters.get("clinic", ())
    return known_choices(lambda: every_team(request.upstream, chosen[0])) if len(chosen) == 1 else ()


def _panel_reads(request: ConsoleRequest, clinic_id: str = "") -> list[Callable[[], PanelData]]:
    """Return the read of the user in the panel; none if no user is requested, because each read takes a thread."""
    user_id = request.GET.get("user", "")
    return [] if wants_json(request) or not user_id else [lambda: _read_panel(request, user_id, clinic_id)]


def _read_panel(request: ConsoleRequest, user_id: str, clinic_id: str) -> PanelData:
    """Read the user of the panel, of this clinic or of any; a failure is reported there and doesn't affect the list."""
    upstream = request.upstream
    try:
        user = upstream.users.get(user_id) if ID.fullmatch(user_id) else None
        if user is None or clinic_id not in ("", user.clinic_id):
            return PanelData()
        # The page of a clinic reads that one; any other must belong to this organization.
        clinic = None if clinic_id else upstream.clinics.get(user.clinic_id)
    except NotFound:
        return PanelData()
    except NotDone:
        return PanelData(is_failed=True)
    try:
        return PanelData(user, clinic, upstream.permissions.get_for_user(user_id))
    except (NotDone, NotFound):
        return PanelData(user, clinic)


def _panel(request: ConsoleRequest, query: ListQuery, data: PanelData, clinic: Clinic | None) -> SidePanel:
    close_href, user_id = query.url(request.path, page=query.page), request.GET.get("user", "")
    user, permissions = data.user, data.permissions
    if user is None or clinic is None:
        return SidePanel(None, user_id, close_href, data.is_failed)
    to = user_links(clinic.id, user.id, back=close_href)
    return SidePanel(
        user,
        user_id,
        close_href,
        is_failed=permissions is None,
        facts=tables.user_facts(user, clinic_name=clinic.called, tz=get_tz(request)),
        toggles=permission_toggles(permissions, url="", owner_name=user.called).toggles if permissions else [],
        links=to,
        lock=lock_link(request, user, to),
    )


@private
def user_show(request: ConsoleRequest, clinic_id: str, user_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, user, permissions = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.users.get(user_id),
        lambda: upstream.permissions.get_for_user(user_id),
    )
    subject = clinic_user(request, clinic, user)
    props = permission_toggles(
        permissions,
        url=subject.links["permissions"],
        owner_name=user.called,
        changed=change_links(last_changes(request, "user", user.id), get_tz(request)),
    )
    return show(
        request,
        "groups/user_show.html",
        subject=subject,
        crumbs=subject.crumbs[:-1],
        facts=tables.user_facts(user, clinic_name=clinic.called, tz=get_tz(request)),
        permissions=props,
        overrides=[toggle.name for toggle in props.toggles if not toggle.inherited],
        blockers=blocker_links(
            user.delete_blockers, clinic_id=clinic.id, back=subject.links["show"], user_name=user.name
        ),
        history=read_history(request, "user", user.id, user.name),
        reminders=reminder_card(request, user_subject(subject), page_url=subject.links["show"]),
        back=subject.back,
    )
