"""Users of clinics: list, read, and whether an address is in use."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.clock import iso
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, Predicate, YesNo, answer, fold, one_of, yes_or_no
from sandbox.rules import check_email, is_email
from sandbox.store import Row
from sandbox.views.permissions import own_values
from sandbox.world import world

DAY = 86_400


class UserQuery(ListQuery):
    """The query of the user list."""

    organizationId: Id | UnsetType = UNSET
    mainGroupId: list[Id] = []
    sort: Literal["name", "userType", "email", "subGroupName", "status", "lastLoginDate", "createdDate"] = "name"
    searchField: Literal["all", "name", "team", "email"] = "all"
    keyword: Annotated[str, Meta(max_length=254)] = ""
    userType: list[str] = []
    subGroupId: list[str] = []
    status: list[str] = []
    accountType: list[Annotated[int, Meta(ge=1, le=3)]] = []
    inactiveDays: Annotated[int, Meta(ge=1, le=3650)] | UnsetType = UNSET
    neverLoggedIn: YesNo | UnsetType = UNSET
    ownPermission: list[str] = []


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
    # Of one clinic, or of the organization; of several clinics, those of the organization are filtered.
    scopes = [call.scope(query.organizationId, clinic_id) for clinic_id in query.mainGroupId]
    field, owner = scopes[0] if len(scopes) == 1 else call.scope(query.organizationId, UNSET)
    if query.searchField != "email" and len(query.keyword) > 100:
        raise Refusal(Code.PARAMETER_INVALID, "keyword is too long", fields=["keyword"])
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
            "mainGroupId": one_of("mainGroupId", query.mainGroupId),
            "lastLogin": _last_login(call, query),
            "ownPermission": _own_permission(call, query.ownPermission),
        },
    )


def _last_login(call: Call, query: UserQuery) -> Predicate | None:
    """Return a filter for users whose last login is at least so many days ago, or (also) for those who never did."""
    never = yes_or_no(lambda row: row["lastLoginDate"] is None, query.neverLoggedIn)
    if query.inactiveDays is UNSET:
        return never
    limit = iso(call.world.clock.now() - query.inactiveDays * DAY)

    def inactive(row: Row) -> bool:
        return row["lastLoginDate"] is not None and row["lastLoginDate"] <= limit

    return (lambda row: inactive(row) or never(row)) if never and query.neverLoggedIn == "true" else inactive


def _own_permission(call: Call, names: list[str]) -> Predicate | None:
    """Return a filter for users who have a setting of their own for one of these permissions."""
    if unknown := [name for name in names if name not in PERMISSIONS]:
        raise Refusal(Code.PARAMETER_INVALID, "unknown permission", fields=unknown)
    return (lambda row: any(name in own_values(call, row) for name in names)) if names else None


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
