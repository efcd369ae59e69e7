"""The life of scanners: connections, decisions, and the history of both (contract, section 7)."""

from typing import Any

from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.notices import notify
from sandbox.store import Row
from sandbox.world import World

PENDING, APPROVED, DISAPPROVED, APPROVAL_CANCELED = STATES = (
    "PENDING",
    "APPROVED",
    "DISAPPROVED",
    "APPROVAL_CANCELLED",
)
DECISIONS = {
    # action: the states in which it is allowed, the resulting state
    "APPROVE": ((PENDING, DISAPPROVED, APPROVAL_CANCELED), APPROVED),
    "DISAPPROVE": ((PENDING,), DISAPPROVED),
    "CANCEL_APPROVAL": ((APPROVED,), APPROVAL_CANCELED),
}


def allowed_actions(scanner: Row) -> list[str]:
    """Return the decisions that a scanner's state allows."""
    return [action for action, (states, _) in DECISIONS.items() if scanner["status"] in states]


def decide(world: World, scanner: Row, action: str, *, by: str) -> Row:
    """Execute a decision, or refuse it."""
    states, target = DECISIONS[action]
    if scanner["status"] not in states:
        raise Refusal(Code.SCANNER_STATE)
    if target == APPROVED and _owner(world, scanner["serialNumber"], other_than=scanner["organizationId"]):
        raise Refusal(Code.SCANNER_IN_ANOTHER_ORGANIZATION)
    now = iso(world.clock.now())
    changed = {"status": target, **({"approvedDate": now} if target == APPROVED else {})}
    note(world, scanner, target, by)
    return world.store.change("scanners", scanner, **changed)


def connect(world: World, clinic: Row, serial: str, model: str, user: Row | None) -> Row | None:
    """Connect a scanner in a clinic; return None if another organization has approved it."""
    owner = _owner(world, serial, other_than=clinic["organizationId"])
    if owner:
        note(world, owner, "REFUSED_ELSEWHERE", None)
        _notify_owner(world, owner, "SCANNER_REFUSED_ELSEWHERE")
        return None
    now = iso(world.clock.now())
    connection: dict[str, Any] = {
        "mainGroupId": clinic["id"], "connectedUserId": user["id"] if user else None, "connectedDate": now,
    }  # fmt: skip
    known = _known(world, serial, clinic["organizationId"])
    if known is None:
        scanner = world.store.put("scanners", {
            "id": world.store.next_id("scanners", "s"), "organizationId": clinic["organizationId"],
            "serialNumber": serial, "model": model, "softwareVersion": None, "status": PENDING, **connection,
            "approvedDate": None, "lastScannedDate": None, "firstConnectedDate": now, "version": 1,
        })  # fmt: skip
    else:
        waits = known["status"] in (DISAPPROVED, APPROVAL_CANCELED)
        scanner = world.store.change("scanners", known, **connection, status=PENDING if waits else known["status"])
    note(world, scanner, "CONNECTED", user["name"] if user else None)
    if known is None or scanner["status"] != known["status"]:
        _notify_owner(world, scanner, "SCANNER_PENDING")
    return scanner


def note(world: World, scanner: Row, event: str, by: str | None) -> None:
    """Add to the history of a scanner."""
    world.store.put("scanner_history", {
        "id": world.store.next_id("scanner_history", "sh"), "scannerId": scanner["id"],
        "date": iso(world.clock.now()), "event": event, "actorName": by, "mainGroupId": scanner["mainGroupId"],
    })  # fmt: skip


def _known(world: World, serial: str, organization_id: str) -> Row | None:
    return next((row for row in _with_serial(world, serial) if row["organizationId"] == organization_id), None)


def _owner(world: World, serial: str, *, other_than: str) -> Row | None:
    """Return another organization's scanner with this serial number, if it is approved."""
    rows = (row for row in _with_serial(world, serial) if row["organizationId"] != other_than)
    return next((row for row in rows if row["status"] == APPROVED), None)


def _with_serial(world: World, serial: str) -> list[Row]:
    return list(world.store.filter_by("scanners", "serialNumber", serial).values())


def _notify_owner(world: World, scanner: Row, kind: str) -> None:
    clinic = world.store.get("clinics", scanner["mainGroupId"] or "")
    params = {"serialNumber": scanner["serialNumber"], "clinic": clinic["name"] if clinic else ""}
    notify(world, scanner["organizationId"], kind, params, {"type": "SCANNER", "id": scanner["id"]})
