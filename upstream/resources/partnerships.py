"""Partnerships between a clinic, or a user, and a lab, and the requests for them."""

import builtins
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import field
from msgspec.structs import replace

from upstream.bulk import BulkResource, BulkResult, RowOutcome, outcome_for, single_key
from upstream.calls import Call, Created, write
from upstream.errors import BadAnswer, Reason
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Id, Noun, Version, called, new
from upstream.resources.labs import Lab

PATH = "/v1/bizPartnerships"
_ONE = "/v1/bizPartnerships/{id}"

MAX_MESSAGE_LENGTH = 500
"""Unicode characters of the message of a request."""

MAIN_GROUP, USER = "MAIN_GROUP", "USER"


class State(StrEnum):
    """The six states of the specification; PENDING of the service is two of them, by the requesting side."""

    REQUEST_SENT = "REQUEST_SENT"
    PENDING = "PENDING"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    CANCELED = "CANCELLED"
    ENDED = "ENDED"


class Action(StrEnum):
    """An action of an administrator; each except SEND is the last part of its call's path."""

    SEND = "send"
    CANCEL = "cancel"
    ACCEPT = "accept"
    REJECT = "reject"
    END = "end"


ALLOWED: dict[str, frozenset[Action]] = {
    State.REQUEST_SENT: frozenset({Action.CANCEL}),
    State.PENDING: frozenset({Action.ACCEPT, Action.REJECT}),
    State.ACCEPTED: frozenset({Action.END}),
    State.REJECTED: frozenset({Action.SEND}),
    State.CANCELED: frozenset({Action.SEND}),
    State.ENDED: frozenset({Action.SEND}),
}
"""The actions of each state (contract, section 9); an unknown one allows none."""

_OPEN = {("PENDING", "ORGANIZATION"): State.REQUEST_SENT, ("PENDING", "LAB"): State.PENDING}
_SETTLED = frozenset({State.ACCEPTED, State.REJECTED, State.CANCELED, State.ENDED})


class Party(Noun, frozen=True, kw_only=True):
    """The owner of a partnership: a clinic (MAIN_GROUP) or a user."""

    type: str = ""
    id: Id = ""
    name: str = ""

    @property
    def called(self) -> str:
        return called(self.name, self.id)

    @property
    def is_user(self) -> bool:
        return self.type == USER

    @property
    def is_clinic(self) -> bool:
        return self.type == MAIN_GROUP


class Partnership(Noun, frozen=True, kw_only=True):
    """A partnership or a request, open or ended; only a lab that left the service has a `lab_departure_date`."""

    id: Id
    organization_id: Id = ""
    lab_id: Id = ""
    lab_name: str = ""
    lab_departure_date: datetime | None = field(default=None, name="labLeftDate")
    owner: Party = Party()
    requested_by: str = ""
    status: str = ""
    message: str = ""
    requested_date: datetime | None = None
    contract_date: datetime | None = None
    ended_date: datetime | None = None
    can_end: bool | None = None
    end_blockers: list[Reason] = []
    version: Version | None = None

    @property
    def lab(self) -> Lab:
        """The lab, with the fields that the partnership has."""
        return Lab(id=self.lab_id, name=self.lab_name, departure_date=self.lab_departure_date)

    @property
    def state(self) -> str:
        """One of State; "" for one that is not known."""
        return self.status if self.status in _SETTLED else _OPEN.get((self.status, self.requested_by), "")

    @property
    def is_open(self) -> bool:
        """True if a request waits or a partnership is in force; in an unknown state it may be."""
        return self.state not in (State.REJECTED, State.CANCELED, State.ENDED)

    @property
    def is_active(self) -> bool:
        """True for a partnership in force, false for requests and what ended."""
        return self.state == State.ACCEPTED

    @property
    def is_lab_gone(self) -> bool:
        return self.lab_departure_date is not None

    @property
    def allowed_actions(self) -> frozenset[Action]:
        """The actions that are possible now; none with a lab that left the service."""
        return frozenset() if self.is_lab_gone else ALLOWED.get(self.state, frozenset())

    def allows(self, action: Action) -> bool:
        return action in self.allowed_actions


