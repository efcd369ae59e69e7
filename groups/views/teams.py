"""Teams: the list of one clinic, the list over all clinics, and their changes: add, edit, delete."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.access import private
from console.failures import describe
from console.form_errors import add_upstream_errors, differences
from console.http import ConsoleRequest, wants_json
from console.list_memory import read_query
from console.lists import read_list
from console.once import once
from console.reasons import Blocker
from console.respond import Answer, done, json
from console.returning import way_back
from console.timezone import zone_of
from console.upstream.client import Upstream
from console.upstream.clinics import Clinic
from console.upstream.errors import Code, Conflict, NotDone, NotFound
from console.upstream.teams import Team, TeamType
from groups.blockers import blockers as blockers_of
from groups.blockers import refusal
from groups.choices import every_team
from groups.clinic_names import known_clinic_names
from groups.forms.teams import DeleteTeamForm, TeamForm
from groups.tables import teams as tables
from groups.tables.clinics import users_url


@private
def all_teams(request: ConsoleRequest) -> HttpResponse:
    query = read_query(request, tables.TEAMS)
    upstream, organization = request.upstream, request.admin.organization_id
    (listing, query), types = upstream.together(
        lambda: read_list(query, lambda params: upstream.teams.list(params, organization_id=organization)),
        lambda: _type_names(upstream),
    )
    names = known_clinic_names(upstream, listing.results, organization)
    shown = tables.team_list(query, listing, types=types, path=request.path, where=zone_of(request), clinic_names=names)
    if wants_json(request):
        return json(request, Answer(ok=True, item={"list": shown}))
    return render(request, "groups/team_list.html", {"list": shown})


@private
def team_list(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    query = read_query(request, tables.TEAMS)
    upstream = request.upstream
    clinic, (listing, query), types = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: read_list(query, lambda params: upstream.teams.list(params, clinic_id=clinic_id)),
        lambda: _type_names(upstream),
    )
    shown = tables.team_list(
        query, listing, types=types, path=request.path, where=zone_of(request), clinic_id=clinic.id
    )
    if wants_json(request):
        return json(request, Answer(ok=True, item={"list": shown}))
    return render(request, "groups/team_list.html", {"list": shown, "clinic": clinic, "crumbs": [_clinics()]})


def _type_names(upstream: Upstream) -> Sequence[TeamType]:
    """The types by name; none where the service fails to tell them: the list is worth more."""
    try:
        return upstream.teams.types()
    except NotDone:
        return ()


@private(methods=("GET", "POST"))
def team_create(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, types = upstream.together(lambda: upstream.clinics.get(clinic_id), upstream.teams.types)
    stored = {"team_type": request.GET.get("team_type", "")}
    form = TeamForm(_typed(request), types=tables.type_choices(types), stored=stored)
    if form.is_valid():
        return once(request, lambda key: _create(request, form, clinic, key))
    return _form_page(request, form, clinic, status=422 if form.is_bound else 200)


def _create(request: ConsoleRequest, form: TeamForm, clinic: Clinic, key: str) -> HttpResponse:
    typed = form.values()
    try:
        request.upstream.teams.create(clinic_id=clinic.id, idempotency_key=key, **typed)
    except NotDone as error:
        add_upstream_errors(form, error, _("Failed to create the team."))
        return _form_page(request, form, clinic, status=describe(error, was_write=True).status)
    messages.success(request, _("Team created."))
    back = _back(request, clinic)
    if "another" not in request.POST:
        return done(request, goto=back)
    # The next team is often of the same type.
    kept = urlencode({"team_type": typed["team_type"], "back": back})
    return done(request, goto=f"{reverse('groups:team-create', args=[clinic.id])}?{kept}")


@private(methods=("GET", "POST"))
def team_edit(request: ConsoleRequest, clinic_id: str, team_id: str) -> HttpResponse:
    upstream = request.upstream
    clinic, team, types = upstream.together(
        lambda: upstream.clinics.get(clinic_id), lambda: upstream.teams.get(team_id), upstream.teams.types
    )
    _must_be_of(clinic, team)
    # What the team has now may be kept, whatever it is.
    choices = tables.type_choices(types, also=[team.team_type] if team.team_type else [])
    form = TeamForm(_typed(request), types=choices, stored=_values_of(team))
    if form.is_valid():
        return once(request, lambda _key: _update(request, form, clinic, team))
    return _form_page(request, form, clinic, team, status=422 if form.is_bound else 200)


def _update(request: ConsoleRequest, form: TeamForm, clinic: Clinic, team: Team) -> HttpResponse:
    """Send what was changed. Who saw an older state is shown the newest one, and what was typed stays."""
    try:
        if changes := form.changes():
            request.upstream.teams.update(team.id, version=form.seen, **changes)
    except NotDone as error:
        status = describe(error, was_write=True).status
        if error.code == Code.CHANGED_MEANWHILE:
            newest = request.upstream.teams.get(team.id)
            conflicts = differences(form, _values_of(newest))
            return _form_page(request, form, clinic, newest, status=status, conflicts=conflicts, is_stale=True)
        add_upstream_errors(form, error, _("Failed to update the team."))
        return _form_page(request, form, clinic, team, status=status)
    messages.success(request, _("Team updated."))
    return done(request, goto=_back(request, clinic))


@dataclass(frozen=True)
class Deletion:
    """A team that may go: its clinic, and the other teams there, which may take its users."""

    clinic: Clinic
    team: Team
    others: list[Team]

    @property
    def has_users(self) -> bool:
        told = (reason.reason == Code.NOT_EMPTY.name for reason in self.team.delete_blockers)
        return self.team.user_count > 0 or any(told)

    def form(self, data: Any = None) -> DeleteTeamForm:
        """The form, which asks for a place for the users if there are any and there is one."""
        return DeleteTeamForm(data, teams=[(t.id, t.name) for t in self.others] if self.has_users else [])

    def blockers(self) -> list[Blocker]:
        """Why the team can't be deleted. That it has users is no reason while they can move."""
        can_move = bool(self.others)
        told = [r for r in self.team.delete_blockers if r.reason != Code.NOT_EMPTY.name or not can_move]
        return blockers_of(told, clinic_id=self.clinic.id, team_id=self.team.id)


