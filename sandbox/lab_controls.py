"""The controls by which a lab acts: it asks clinics, answers requests, has orders, and leaves the service."""

from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpRequest

from sandbox.clock import iso
from sandbox.demo import case
from sandbox.errors import Code, Refusal
from sandbox.store import Row
from sandbox.views import partnerships
from sandbox.world import World


class Asking(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__ask."""

    lab: str
    clinics: Annotated[list[str], msgspec.Meta(min_length=1)]
    message: str | None = None


class Answering(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__answer."""

    partnership: str
    accept: bool


class Ordering(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__order; CLOSED completes all orders of the clinic with the lab."""

    clinic: str
    lab: str
    status: Literal["ONGOING", "PENDING", "CLOSED"] = "ONGOING"


class Leaving(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__leave."""

    lab: str


def ask(here: World, request: HttpRequest) -> Any:
    """Let a lab ask clinics for a partnership."""
    body = msgspec.json.decode(request.body, type=Asking)
    lab = _there(here, "labs", body.lab)
    rows = []
    for clinic_id in body.clinics:
        clinic = _there(here, "clinics", clinic_id)
        rows.append(partnerships.request(here, clinic, "MAIN_GROUP", lab["id"], "LAB", body.message))
        partnerships.tell(here, rows[-1], "PARTNERSHIP_REQUESTED")
    return {"ids": [row["id"] for row in rows]}


def answer(here: World, request: HttpRequest) -> Any:
    """Let a lab accept or reject a request of an organization."""
    body = msgspec.json.decode(request.body, type=Answering)
    row = _there(here, "partnerships", body.partnership)
    if (row["status"], row["requestedBy"]) != ("PENDING", "ORGANIZATION"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    if body.accept:
        row = partnerships.turn(here, row, "ACCEPTED", contractDate=iso(here.clock.now()))
    else:
        row = partnerships.turn(here, row, "REJECTED")
    return {"status": row["status"]}


def order(here: World, request: HttpRequest) -> Any:
    """Let a clinic have an order with a lab, or complete all that it has there."""
    body, store = msgspec.json.decode(request.body, type=Ordering), here.store
    clinic, lab = _there(here, "clinics", body.clinic), _there(here, "labs", body.lab)
    if body.status == "CLOSED":
        for row in list(store.where("cases", "mainGroupId", clinic["id"]).values()):
            if row.get("labId") == lab["id"]:
                store.delete("cases", row["id"])
        return {}
    number = int(store.next_id("cases", "c").removeprefix("c-"))
    made = case(number, clinic["id"], clinic["organizationId"], None, body.status, lab["id"])
    return {"id": store.put("cases", made)["id"]}


def leave(here: World, request: HttpRequest) -> Any:
    """Let a lab leave the service: what was agreed with it stays as it was."""
    lab = _there(here, "labs", msgspec.json.decode(request.body, type=Leaving).lab)
    here.store.put("labs", {**lab, "leftDate": iso(here.clock.now())})
    return {}


def _there(here: World, kind: str, row_id: str) -> Row:
    row = here.store.get(kind, row_id)
    if row is None:
        raise Refusal(Code.NOT_FOUND, f"no {row_id} in {kind}")
    return row
