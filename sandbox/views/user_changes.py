"""Changes to users: create with an invitation, change and move, delete, individually and in bulk."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers, bulk, invitations
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import LANGUAGES, Call, checked
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


def _clinic(call: Call, clinic_id: str) -> Row:
    """Return the caller's clinic that a field names."""
    clinic = call.world.store.get("clinics", clinic_id)
    if clinic is None or not call.may_see(clinic):
        raise Refusal(Code.NOT_FOUND, fields=["mainGroupId"])
    return clinic


def _check_team(call: Call, team_id: str | None, clinic: Row) -> None:
    """Refuse a team that does not exist or belongs to another clinic."""
    if team_id is None:
        return
    team = call.world.store.get("teams", team_id)
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


def create(call: Call) -> Any:
    """POST /v1/bizUsers"""
    body = call.body(NewUser)
    clinic = _clinic(call, body.mainGroupId)
    _check_team(call, body.subGroupId, clinic)
    unknown = [name for name in body.permissions if name not in PERMISSIONS]
    if unknown:
        raise Refusal(Code.PARAMETER_INVALID, "unknown permission", fields=unknown)
    user = _add(call, clinic, body.subGroupId, body, _checked_email(body))
    values = {name: value for name, value in body.permissions.items() if value is not None}
    if values:
        call.world.store.put("permissions", {
            "id": user["id"], "organizationId": user["organizationId"], "ownerType": "USER", "values": values,
            "labs": {}, "version": 1,
        })  # fmt: skip
    return {"id": user["id"]}


def _add(call: Call, clinic: Row, team_id: str | None, person: Person, email: str) -> Row:
    invited = invitations.dates(call.world)
    user = call.world.store.put("users", {
        "id": call.world.store.next_id("users", "u"), "organizationId": clinic["organizationId"],
        "mainGroupId": clinic["id"], "subGroupId": team_id, "name": person.name.strip(), "userType": person.userType,
        "email": email, "accountType": 3, "lastLoginDate": None, **invited, "createdDate": invited["invitedDate"],
        "version": 1,
    })  # fmt: skip
    invitations.send(call.world, user)
    return user


def update(call: Call, id: str) -> Any:
    """PUT /v1/bizUsers/{id}"""
    user = call.owns(call.world.store.get("users", id))
    change = call.body(UserChange)
    call.check_version(user)
    return {"version": change_user(call, user, change)["version"]}


def change_user(call: Call, user: Row, change: UserSet) -> Row:
    """Change fields of a user; moving to another clinic also moves the pending cases."""
    store = call.world.store
    fields = msgspec.to_builtins(change)
    clinic = _clinic(call, fields.get("mainGroupId", user["mainGroupId"]))
    moves = clinic["id"] != user["mainGroupId"]
    if moves:
        if clinic["organizationId"] != user["organizationId"]:
            raise Refusal(Code.NOT_FOUND, fields=["mainGroupId"])
        fields.setdefault("subGroupId", None)
    _check_team(call, fields.get("subGroupId"), clinic)
    if moves:
        blockers.refuse(blockers.of_move(store, [user]))
        for case in list(store.where("cases", "userId", user["id"]).values()):
            store.put("cases", {**case, "mainGroupId": clinic["id"]})
    if "name" in fields:
        fields["name"] = fields["name"].strip()
    return store.change("users", user, **fields)


def delete(call: Call, id: str) -> Any:
    """DELETE /v1/bizUsers/{id}"""
    user = call.owns(call.world.store.get("users", id))
    call.check_version(user)
    return _remove(call, user)


def _remove(call: Call, user: Row) -> Row:
    """Remove a user with their permissions, links and ended partnerships."""
    store = call.world.store
    blockers.refuse(blockers.of_user(store, user))
    for kind in ("partnerships", "links"):
        for row_id in list(store.where(kind, "ownerId", user["id"])):
            store.delete(kind, row_id)
    for scanner in list(store.where("scanners", "mainGroupId", user["mainGroupId"]).values()):
        if scanner["connectedUserId"] == user["id"]:
            store.change("scanners", scanner, connectedUserId=None)
    if store.get("permissions", user["id"]):
        store.delete("permissions", user["id"])
    store.delete("users", user["id"])
    return {}


def resend_invitation(call: Call, id: str) -> Any:
    """PUT /v1/bizUsers/{id}/invitation/resend"""
    user = call.owns(call.world.store.get("users", id))
    call.check_version(user)
    return {"invitationExpiresDate": _resend(call, user)["invitationExpiresDate"]}


