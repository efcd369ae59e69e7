"""The lists of teams, of one clinic and of all: their definition, and their rows."""

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from console.l10n.numbers import number_text
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, date_cell, list_view
from console.web.links import Link
from console.web.paths import get_path
from groups.labels import type_choices
from groups.links.teams import team_pages, team_users_url
from upstream.listing import Listing
from upstream.resources.teams import Team, TeamType

TEAMS = ListDefinition(
    name="teams",
    search_fields=(SearchField("all", gettext_lazy("All fields")),),
    filters=(Filter("team_type", gettext_lazy("Team type"), (), is_open=True),),
    sorts=("name", "team_type", "user_count", "created_date"),
    default_sort="name",
    columns=("clinic", "type", "users", "created"),
)


def team_table(
    query: ListQuery,
    listing: Listing[Team],
    *,
    types: Sequence[TeamType],
    path: str,
    tz: tzinfo,
    clinic_id: str = "",
    clinic_names: Mapping[str, str] | None = None,
) -> ListView:
    """Return the teams; a row opens the team's users. Without `clinic_id`, each row names its clinic.

    `clinic_names` are the names that the service leaves out of the teams, by the clinics' IDs.
    """
    known_names = clinic_names or {}
    names = dict(type_choices(types))
    team_types = [*listing.facets.get("team_type", ()), *(team.team_type for team in listing.results)]
    codes = [code for code in (*team_types, *query.filters.get("team_type", ())) if code]
    query = query.with_choices("team_type", tuple(Choice(*c) for c in type_choices(types, also=codes)))

    def clinic_name(team: Team) -> str:
        return team.clinic_name or known_names.get(team.clinic_id, "")

    columns: tuple[Column[Team], ...] = (
        Column(
            "name",
            _("Name"),
            "name",
            lambda t: Cell(t.name),
            sort="name",
            href=lambda t: team_users_url(t.clinic_id, t.id),
        ),
        *(() if clinic_id else (_clinic_column(clinic_name),)),
        Column(
            "type",
            _("Team type"),
            "text",
            lambda t: Cell(names.get(t.team_type, t.team_type)),
            sort="team_type",
        ),
        Column("users", _("Users"), "number", lambda t: Cell(number_text(t.user_count)), sort="user_count"),
        Column(
            "created",
            pgettext("date", "Created"),
            "date",
            lambda t: date_cell(t.created_date, tz),
            sort="created_date",
        ),
    )
    texts = ListTexts(
        caption=_("Teams"),
        search=_("Search teams by name"),
        nothing_yet_title=_("No teams yet."),
        nothing_yet_text=_("Add the clinic's first team, then move users into it.")
        if clinic_id
        else _("Open a clinic to add a team."),
        first_steps=(
            Link(_("Add team"), get_path("groups:team-create", clinic_id))
            if clinic_id
            else Link(_("Go to clinics"), get_path("groups:clinic-list")),
        ),
    )
    return list_view(
        query,
        listing,
        ListTable(
            columns=columns,
            row_href=team_pages,
            actions=_actions(),
            texts=texts,
            detail=clinic_name,
        ),
        path=path,
    )


def _clinic_column(name: Callable[[Team], str]) -> Column[Team]:
    return Column(
        "clinic",
        _("Clinic"),
        "text",
        lambda team: Cell(name(team)),
        href=lambda team: get_path("groups:team-list", team.clinic_id),
    )


def _actions() -> list[RowAction[Team]]:
    # Translators: button and title of a page, a verb.
    return [RowAction(_("Edit"), "/edit"), RowAction(_("Delete"), "/delete")]
