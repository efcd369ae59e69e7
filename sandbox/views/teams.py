"""Teams (sub groups) of clinics: list, read, the types, and their changes."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, answer, fold, one_of
from sandbox.names import TEAM_TYPES
from sandbox.rules import Name
from sandbox.store import Row
from sandbox.views.user_changes import UserSet, change_user
from sandbox.world import world


class TeamQuery(ListQuery):
    """The query of the team list."""

    organizationId: Id | UnsetType = UNSET
    mainGroupId: Id | UnsetType = UNSET
    sort: Literal["name", "teamType", "userCount", "createdDate"] = "name"
    searchField: Literal["all", "name"] = "all"
    teamType: list[str] = []


class NameQuery(Struct, forbid_unknown_fields=True):
    """The query of exist."""

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
    return len(world().store.where("users", "subGroupId", team["id"]))


def team_view(team: Row) -> Row:
    """Return a team as it is in answers."""
    reasons = blockers.of_team(world().store, team)
    return {
        **{key: value for key, value in team.items() if key != "organizationId"},
        "mainGroupName": world().store.all("clinics")[team["mainGroupId"]]["name"],
        "userCount": user_count(team),
        "canDelete": not reasons,
        "deleteBlockers": reasons,
    }


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


def _named(clinic_id: str, name: str) -> Iterator[Row]:
    wanted = fold(name.strip())
    return (
        row for row in world().store.where("teams", "mainGroupId", clinic_id).values() if fold(row["name"]) == wanted
    )


def exist(call: Call) -> Any:
    """GET /v1/bizSubGroups/exist"""
    query = call.query(NameQuery)
    clinic = call.owns(call.world.store.get("clinics", query.mainGroupId))
    return {"resultCount": sum(row["id"] != query.exceptId for row in _named(clinic["id"], query.name))}


def _check(change: NewTeam | TeamChange, clinic_id: str, except_id: str = "") -> None:
    """Refuse values that no team of the clinic may have."""
    if change.teamType is not UNSET and change.teamType not in TEAM_TYPES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown team type", fields=["teamType"], status=422)
    if change.name and any(row["id"] != except_id for row in _named(clinic_id, change.name)):
        raise Refusal(Code.NAME_IN_USE, fields=["name"])


def create(call: Call) -> Any:
    """POST /v1/bizSubGroups"""
    body = call.body(NewTeam)
    clinic = call.owns(call.world.store.get("clinics", body.mainGroupId))
    _check(body, clinic["id"])
    team = call.world.store.put("teams", {
        "id": call.world.store.next_id("teams", "t"), "organizationId": clinic["organizationId"],
        "mainGroupId": clinic["id"], "name": body.name.strip(), "teamType": body.teamType,
        "createdDate": iso(call.world.clock.now()), "version": 1,
    })  # fmt: skip
    return {"id": team["id"]}


def update(call: Call, id: str) -> Any:
    """PUT /v1/bizSubGroups/{id}"""
    team = call.owns(call.world.store.get("teams", id))
    change = call.body(TeamChange)
    call.check_version(team)
    _check(change, team["mainGroupId"], id)
    fields = msgspec.to_builtins(change)
    if "name" in fields:
        fields["name"] = fields["name"].strip()
    return {"version": call.world.store.change("teams", team, **fields)["version"]}


def delete(call: Call, id: str) -> Any:
    """DELETE /v1/bizSubGroups/{id}: its users move to the team of moveUsersTo, of this clinic or another"""
    store = call.world.store
    team = call.owns(store.get("teams", id))
    target_id = call.query(DeleteQuery).moveUsersTo
    call.check_version(team)
    if target_id:
        _move_users(call, team, target_id)
    else:
        blockers.refuse(blockers.of_team(store, team))
    store.delete("teams", id)
    return {}


def _move_users(call: Call, team: Row, target_id: str) -> None:
    target = call.world.store.get("teams", target_id)
    if target is None or target["organizationId"] != team["organizationId"]:
        raise Refusal(Code.NOT_FOUND, fields=["moveUsersTo"])
    if target_id == team["id"]:
        raise Refusal(Code.PARAMETER_INVALID, "the team itself", fields=["moveUsersTo"], status=422)
    users = list(call.world.store.where("users", "subGroupId", team["id"]).values())
    if target["mainGroupId"] != team["mainGroupId"]:
        blockers.refuse(blockers.of_move(call.world.store, users))
    for user in users:
        change_user(call, user, UserSet(mainGroupId=target["mainGroupId"], subGroupId=target_id))
