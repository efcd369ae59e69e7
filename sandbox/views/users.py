"""Users of clinics: list, read, and whether an address is in use."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, Predicate, YesNo, answer, days_ago, fold, folded, plain
from sandbox.rules import check_email, is_email
from sandbox.store import Row
from sandbox.views.permissions import user_values
from sandbox.world import world


class UserQuery(ListQuery):
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
    email: str


def team_name(user: Row) -> str | None:
    """Return the name of a user's team, or None without one."""
    team = world().store.get("teams", user["subGroupId"]) if user["subGroupId"] else None
    return team["name"] if team else None


def _folded_team(user: Row) -> str | None:
    name = team_name(user)
    return None if name is None else fold(name)


def user_view(user: Row) -> Row:
    """Return a user as it is in responses."""
    public = {key: value for key, value in user.items() if key != "organizationId"}
    reasons = blockers.for_user(world().store, user)
    return {
        **public,
        "mainGroupName": world().store.all("clinics")[user["mainGroupId"]]["name"],
        "subGroupName": team_name(user),
        "canDelete": not reasons,
        "deleteBlockers": reasons,
    }


LISTING = Listing(
    sorts={
        **folded("name", "email"),
        **plain("userType", "status", "lastLoginDate", "createdDate"),
        "subGroupName": _folded_team,
    },
    search={
        "all": lambda row: f"{fold(row['name'])}\n{_folded_team(row) or ''}\n{row['email'].lower()}",
        "team": lambda row: _folded_team(row) or "",
        **folded("name", "email"),
    },
    view=user_view,
    match_any=("userType", "subGroupId", "status", "accountType", "mainGroupId"),
    facets=plain("status", "userType"),
)


@route("GET", "v1/bizUsers")
def listing(call: Call) -> Any:
    query = call.query(UserQuery)
    # For one clinic or the organization, take its rows; for several clinics, filter the organization's rows.
    scopes = [call.scope(query.organizationId, clinic_id) for clinic_id in query.mainGroupId]
    field, owner = scopes[0] if len(scopes) == 1 else call.scope(query.organizationId, UNSET)
    if query.searchField != "email" and len(query.keyword) > 100:
        raise Refusal(Code.PARAMETER_INVALID, "keyword is too long", fields=["keyword"])
    if query.searchField == "email" and query.keyword and not is_email(query.keyword.strip()):
        raise Refusal(Code.PARAMETER_INVALID, "keyword is no email address", fields=["keyword"])
    return answer(
        call.store,
        LISTING,
        query,
        ("users", owner),
        call.store.filter_by("users", field, owner),
        {
            "lastLogin": days_ago("lastLoginDate", call.days_ago(query.inactiveDays), query.neverLoggedIn),
            "ownPermission": _permission_filter(call, query.ownPermission),
        },
    )


def _permission_filter(call: Call, names: list[str]) -> Predicate | None:
    """Return a filter for users who have a setting of their own for one of these permissions."""
    if unknown := [name for name in names if name not in PERMISSIONS]:
        raise Refusal(Code.PARAMETER_INVALID, "unknown permission", fields=unknown)
    return (lambda row: any(name in user_values(call, row) for name in names)) if names else None


def in_use(email: str) -> bool:
    """Return True if the address belongs to a user or an administrator of the service."""
    store = world().store
    admins = store.filter_by("admins", "email", email).values()
    return bool(store.filter_by("users", "email", email)) or any(admin["type"] == 1 for admin in admins)


@route("GET", "v1/bizUsers/exist")
def exist(call: Call) -> Any:
    return {"resultCount": int(in_use(check_email(call.query(EmailQuery).email)))}


@route("GET", "v1/bizUsers/<id>")
def read(call: Call, id: str) -> Any:
    return user_view(call.row("users", id))
