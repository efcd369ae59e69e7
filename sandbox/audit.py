"""The service's own log: the changes of each call, who made them, and the previous values."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sandbox.clock import iso
from sandbox.store import Row, Store

if TYPE_CHECKING:
    from sandbox.gate import Call


@dataclass(frozen=True)
class Logged:
    """A logged kind of row: its name in the log, its logged fields, and the action for each new status.

    Passwords, tokens and links are never logged.
    """

    type: str
    fields: tuple[str, ...] = ()
    transitions: Mapping[str, str] = field(default_factory=dict)


KINDS = {
    "clinics": Logged("MAIN_GROUP", ("name", "countryCode", "info", "dentistCount", "staffCount")),
    "teams": Logged("SUB_GROUP", ("name", "teamType")),
    "users": Logged(
        "USER",
        ("name", "email", "userType", "mainGroupId", "subGroupId", "status"),
        {"LOCKED": "LOCK", "ACTIVE": "UNLOCK"},
    ),
    "scanners": Logged(
        "SCANNER",
        ("status",),
        {"APPROVED": "APPROVE", "DISAPPROVED": "DISAPPROVE", "APPROVAL_CANCELLED": "CANCEL_APPROVAL"},
    ),
    "partner_list": Logged("LAB"),
    "partnerships": Logged(
        "PARTNERSHIP",
        ("status",),
        {"ACCEPTED": "ACCEPT", "REJECTED": "REJECT", "CANCELLED": "CANCEL", "ENDED": "END"},
    ),
    "organizations": Logged("ORGANIZATION", ("name", "countryCode")),
    "admins": Logged("ADMIN", ("name", "email", "language", "timeZone")),
}
OWNERS = {"MAIN_GROUP": "clinics", "USER": "users"}
EMPTY: Row = {}
NAMED = {"mainGroupId": "clinics", "subGroupId": "teams"}
"""Fields with the ID of another row; the log contains its name."""


def note(call: "Call") -> None:
    """Add the changes of this call to the log."""
    store, changes = call.world.store, list(call.world.store.changes())
    new_ids = {new["id"] for kind, old, new in changes if kind in ("clinics", "users") and not old and new}
    for kind, old, new in changes:
        if kind == "permissions":
            # Permissions of a new owner are part of its entry, and those of a removed owner are deleted with it.
            entry = _permissions_entry(store, old, new) if new and new["id"] not in new_ids else None
        else:
            entry = _change_entry(store, kind, old, new) if kind in KINDS else None
        if entry:
            store.put("audit_logs", {
                "id": store.next_id("audit_logs", "e"), "organizationId": call.admin["organizationId"],
                "date": iso(call.world.clock.now()), "actorId": call.admin["id"], "actorName": call.admin["name"],
                **entry, "result": "DONE",
            })  # fmt: skip


def _change_entry(store: Store, kind: str, old: Row | None, new: Row | None) -> Row | None:
    """Return the entry of a changed row; None if none of the logged fields changed."""
    was, now = old or EMPTY, new or EMPTY
    changes = list(_changes(store, KINDS[kind].fields, was, now))
    if old and new:
        turned = was.get("status") != now.get("status")
        action = KINDS[kind].transitions.get(now["status"], "UPDATE") if turned else "UPDATE"
        return _entry(store, kind, action, was, now, changes) if changes else None
    return _entry(store, kind, "CREATE" if new else "DELETE", was or now, now or was, changes)


def _permissions_entry(store: Store, old: Row | None, new: Row) -> Row | None:
    """Return the entry of changed permissions, as a change of their clinic or user."""
    owner, was, now = store.get(OWNERS[new["ownerType"]], new["id"]), (old or EMPTY).get("values", EMPTY), new["values"]
    changes = list(_changes(store, sorted(was.keys() | now.keys()), was, now))
    return _entry(store, OWNERS[new["ownerType"]], "UPDATE", owner, owner, changes) if owner and changes else None


def _entry(store: Store, kind: str, action: str, was: Row, now: Row, changes: list[Row]) -> Row:
    """Return an entry; that of a move belongs to both clinics."""
    clinics = [clinic for row in (now, was) if (clinic := _clinic(store, kind, row))]
    return {
        "action": action, "targetType": KINDS[kind].type, "targetId": now["labId" if kind == "partner_list" else "id"],
        "targetName": _name(store, kind, now), "mainGroupId": clinics[0] if clinics else None,
        "clinics": list(dict.fromkeys(clinics)), "changes": changes,
    }  # fmt: skip


def _changes(store: Store, fields: Iterable[str], was: Row, now: Row) -> Iterator[Row]:
    for name in fields:
        old, new = (_value(store, name, row) for row in (was, now))
        if old != new:
            yield {"field": name, "old": old, "new": new}


def _value(store: Store, name: str, row: Row) -> Any:
    """Return a field's value for the log: a name instead of an ID, and None instead of an object."""
    value = row.get(name)
    if name in NAMED:
        return (store.get(NAMED[name], value or "") or EMPTY).get("name")
    return None if isinstance(value, dict) else value


def _clinic(store: Store, kind: str, row: Row) -> str | None:
    owner = row.get("ownerId", "")
    if kind == "partnerships" and row["ownerType"] == "USER":
        clinic: str | None = (store.get("users", owner) or EMPTY).get("mainGroupId")
        return clinic
    return {"clinics": row.get("id"), "partnerships": owner}.get(kind, row.get("mainGroupId"))


def _name(store: Store, kind: str, row: Row) -> str:
    if kind in ("partner_list", "partnerships"):
        row = store.get("labs", row["labId"]) or EMPTY
    name: str = row.get("name") or row.get("serialNumber") or ""
    return name
