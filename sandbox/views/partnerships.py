"""Partnerships of clinics and users with labs: list, read, request, and the changes of their states."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers, bulk, partners
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, answer, fold, match_any, plain
from sandbox.notices import notify
from sandbox.store import Row
from sandbox.world import World, world

OWNERS = {"MAIN_GROUP": "clinics", "USER": "users"}


class PartnershipQuery(ListQuery, kw_only=True):
    organizationId: Id
    sort: Literal["labName", "ownerName", "status", "requestedDate", "contractDate"] = "requestedDate"
    searchField: Literal["all", "lab", "clinic"] = "all"
    status: list[str] = []
    requestedBy: list[str] = []
    labId: list[Id] = []
    mainGroupId: list[Id] = []
    requestedWithinDays: Annotated[int, Meta(ge=1, le=3650)] | UnsetType = UNSET


class Owner(Struct):
    """The clinic or user of a partnership."""

    type: Literal["MAIN_GROUP", "USER"]
    id: Id


class NewPartnership(Struct):
    """The body of POST; several owners make several requests."""

    labId: Id
    owner: Owner | UnsetType = UNSET
    owners: Annotated[list[Owner], Meta(min_length=1)] | UnsetType = UNSET
    message: Annotated[str, Meta(max_length=500)] | None = None


def _lab_name(row: Row) -> str:
    name: str = world().store.all("labs")[row["labId"]]["name"]
    return name


def _owner_name(row: Row) -> str:
    owner = world().store.get(OWNERS[row["ownerType"]], row["ownerId"])
    return owner["name"] if owner else ""


def partnership_view(row: Row) -> Row:
    """Return a partnership as it is in responses."""
    reasons = blockers.for_partnership(world().store, row) if row["status"] == "ACCEPTED" else []
    departure_date = world().store.all("labs")[row["labId"]]["leftDate"]
    return {
        **partners.partnership_summary(world().store, row),
        **({"labLeftDate": departure_date} if departure_date else {}),
        "canEnd": row["status"] == "ACCEPTED" and not reasons,
        "endBlockers": reasons,
    }


LISTING = Listing(
    sorts={
        "labName": lambda row: fold(_lab_name(row)),
        "ownerName": lambda row: fold(_owner_name(row)),
        **plain("status", "requestedDate", "contractDate"),
    },
    search={
        "all": lambda row: f"{fold(_lab_name(row))}\n{fold(_owner_name(row))}\n{row['id']}",
        "lab": lambda row: fold(_lab_name(row)),
        "clinic": lambda row: fold(_owner_name(row)),
    },
    view=partnership_view,
    match_any=("status", "requestedBy", "labId"),
    facets=plain("status"),
)


@route("GET", "v1/bizPartnerships")
def listing(call: Call) -> Any:
    query = call.query(PartnershipQuery)
    organization, since = call.organization(query.organizationId), call.days_ago(query.requestedWithinDays)
    return answer(
        call.store,
        LISTING,
        query,
        ("partnerships", organization),
        call.store.filter_by("partnerships", "organizationId", organization),
        {
            "mainGroupId": match_any("ownerId", query.mainGroupId),
            "requestedWithinDays": (lambda row: row["requestedDate"] >= since) if since else None,
        },
    )


@route("GET", "v1/bizPartnerships/<id>")
def read(call: Call, id: str) -> Any:
    return partnership_view(call.row("partnerships", id))


@route("POST", "v1/bizPartnerships")
def create(call: Call) -> Any:
    """Create a request, or one for each of several owners."""
    body = call.body(NewPartnership)
    if body.owners:
        return bulk.by_index(
            call, [{"type": owner.type, "id": owner.id} for owner in body.owners], lambda owner: _ask(call, body, owner)
        )
    if body.owner is UNSET:
        raise Refusal(Code.PARAMETER_MISSING, "owner or owners", fields=["owner"])
    return _ask(call, body, {"type": body.owner.type, "id": body.owner.id})


def _ask(call: Call, body: NewPartnership, owner: Row) -> Row:
    store = call.store
    row = call.row(OWNERS[owner["type"]], owner["id"], "owner")
    partners.in_service(store.get("labs", body.labId))
    if body.labId not in partners.listed(store, row["organizationId"]):
        raise Refusal(Code.LAB_NOT_LISTED)
    created = request(call.world, row, owner["type"], body.labId, "ORGANIZATION", body.message)
    return {"id": created["id"]}


def request(world: World, owner: Row, kind: str, lab_id: str, requested_by: str, message: str | None) -> Row:
    """Create a pending request between an owner and a lab, or refuse it while one is open."""
    store = world.store
    for row in store.filter_by("partnerships", "ownerId", owner["id"]).values():
        if row["labId"] == lab_id and row["status"] in partners.OPEN:
            raise Refusal(Code.REQUEST_ALREADY_OPEN)
    return store.put("partnerships", {
        "id": store.next_id("partnerships", "p"), "organizationId": owner["organizationId"], "labId": lab_id,
        "ownerType": kind, "ownerId": owner["id"], "requestedBy": requested_by, "status": "PENDING",
        "message": message or None, "requestedDate": iso(world.clock.now()), "contractDate": None, "endedDate": None,
        "version": 1,
    })  # fmt: skip


def change_status(world: World, row: Row, status: str, **fields: Any) -> Row:
    """Give a partnership its next status and notify the administrators; accepting puts the lab on the partner list."""
    changed = world.store.change("partnerships", row, status=status, **fields)
    if status == "ACCEPTED" and row["labId"] not in partners.listed(world.store, row["organizationId"]):
        partners.put_on_list(world.store, row["organizationId"], row["labId"], iso(world.clock.now()))
    notify_owner(world, changed, f"PARTNERSHIP_{status}")
    return changed


def notify_owner(world: World, row: Row, kind: str) -> None:
    """Create the notification of an event."""
    params = {"lab": _lab_name(row), "clinic": _owner_name(row)}
    notify(world, row["organizationId"], kind, params, {"type": "PARTNERSHIP", "id": row["id"]})


Operation = Callable[[Call, Row], Row]


def _is_pending(row: Row, requested_by: str) -> bool:
    return (row["status"], row["requestedBy"]) == ("PENDING", requested_by)


def _cancel(call: Call, row: Row) -> Row:
    if not _is_pending(row, "ORGANIZATION"):
        raise Refusal(Code.NO_OPEN_REQUEST)
    return change_status(call.world, row, "CANCELLED")


def _accept(call: Call, row: Row) -> Row:
    if not _is_pending(row, "LAB"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    partners.in_service(call.store.get("labs", row["labId"]))
    return change_status(call.world, row, "ACCEPTED", contractDate=call.now)


def _reject(call: Call, row: Row) -> Row:
    if not _is_pending(row, "LAB"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    return change_status(call.world, row, "REJECTED")


def _end(call: Call, row: Row) -> Row:
    if row["status"] != "ACCEPTED":
        raise Refusal(Code.NOT_FOUND)
    if reasons := blockers.for_partnership(call.store, row):
        is_ongoing = reasons[0]["reason"] == "ONGOING_ORDERED_CASE"
        raise Refusal(Code.END_HAS_ONGOING_ORDER if is_ongoing else Code.END_HAS_PENDING_ORDER, reasons=reasons)
    return change_status(call.world, row, "ENDED", endedDate=call.now)


def _one(call: Call, id: str, operation: Operation) -> Row:
    row = call.row("partnerships", id)
    call.check_version(row)
    return {"version": operation(call, row)["version"]}


def _many(call: Call, operation: Operation) -> Row:
    return bulk.by_body_ids(call, lambda row_id: operation(call, call.row("partnerships", row_id)))


for name, operation in {"cancel": _cancel, "accept": _accept, "reject": _reject, "end": _end}.items():
    route("PUT", f"v1/bizPartnerships/<id>/{name}")(partial(_one, operation=operation))
for name, operation in {"bulkCancel": _cancel, "bulkAccept": _accept, "bulkReject": _reject}.items():
    route("POST", f"v1/bizPartnerships/{name}")(partial(_many, operation=operation))
