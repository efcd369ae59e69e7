"""Teams (sub groups) of clinics: list, read and the types."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, answer, fold, one_of
from sandbox.names import TEAM_TYPES
from sandbox.store import Row
from sandbox.world import world


class TeamQuery(ListQuery):
    """The query of the team list."""

    organizationId: Id | UnsetType = UNSET
    mainGroupId: Id | UnsetType = UNSET
    sort: Literal["name", "teamType", "userCount", "createdDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    teamType: list[str] = []


def user_count(team: Row) -> int:
    """Return how many users are in a team."""
    return len(world().store.where("users", "subGroupId", team["id"]))


def team_view(team: Row) -> Row:
    """Return a team as the wire shows it."""
    users = user_count(team)
    shown = {key: value for key, value in team.items() if key != "organizationId"}
    blockers = [{"reason": "NOT_EMPTY", "count": users}] if users else []
    return {**shown, "userCount": users, "canDelete": not blockers, "deleteBlockers": blockers}


LISTING = Listing(
    sorts={
        "name": lambda row: fold(row["name"]),
        "teamType": lambda row: row["teamType"],
        "userCount": user_count,
        "createdDate": lambda row: row["createdDate"],
    },
    search={"all": lambda row: fold(row["name"]), "name": lambda row: fold(row["name"])},
    view=team_view,
    facets={"teamType": lambda row: row["teamType"]},
)


def listing(call: Call) -> Any:
    """GET /v1/bizSubGroups"""
    query = call.query(TeamQuery)
    field, owner = call.scope(query.organizationId, query.mainGroupId)
    return answer(
        call.world.store,
        LISTING,
        query,
        scope=("teams", owner),
        rows=call.world.store.where("teams", field, owner),
        sort=query.sort,
        search_field=query.searchField,
        filters={"teamType": one_of("teamType", query.teamType)},
    )


def read(call: Call, id: str) -> Any:
    """GET /v1/bizSubGroups/{id}"""
    return team_view(call.owns(call.world.store.get("teams", id)))


def types(call: Call) -> Any:
    """GET /v1/bizSubGroups/teamTypes"""
    results = [{"code": code, "name": name} for code, name in TEAM_TYPES.items()]
    return {"resultCount": len(results), "results": results}
