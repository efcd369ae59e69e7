"""Teams: the lists of one clinic and of all, and the pages to add, edit and delete them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.audit.query import read_history
from console.errors import ObjectNotFound
from console.forms.blockers import Blocker, NextStep
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import add_probable_success, refuse, reject_duplicates, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import CHECK_VALUES, Problem, State, WriteTexts, add_problem, deleted, edited, submit
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext
from console.lists.query import ListQuery, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.links import Link
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from groups.audit.teams import team_action
from groups.bulk.users import move_step
from groups.forms.teams import DeleteTeamForm, TeamForm, team_values
from groups.labels import TEAM_REASONS, type_choices
from groups.links.blockers import blocker_links
from groups.links.clinics import clinics_crumb
from groups.links.teams import team_crumbs, team_delete_url, team_list_url, team_users_url
from groups.reading import every_team
from groups.tables.teams import TEAMS, team_table
from upstream.client import Upstream
from upstream.errors import Code, NotDone, Reason
from upstream.listing import Listing
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team, TeamType


class AllTeamList(ListPage[Team]):
    definition = TEAMS
    template = "groups/team_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Team], ListQuery]:
        upstream, organization = self.request.upstream, self.request.admin.organization_id
        (listing, query), self.types = upstream.together(
            lambda: read_list(query, lambda params: upstream.teams.list(params, organization_id=organization)),
            lambda: _known_types(upstream),
        )
        self.clinic_names = upstream.clinics.get_known_names(listing.results)
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Team]) -> ListView:
        table = team_table(
            query,
            listing,
            types=self.types,
            path=self.request.path,
            tz=self.tz,
            clinic_names=self.clinic_names,
        )
        count = ngettext("%(count)s team", "%(count)s teams", table.total) % {"count": table.total}
        return with_facts(table, count, once=["clinic"])

    def context(self) -> dict[str, Any]:
        return {"clinic": None, "crumbs": []}


class TeamList(ListPage[Team]):
    definition = TEAMS
    template = "groups/team_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Team], ListQuery]:
        upstream, clinic_id = self.request.upstream, self.kwargs["clinic_id"]
        self.clinic, (listing, query), self.types = upstream.together(
            lambda: upstream.clinics.get(clinic_id),
            lambda: read_list(query, lambda params: upstream.teams.list(params, clinic_id=clinic_id)),
            lambda: _known_types(upstream),
        )
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[Team]) -> ListView:
        return team_table(
            query, listing, types=self.types, path=self.request.path, tz=self.tz, clinic_id=self.clinic.id
        )

    def context(self) -> dict[str, Any]:
        return {"clinic": self.clinic, "crumbs": [clinics_crumb()]}


@private(methods=("GET", "POST"))
@idempotent
def team_create(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, types = upstream.together(lambda: upstream.clinics.get(clinic_id), upstream.teams.types)
    form = TeamForm(form_data_or_draft(request), types=type_choices(types), team_type=request.GET.get("team_type", ""))
    page = partial(_form_page, request, form, clinic, None)
    texts = WriteTexts(
        action=_("Add team"),
        failed=_("Failed to create the team."),
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    name, url = form.cleaned_data["name"], _next(request, clinic, form)

    def exists() -> dict[str, bool]:
        return {"name": upstream.teams.exists(name, clinic_id=clinic.id)}

    if problem := reject_duplicates(request, form, exists, texts):
        return refuse(request, form, problem, page)
    outcome = submit(
        request,
        form,
        lambda key: upstream.teams.create(clinic_id=clinic.id, idempotency_key=key, **form.values()),
        texts=texts,
        entry=team_action("create", clinic, form, types=type_choices(types)),
    )
    if isinstance(outcome, Problem):
        created = _("A team with this name now exists, so it was probably created.")
        return refuse(request, form, add_probable_success(form, outcome, exists, created), page, url=url)
    return done(
        request,
        goto=url,
        message=pgettext("team", "%(name)s was created.") % {"name": isolated(name)},
        about=[Link(name, team_users_url(clinic.id, outcome.result or ""))],
    )


def _next(request: ConsoleRequest, clinic: Clinic, form: TeamForm) -> str:
    """Return the list, or the form for the next team, which is often of the same type."""
    back = _back(request, clinic)
    if "another" not in request.POST:
        return back
    query = urlencode({"team_type": form.cleaned_data["team_type"], "back": back})
    return f"{reverse('groups:team-create', args=[clinic.id])}?{query}"


@private(methods=("GET", "POST"))
@idempotent
def team_edit(request: ConsoleRequest, clinic_id: str, team_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, team, types = upstream.together(
        lambda: upstream.clinics.get(clinic_id), lambda: upstream.teams.get(team_id), upstream.teams.types
    )
    _must_belong(team, clinic)
    # The team may keep its current type, even if the service no longer names it.
    form = TeamForm(
        form_data_or_draft(request), types=type_choices(types, also=filter(None, [team.team_type])), team=team
    )
    page = partial(_form_page, request, form, clinic, team)
    texts = WriteTexts(
        action=_("Edit team"),
        failed=_("Failed to update the team."),
        unknown=CHECK_VALUES,
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        if changes := form.changes():
            upstream.teams.update(team.id, version=form.sent_version, **changes)

    def read_stored() -> State[Team]:
        newest = upstream.teams.get(team.id)
        return edited(form, newest, team_values(newest))

    entry = team_action("edit", clinic, form, team, types=type_choices(types))
    outcome = submit(request, form, update, texts=texts, entry=entry, verify=read_stored)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request, clinic))
    name = form.cleaned_data["name"]
    return done(
        request,
        goto=_back(request, clinic),
        message=pgettext("team", "%(name)s was updated.") % {"name": isolated(name)},
        about=[Link(name, team_users_url(clinic.id, team.id))],
    )


@dataclass(frozen=True)
class Deletion:
    """A team to delete, with its clinic, and the other teams there, which can take its users."""

    clinic: Clinic
    team: Team
    others: list[Team]

    @property
    def has_users(self) -> bool:
        blocks = (reason.reason == Code.NOT_EMPTY.name for reason in self.team.delete_blockers)
        return self.team.user_count > 0 or any(blocks)

    def form(self, data: Any = None) -> DeleteTeamForm:
        """Return the form, which asks for the new team of the users if there are users and another team."""
        teams = [(team.id, team.called) for team in self.others] if self.has_users else []
        return DeleteTeamForm(data, teams=teams, stored=self.team.version)

    def blockers(self, problem: Problem | None, move: Callable[[int], NextStep]) -> list[Blocker]:
        """Return what blocks the deletion; users don't block it while they can move to another team."""
        stored = [Reason(TEAM_REASONS.get(r.reason, r.reason), r.count, r.refs) for r in self.team.delete_blockers]
        reasons = (problem.reasons if problem else ()) or stored
        if self.has_users and self.others:
            reasons = [reason for reason in reasons if reason.reason not in TEAM_REASONS.values()]
        return blocker_links(reasons, clinic_id=self.clinic.id, team_id=self.team.id, move=move)


