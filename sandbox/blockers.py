"""Blockers of the deletion or move of clinics, teams and users: listed in each object, and in refusals."""

from collections.abc import Iterable, Sequence
from itertools import islice

from sandbox.errors import Code, Reason, Refusal
from sandbox.store import Row, Store

MAX_REFS = 10  # `count` is the total number


def for_clinic(store: Store, clinic: Row) -> list[Reason]:
    """Return what blocks the deletion of a clinic."""
    cases = store.filter_by("cases", "mainGroupId", clinic["id"]).values()
    users = store.filter_by("users", "mainGroupId", clinic["id"])
    return _present(
        reason("CLINIC_HAS_PARTNER", _partner_refs(store, clinic)),
        reason("ONGOING_ORDERED_CASE", _case_refs(cases, "ONGOING")),
        reason("PENDING_ORDERED_CASE_WITH_LAB", _case_refs(cases, "PENDING")),
        reason("NOT_EMPTY", _user_refs(users.values()), len(users)),
    )


def for_team(store: Store, team: Row) -> list[Reason]:
    """Return what blocks the deletion of a team if its users are not moved."""
    users = store.filter_by("users", "subGroupId", team["id"])
    return _present(reason("NOT_EMPTY", _user_refs(users.values()), len(users)))


def for_user(store: Store, user: Row) -> list[Reason]:
    """Return what blocks the deletion of a user."""
    cases = store.filter_by("cases", "userId", user["id"]).values()
    return _present(
        reason("ONGOING_ORDERED_CASE", _case_refs(cases, "ONGOING")),
        reason("PARTNER_WITH_LAB", _partner_refs(store, user)),
        reason("PENDING_ORDERED_CASE_WITH_LAB", _case_refs(cases, "PENDING")),
    )


def for_move(store: Store, users: Iterable[Row]) -> list[Reason]:
    """Return what blocks moving users to another clinic."""
    cases = [case for user in users for case in store.filter_by("cases", "userId", user["id"]).values()]
    return _present(reason("ONGOING_ORDERED_CASE", _case_refs(cases, "ONGOING")))


def refuse(reasons: Sequence[Reason]) -> None:
    """Refuse an action if there are reasons: with the code of the only one, or the code for several."""
    if reasons:
        code = Code.SEVERAL_REASONS if len(reasons) > 1 else Code[reasons[0]["reason"]]
        raise Refusal(code, reasons=reasons)


def _present(*reasons: Reason) -> list[Reason]:
    return [one for one in reasons if one["count"]]


def for_partnership(store: Store, row: Row) -> list[Reason]:
    """Return the ordered cases of the owner with the lab, which block the end of a partnership."""
    field = "mainGroupId" if row["ownerType"] == "MAIN_GROUP" else "userId"
    cases = [case for case in store.filter_by("cases", field, row["ownerId"]).values() if case["labId"] == row["labId"]]
    return _present(
        reason("ONGOING_ORDERED_CASE", _case_refs(cases, "ONGOING")),
        reason("PENDING_ORDERED_CASE_WITH_LAB", _case_refs(cases, "PENDING")),
    )


def reason(name: str, refs: list[Row], count: int | None = None) -> Reason:
    """Return a reason with the first objects that it counts."""
    return {"reason": name, "count": len(refs) if count is None else count, "refs": refs[:MAX_REFS]}


def _case_refs(cases: Iterable[Row], status: str) -> list[Row]:
    return [{"type": "CASE", "id": case["id"], "label": case["label"]} for case in cases if case["status"] == status]


def _partner_refs(store: Store, owner: Row) -> list[Row]:
    return [
        {"type": "PARTNERSHIP", "id": row["id"], "label": store.all("labs")[row["labId"]]["name"]}
        for row in store.filter_by("partnerships", "ownerId", owner["id"]).values()
        if row["status"] == "ACCEPTED"
    ]


def _user_refs(users: Iterable[Row]) -> list[Row]:
    """Return refs for the first users only: a clinic may have 10,000."""
    return [{"type": "USER", "id": user["id"], "label": user["name"]} for user in islice(users, MAX_REFS)]
