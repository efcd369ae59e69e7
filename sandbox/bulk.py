"""Bulk actions, section 1.6 of the contract: rows are independent, and each gets its own result."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec

from sandbox.errors import Code, Refusal
from sandbox.faults import take
from sandbox.gate import Call
from sandbox.lists import Id
from sandbox.store import Row

LARGEST = 100


class Ids(msgspec.Struct):
    """The body of bulk actions on existing objects."""

    ids: Annotated[list[Id], msgspec.Meta(min_length=1)]


class Items(msgspec.Struct):
    """The body of bulk creation; items are checked one at a time, so that a bad one does not affect the others."""

    items: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]
    organizationId: Id | msgspec.UnsetType = msgspec.UNSET
    dryRun: bool = False


def by_body_ids(call: Call, perform: Callable[[str], Any]) -> Row:
    """Run `perform` for each ID of the body."""
    return by_id(call, call.body(Ids).ids, perform)


def by_id(call: Call, ids: Sequence[str], perform: Callable[[str], Any]) -> Row:
    """Run `perform` for each ID, and return the result of each."""
    return _answer(call, [({"id": row_id}, partial(_done, perform, row_id)) for row_id in ids])


def by_index(call: Call, items: Sequence[Row], make: Callable[[Row], Row]) -> Row:
    """Call `make` with each item; return, by index, its result or refusal."""
    return _answer(call, [({"index": index}, partial(make, item)) for index, item in enumerate(items)])


def _done(perform: Callable[[str], Any], row_id: str) -> Row:
    perform(row_id)
    return {}


def _answer(call: Call, rows: Sequence[tuple[Row, Callable[[], Row]]]) -> Row:
    if len(rows) > LARGEST:
        raise Refusal(Code.TOO_LARGE, f"more than {LARGEST}")
    results = [_result(call, key, perform) for key, perform in rows]
    return {"resultCount": len(results), "okCount": sum(row["ok"] for row in results), "results": results}


def _result(call: Call, key: Row, perform: Callable[[], Row]) -> Row:
    """Run `perform` for a row; a fault with a code matches the call's path and the row's key, as in bulkDelete/u-7."""
    path = f"{call.request.path}/{next(iter(key.values()))}"
    fault = take([rule for rule in call.world.faults if rule.code], "POST", path)
    if fault is not None:
        return {**key, "ok": False, "code": fault.code}
    try:
        return {**key, "ok": True, **perform()}
    except Refusal as refusal:
        row = {**key, "ok": False, "code": int(refusal.code)}
        if refusal.fields:
            row["field"] = refusal.fields[0]
        if refusal.reasons:
            row["reasons"] = list(refusal.reasons)
        return row