@private(methods=("GET", "POST"))
@idempotent
def team_delete(request: ConsoleRequest, clinic_id: str, team_id: str) -> HttpResponse:
    deletion = _find_deletion(request, clinic_id, team_id)
    form, teams = deletion.form(form_data_or_draft(request)), request.upstream.teams
    page = partial(_delete_page, request, form, deletion)
    texts = WriteTexts(
        action=_("Delete team"),
        failed=_("Failed to delete the team."),
        missing=_("The team you chose for the users no longer exists."),
        reasons=TEAM_REASONS,
    )
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    outcome = submit(
        request,
        form,
        lambda _key: teams.delete(deletion.team.id, move_users_to=form.target, version=form.sent_version),
        texts=texts,
        entry=team_action("delete", deletion.clinic, form, deletion.team, teams=deletion.others),
        verify=lambda: deleted(lambda: teams.get(deletion.team.id)),
    )
    back = _back(request, deletion.clinic)
    if isinstance(outcome, Problem):
        if outcome.newest is not None:
            # Another request was faster: a user may have joined the team, or the team that gets its users was deleted.
            deletion = _find_deletion(request, clinic_id, team_id)
            form = deletion.form(request.POST)
            add_problem(form, outcome)
            form.rebase(deletion.team.version)
            page = partial(_delete_page, request, form, deletion)
        return refuse(request, form, outcome, page, url=back)
    return done(
        request,
        goto=back,
        message=pgettext("team", "%(name)s was deleted.") % {"name": isolated(deletion.team.called)},
        about=[Link(deletion.team.called, "")],
    )


def _find_deletion(request: ConsoleRequest, clinic_id: str, team_id: str) -> Deletion:
    upstream = request.upstream
    clinic, team, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.teams.get(team_id),
        lambda: every_team(upstream, clinic_id),
    )
    _must_belong(team, clinic)
    return Deletion(clinic, team, [other for other in teams if other.id != team.id])


def _form_page(
    request: ConsoleRequest,
    form: TeamForm,
    clinic: Clinic,
    team: Team | None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form of a new or an existing team."""
    return show(
        request,
        "groups/team_form.html",
        status=status,
        problem=problem,
        form=form,
        clinic=clinic,
        team=problem.newest if problem and problem.newest else team,
        history=team and read_history(request, "team", team.id, team.name),
        crumbs=team_crumbs(clinic),
        back=_back(request, clinic),
    )


def _delete_page(
    request: ConsoleRequest,
    form: DeleteTeamForm,
    deletion: Deletion,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    count, users_href = deletion.team.user_count, team_users_url(deletion.clinic.id, deletion.team.id)
    back = _back(request, deletion.clinic)
    page_url = team_delete_url(deletion.clinic.id, deletion.team.id, back=back)
    move = move_step(request, deletion.clinic.id, back=page_url, team_id=deletion.team.id)
    return show(
        request,
        "groups/team_delete.html",
        status=status,
        problem=problem,
        form=form,
        deletion=deletion,
        blockers=deletion.blockers(problem, move),
        users=ngettext("%(count)s user", "%(count)s users", count) % {"count": count},
        users_href=users_href,
        crumbs=team_crumbs(deletion.clinic),
        back=back,
    )


def _known_types(upstream: Upstream) -> Sequence[TeamType]:
    """Return the types by name; none if the service fails, because the list is shown anyway."""
    try:
        return upstream.teams.types()
    except NotDone:
        return ()


def _must_belong(team: Team, clinic: Clinic) -> None:
    if team.clinic_id != clinic.id:
        raise ObjectNotFound("a team of another clinic")


def _back(request: ConsoleRequest, clinic: Clinic) -> str:
    """Return the list that the page was opened from: that of the clinic, or that of all clinics."""
    return return_url(request, team_list_url(clinic.id), team_list_url())
