"""Notifications of an administrator: list, count, and read marks."""

from datetime import datetime
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from sandbox.errors import Code, Refusal
from sandbox.gate import Call, Nothing, route
from sandbox.lists import Id, Listing, ListQuery, YesNo, answer, fold, plain, yes_or_no
from sandbox.store import Row


class NotificationQuery(ListQuery):
    """The query of the list: the newest first."""

    adminId: Id = ""
    sort: Literal["createdDate"] = "createdDate"
    order: Literal["asc", "desc"] = "desc"
    searchField: Literal["all"] = "all"
    read: YesNo | UnsetType = UNSET
    type: list[str] = []


class AdminQuery(Struct, forbid_unknown_fields=True):
    adminId: Id


class KindFilter(Struct):
    """The filter of readAll; no type means all."""

    type: list[str] = []


class ReadAll(Struct):
    """The body of readAll."""

    adminId: Id
    filter: KindFilter
    upToDate: datetime


def _text(row: Row) -> str:
    words = [row["id"], row.get("title") or "", row.get("body") or "", *row["params"].values()]
    return fold(" ".join(words))


def notification_view(row: Row) -> Row:
    """Return a notification as it is in responses."""
    return {key: value for key, value in row.items() if key != "adminId"}


LISTING = Listing(
    sorts=plain("createdDate"),
    search={"all": _text},
    view=notification_view,
    match_any=("type",),
    facets=plain("type"),
)


def _check_admin(call: Call, admin_id: str) -> str:
    """Return the ID of the caller; notifications of other administrators are refused."""
    if admin_id != call.admin["id"]:
        raise Refusal(Code.NOT_FOUND)
    return admin_id


def _rows(call: Call) -> list[Row]:
    return list(call.store.filter_by("notifications", "adminId", call.admin["id"]).values())


def unread(call: Call) -> int:
    """Return the number of unread notifications of the caller."""
    return sum(not row["read"] for row in _rows(call))


@route("GET", "v1/bizNotifications")
def listing(call: Call) -> Any:
    query = call.query(NotificationQuery)
    if not query.adminId:
        raise Refusal(Code.PARAMETER_MISSING, "adminId", fields=["adminId"])
    admin, store = _check_admin(call, query.adminId), call.store
    result = answer(
        store,
        LISTING,
        query,
        ("notifications", "adminId", admin),
        store.filter_by("notifications", "adminId", admin),
        {"read": yes_or_no(lambda row: row["read"], query.read)},
    )
    return {**result, "unreadCount": unread(call)}


@route("GET", "v1/bizNotifications/unreadCount")
def unread_count(call: Call) -> Any:
    _check_admin(call, call.query(AdminQuery).adminId)
    return {"resultCount": unread(call)}


@route("PUT", "v1/bizNotifications/<id>/read")
def read(call: Call, id: str) -> Any:
    return _mark(call, id, True)


@route("PUT", "v1/bizNotifications/<id>/unread")
def notification_unread(call: Call, id: str) -> Any:
    return _mark(call, id, False)


def _mark(call: Call, notification_id: str, is_read: bool) -> Row:
    call.body(Nothing)
    row = call.store.get("notifications", notification_id)
    if row is None or row["adminId"] != call.admin["id"]:
        raise Refusal(Code.NOTIFICATION_NOT_FOUND)
    call.store.put("notifications", {**row, "read": is_read})
    return {}


@route("PUT", "v1/bizNotifications/readAll")
def read_all(call: Call) -> Any:
    """Mark those that match the filter and are not newer than the newest one that the reader saw."""
    body = call.body(ReadAll)
    _check_admin(call, body.adminId)
    kinds = body.filter.type
    chosen = [
        row
        for row in _rows(call)
        if not row["read"]
        and datetime.fromisoformat(row["createdDate"]) <= body.upToDate
        and (not kinds or row["type"] in kinds)
    ]
    for row in chosen:
        call.store.put("notifications", {**row, "read": True})
    return {"resultCount": len(chosen)}
