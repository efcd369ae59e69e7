"""The notifications of the demo data: of all kinds, about rows that exist."""

from collections.abc import Callable, Iterator

from sandbox.store import Row

INTERVAL_DAYS = 0.8
UNREAD = 7

ABOUT = ("scanners", "partnerships", "users")
ABOUT_SCANNERS = ("SCANNER_PENDING", "SCANNER_REFUSED_ELSEWHERE")
ABOUT_PARTNERSHIPS = (
    "PARTNERSHIP_REQUESTED",
    "PARTNERSHIP_ACCEPTED",
    "PARTNERSHIP_REJECTED",
    "PARTNERSHIP_CANCELLED",
    "PARTNERSHIP_ENDED",
)
ORDER = (
    "SCANNER_PENDING",
    "PARTNERSHIP_REQUESTED",
    "INVITATION_EXPIRED",
    "SCANNER_PENDING",
    "NOTICE",
    "PARTNERSHIP_ACCEPTED",
    "SCANNER_REFUSED_ELSEWHERE",
    "MAINTENANCE_PLANNED",
    "PARTNERSHIP_ENDED",
    "SCANNER_PENDING",
    "PARTNERSHIP_REJECTED",
    "EMAIL_CHANGED",
    "PARTNERSHIP_CANCELLED",
    "PASSWORD_CHANGED",
)
"""Types of notifications, newest first; the list repeats."""


def notifications(
    rows: dict[str, list[Row]], organization: str, admin: str, count: int, ago: Callable[[float], str]
) -> Iterator[Row]:
    """Yield `count` notifications of an administrator, newest first; `ago` returns the date a number of days ago."""
    by_kind = {kind: [row for row in rows[kind] if row["organizationId"] == organization] for kind in ABOUT}
    names = {row["id"]: row["name"] for kind in ("clinics", "labs", "users") for row in rows[kind]}
    scanners = [row for row in by_kind["scanners"] if row["status"] == "PENDING"]
    invited = [row for row in by_kind["users"] if row["status"] == "INVITATION_EXPIRED"]
    for index in range(count):
        kind, days = ORDER[index % len(ORDER)], index * INTERVAL_DAYS + 0.1
        row: Row = {"type": kind, "params": {}, "target": None}
        if kind in ABOUT_SCANNERS:
            scanner = scanners[index % len(scanners)]
            params = {"serialNumber": scanner["serialNumber"], "clinic": names[scanner["mainGroupId"]]}
            row = {"type": kind, "params": params, "target": {"type": "SCANNER", "id": scanner["id"]}}
        elif kind in ABOUT_PARTNERSHIPS:
            matching = _with_status(by_kind["partnerships"], kind)
            partnership = matching[index % len(matching)]
            params = {"lab": names[partnership["labId"]], "clinic": names[partnership["ownerId"]]}
            row = {"type": kind, "params": params, "target": {"type": "PARTNERSHIP", "id": partnership["id"]}}
        elif kind == "INVITATION_EXPIRED":
            user = invited[index % len(invited)]
            params = {"name": user["name"], "email": user["email"]}
            row = {"type": kind, "params": params, "target": {"type": "USER", "id": user["id"]}}
        elif kind == "EMAIL_CHANGED":
            row["params"] = {"email": "admin@demo.example"}
        elif kind == "MAINTENANCE_PLANNED":
            row["params"] = {"startDate": ago(days - 3), "endDate": ago(days - 3.1)}
        elif kind == "NOTICE":
            row["title"] = "Order forms are simpler"
            row["body"] = "Orders now ask for the shade on the first page. Nothing changes for orders that were sent."
        yield {**row, "adminId": admin, "read": index >= UNREAD, "createdDate": ago(days)}


def _with_status(partnerships: list[Row], kind: str) -> list[Row]:
    """Return partnerships in the state that a kind of notification is about, or all if there are none."""
    status = "PENDING" if kind == "PARTNERSHIP_REQUESTED" else kind.removeprefix("PARTNERSHIP_")
    incoming = [row for row in partnerships if row["requestedBy"] == "LAB"] if status == "PENDING" else partnerships
    return [row for row in incoming if row["status"] == status] or partnerships
