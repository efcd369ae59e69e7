"""Permissions of clinics and users: values of the owner, and values that follow the clinic."""

from functools import partial
from typing import Annotated

import msgspec

from sandbox import bulk
from sandbox.demo import PERMISSIONS
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.store import Row

OPEN_STATES = ("ACCEPTED", "PENDING")


class LabChoice(msgspec.Struct):
    """The permission of the owner to order from one lab."""

    labId: str
    allowed: bool


class Change(msgspec.Struct):
    """The body of an update, which contains changes only."""

    permissions: dict[str, bool | None] = {}
    orderLabs: list[LabChoice] = []


class BulkChange(bulk.Ids, kw_only=True):
    """The body of a bulk update, which must change something."""

    permissions: Annotated[dict[str, bool | None], msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET
    orderLabs: Annotated[list[LabChoice], msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET


def _stored_settings(call: Call, owner: Row, kind: str) -> Row:
    """Return the values set on the owner itself."""
    empty: Row = {
        "id": owner["id"],
        "organizationId": owner["organizationId"],
        "ownerType": kind,
        "values": {},
        "labs": {},
        "version": 1,
    }
    return call.store.get("permissions", owner["id"]) or empty


def in_force(stored: dict[str, bool], clinic: dict[str, bool]) -> Row:
    """Return the permissions of an owner as they are in responses: the values set there, or those of the clinic."""
    return {
        name: {"value": stored[name], "source": "OWN"}
        if name in stored
        else {"value": clinic.get(name, False), "source": "MAIN_GROUP"}
        for name in PERMISSIONS
    }


def _view(call: Call, id: str, *, kind: str, rows: str) -> Row:
    owner = call.row(rows, id)
    stored = _stored_settings(call, owner, kind)
    clinic = stored
    if kind == "USER":
        clinic = _stored_settings(call, call.store.all("clinics")[owner["mainGroupId"]], "MAIN_GROUP")
    return {
        "owner": {"type": kind, "id": owner["id"]},
        "permissions": in_force(stored["values"], clinic["values"]),
        "orderLabs": _order_labs(call, owner, {**clinic["labs"], **stored["labs"]}),
        **({} if kind == "USER" else {"ownSettings": _setting_counts(call, owner)}),
        "version": stored["version"],
    }


def user_values(call: Call, user: Row) -> dict[str, bool]:
    """Return the permissions that a user does not take from the clinic."""
    stored = call.store.get("permissions", user["id"])
    return stored["values"] if stored else {}


def _setting_counts(call: Call, clinic: Row) -> Row:
    """Return how many users of a clinic have a setting of their own, by permission and value."""
    users = call.store.filter_by("users", "mainGroupId", clinic["id"]).values()
    values = [user_values(call, user) for user in users]
    return {
        name: {
            "on": sum(choices.get(name) is True for choices in values),
            "off": sum(choices.get(name) is False for choices in values),
        }
        for name in PERMISSIONS
    }


def _order_labs(call: Call, owner: Row, chosen: dict[str, bool]) -> list[Row]:
    """Return each lab of the organization's partner list with the partnership that applies to the owner."""
    store = call.store
    partnerships = {
        row["labId"]: row
        for owner_id in (owner.get("mainGroupId"), owner["id"])
        for row in store.filter_by("partnerships", "ownerId", owner_id).values()
        if row["status"] in OPEN_STATES
    }
    labs = []
    for listed in store.filter_by("partner_list", "organizationId", owner["organizationId"]).values():
        partnership = partnerships.get(listed["labId"])
        accepted = partnership is not None and partnership["status"] == "ACCEPTED"
        labs.append({
            "labId": listed["labId"],
            "labName": store.all("labs")[listed["labId"]]["name"],
            "partnershipId": partnership["id"] if partnership else None,
            "status": partnership["status"] if partnership else None,
            "allowed": accepted and chosen.get(listed["labId"], True),
        })  # fmt: skip
    return labs


def _change(call: Call, id: str, *, kind: str, rows: str) -> Row:
    owner, change = call.row(rows, id), call.body(Change)
    call.check_version(_stored_settings(call, owner, kind))
    _check(change, kind)
    return {"version": _set(call, owner, kind, change)["version"]}


def _check(change: Change, kind: str) -> None:
    """Refuse unknown permissions, and null for a clinic, which has nothing to follow."""
    unknown = [name for name in change.permissions if name not in PERMISSIONS]
    if unknown:
        raise Refusal(Code.PARAMETER_INVALID, "unknown permission", fields=unknown)
    followers = [name for name, value in change.permissions.items() if value is None]
    if followers and kind == "MAIN_GROUP":
        raise Refusal(Code.PARAMETER_INVALID, "a clinic follows nobody", fields=followers)


def _set(call: Call, owner: Row, kind: str, change: Change) -> Row:
    stored = _stored_settings(call, owner, kind)
    status = {lab["labId"]: lab["status"] for lab in _order_labs(call, owner, {})}
    for choice in change.orderLabs:
        if choice.labId not in status or (choice.allowed and status[choice.labId] != "ACCEPTED"):
            raise Refusal(Code.PERMISSION_NOT_GRANTABLE, "lab is no partner", fields=[choice.labId])
    values = {**stored["values"], **{name: value for name, value in change.permissions.items() if value is not None}}
    for name, value in change.permissions.items():
        if value is None:
            values.pop(name, None)
    labs = {**stored["labs"], **{choice.labId: choice.allowed for choice in change.orderLabs}}
    return call.store.change("permissions", stored, values=values, labs=labs)


def _bulk(call: Call, *, kind: str, rows: str) -> Row:
    body = call.body(BulkChange)
    if not (body.permissions or body.orderLabs):
        raise Refusal(Code.PARAMETER_MISSING, "nothing to change", fields=["permissions"])
    change = Change(body.permissions or {}, body.orderLabs or [])
    _check(change, kind)
    return bulk.by_id(call, body.ids, lambda row_id: _set(call, call.row(rows, row_id), kind, change))


for kind, path, rows in (("MAIN_GROUP", "v1/bizMainGroups", "clinics"), ("USER", "v1/bizUsers", "users")):
    route("GET", f"{path}/<id>/permissions")(partial(_view, kind=kind, rows=rows))
    route("PUT", f"{path}/<id>/permissions")(partial(_change, kind=kind, rows=rows))
    route("POST", f"{path}/bulkPermissions")(partial(_bulk, kind=kind, rows=rows))
