"""Partnerships of clinics and users with labs: list, read, ask, and the changes of their states."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sandbox import bulk, partners
from sandbox.clock import iso
from sandbox.errors import Code, Reason, Refusal
from sandbox.gate import Call
from sandbox.lists import Id, Listing, ListQuery, Predicate, answer, fold, one_of
from sandbox.notices import notify
from sandbox.store import Row
from sandbox.world import World, world

DAY = 86_400
OWNERS = {"MAIN_GROUP": "clinics", "USER": "users"}
CASES = {"ONGOING": "ONGOING_ORDERED_CASE", "PENDING": "PENDING_ORDERED_CASE_WITH_LAB"}


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
    reasons = end_blockers(world(), row) if row["status"] == "ACCEPTED" else []
    left = world().store.all("labs")[row["labId"]]["leftDate"]
    return {
        **partners.partnership_summary(world().store, row),
        **({"labLeftDate": left} if left else {}),
        "canEnd": row["status"] == "ACCEPTED" and not reasons,
        "endBlockers": reasons,
    }


def end_blockers(here: World, row: Row) -> list[Reason]:
    """Return the ordered cases of the owner with the lab, which keep a partnership from its end."""
    field = "mainGroupId" if row["ownerType"] == "MAIN_GROUP" else "userId"
    cases = [
        case for case in here.store.where("cases", field, row["ownerId"]).values() if case.get("labId") == row["labId"]
    ]
    found = []
    for status, reason in CASES.items():
        refs = [{"type": "CASE", "id": c["id"], "label": c["label"]} for c in cases if c["status"] == status]
        if refs:
            found.append({"reason": reason, "count": len(refs), "refs": refs[:10]})
    return found


LISTING = Listing(
    sorts={
        "labName": lambda row: fold(_lab_name(row)),
        "ownerName": lambda row: fold(_owner_name(row)),
        "status": lambda row: row["status"],
        "requestedDate": lambda row: row["requestedDate"],
        "contractDate": lambda row: row["contractDate"],
    },
    search={
        "all": lambda row: f"{fold(_lab_name(row))}\n{fold(_owner_name(row))}\n{row['id']}",
        "lab": lambda row: fold(_lab_name(row)),
        "clinic": lambda row: fold(_owner_name(row)),
    },
    view=partnership_view,
    facets={"status": lambda row: row["status"]},
)


def listing(call: Call) -> Any:
    """GET /v1/bizPartnerships"""
    query = call.query(PartnershipQuery)
    organization = call.organization(query.organizationId)
    return answer(
        call.world.store,
        LISTING,
        query,
        scope=("partnerships", organization),
        rows=call.world.store.where("partnerships", "organizationId", organization),
        sort=query.sort,
        search_field=query.searchField,
        filters={
            "status": one_of("status", query.status),
            "requestedBy": one_of("requestedBy", query.requestedBy),
            "labId": one_of("labId", query.labId),
            "mainGroupId": one_of("ownerId", query.mainGroupId),
            "requestedWithinDays": _requested_within(call, query.requestedWithinDays),
        },
    )


def _requested_within(call: Call, days: int | UnsetType) -> Predicate | None:
    if days is UNSET:
        return None
    limit = iso(call.world.clock.now() - days * DAY)
    return lambda row: row["requestedDate"] >= limit


def read(call: Call, id: str) -> Any:
    """GET /v1/bizPartnerships/{id}"""
    return partnership_view(_own(call, id))


def _own(call: Call, id: str) -> Row:
    return call.owns(call.world.store.get("partnerships", id))


def create(call: Call) -> Any:
    """POST /v1/bizPartnerships: one request, or one for each of several owners"""
    body = call.body(NewPartnership)
    if body.owners:
        return bulk.by_index(
            call, [{"type": owner.type, "id": owner.id} for owner in body.owners], lambda owner: _ask(call, body, owner)
        )
    if body.owner is UNSET:
        raise Refusal(Code.PARAMETER_MISSING, "owner or owners", fields=["owner"])
    return _ask(call, body, {"type": body.owner.type, "id": body.owner.id})


def _ask(call: Call, body: NewPartnership, owner: Row) -> Row:
    store = call.world.store
    row = store.get(OWNERS[owner["type"]], owner["id"])
    if row is None or not call.may_see(row):
        raise Refusal(Code.NOT_FOUND, fields=["owner"])
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
    partners.in_service(call.world.store.get("labs", row["labId"]))
    return turn(call.world, row, "ACCEPTED", contractDate=iso(call.world.clock.now()))


def _reject(call: Call, row: Row) -> Row:
    if not _is_pending(row, "LAB"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    return turn(call.world, row, "REJECTED")


def _end(call: Call, row: Row) -> Row:
    if row["status"] != "ACCEPTED":
        raise Refusal(Code.NOT_FOUND)
    if reasons := end_blockers(call.world, row):
        is_ongoing = reasons[0]["reason"] == CASES["ONGOING"]
        raise Refusal(Code.END_HAS_ONGOING_ORDER if is_ongoing else Code.END_HAS_PENDING_ORDER, reasons=reasons)
    return turn(call.world, row, "ENDED", endedDate=iso(call.world.clock.now()))


def _one(call: Call, id: str, act: Act) -> Row:
    row = _own(call, id)
    call.check_version(row)
    return {"version": act(call, row)["version"]}


def _many(call: Call, act: Act) -> Row:
    return bulk.by_id(call, call.body(bulk.Ids).ids, lambda row_id: act(call, _own(call, row_id)))


def cancel(call: Call, id: str) -> Any:
    """PUT /v1/bizPartnerships/{id}/cancel"""
    return _one(call, id, _cancel)


def accept(call: Call, id: str) -> Any:
    """PUT /v1/bizPartnerships/{id}/accept"""
    return _one(call, id, _accept)


def reject(call: Call, id: str) -> Any:
    """PUT /v1/bizPartnerships/{id}/reject"""
    return _one(call, id, _reject)


def end(call: Call, id: str) -> Any:
    """PUT /v1/bizPartnerships/{id}/end"""
    return _one(call, id, _end)


def bulk_accept(call: Call) -> Any:
    """POST /v1/bizPartnerships/bulkAccept"""
    return _many(call, _accept)


def bulk_reject(call: Call) -> Any:
    """POST /v1/bizPartnerships/bulkReject"""
    return _many(call, _reject)


def bulk_cancel(call: Call) -> Any:
    """POST /v1/bizPartnerships/bulkCancel"""
    return _many(call, _cancel)
