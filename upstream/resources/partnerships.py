"""Partnerships: what a clinic, or a user, has agreed with a lab, or was asked, or has asked for."""

import builtins
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec.structs import replace

from upstream.bulk import BulkResource, BulkResult, RowOutcome, outcome_of, single_key
from upstream.calls import Call, Created, write
from upstream.errors import BadAnswer, Reason
from upstream.listing import Listing, ListParams, ListResource
from upstream.nouns import Id, Noun, Version, called, new
from upstream.resources.labs import Lab

PATH = "/v1/bizPartnerships"
_ONE = "/v1/bizPartnerships/{id}"

LONGEST_MESSAGE = 500
"""Characters of the words that go with a request, as Unicode counts them."""

MAIN_GROUP, USER = "MAIN_GROUP", "USER"


class State(StrEnum):
    """The six states of the specification; PENDING of the service is two of them, by who asked."""

    REQUEST_SENT = "REQUEST_SENT"
    PENDING = "PENDING"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    CANCELED = "CANCELLED"
    ENDED = "ENDED"


class Act(StrEnum):
    """What an administrator can do about a partnership; each but SEND is the last part of its call's path."""

    SEND = "send"
    CANCEL = "cancel"
    ACCEPT = "accept"
    REJECT = "reject"
    END = "end"


ALLOWED: dict[str, frozenset[Act]] = {
    State.REQUEST_SENT: frozenset({Act.CANCEL}),
    State.PENDING: frozenset({Act.ACCEPT, Act.REJECT}),
    State.ACCEPTED: frozenset({Act.END}),
    State.REJECTED: frozenset({Act.SEND}),
    State.CANCELED: frozenset({Act.SEND}),
    State.ENDED: frozenset({Act.SEND}),
}
"""What fits each state (contract, section 9); an unknown one allows nothing."""

_OPEN = {("PENDING", "ORGANIZATION"): State.REQUEST_SENT, ("PENDING", "LAB"): State.PENDING}
_SETTLED = frozenset({State.ACCEPTED, State.REJECTED, State.CANCELED, State.ENDED})


class Party(Noun, frozen=True, kw_only=True):
    """Whom a partnership is for: a clinic (MAIN_GROUP) or a user."""

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
    """A partnership, a request, or what became of one; `lab_left_date` is that of a lab that left the service."""

    id: Id
    organization_id: Id = ""
    lab_id: Id = ""
    lab_name: str = ""
    lab_left_date: datetime | None = None
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
        """The lab, as far as the partnership knows it."""
        return Lab(id=self.lab_id, name=self.lab_name, left_date=self.lab_left_date)

    @property
    def state(self) -> str:
        """One of State; "" for one that is not known."""
        return self.status if self.status in _SETTLED else _OPEN.get((self.status, self.requested_by), "")

    @property
    def is_open(self) -> bool:
        """Whether a request waits or a partnership is in force; so it may be in a state that is not known."""
        return self.state not in (State.REJECTED, State.CANCELED, State.ENDED)

    @property
    def has_lab_left(self) -> bool:
        return self.lab_left_date is not None

    @property
    def allowed_actions(self) -> frozenset[Act]:
        """What can be done now; with a lab that left the service, nothing."""
        return frozenset() if self.has_lab_left else ALLOWED.get(self.state, frozenset())

    def allows(self, act: Act) -> bool:
        return act in self.allowed_actions


class Partnerships(ListResource, BulkResource):
    """The calls on partnerships."""

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

    def list(self, params: ListParams) -> Listing[Partnership]:
        """GET /v1/bizPartnerships, those of the organization of this client"""
        return self._list(PATH, params, Listing[Partnership], organizationId=self._upstream.organization_id)

    def get(self, id: str) -> Partnership:
        """GET /v1/bizPartnerships/{id}"""
        found = self._read(Partnership, _ONE, id=id)
        if not found.id and not found.lab_name:
            raise BadAnswer("neither id nor lab of the partnership can be read")
        self._check_organization(found.organization_id)
        return replace(found, id=id)

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
        return [outcome_of(got) for got in self._upstream.each(calls, Created)]

    def change(self, id: str, act: Act, *, version: int | None = None) -> int | None:
        """PUT /v1/bizPartnerships/{id}/cancel, /accept, /reject or /end; return the new version, None if unknown"""
        return self._change(_changing(id, act, version))

    def bulk_change(self, ids: Iterable[str], act: Act, *, idempotency_key: str = "") -> BulkResult:
        """POST /v1/bizPartnerships/bulkAccept, bulkReject or bulkCancel"""
        return self._bulk(
            f"{PATH}/bulk{act.capitalize()}",
            ids,
            single=lambda id, _key: _changing(id, act, None),
            idempotency_key=idempotency_key,
        )


def _owner(owner: Party) -> dict[str, str]:
    return {"type": owner.type, "id": owner.id}


def _sending(lab_id: str, owner: Party, message: str, key: str) -> Call:
    body = new(Partnership, {"lab_id": lab_id, "message": message}) | {"owner": _owner(owner)}
    return write("POST", PATH, body=body, idempotency_key=key)


def _changing(id: str, act: Act, version: int | None) -> Call:
    return write("PUT", f"{_ONE}/{act}", id=id, version=version)
