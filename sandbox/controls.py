"""The controls (/__...), with which tests and people steer the sandbox; on the handler port only."""

import random
import re
from collections.abc import Callable
from html import escape
from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpRequest, HttpResponse

from sandbox import invitations, people, scanners, tokens
from sandbox.clock import iso
from sandbox.demo import case
from sandbox.demo_labs import lab
from sandbox.errors import Code, Refusal, error_body
from sandbox.faults import Fault
from sandbox.notices import notify
from sandbox.store import Row, order_of
from sandbox.world import World, world

Control = Callable[[World, HttpRequest], Any]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]


class Advance(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__clock."""

    advance: NonNegative


class Tokens(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__tokens."""

    access_seconds: NonNegative | None = None
    refresh_seconds: NonNegative | None = None
    expire: Literal["access"] | None = None


class Careless(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__careless."""

    on: bool


class Facets(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__facets."""

    on: bool


class Seed(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__seed: so many users, of whom some are blocked, or scanners."""

    clinic: str
    users: Annotated[int, msgspec.Meta(ge=1, le=50_000)] | msgspec.UnsetType = msgspec.UNSET
    blocked: Annotated[int, msgspec.Meta(ge=0)] = 0
    scanners: Annotated[int, msgspec.Meta(ge=1, le=50_000)] | msgspec.UnsetType = msgspec.UNSET


class Connection(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__connect."""

    serial: str
    clinic: str
    model: str = "i900"
    user: str = ""


class Serial(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__elsewhere."""

    serial: str


class SeedLabs(msgspec.Struct, forbid_unknown_fields=True):
    """The body of /__labs."""

    labs: Annotated[int, msgspec.Meta(ge=1, le=50_000)]


def calls(here: World, request: HttpRequest) -> Any:
    """Return the calls received, oldest first."""
    wanted = re.compile(request.GET.get("path", ""))
    return [call for call in here.calls if wanted.search(call["path"])]


def forget_calls(here: World, request: HttpRequest) -> Any:
    """Forget the calls."""
    here.calls.clear()
    return {}


def add_fault(here: World, request: HttpRequest) -> Any:
    """Add a fault."""
    fault = msgspec.json.decode(request.body, type=Fault)
    re.compile(fault.path)
    here.faults.append(fault)
    return {}


def drop_faults(here: World, request: HttpRequest) -> Any:
    """Remove all faults."""
    here.faults.clear()
    return {}


def move_clock(here: World, request: HttpRequest) -> Any:
    """Advance the clock."""
    body = msgspec.json.decode(request.body, type=Advance)
    here.switch(offset=here.switches["offset"] + body.advance)
    return {"now": iso(here.clock.now())}


def set_tokens(here: World, request: HttpRequest) -> Any:
    """Set how long new tokens are valid, or expire all access tokens."""
    body = msgspec.json.decode(request.body, type=Tokens)
    values = {"accessSeconds": body.access_seconds, "refreshSeconds": body.refresh_seconds}
    here.switch(**{key: value for key, value in values.items() if value is not None})
    return {"expired": tokens.expire_access(here) if body.expire else 0}


def seed(here: World, request: HttpRequest) -> Any:
    """Add users to a clinic, of whom the first `blocked` have an ongoing ordered case; or pending scanners."""
    body, store = msgspec.json.decode(request.body, type=Seed), here.store
    clinic = _clinic(here, body.clinic)
    if body.scanners is not msgspec.UNSET:
        return _seed_scanners(here, clinic, body.scanners)
    if body.users is msgspec.UNSET:
        raise Refusal(Code.PARAMETER_MISSING, fields=["users"])
    ids = [store.next_id("users", "u") for _ in range(body.users)]
    teams = list(store.where("teams", "mainGroupId", clinic["id"]).values())
    for user in people.more(ids, clinic, teams, here.clock.now()):
        store.put("users", user)
    for user_id in ids[: body.blocked]:
        number = int(store.next_id("cases", "c").removeprefix("c-"))
        store.put("cases", case(number, clinic["id"], clinic["organizationId"], user_id, "ONGOING"))
    return {"first": ids[0], "last": ids[-1], "resultCount": len(store.where("users", "mainGroupId", clinic["id"]))}


def _clinic(here: World, clinic_id: str) -> Row:
    clinic = here.store.get("clinics", clinic_id)
    if clinic is None:
        raise Refusal(Code.NOT_FOUND, fields=["clinic"])
    return clinic


def _seed_scanners(here: World, clinic: Row, count: int) -> Row:
    """Connect so many scanners, one after the other, as their first users would; nobody is told."""
    store, now = here.store, here.clock.now()
    ids = [store.next_id("scanners", "s") for _ in range(count)]
    for number, row_id in enumerate(ids):
        connected = iso(now - number * 60)
        store.put("scanners", {
            "id": row_id, "organizationId": clinic["organizationId"], "serialNumber": f"SEED-{row_id[2:]:0>6}",
            "model": "i900", "softwareVersion": None, "status": scanners.PENDING, "mainGroupId": clinic["id"],
            "connectedUserId": None, "connectedDate": connected, "approvedDate": None, "lastScannedDate": None,
            "firstConnectedDate": connected, "version": 1,
        })  # fmt: skip
    total = len(store.where("scanners", "mainGroupId", clinic["id"]))
    return {"first": ids[0], "last": ids[-1], "resultCount": total}


def connect(here: World, request: HttpRequest) -> Any:
    """Connect a scanner in a clinic, as one of its users would; it is refused where another organization has it."""
    body = msgspec.json.decode(request.body, type=Connection)
    clinic, user = _clinic(here, body.clinic), here.store.get("users", body.user)
    scanner = scanners.connect(here, clinic, body.serial, body.model, user)
    return {"id": scanner["id"], "status": scanner["status"]} if scanner else {"refused": True}


def approve_elsewhere(here: World, request: HttpRequest) -> Any:
    """Have another organization connect a scanner and approve it, unless the one that has approved it keeps it."""
    serial = msgspec.json.decode(request.body, type=Serial).serial
    owners = {row["organizationId"] for row in here.store.where("scanners", "serialNumber", serial).values()}
    clinic = next(row for row in here.store.all("clinics").values() if row["organizationId"] not in owners)
    scanner = scanners.connect(here, clinic, serial, "i900", None)
    if scanner is None:
        return {"refused": True}
    return {"id": scanners.decide(here, scanner, "APPROVE", by="")["id"], "refused": False}


def accept(here: World, request: HttpRequest) -> Any:
    """Accept the invitation in a mailed link."""
    user = invitations.accept(here, request.GET.get("link", ""))
    return {"id": user["id"], "status": user["status"]}


def mails(here: World, request: HttpRequest) -> Any:
    """Return the mails, newest first."""
    rows = sorted(here.store.all("mails").values(), key=lambda row: order_of(row["id"]), reverse=True)
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


def mails_page(here: World, request: HttpRequest) -> HttpResponse:
    """Show the mails as a page."""
    items = "".join(
        f"<li><time>{escape(mail['time'])}</time> {escape(mail['kind'])} to {escape(mail['to'])}: "
        f'<a href="{escape(mail["link"])}">{escape(mail["link"])}</a></li>'
        for mail in mails(here, request)
    )
    return HttpResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox mail</title><h1>Sandbox mail</h1>'
        f"<ul>{items}</ul>{'' if items else '<p>No mail yet.</p>'}"
    )


def reset(here: World, request: HttpRequest) -> Any:
    """Restore the demo data and all defaults."""
    here.reset()
    return {}


def set_careless(here: World, request: HttpRequest) -> Any:
    """Turn the checks of the organization off or on."""
    here.switch(careless=msgspec.json.decode(request.body, type=Careless).on)
    return {}


def set_facets(here: World, request: HttpRequest) -> Any:
    """Turn the counts of each filter of the labs off or on, because a service may have none."""
    here.switch(facets=msgspec.json.decode(request.body, type=Facets).on)
    return {}


def seed_labs(here: World, request: HttpRequest) -> Any:
    """Add labs until there are so many."""
    wanted = msgspec.json.decode(request.body, type=SeedLabs).labs
    for number in range(len(here.store.all("labs")) + 1, wanted + 1):
        here.store.put("labs", lab(number, random.Random(number)))
    return {"resultCount": len(here.store.all("labs"))}


def set_maintenance(here: World, request: HttpRequest) -> Any:
    """Set the maintenance notice; null removes it."""
    notice = msgspec.json.decode(request.body, type=dict[str, Any] | None)
    here.switch(maintenance=notice)
    if planned := (notice or {}).get("planned"):
        params = {name: planned[name] for name in ("startDate", "endDate") if isinstance(planned.get(name), str)}
        for organization in here.store.all("organizations"):
            notify(here, organization, "MAINTENANCE_PLANNED", params)
    return {}


def control(**by_method: Control) -> Callable[[HttpRequest], HttpResponse]:
    """Return the Django view of one control."""

    def view(request: HttpRequest) -> HttpResponse:
        here = world()
        answer: Any
        with here.lock:
            try:
                chosen = by_method.get(request.method or "")
                if chosen is None:
                    raise Refusal(Code.PARAMETER_INVALID, "method not allowed", status=405)
                if int(request.META["SERVER_PORT"]) != here.options.handler_port:
                    raise Refusal(Code.NOT_FOUND, "controls are on the handler port")
                answer, status = chosen(here, request), 200
            except Refusal as refusal:
                answer, status = refusal.body(""), refusal.status
            except (msgspec.MsgspecError, re.error) as error:
                answer, status = error_body(Code.PARAMETER_INVALID, str(error), ""), 400
            finally:
                here.store.flush()
            if isinstance(answer, HttpResponse):
                return answer
            return HttpResponse(msgspec.json.encode(answer), content_type="application/json", status=status)

    return view
