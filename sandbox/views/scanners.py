"""Scanners: list, read, history, and the decisions about them, individually and in bulk."""

from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from sandbox import bulk, scanners
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, days_ago, fold, plain, spaceless
from sandbox.store import Row, id_order
from sandbox.world import world

INTERNAL = frozenset({"organizationId"})


class ScannerQuery(ListQuery):
    """The query of the scanner list; the newest connection comes first."""

    organizationId: Id | UnsetType = UNSET
    mainGroupId: list[Id] = []
    sort: Literal[
        "serialNumber", "status", "connectedDate", "approvedDate", "lastScannedDate", "firstConnectedDate"
    ] = "connectedDate"
    order: Literal["asc", "desc"] = "desc"
    searchField: Literal["all", "serialNumber", "clinic", "user"] = "all"
    status: list[str] = []
    model: list[str] = []
    notScannedDays: Annotated[int, Meta(ge=1, le=3650)] | UnsetType = UNSET
    neverScanned: YesNo | UnsetType = UNSET
    serialNumbers: Annotated[list[str], Meta(max_length=100)] = []


class HistoryQuery(ListQuery):
    """The query of a scanner's history; the newest comes first."""

    sort: Literal["date"] = "date"
    order: Literal["asc", "desc"] = "desc"


def clinic_name(row: Row) -> str | None:
    """Return the name of a row's clinic; None if the clinic was deleted."""
    clinic = world().store.get("clinics", row["mainGroupId"] or "")
    return clinic["name"] if clinic else None


def user_name(scanner: Row) -> str | None:
    """Return the name of the user who connected a scanner; None if the user was deleted."""
    user = world().store.get("users", scanner["connectedUserId"] or "")
    return user["name"] if user else None


def scanner_view(scanner: Row) -> Row:
    """Return a scanner as it is in responses."""
    public = {key: value for key, value in scanner.items() if key not in INTERNAL}
    return {
        **public,
        "mainGroupName": clinic_name(scanner),
        "connectedUserName": user_name(scanner),
        "allowedActions": scanners.allowed_actions(scanner),
    }


def event_view(event: Row) -> Row:
    """Return an event of a history as it is in responses."""
    return {**{key: event[key] for key in ("date", "event", "actorName")}, "mainGroupName": clinic_name(event)}


def _texts(scanner: Row) -> str:
    names = (scanner["serialNumber"], clinic_name(scanner), user_name(scanner))
    return "\n".join(fold(name or "") for name in names)


LISTING = Listing(
    sorts={
        "serialNumber": lambda row: spaceless(row["serialNumber"]),
        **plain("status", "connectedDate", "approvedDate", "lastScannedDate", "firstConnectedDate"),
    },
    search={
        "all": _texts,
        "serialNumber": lambda row: fold(row["serialNumber"]),
        "clinic": lambda row: fold(clinic_name(row) or ""),
        "user": lambda row: fold(user_name(row) or ""),
    },
    loose={name: lambda row: spaceless(row["serialNumber"]) for name in ("all", "serialNumber")},
    view=scanner_view,
    match_any=("status", "mainGroupId", "model"),
    facets=plain("status", "model"),
)
HISTORY = Listing(
    sorts={"date": lambda row: (row["date"], id_order(row["id"]))},
    search={"all": lambda row: fold(row["event"])},
    view=event_view,
)


@route("GET", "v1/bizScanners")
def listing(call: Call) -> Any:
    query = call.query(ScannerQuery)
    for clinic_id in query.mainGroupId:
        call.scope(query.organizationId, clinic_id)
    field, owner = call.scope(query.organizationId, UNSET)
    serials = frozenset(spaceless(serial) for serial in query.serialNumbers)
    return answer(
        call.store,
        LISTING,
        query,
        ("scanners", owner),
        call.store.filter_by("scanners", field, owner),
        {
            "lastScan": days_ago("lastScannedDate", call.days_ago(query.notScannedDays), query.neverScanned),
            "serialNumbers": (lambda row: spaceless(row["serialNumber"]) in serials) if serials else None,
        },
    )


@route("GET", "v1/bizScanners/<id>")
def read(call: Call, id: str) -> Any:
    return scanner_view(call.row("scanners", id))


@route("GET", "v1/bizScanners/<id>/history")
def history(call: Call, id: str) -> Any:
    query, scanner, store = call.query(HistoryQuery), call.row("scanners", id), call.store
    return answer(
        store,
        HISTORY,
        query,
        ("scanner_history", scanner["id"]),
        store.filter_by("scanner_history", "scannerId", scanner["id"]),
    )


def _decide(call: Call, scanner: Row, action: str) -> Row:
    return scanners.decide(call.world, scanner, action, by=call.admin["name"])


def _single(call: Call, id: str, *, action: str) -> Any:
    scanner = call.row("scanners", id)
    call.check_version(scanner)
    changed = _decide(call, scanner, action)
    return {"status": changed["status"], "version": changed["version"]}


def _many(call: Call, *, action: str) -> Any:
    return bulk.by_body_ids(call, lambda row_id: _decide(call, call.row("scanners", row_id), action))


for action, one, many in (
    ("APPROVE", "approve", "bulkApprove"),
    ("DISAPPROVE", "disapprove", "bulkDisapprove"),
    ("CANCEL_APPROVAL", "cancelApproval", "bulkCancelApproval"),
):
    route("PUT", f"v1/bizScanners/<id>/{one}")(partial(_single, action=action))
    route("POST", f"v1/bizScanners/{many}")(partial(_many, action=action))
