"""Scanners, which the administrator approves or disapproves."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from upstream.bulk import BulkResource, BulkResult, RowOutcome
from upstream.calls import Call, write
from upstream.errors import Code, Conflict, Maintenance, NotDone, NotFound, Reason
from upstream.listing import PAGE_LIMIT, Listing, ListParams
from upstream.nouns import Id, Noun, Version, called
from upstream.resources.clinics import ClinicScopedResource

PATH = "/v1/bizScanners"
_HISTORY = "/v1/bizScanners/{id}/history"

NEVER = "never"
PENDING, APPROVED, DISAPPROVED, APPROVAL_CANCELED = SCANNER_STATUSES = (
    "PENDING",
    "APPROVED",
    "DISAPPROVED",
    "APPROVAL_CANCELLED",
)
APPROVE, DISAPPROVE, CANCEL_APPROVAL = ACTIONS = ("APPROVE", "DISAPPROVE", "CANCEL_APPROVAL")
STATUS_AFTER = {APPROVE: APPROVED, DISAPPROVE: DISAPPROVED, CANCEL_APPROVAL: APPROVAL_CANCELED}
_ALLOWED = {
    PENDING: (APPROVE, DISAPPROVE),
    APPROVED: (CANCEL_APPROVAL,),
    DISAPPROVED: (APPROVE,),
    APPROVAL_CANCELED: (APPROVE,),
}
_ONE = {action: f"/v1/bizScanners/{{id}}/{name}" for action, name in zip(
    ACTIONS, ("approve", "disapprove", "cancelApproval"), strict=True
)}  # fmt: skip
_MANY = {action: f"/v1/bizScanners/bulk{name}" for action, name in zip(
    ACTIONS, ("Approve", "Disapprove", "CancelApproval"), strict=True
)}  # fmt: skip
STATE_REASONS = {status: f"SCANNER_IS_{status}" for status in SCANNER_STATUSES}
"""The reason for refusing a decision, by the scanner's current state; the service only reports the refusal."""


def may_allow(action: str, statuses: Iterable[str]) -> bool:
    """Return whether a scanner in one of these states allows the action."""
    return any(action in _ALLOWED.get(status, ()) for status in statuses)


class Scanner(Noun, frozen=True, kw_only=True):
    """A scanner as it was last connected; unknown statuses and actions are kept as they are."""

    id: Id
    serial_number: str = ""
    model: str | None = None
    software_version: str | None = None
    status: str = ""
    clinic_id: Id = msgspec.field(default="", name="mainGroupId")
    clinic_name: str = msgspec.field(default="", name="mainGroupName")
    user_id: Id | None = msgspec.field(default=None, name="connectedUserId")
    user_name: str | None = msgspec.field(default=None, name="connectedUserName")
    connected_date: datetime | None = None
    approved_date: datetime | None = None
    last_scanned_date: datetime | None = None
    first_connected_date: datetime | None = None
    sent_actions: list[str] | None = msgspec.field(default=None, name="allowedActions")
    version: Version | None = None

    @property
    def called(self) -> str:
        return called(self.serial_number, self.id)

    @property
    def allowed_actions(self) -> Sequence[str]:
        """The actions that the service sent, else those of the state; an unknown state allows none."""
        return _ALLOWED.get(self.status, ()) if self.sent_actions is None else self.sent_actions

    def allows(self, action: str) -> bool:
        return action in self.allowed_actions

    def blockers(self, action: str) -> "list[Reason]":
        """The reason why the action is not allowed: the state, or else the service's general code."""
        if self.allows(action):
            return []
        is_reason = action not in _ALLOWED.get(self.status, ACTIONS)
        return [Reason(STATE_REASONS[self.status] if is_reason else Code.SCANNER_STATE.name)]


class ScannerEvent(Noun, frozen=True, kw_only=True):
    """An event in the history of a scanner; unknown events are kept unchanged."""

    date: datetime | None = None
    event: str = ""
    actor_name: str | None = None
    clinic_name: str | None = msgspec.field(default=None, name="mainGroupName")