@private(methods=("GET", "POST"))
def team_delete(request: ConsoleRequest, clinic_id: str, team_id: str) -> HttpResponse:
    deletion = _find_deletion(request, clinic_id, team_id)
    form = deletion.form(_typed(request))
    if form.is_valid():
        return once(request, lambda _key: _delete(request, form, deletion))
    return _delete_page(request, form, deletion, status=422 if form.is_bound else 200)


def _delete(request: ConsoleRequest, form: DeleteTeamForm, deletion: Deletion) -> HttpResponse:
    team = deletion.team
    try:
        request.upstream.teams.delete(team.id, move_users_to=form.target, version=form.seen)
    except NotFound:
        # Either the team itself is gone, which is told as such, or the one that was to take the users.
        newest = _find_deletion(request, deletion.clinic.id, team.id)
        form = newest.form(request.POST)
        form.add_error(None, _("Failed to delete the team."))
        return _delete_page(request, form, newest, status=409)
    except NotDone as error:
        # A lost race tells the new state: somebody may have joined the team meanwhile.
        newest = _find_deletion(request, deletion.clinic.id, team.id) if isinstance(error, Conflict) else deletion
        form = newest.form(request.POST)
        add_upstream_errors(form, error, _("Failed to delete the team."))
        status = describe(error, was_write=True).status
        return _delete_page(
            request, form, newest, status=status, blockers=refusal(error, clinic_id=team.clinic_id, team_id=team.id)
        )
    messages.success(request, _("Team deleted."))
    return done(request, goto=_back(request, deletion.clinic))


def _find_deletion(request: ConsoleRequest, clinic_id: str, team_id: str) -> Deletion:
    upstream = request.upstream
    clinic, team, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: upstream.teams.get(team_id),
        lambda: every_team(upstream, clinic_id),
    )
    _must_be_of(clinic, team)
    return Deletion(clinic, team, [other for other in teams if other.id != team.id])


def _form_page(
    request: ConsoleRequest,
    form: TeamForm,
    clinic: Clinic,
    team: Team | None = None,
    *,
    status: int,
    **stale: object,
) -> HttpResponse:
    """The form of a new team or of one that there is; `stale` is what a conflict adds."""
    seen = form.cleaned_data.get("version") if form.is_bound and not stale else None
    context = {
        "form": form,
        "clinic": clinic,
        "team": team,
        "crumbs": _crumbs(clinic),
        "back": _back(request, clinic),
        # After a typing error the sender has still seen what was shown first.
        "version": (seen or team.version) if team else None,
        **stale,
    }
    return render(request, "groups/team_form.html", context, status=status)


def _delete_page(
    request: ConsoleRequest,
    form: DeleteTeamForm,
    deletion: Deletion,
    *,
    status: int,
    blockers: list[Blocker] | None = None,
) -> HttpResponse:
    count = deletion.team.user_count
    context = {
        "form": form,
        "deletion": deletion,
        "blockers": blockers or deletion.blockers(),
        "users": ngettext("%(count)s user", "%(count)s users", count) % {"count": count},
        "users_href": tables.team_users_url(deletion.team),
        "crumbs": _crumbs(deletion.clinic),
        "back": _back(request, deletion.clinic),
        "version": deletion.team.version,
    }
    return render(request, "groups/team_delete.html", context, status=status)


def _typed(request: ConsoleRequest) -> QueryDict | None:
    """What was sent, even if it is nothing at all; None when the form is only asked for."""
    return request.POST if request.method == "POST" else None


def _values_of(team: Team) -> dict[str, str]:
    """The values of a team as the form shows them."""
    return {"name": team.name, "team_type": team.team_type}


def _must_be_of(clinic: Clinic, team: Team) -> None:
    if team.clinic_id != clinic.id:
        raise NotFound("a team of another clinic")


def _back(request: ConsoleRequest, clinic: Clinic) -> str:
    """The list that the page was opened from: the clinic's, or that over all clinics."""
    return way_back(request, tables.teams_url(clinic.id), reverse("groups:all-teams"))


def _crumbs(clinic: Clinic) -> list[dict[str, str]]:
    return [
        _clinics(),
        {"label": clinic.name, "href": users_url(clinic.id)},
        {"label": _("Teams"), "href": tables.teams_url(clinic.id)},
    ]


def _clinics() -> dict[str, str]:
    return {"label": _("Clinics"), "href": reverse("groups:clinic-list")}