class Partnerships(ListResource, BulkResource):
    SORTS = {
        "lab_name": "labName",
        "owner_name": "ownerName",
        "status": "status",
        "requested_date": "requestedDate",
        "contract_date": "contractDate",
    }
    FILTERS = {
        "status": "status",
        "requested_by": "requestedBy",
        "lab": "labId",
        "clinic": "mainGroupId",
        "requested_within": "requestedWithinDays",
    }
    SEARCH_FIELDS = {"all": "all", "lab": "lab", "clinic": "clinic"}
    SEARCHED_TEXTS = {
        "all": lambda one: (one.lab_name, one.owner.name),
        "lab": lambda one: (one.lab_name,),
        "clinic": lambda one: (one.owner.name,),
    }

    def list(self, params: ListParams) -> Listing[Partnership]:
        """GET /v1/bizPartnerships, those of the organization of this client"""
        return self._list(PATH, params, Listing[Partnership], organizationId=self._upstream.organization_id)

    def get(self, id: str) -> Partnership:
        """GET /v1/bizPartnerships/{id}"""
        partnership = self._read(Partnership, _ONE, id=id)
        if not partnership.id and not partnership.lab_name:
            raise BadAnswer("neither id nor lab of the partnership can be read")
        self._check_organization(partnership.organization_id)
        return replace(partnership, id=id)

    def send(self, *, lab_id: str, owner: Party, message: str, idempotency_key: str = "") -> str:
        """POST /v1/bizPartnerships for one; return the ID of the request, empty when the service does not say"""
        return self._create(_sending(lab_id, owner, message, idempotency_key))

    def bulk_send(self, *, lab_id: str, owners: Sequence[Party], message: str, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizPartnerships for several; the outcome of each has the ID of its owner"""
        body = new(Partnership, {"lab_id": lab_id, "message": message}) | {"owners": [_owner(one) for one in owners]}
        sent = self._run(
            write("POST", PATH, body=body, idempotency_key=idempotency_key),
            "index",
            range(len(owners)),
            lambda key: self._send_each(lab_id, owners, message, key),
        )
        return BulkResult(tuple(replace(row, id=owner.id) for row, owner in zip(sent.rows, owners, strict=True)))

    def _send_each(self, lab_id: str, owners: Sequence[Party], message: str, key: str) -> builtins.list[RowOutcome]:
        calls = [_sending(lab_id, owner, message, single_key(key, n)) for n, owner in enumerate(owners)]
        return [outcome_for(result) for result in self._upstream.each(calls, Created)]

    def change(self, id: str, action: Action, *, version: int | None = None) -> int | None:
        """PUT /v1/bizPartnerships/{id}/cancel, /accept, /reject or /end; return the new version, None if unknown"""
        return self._change(_changing(id, action, version))

    def bulk_change(self, ids: Iterable[str], action: Action, *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizPartnerships/bulkAccept, bulkReject or bulkCancel"""
        return self._bulk(
            f"{PATH}/bulk{action.capitalize()}",
            ids,
            single=lambda id, _key: _changing(id, action, None),
            idempotency_key=idempotency_key,
        )


def _owner(owner: Party) -> dict[str, str]:
    return {"type": owner.type, "id": owner.id}


def _sending(lab_id: str, owner: Party, message: str, key: str) -> Call:
    body = new(Partnership, {"lab_id": lab_id, "message": message}) | {"owner": _owner(owner)}
    return write("POST", PATH, body=body, idempotency_key=key)


def _changing(id: str, action: Action, version: int | None) -> Call:
    return write("PUT", f"{_ONE}/{action}", id=id, version=version)
