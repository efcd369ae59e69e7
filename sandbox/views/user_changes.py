"""Changes to users: create with an invitation, change and move, delete, individually and in bulk."""

from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers, bulk, invitations
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import LANGUAGES, Call, checked, route
from sandbox.lists import Id, fold
from sandbox.rules import Name, check_email
from sandbox.store import Row
from sandbox.views.users import in_use

UserType = Literal["DOCTOR", "STAFF"]


class Person(Struct, kw_only=True):
    """The fields of a new user, except for the clinic."""

    name: Name
    userType: UserType
    email: str
    language: str = "en-US"


class NewUser(Person, kw_only=True):
    """The body of POST."""

    mainGroupId: Id
    subGroupId: Id | None = None
    permissions: dict[str, bool | None] = {}


class UserItem(Person, kw_only=True):
    """A new user of bulkCreate, whose clinic and team are given by name."""

    mainGroupName: Annotated[str, Meta(min_length=1, max_length=100)]
    subGroupName: Annotated[str, Meta(max_length=100)] | None = None


class UserSet(Struct):
    """Fields that can be changed in bulk; a user who moves to another clinic leaves the team."""

    userType: UserType | UnsetType = UNSET
    mainGroupId: Id | UnsetType = UNSET
    subGroupId: Id | UnsetType | None = UNSET


class UserChange(UserSet):
    """The body of PUT."""

    name: Name | UnsetType = UNSET


class BulkUpdate(bulk.Ids, kw_only=True):
    """The body of bulkUpdate."""

    set: UserSet


def _check_team(call: Call, team_id: str | None, clinic: Row) -> None:
    """Refuse a team that does not exist or belongs to another clinic."""
    if team_id is None:
        return
    team = call.store.get("teams", team_id)
    if team is None or team["organizationId"] != clinic["organizationId"]:
        raise Refusal(Code.NOT_FOUND, fields=["subGroupId"])
    if team["mainGroupId"] != clinic["id"]:
        raise Refusal(Code.PARAMETER_INVALID, "a team of another clinic", fields=["subGroupId"], status=422)


def _checked_email(person: Person) -> str:
    """Return the address of a new user, or refuse it or the language."""
    if person.language not in LANGUAGES:
        raise Refusal(Code.PARAMETER_INVALID, "unknown language", fields=["language"], status=422)
    email = check_email(person.email)
    if in_use(email):
        raise Refusal(Code.USER_EMAIL_IN_USE, fields=["email"])
    return email


@route("POST", "v1/bizUsers")
def create(call: Call) -> Any:
    body = call.body(NewUser)
    clinic = call.row("clinics", body.mainGroupId, "mainGroupId")
    _check_team(call, body.subGroupId, clinic)
    unknown = [name for name in body.permissions if name not in PERMISSIONS]
    if unknown:
        raise Refusal(Code.PARAMETER_INVALID, "unknown permission", fields=unknown)
    user = _add(call, clinic, body.subGroupId, body, _checked_email(body))
    values = {name: value for name, value in body.permissions.items() if value is not None}
    if values:
        call.store.put("permissions", {
            "id": user["id"], "organizationId": user["organizationId"], "ownerType": "USER", "values": values,
            "labs": {}, "version": 1,
        })  # fmt: skip
    return {"id": user["id"]}


def _add(call: Call, clinic: Row, team_id: str | None, person: Person, email: str) -> Row:
    invited = invitations.dates(call.world)
    user = call.store.put("users", {
        "id": call.store.next_id("users", "u"), "organizationId": clinic["organizationId"],
        "mainGroupId": clinic["id"], "subGroupId": team_id, "name": person.name.strip(), "userType": person.userType,
        "email": email, "accountType": 3, "lastLoginDate": None, **invited, "createdDate": invited["invitedDate"],
        "version": 1,
    })  # fmt: skip
    invitations.send(call.world, user)
    return user


@route("PUT", "v1/bizUsers/<id>")
def update(call: Call, id: str) -> Any:
    user = call.row("users", id)
    change = call.body(UserChange)
    call.check_version(user)
    return {"version": change_user(call, user, change)["version"]}


def change_user(call: Call, user: Row, change: UserSet) -> Row:
    """Change fields of a user; moving to another clinic also moves the pending cases."""
    store = call.store
    fields = msgspec.to_builtins(change)
    clinic = call.row("clinics", fields.get("mainGroupId", user["mainGroupId"]), "mainGroupId")
    moves = clinic["id"] != user["mainGroupId"]
    if moves:
        if clinic["organizationId"] != user["organizationId"]:
            raise Refusal(Code.NOT_FOUND, fields=["mainGroupId"])
        fields.setdefault("subGroupId", None)
    _check_team(call, fields.get("subGroupId"), clinic)
    if moves:
        blockers.refuse(blockers.for_move(store, [user]))
        for case in list(store.filter_by("cases", "userId", user["id"]).values()):
            store.put("cases", {**case, "mainGroupId": clinic["id"]})
    if "name" in fields:
        fields["name"] = fields["name"].strip()
    return store.change("users", user, **fields)


