"""Users of clinics: list, read, and whether an address is in use."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, Predicate, YesNo, answer, fold, one_of, yes_or_no
from sandbox.rules import check_email, is_email
from sandbox.store import Row
from sandbox.world import world

DAY = 86_400


class UserQuery(ListQuery):
    """The query of the user list."""

    organizationId: Id | UnsetType = UNSET
    mainGroupId: Id | UnsetType = UNSET
    sort: Literal["name", "userType", "email", "subGroupName", "status", "lastLoginDate", "createdDate"] = "name"
    searchField: Literal["all", "name", "team", "email"] = "all"
    userType: list[str] = []
    subGroupId: list[str] = []
    status: list[str] = []
    accountType: list[Annotated[int, Meta(ge=1, le=3)]] = []
    inactiveDays: Annotated[int, Meta(ge=1, le=3650)] | UnsetType = UNSET
    neverLoggedIn: YesNo | UnsetType = UNSET


class EmailQuery(Struct, forbid_unknown_fields=True):
    """The query of exist."""

    email: str


def team_name(user: Row) -> str | None:
    """Return the name of a user's team, or None without one."""
    team = world().store.get("teams", user["subGroupId"]) if user["subGroupId"] else None
    return team["name"] if team else None


def _folded_team(user: Row) -> str | None:
    name = team_name(user)
    return None if name is None else fold(name)


def user_view(user: Row) -> Row:
    """Return a user as it is in answers."""
    shown = {key: value for key, value in user.items() if key != "organizationId"}
    reasons = blockers.of_user(world().store, user)
    return {
        **shown,
        "mainGroupName": world().store.all("clinics")[user["mainGroupId"]]["name"],
        "subGroupName": team_name(user),
        "canDelete": not reasons,
        "deleteBlockers": reasons,
    }


LISTING = Listing(
    sorts={
        "name": lambda row: fold(row["name"]),
        "userType": lambda row: row["userType"],
        "email": lambda row: row["email"].lower(),
        "subGroupName": _folded_team,
        "status": lambda row: row["status"],
        "lastLoginDate": lambda row: row["lastLoginDate"],
        "createdDate": lambda row: row["createdDate"],
    },
    search={
        "all": lambda row: f"{fold(row['name'])}\n{_folded_team(row) or ''}\n{row['email'].lower()}",
        "name": lambda row: fold(row["name"]),
        "team": lambda row: _folded_team(row) or "",
        "email": lambda row: row["email"].lower(),
    },
    view=user_view,
    facets={"status": lambda row: row["status"], "userType": lambda row: row["userType"]},
)


def listing(call: Call) -> Any:
    """GET /v1/bizUsers"""
    query = call.query(UserQuery)
    field, owner = call.scope(query.organizationId, query.mainGroupId)
    if query.searchField == "email" and query.keyword and not is_email(query.keyword.strip()):
        raise Refusal(Code.PARAMETER_INVALID, "keyword is no email address", fields=["keyword"])
    return answer(
        call.world.store,
        LISTING,
        query,
        scope=("users", owner),
        rows=call.world.store.where("users", field, owner),
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "userType": one_of("userType", query.userType),
            "subGroupId": one_of("subGroupId", query.subGroupId),
            "status": one_of("status", query.status),
            "accountType": one_of("accountType", query.accountType),
            "inactiveDays": _inactive(call, query.inactiveDays),
            "neverLoggedIn": yes_or_no(lambda row: row["lastLoginDate"] is None, query.neverLoggedIn),
        },
    )


def _inactive(call: Call, days: int | UnsetType) -> Predicate | None:
    """Return a filter for users whose last login is at least so many days ago, without those who never did."""
    if days is UNSET:
        return None
    limit = iso(call.world.clock.now() - days * DAY)
    return lambda row: row["lastLoginDate"] is not None and row["lastLoginDate"] <= limit


def in_use(email: str) -> bool:
    """Return whether anybody in the service has this address: a user or an administrator."""
    store = world().store
    admins = store.where("admins", "email", email).values()
    return bool(store.where("users", "email", email)) or any(admin["type"] == 1 for admin in admins)


def exist(call: Call) -> Any:
    """GET /v1/bizUsers/exist"""
    return {"resultCount": int(in_use(check_email(call.query(EmailQuery).email)))}


def read(call: Call, id: str) -> Any:
    """GET /v1/bizUsers/{id}"""
    return user_view(call.owns(call.world.store.get("users", id)))
