"""Scanners: list, read, history, and the decisions about them, individually and in bulk."""

from collections.abc import Callable
from operator import itemgetter
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from sandbox import bulk, scanners
from sandbox.clock import iso
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, Predicate, YesNo, answer, fold, one_of, spaceless, yes_or_no
from sandbox.store import Row, order_of
from sandbox.world import world

DAY = 86_400
INTERNAL = frozenset({"organizationId"})
DATES = ("connectedDate", "approvedDate", "lastScannedDate", "firstConnectedDate")


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
    """Return the name of the clinic that a row names; None when it was deleted."""
    clinic = world().store.get("clinics", row["mainGroupId"] or "")
    return clinic["name"] if clinic else None


def user_name(scanner: Row) -> str | None:
    """Return the name of who connected a scanner; None when they were deleted."""
    user = world().store.get("users", scanner["connectedUserId"] or "")
    return user["name"] if user else None


def scanner_view(scanner: Row) -> Row:
    """Return a scanner as it is in answers."""
    shown = {key: value for key, value in scanner.items() if key not in INTERNAL}
    return {
        **shown,
        "mainGroupName": clinic_name(scanner),
        "connectedUserName": user_name(scanner),
        "allowedActions": scanners.allowed_actions(scanner),
    }


def event_view(event: Row) -> Row:
    """Return an event of a history as it is in answers."""
    return {**{key: event[key] for key in ("date", "event", "actorName")}, "mainGroupName": clinic_name(event)}


def _texts(scanner: Row) -> str:
    names = (scanner["serialNumber"], clinic_name(scanner), user_name(scanner))
    return "\n".join(fold(name or "") for name in names)


LISTING = Listing(
    sorts={
        "serialNumber": lambda row: spaceless(row["serialNumber"]),
        **{name: itemgetter(name) for name in DATES},
        "status": itemgetter("status"),
    },
    search={
        "all": _texts,
        "serialNumber": lambda row: fold(row["serialNumber"]),
        "clinic": lambda row: fold(clinic_name(row) or ""),
        "user": lambda row: fold(user_name(row) or ""),
    },
    loose={name: lambda row: spaceless(row["serialNumber"]) for name in ("all", "serialNumber")},
    view=scanner_view,
    facets={"status": lambda row: row["status"], "model": lambda row: row["model"]},
)
HISTORY = Listing(
    sorts={"date": lambda row: (row["date"], order_of(row["id"]))},
    search={"all": lambda row: fold(row["event"])},
    view=event_view,
)


def listing(call: Call) -> Any:
    """GET /v1/bizScanners"""
    query = call.query(ScannerQuery)
    for clinic_id in query.mainGroupId:
        call.scope(query.organizationId, clinic_id)
    field, owner = call.scope(query.organizationId, UNSET)
    serials = frozenset(spaceless(serial) for serial in query.serialNumbers)
    return answer(
        call.world.store,
        LISTING,
        query,
        scope=("scanners", owner),
        rows=call.world.store.where("scanners", field, owner),
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "status": one_of("status", query.status),
            "mainGroupId": one_of("mainGroupId", query.mainGroupId),
            "model": one_of("model", query.model),
            "lastScan": _last_scan(call, query),
            "serialNumbers": (lambda row: spaceless(row["serialNumber"]) in serials) if serials else None,
        },
    )


def _last_scan(call: Call, query: ScannerQuery) -> Predicate | None:
    """Return a filter for scanners whose last scan is at least so many days ago, or (also) for those that never did."""
    never = yes_or_no(lambda row: row["lastScannedDate"] is None, query.neverScanned)
    if query.notScannedDays is UNSET:
        return never
    limit = iso(call.world.clock.now() - query.notScannedDays * DAY)

    def idle(row: Row) -> bool:
        return row["lastScannedDate"] is not None and row["lastScannedDate"] <= limit

    return (lambda row: idle(row) or never(row)) if never and query.neverScanned == "true" else idle


def read(call: Call, id: str) -> Any:
    """GET /v1/bizScanners/{id}"""
    return scanner_view(_scanner(call, id))


def history(call: Call, id: str) -> Any:
    """GET /v1/bizScanners/{id}/history"""
    query, scanner, store = call.query(HistoryQuery), _scanner(call, id), call.world.store
    return answer(
        store,
        HISTORY,
        query,
        scope=("scanner_history", scanner["id"]),
        rows=store.where("scanner_history", "scannerId", scanner["id"]),
        sort=query.sort,
        search_field="all",
        filters={},
    )


def single(action: str) -> Callable[..., Any]:
    """Return the call that decides about one scanner."""

    def decide(call: Call, id: str) -> Any:
        scanner = _scanner(call, id)
        call.check_version(scanner)
        changed = scanners.decide(call.world, scanner, action, by=call.admin["name"])
        return {"status": changed["status"], "version": changed["version"]}

    return decide


def many(action: str) -> Callable[[Call], Any]:
    """Return the call that decides about many."""

    def decide(call: Call) -> Any:
        def one(row_id: str) -> Row:
            return scanners.decide(call.world, _scanner(call, row_id), action, by=call.admin["name"])

        return bulk.by_id(call, call.body(bulk.Ids).ids, one)

    return decide


def _scanner(call: Call, scanner_id: str) -> Row:
    return call.owns(call.world.store.get("scanners", scanner_id))
