"""Teams (sub groups) of clinics: list, read, the types, and their changes."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, answer, fold, folded, plain
from sandbox.names import TEAM_TYPES
from sandbox.rules import Name
from sandbox.store import Row
from sandbox.views.user_changes import UserSet, change_user
from sandbox.world import world


class TeamQuery(ListQuery):
    organizationId: Id | UnsetType = UNSET
    mainGroupId: Id | UnsetType = UNSET
    sort: Literal["name", "teamType", "userCount", "createdDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    teamType: list[str] = []


class NameQuery(Struct, forbid_unknown_fields=True):
    mainGroupId: Id
    name: Annotated[str, Meta(min_length=1, max_length=100)]
    exceptId: Id | UnsetType = UNSET


class NewTeam(Struct):
    """The body of POST."""

    mainGroupId: Id
    name: Name
    teamType: str = "GENERAL"


class TeamChange(Struct):
    """The body of PUT."""

    name: Name | UnsetType = UNSET
    teamType: str | UnsetType = UNSET


class DeleteQuery(Struct, forbid_unknown_fields=True):
    """The query of DELETE: the team to which users are moved, if there are any."""

    moveUsersTo: Id | UnsetType = UNSET


def user_count(team: Row) -> int:
    """Return how many users are in a team."""
    return len(world().store.filter_by("users", "subGroupId", team["id"]))


def team_view(team: Row) -> Row:
    """Return a team as it is in responses."""
    reasons = blockers.for_team(world().store, team)
    return {
        **{key: value for key, value in team.items() if key != "organizationId"},
        "mainGroupName": world().store.all("clinics")[team["mainGroupId"]]["name"],
        "userCount": user_count(team),
        "canDelete": not reasons,
        "deleteBlockers": reasons,
    }


LISTING = Listing(
    sorts={
        **folded("name"),
        **plain("teamType", "createdDate"),
        "userCount": user_count,
    },
    search={"all": lambda row: fold(row["name"]), **folded("name")},
    view=team_view,
    match_any=("teamType",),
    facets=plain("teamType"),
)


@route("GET", "v1/bizSubGroups")
def listing(call: Call) -> Any:
    query = call.query(TeamQuery)
    field, owner = call.scope(query.organizationId, query.mainGroupId)
    return answer(
        call.store,
        LISTING,
        query,
        ("teams", owner),
        call.store.filter_by("teams", field, owner),
    )


@route("GET", "v1/bizSubGroups/<id>")
def read(call: Call, id: str) -> Any:
    return team_view(call.row("teams", id))


@route("GET", "v1/bizSubGroups/teamTypes")
def types(call: Call) -> Any:
    results = [{"code": code, "name": name} for code, name in TEAM_TYPES.items()]
    return {"resultCount": len(results), "results": results}


def _named(clinic_id: str, name: str) -> Iterator[Row]:
    wanted = fold(name.strip())
    return (
        row
        for row in world().store.filter_by("teams", "mainGroupId", clinic_id).values()
        if fold(row["name"]) == wanted
    )


@route("GET", "v1/bizSubGroups/exist")
def exist(call: Call) -> Any:
    query = call.query(NameQuery)
    clinic = call.row("clinics", query.mainGroupId)
    return {"resultCount": sum(row["id"] != query.exceptId for row in _named(clinic["id"], query.name))}


def _check(change: NewTeam | TeamChange, clinic_id: str, except_id: str = "") -> None:
    """Refuse values that no team of the clinic may have."""
    if change.teamType is not UNSET and change.teamType not in TEAM_TYPES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown team type", fields=["teamType"], status=422)
    if change.name and any(row["id"] != except_id for row in _named(clinic_id, change.name)):
        raise Refusal(Code.NAME_IN_USE, fields=["name"])


@route("POST", "v1/bizSubGroups")
def create(call: Call) -> Any:
    body = call.body(NewTeam)
    clinic = call.row("clinics", body.mainGroupId)
    _check(body, clinic["id"])
    team = call.store.put("teams", {
        "id": call.store.next_id("teams", "t"), "organizationId": clinic["organizationId"],
        "mainGroupId": clinic["id"], "name": body.name.strip(), "teamType": body.teamType,
        "createdDate": call.now, "version": 1,
    })  # fmt: skip
    return {"id": team["id"]}


@route("PUT", "v1/bizSubGroups/<id>")
def update(call: Call, id: str) -> Any:
    team = call.row("teams", id)
    change = call.body(TeamChange)
    call.check_version(team)
    _check(change, team["mainGroupId"], id)
    fields = msgspec.to_builtins(change)
    if "name" in fields:
        fields["name"] = fields["name"].strip()
    return {"version": call.store.change("teams", team, **fields)["version"]}


@route("DELETE", "v1/bizSubGroups/<id>")
def delete(call: Call, id: str) -> Any:
    """Users of the team move to the team of moveUsersTo, in this clinic or another."""
    store = call.store
    team = call.row("teams", id)
    target_id = call.query(DeleteQuery).moveUsersTo
    call.check_version(team)
    if target_id:
        _move_users(call, team, target_id)
    else:
        blockers.refuse(blockers.for_team(store, team))
    store.delete("teams", id)
    return {}


def _move_users(call: Call, team: Row, target_id: str) -> None:
    target = call.store.get("teams", target_id)
    if target is None or target["organizationId"] != team["organizationId"]:
        raise Refusal(Code.NOT_FOUND, fields=["moveUsersTo"])
    if target_id == team["id"]:
        raise Refusal(Code.PARAMETER_INVALID, "the team itself", fields=["moveUsersTo"], status=422)
    users = list(call.store.filter_by("users", "subGroupId", team["id"]).values())
    if target["mainGroupId"] != team["mainGroupId"]:
        blockers.refuse(blockers.for_move(call.store, users))
    for user in users:
        change_user(call, user, UserSet(mainGroupId=target["mainGroupId"], subGroupId=target_id))