def _resend(call: Call, user: Row) -> Row:
    invitations.must_wait(user)
    invited = call.world.store.change("users", user, **invitations.dates(call.world))
    invitations.send(call.world, invited)
    return invited


def cancel_invitation(call: Call, id: str) -> Any:
    """DELETE /v1/bizUsers/{id}/invitation: the user is removed"""
    user = call.owns(call.world.store.get("users", id))
    call.check_version(user)
    invitations.must_wait(user)
    return _remove(call, user)


def lock(call: Call, id: str) -> Any:
    """PUT /v1/bizUsers/{id}/lock"""
    return _turn_lock(call, id, "ACTIVE", "LOCKED")


def unlock(call: Call, id: str) -> Any:
    """PUT /v1/bizUsers/{id}/unlock"""
    return _turn_lock(call, id, "LOCKED", "ACTIVE")


def bulk_lock(call: Call) -> Any:
    """POST /v1/bizUsers/bulkLock"""
    return bulk.by_id(
        call, call.body(bulk.Ids).ids, lambda row_id: _turn(call, _user(call, row_id), "ACTIVE", "LOCKED")
    )


def bulk_unlock(call: Call) -> Any:
    """POST /v1/bizUsers/bulkUnlock"""
    return bulk.by_id(
        call, call.body(bulk.Ids).ids, lambda row_id: _turn(call, _user(call, row_id), "LOCKED", "ACTIVE")
    )


def _turn_lock(call: Call, user_id: str, before: str, after: str) -> Row:
    user = _user(call, user_id)
    call.check_version(user)
    return {"version": _turn(call, user, before, after)["version"]}


def _turn(call: Call, user: Row, before: str, after: str) -> Row:
    """Turn the one status of a user into the other, or refuse it to who has neither."""
    if user["status"] != before:
        raise Refusal(Code.USER_STATE)
    return call.world.store.change("users", user, status=after)


def bulk_delete(call: Call) -> Any:
    """POST /v1/bizUsers/bulkDelete"""
    return bulk.by_id(call, call.body(bulk.Ids).ids, lambda row_id: _remove(call, _user(call, row_id)))


def bulk_resend_invitation(call: Call) -> Any:
    """POST /v1/bizUsers/bulkResendInvitation"""
    return bulk.by_id(call, call.body(bulk.Ids).ids, lambda row_id: _resend(call, _user(call, row_id)))


def bulk_update(call: Call) -> Any:
    """POST /v1/bizUsers/bulkUpdate"""
    body = call.body(BulkUpdate)
    if not msgspec.to_builtins(body.set):
        raise Refusal(Code.PARAMETER_MISSING, "nothing to set", fields=["set"])
    return bulk.by_id(call, body.ids, lambda row_id: change_user(call, _user(call, row_id), body.set))


def _user(call: Call, user_id: str) -> Row:
    return call.owns(call.world.store.get("users", user_id))


def bulk_create(call: Call) -> Any:
    """POST /v1/bizUsers/bulkCreate: a dry run returns the same, but creates nobody and sends nothing"""
    body = call.body(bulk.Items)
    store = call.world.store
    organization = call.organization(body.organizationId or call.admin["organizationId"])
    clinics = {fold(row["name"]): row for row in store.where("clinics", "organizationId", organization).values()}
    taken: set[str] = set()  # by previous rows, which a dry run has not created

    def make(given: Row) -> Row:
        item = checked(given, UserItem)
        clinic = clinics.get(fold(item.mainGroupName.strip()))
        if clinic is None:
            raise Refusal(Code.NOT_FOUND, fields=["mainGroupName"])
        team_id = _team_named(call, clinic, item.subGroupName)
        email = _checked_email(item)
        if email in taken:
            raise Refusal(Code.USER_EMAIL_IN_USE, fields=["email"])
        taken.add(email)
        return {} if body.dryRun else {"id": _add(call, clinic, team_id, item, email)["id"]}

    return bulk.by_index(call, body.items, make)


def _team_named(call: Call, clinic: Row, name: str | None) -> str | None:
    """Return the id of the team that a name means in a clinic; no name means no team."""
    wanted = fold((name or "").strip())
    if not wanted:
        return None
    for team_id, team in call.world.store.where("teams", "mainGroupId", clinic["id"]).items():
        if fold(team["name"]) == wanted:
            return team_id
    raise Refusal(Code.NOT_FOUND, fields=["subGroupName"])
