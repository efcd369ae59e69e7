"""Partnerships of clinics and users with labs: list, read, ask, and the changes of their states."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import blockers, bulk, partners
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.gate import Call, route
from sandbox.lists import Id, Listing, ListQuery, answer, fold, one_of, plain
from sandbox.notices import notify
from sandbox.store import Row
from sandbox.world import World, world

OWNERS = {"MAIN_GROUP": "clinics", "USER": "users"}


class PartnershipQuery(ListQuery, kw_only=True):
    """The query of the list."""

    organizationId: Id
    sort: Literal["labName", "ownerName", "status", "requestedDate", "contractDate"] = "requestedDate"
    searchField: Literal["all", "lab", "clinic"] = "all"
    status: list[str] = []
    requestedBy: list[str] = []
    labId: list[Id] = []
    mainGroupId: list[Id] = []
    requestedWithinDays: Annotated[int, Meta(ge=1, le=3650)] | UnsetType = UNSET


class Owner(Struct):
    """Whom a partnership is for."""

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
    """Return a partnership as it is in answers."""
    reasons = blockers.of_partnership(world().store, row) if row["status"] == "ACCEPTED" else []
    left = world().store.all("labs")[row["labId"]]["leftDate"]
    return {
        **partners.partnership_summary(world().store, row),
        **({"labLeftDate": left} if left else {}),
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
    one_of=("status", "requestedBy", "labId"),
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
        call.store.where("partnerships", "organizationId", organization),
        {
            "mainGroupId": one_of("ownerId", query.mainGroupId),
            "requestedWithinDays": (lambda row: row["requestedDate"] >= since) if since else None,
        },
    )


@route("GET", "v1/bizPartnerships/<id>")
def read(call: Call, id: str) -> Any:
    return partnership_view(call.row("partnerships", id))


@route("POST", "v1/bizPartnerships")
def create(call: Call) -> Any:
    """One request, or one for each of several owners."""
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
    asked = request(call.world, row, owner["type"], body.labId, "ORGANIZATION", body.message)
    return {"id": asked["id"]}


def request(here: World, owner: Row, kind: str, lab_id: str, requested_by: str, message: str | None) -> Row:
    """Make a pending request between an owner and a lab, or refuse it while one is open."""
    store = here.store
    for row in store.where("partnerships", "ownerId", owner["id"]).values():
        if row["labId"] == lab_id and row["status"] in partners.OPEN:
            raise Refusal(Code.REQUEST_ALREADY_OPEN)
    return store.put("partnerships", {
        "id": store.next_id("partnerships", "p"), "organizationId": owner["organizationId"], "labId": lab_id,
        "ownerType": kind, "ownerId": owner["id"], "requestedBy": requested_by, "status": "PENDING",
        "message": message or None, "requestedDate": iso(here.clock.now()), "contractDate": None, "endedDate": None,
        "version": 1,
    })  # fmt: skip


def turn(here: World, row: Row, status: str, **fields: Any) -> Row:
    """Give a partnership its next status, and tell the administrators; accepting puts the lab in the partner list."""
    changed = here.store.change("partnerships", row, status=status, **fields)
    if status == "ACCEPTED" and row["labId"] not in partners.listed(here.store, row["organizationId"]):
        partners.put_on_list(here.store, row["organizationId"], row["labId"], iso(here.clock.now()))
    tell(here, changed, f"PARTNERSHIP_{status}")
    return changed


def tell(here: World, row: Row, kind: str) -> None:
    """Make the notification of an event."""
    params = {"lab": _lab_name(row), "clinic": _owner_name(row)}
    notify(here, row["organizationId"], kind, params, {"type": "PARTNERSHIP", "id": row["id"]})


Act = Callable[[Call, Row], Row]


def _is_pending(row: Row, requested_by: str) -> bool:
    return (row["status"], row["requestedBy"]) == ("PENDING", requested_by)


def _cancel(call: Call, row: Row) -> Row:
    if not _is_pending(row, "ORGANIZATION"):
        raise Refusal(Code.NO_OPEN_REQUEST)
    return turn(call.world, row, "CANCELLED")


def _accept(call: Call, row: Row) -> Row:
    if not _is_pending(row, "LAB"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    partners.in_service(call.store.get("labs", row["labId"]))
    return turn(call.world, row, "ACCEPTED", contractDate=call.now)


def _reject(call: Call, row: Row) -> Row:
    if not _is_pending(row, "LAB"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    return turn(call.world, row, "REJECTED")


def _end(call: Call, row: Row) -> Row:
    if row["status"] != "ACCEPTED":
        raise Refusal(Code.NOT_FOUND)
    if reasons := blockers.of_partnership(call.store, row):
        is_ongoing = reasons[0]["reason"] == "ONGOING_ORDERED_CASE"
        raise Refusal(Code.END_HAS_ONGOING_ORDER if is_ongoing else Code.END_HAS_PENDING_ORDER, reasons=reasons)
    return turn(call.world, row, "ENDED", endedDate=call.now)


def _one(call: Call, id: str, act: Act) -> Row:
    row = call.row("partnerships", id)
    call.check_version(row)
    return {"version": act(call, row)["version"]}


def _many(call: Call, act: Act) -> Row:
    return bulk.by_ids_of_body(call, lambda row_id: act(call, call.row("partnerships", row_id)))


for name, act in {"cancel": _cancel, "accept": _accept, "reject": _reject, "end": _end}.items():
    route("PUT", f"v1/bizPartnerships/<id>/{name}")(partial(_one, act=act))
for name, act in {"bulkCancel": _cancel, "bulkAccept": _accept, "bulkReject": _reject}.items():
    route("POST", f"v1/bizPartnerships/{name}")(partial(_many, act=act))