class Scanners(ClinicScopedResource, BulkResource):
    SORTS = {
        "serial_number": "serialNumber",
        "status": "status",
        "connected_date": "connectedDate",
        "approved_date": "approvedDate",
        "last_scanned_date": "lastScannedDate",
        "first_connected_date": "firstConnectedDate",
    }
    FILTERS = {
        "status": "status",
        "clinic": "mainGroupId",
        "model": "model",
        "not_scanned_days": "notScannedDays",
        "never_scanned": "neverScanned",
        "serial_number": "serialNumbers",
    }
    SEARCH_FIELDS = {"all": "all", "serial_number": "serialNumber", "clinic": "clinic", "user": "user"}

    def list(self, params: ListParams, *, organization_id: str) -> Listing[Scanner]:
        """GET /v1/bizScanners

        The filter `last_scan` is NEVER, or the days since then; what has never scanned is among them, too.
        """
        return self._list_page(PATH, _to_wire_params(params), Listing[Scanner], organizationId=organization_id)

    def get_many(self, ids: Sequence[str]) -> builtins.list[Scanner]:
        """GET /v1/bizScanners: those of the organization that have these IDs, at most PAGE_LIMIT"""
        params = ListParams(size=PAGE_LIMIT, ids=tuple(ids))
        return self.list(params, organization_id=self._upstream.organization_id).results

    def get(self, id: str) -> Scanner:
        """GET /v1/bizScanners with this ID; raise NotFound when it is none of the organization's

        The list is read because a single scanner does not name its organization.
        """
        for scanner in self.get_many([id]):
            if scanner.id == id:
                return scanner
        raise NotFound("no scanner of the organization")

    @property
    def has_history(self) -> bool:
        """True unless the service is known to have no history of scanners."""
        return self._upstream.offers(_history(""))

    def history(self, id: str, *, page: int, size: int) -> Listing[ScannerEvent]:
        """GET /v1/bizScanners/{id}/history, the newest first; raise NotOffered where the service has no such call"""
        query = [("page", str(page)), ("size", str(size))]
        return self._upstream.call(_history(id, query), Listing[ScannerEvent]).clamped(page, size)

    def decide(self, id: str, action: str, *, version: int | None = None) -> None:
        """PUT /v1/bizScanners/{id}/approve, /disapprove or /cancelApproval

        Raises Conflict with the reason of STATE_REASONS when the state of now does not allow it.
        """
        try:
            self._change(write("PUT", _ONE[action], id=id, version=version))
        except Conflict as error:
            reasons = self._state_reasons([id]) if error.code == Code.SCANNER_STATE and not error.reasons else {}
            error.reasons = reasons.get(id, error.reasons)
            raise

    def bulk_decide(self, ids: Iterable[str], action: str, *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizScanners/bulkApprove, bulkDisapprove or bulkCancelApproval; a refused row has its state"""
        result = self._bulk(
            _MANY[action],
            ids,
            single=lambda id, _key: write("PUT", _ONE[action], id=id),
            idempotency_key=idempotency_key,
        )
        refused = [row.id for row in result.rows if row.code == Code.SCANNER_STATE and not row.reasons]
        return BulkResult(_with(self._state_reasons(refused), result.rows)) if refused else result

    def _state_reasons(self, ids: Sequence[str]) -> dict[str, tuple[Reason, ...]]:
        """Return, by ID, the state that keeps a scanner from being decided; none where it can't be read."""
        try:
            scanners = self.get_many(ids)
        except (NotDone, NotFound, Maintenance):
            return {}
        return {row.id: (Reason(STATE_REASONS[row.status]),) for row in scanners if row.status in STATE_REASONS}


def _with(reasons: Mapping[str, tuple[Reason, ...]], rows: Iterable[RowOutcome]) -> tuple[RowOutcome, ...]:
    return tuple(msgspec.structs.replace(row, reasons=reasons.get(row.id, row.reasons)) for row in rows)


def _history(id: str, query: Sequence[tuple[str, str]] = ()) -> Call:
    return Call(method="GET", path=_HISTORY, ids={"id": id}, query=query, optional=True)


def _to_wire_params(params: ListParams) -> ListParams:
    """Return the filters as the service has them: one for how long ago, and one for never."""
    filters = dict(params.filters)
    if last_scan := filters.pop("last_scan", ()):
        filters["not_scanned_days"] = tuple(days for days in last_scan if days != NEVER)
        filters["never_scanned"] = ("true",)
    return msgspec.structs.replace(params, filters=filters)
