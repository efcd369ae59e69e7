"""The relations of an organization and a lab: the list, open requests, partnerships."""

from collections import defaultdict
from collections.abc import Mapping

from sandbox.errors import Code, Refusal
from sandbox.store import Row, Store

OPEN = ("PENDING", "ACCEPTED")
IN_LIST, REQUEST_SENT, PENDING, ACCEPTED = STATES = ("IN_LIST", "REQUEST_SENT", "PENDING", "ACCEPTED")


def get_state(partnership: Row) -> str:
    """Return the lab's state for an open partnership; PENDING waits for the organization."""
    if partnership["status"] == "ACCEPTED":
        return ACCEPTED
    return PENDING if partnership["requestedBy"] == "LAB" else REQUEST_SENT


def open_by_lab(store: Store, organization: str) -> Mapping[str, list[Row]]:
    """Return the open partnerships of an organization by the id of the lab."""
    by_lab = defaultdict(list)
    for row in store.filter_by("partnerships", "organizationId", organization).values():
        if row["status"] in OPEN:
            by_lab[row["labId"]].append(row)
    return by_lab


def in_service(lab: Row | None) -> Row:
    """Return a lab that exists and has not left the service, or refuse it."""
    if lab is None:
        raise Refusal(Code.NOT_FOUND)
    if lab["leftDate"]:
        raise Refusal(Code.LAB_GONE)
    return lab


def listed(store: Store, organization: str) -> dict[str, Row]:
    """Return the rows of the partner list of an organization by the id of the lab."""
    return {row["labId"]: row for row in store.filter_by("partner_list", "organizationId", organization).values()}


def put_on_list(store: Store, organization: str, lab_id: str, now: str) -> None:
    store.put("partner_list", {
        "id": store.next_id("partner_list", "pl"), "organizationId": organization, "labId": lab_id, "addedDate": now,
    })  # fmt: skip


def partnership_summary(store: Store, row: Row) -> Row:
    """Return a partnership as it is shown with its lab in the partner list."""
    kind = "clinics" if row["ownerType"] == "MAIN_GROUP" else "users"
    return {
        **{key: row[key] for key in ("id", "organizationId", "labId", "requestedBy", "status", "message")},
        **{key: row[key] for key in ("requestedDate", "contractDate", "endedDate", "version")},
        "labName": store.all("labs")[row["labId"]]["name"],
        "owner": {"type": row["ownerType"], "id": row["ownerId"], "name": store.all(kind)[row["ownerId"]]["name"]},
    }