@route("DELETE", "v1/bizUsers/<id>")
def delete(call: Call, id: str) -> Any:
    user = call.row("users", id)
    call.check_version(user)
    return _remove(call, user)


def _remove(call: Call, user: Row) -> Row:
    """Remove a user with their permissions, links and ended partnerships."""
    store = call.store
    blockers.refuse(blockers.for_user(store, user))
    for kind in ("partnerships", "links"):
        for row_id in list(store.filter_by(kind, "ownerId", user["id"])):
            store.delete(kind, row_id)
    for scanner in list(store.filter_by("scanners", "mainGroupId", user["mainGroupId"]).values()):
        if scanner["connectedUserId"] == user["id"]:
            store.change("scanners", scanner, connectedUserId=None)
    if store.get("permissions", user["id"]):
        store.delete("permissions", user["id"])
    store.delete("users", user["id"])
    return {}


@route("PUT", "v1/bizUsers/<id>/invitation/resend")
def resend_invitation(call: Call, id: str) -> Any:
    user = call.row("users", id)
    call.check_version(user)
    return {"invitationExpiresDate": _resend(call, user)["invitationExpiresDate"]}


def _resend(call: Call, user: Row) -> Row:
    invitations.must_wait(user)
    invited = call.store.change("users", user, **invitations.dates(call.world))
    invitations.send(call.world, invited)
    return invited


@route("DELETE", "v1/bizUsers/<id>/invitation")
def cancel_invitation(call: Call, id: str) -> Any:
    """The user is removed."""
    user = call.row("users", id)
    call.check_version(user)
    invitations.must_wait(user)
    return _remove(call, user)


def _change_status(call: Call, user: Row, before: str, after: str) -> Row:
    """Change a user's status from `before` to `after`, or refuse it in any other state."""
    if user["status"] != before:
        raise Refusal(Code.USER_STATE)
    return call.store.change("users", user, status=after)


def _change_one(call: Call, id: str, *, before: str, after: str) -> Any:
    user = call.row("users", id)
    call.check_version(user)
    return {"version": _change_status(call, user, before, after)["version"]}


def _change_many(call: Call, *, before: str, after: str) -> Any:
    return bulk.by_body_ids(call, lambda row_id: _change_status(call, call.row("users", row_id), before, after))


for one, many, before, after in (
    ("lock", "bulkLock", "ACTIVE", "LOCKED"),
    ("unlock", "bulkUnlock", "LOCKED", "ACTIVE"),
):
    route("PUT", f"v1/bizUsers/<id>/{one}")(partial(_change_one, before=before, after=after))
    route("POST", f"v1/bizUsers/{many}")(partial(_change_many, before=before, after=after))


@route("POST", "v1/bizUsers/bulkDelete")
def bulk_delete(call: Call) -> Any:
    return bulk.by_body_ids(call, lambda row_id: _remove(call, call.row("users", row_id)))


@route("POST", "v1/bizUsers/bulkResendInvitation")
def bulk_resend_invitation(call: Call) -> Any:
    return bulk.by_body_ids(call, lambda row_id: _resend(call, call.row("users", row_id)))


@route("POST", "v1/bizUsers/bulkUpdate")
def bulk_update(call: Call) -> Any:
    body = call.body(BulkUpdate)
    if not msgspec.to_builtins(body.set):
        raise Refusal(Code.PARAMETER_MISSING, "nothing to set", fields=["set"])
    return bulk.by_id(call, body.ids, lambda row_id: change_user(call, call.row("users", row_id), body.set))


@route("POST", "v1/bizUsers/bulkCreate")
def bulk_create(call: Call) -> Any:
    """A dry run returns the same, but creates no users and sends nothing."""
    body = call.body(bulk.Items)
    store = call.store
    organization = call.organization(body.organizationId or call.admin["organizationId"])
    clinics = {fold(row["name"]): row for row in store.filter_by("clinics", "organizationId", organization).values()}
    used_emails: set[str] = set()  # by previous rows, which a dry run has not created

    def make(given: Row) -> Row:
        item = checked(given, UserItem)
        clinic = clinics.get(fold(item.mainGroupName.strip()))
        if clinic is None:
            raise Refusal(Code.NOT_FOUND, fields=["mainGroupName"])
        team_id = _team_named(call, clinic, item.subGroupName)
        email = _checked_email(item)
        if email in used_emails:
            raise Refusal(Code.USER_EMAIL_IN_USE, fields=["email"])
        used_emails.add(email)
        return {} if body.dryRun else {"id": _add(call, clinic, team_id, item, email)["id"]}

    return bulk.by_index(call, body.items, make)


def _team_named(call: Call, clinic: Row, name: str | None) -> str | None:
    """Return the id of the team that a name means in a clinic; no name means no team."""
    wanted = fold((name or "").strip())
    if not wanted:
        return None
    for team_id, team in call.store.filter_by("teams", "mainGroupId", clinic["id"]).items():
        if fold(team["name"]) == wanted:
            return team_id
    raise Refusal(Code.NOT_FOUND, fields=["subGroupName"])
