"""The controls (/__...), with which tests and people steer the sandbox; on the handler port only.

A control's parameters are the fields of the JSON body or, for GET, of the query; one named `body` is the whole body.
"""

import inspect
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
from sandbox.demo_labs import lab as new_lab
from sandbox.errors import Code, Refusal, error_body
from sandbox.faults import Fault
from sandbox.notices import notify
from sandbox.store import Row, id_order
from sandbox.views import partnerships
from sandbox.world import World, world

Handler = Callable[..., Any]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=1, le=50_000)]


class Control:
    """The Django view of one control, by method."""

    def __init__(self) -> None:
        self.by_method: dict[str, tuple[Handler, Any]] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        current = world()
        answer: Any
        with current.lock:
            try:
                if request.method not in self.by_method:
                    raise Refusal(Code.PARAMETER_INVALID, "method not allowed", status=405)
                if int(request.META["SERVER_PORT"]) != current.options.handler_port:
                    raise Refusal(Code.NOT_FOUND, "controls are on the handler port")
                handler, shape = self.by_method[request.method]
                given = msgspec.json.decode(request.body) if request.method == "POST" else request.GET.dict()
                answer, status = handler(current, **_arguments(given, shape)), 200
            except Refusal as refusal:
                answer, status = refusal.body(""), refusal.status
            except (msgspec.MsgspecError, re.error) as error:
                answer, status = error_body(Code.PARAMETER_INVALID, str(error), ""), 400
            finally:
                current.store.flush()
            if isinstance(answer, HttpResponse):
                return answer
            return HttpResponse(msgspec.json.encode(answer), content_type="application/json", status=status)


CONTROLS: dict[str, Control] = {}


def control(method: str, name: str) -> Callable[[Handler], Handler]:
    """Register a control: a function of the world and the parameters."""

    def register(handler: Handler) -> Handler:
        fields = [
            (one.name, one.annotation) if one.default is one.empty else (one.name, one.annotation, one.default)
            for one in list(inspect.signature(handler).parameters.values())[1:]
        ]
        shape = msgspec.defstruct(handler.__name__, fields, forbid_unknown_fields=True)
        CONTROLS.setdefault(name, Control()).by_method[method] = (handler, shape)
        return handler

    return register


def _arguments(given: Any, shape: type[msgspec.Struct]) -> dict[str, Any]:
    is_whole = shape.__struct_fields__ == ("body",)
    return msgspec.structs.asdict(msgspec.convert({"body": given} if is_whole else given or {}, shape))


@control("GET", "calls")
def calls(world: World, path: str = "") -> Any:
    """Return the calls received, oldest first."""
    wanted = re.compile(path)
    return [call for call in world.calls if wanted.search(call["path"])]


@control("DELETE", "calls")
def clear_calls(world: World) -> Any:
    world.calls.clear()
    return {}


@control("POST", "faults")
def add_fault(world: World, body: Fault) -> Any:
    re.compile(body.path)
    world.faults.append(body)
    return {}


@control("DELETE", "faults")
def drop_faults(world: World) -> Any:
    world.faults.clear()
    return {}


@control("POST", "clock")
def move_clock(world: World, advance: NonNegative) -> Any:
    world.switch(offset=world.switches["offset"] + advance)
    return {"now": iso(world.clock.now())}


@control("POST", "tokens")
def set_tokens(
    world: World,
    access_seconds: NonNegative | None = None,
    refresh_seconds: NonNegative | None = None,
    expire: Literal["access"] | None = None,
) -> Any:
    """Set how long new tokens are valid, or expire all access tokens."""
    values = {"accessSeconds": access_seconds, "refreshSeconds": refresh_seconds}
    world.switch(**{key: value for key, value in values.items() if value is not None})
    return {"expired": tokens.expire_access(world) if expire else 0}


@control("POST", "seed")
def seed(
    world: World,
    clinic: str,
    users: Count | None = None,
    blocked: Annotated[int, msgspec.Meta(ge=0)] = 0,
    scanners: Count | None = None,
) -> Any:
    """Add users to a clinic, the first `blocked` of them with an ongoing ordered case; or add pending scanners."""
    row = _row(world, "clinics", clinic)
    if scanners:
        return _seed_scanners(world, row, scanners)
    if not users:
        raise Refusal(Code.PARAMETER_MISSING, fields=["users"])
    return _seed_users(world, row, users, blocked)


def _seed_users(world: World, clinic: Row, count: int, blocked: int) -> Row:
    store = world.store
    ids = [store.next_id("users", "u") for _ in range(count)]
    teams = list(store.filter_by("teams", "mainGroupId", clinic["id"]).values())
    for user in people.more(ids, clinic, teams, world.clock.now()):
        store.put("users", user)
    for user_id in ids[:blocked]:
        number = int(store.next_id("cases", "c").removeprefix("c-"))
        store.put("cases", case(number, clinic["id"], clinic["organizationId"], user_id, "ONGOING"))
    return {"first": ids[0], "last": ids[-1], "resultCount": len(store.filter_by("users", "mainGroupId", clinic["id"]))}


def _row(world: World, kind: str, row_id: str) -> Row:
    row = world.store.get(kind, row_id)
    if row is None:
        raise Refusal(Code.NOT_FOUND, f"no {row_id} in {kind}")
    return row


def _seed_scanners(world: World, clinic: Row, count: int) -> Row:
    """Connect this number of scanners one after the other, as their first users would, without notifications."""
    store, now = world.store, world.clock.now()
    ids = [store.next_id("scanners", "s") for _ in range(count)]
    for number, row_id in enumerate(ids):
        connected = iso(now - number * 60)
        store.put("scanners", {
            "id": row_id, "organizationId": clinic["organizationId"], "serialNumber": f"SEED-{row_id[2:]:0>6}",
            "model": "i900", "softwareVersion": None, "status": scanners.PENDING, "mainGroupId": clinic["id"],
            "connectedUserId": None, "connectedDate": connected, "approvedDate": None, "lastScannedDate": None,
            "firstConnectedDate": connected, "version": 1,
        })  # fmt: skip
    total = len(store.filter_by("scanners", "mainGroupId", clinic["id"]))
    return {"first": ids[0], "last": ids[-1], "resultCount": total}


@control("POST", "connect")
def connect(world: World, serial: str, clinic: str, model: str = "i900", user: str = "") -> Any:
    """Connect a scanner in a clinic, as one of its users would; refused if another organization has approved it."""
    scanner = scanners.connect(world, _row(world, "clinics", clinic), serial, model, world.store.get("users", user))
    return {"id": scanner["id"], "status": scanner["status"]} if scanner else {"refused": True}


@control("POST", "elsewhere")
def approve_elsewhere(world: World, serial: str) -> Any:
    """Have another organization connect and approve a scanner; refused if an organization has approved it already."""
    owners = {row["organizationId"] for row in world.store.filter_by("scanners", "serialNumber", serial).values()}
    clinic = next(row for row in world.store.all("clinics").values() if row["organizationId"] not in owners)
    scanner = scanners.connect(world, clinic, serial, "i900", None)
    if scanner is None:
        return {"refused": True}
    return {"id": scanners.decide(world, scanner, "APPROVE", by="")["id"], "refused": False}


@control("GET", "accept")
def accept(world: World, link: str = "") -> Any:
    """Accept the invitation in a mailed link."""
    user = invitations.accept(world, link)
    return {"id": user["id"], "status": user["status"]}


@control("GET", "mail")
def mails(world: World) -> Any:
    """Return the mails, newest first."""
    rows = sorted(world.store.all("mails").values(), key=lambda row: id_order(row["id"]), reverse=True)
    return [{key: value for key, value in row.items() if key != "id"} for row in rows]


@control("GET", "mail.html")
def mails_page(world: World) -> HttpResponse:
    """Show the mails as a page."""
    items = "".join(
        f"<li><time>{escape(mail['time'])}</time> {escape(mail['kind'])} to {escape(mail['to'])}: "
        f'<a href="{escape(mail["link"])}">{escape(mail["link"])}</a></li>'
        for mail in mails(world)
    )
    return HttpResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox mail</title><h1>Sandbox mail</h1>'
        f"<ul>{items}</ul>{'' if items else '<p>No mail yet.</p>'}"
    )


@control("POST", "reset")
def reset(world: World) -> Any:
    """Restore the demo data and all defaults."""
    world.reset()
    return {}


@control("POST", "careless")
def set_careless(world: World, on: bool) -> Any:
    """Turn the checks of the organization off or on."""
    world.switch(careless=on)
    return {}


@control("POST", "facets")
def set_facets(world: World, on: bool) -> Any:
    """Turn the counts of each filter of the labs off or on, because a service may have none."""
    world.switch(facets=on)
    return {}


@control("POST", "labs")
def seed_labs(world: World, labs: Count) -> Any:
    """Add labs until this number of labs exists."""
    for number in range(len(world.store.all("labs")) + 1, labs + 1):
        world.store.put("labs", new_lab(number, random.Random(number)))
    return {"resultCount": len(world.store.all("labs"))}


@control("POST", "maintenance")
def set_maintenance(world: World, body: dict[str, Any] | None) -> Any:
    """Set the maintenance notice; null removes it."""
    world.switch(maintenance=body)
    if planned := (body or {}).get("planned"):
        params = {name: planned[name] for name in ("startDate", "endDate") if isinstance(planned.get(name), str)}
        for organization in world.store.all("organizations"):
            notify(world, organization, "MAINTENANCE_PLANNED", params)
    return {}


@control("POST", "ask")
def ask(
    world: World, lab: str, clinics: Annotated[list[str], msgspec.Meta(min_length=1)], message: str | None = None
) -> Any:
    """Let a lab ask clinics for a partnership."""
    lab_id, rows = _row(world, "labs", lab)["id"], []
    for clinic in clinics:
        owner = _row(world, "clinics", clinic)
        rows.append(partnerships.request(world, owner, "MAIN_GROUP", lab_id, "LAB", message))
        partnerships.notify_owner(world, rows[-1], "PARTNERSHIP_REQUESTED")
    return {"ids": [row["id"] for row in rows]}


@control("POST", "answer")
def answer_request(world: World, partnership: str, accept: bool) -> Any:
    """Let a lab accept or reject a request of an organization."""
    row = _row(world, "partnerships", partnership)
    if (row["status"], row["requestedBy"]) != ("PENDING", "ORGANIZATION"):
        raise Refusal(Code.NO_PENDING_REQUEST)
    dates = {"contractDate": iso(world.clock.now())} if accept else {}
    return {"status": partnerships.change_status(world, row, "ACCEPTED" if accept else "REJECTED", **dates)["status"]}


@control("POST", "order")
def order(world: World, clinic: str, lab: str, status: Literal["ONGOING", "PENDING", "CLOSED"] = "ONGOING") -> Any:
    """Let a clinic have an order with a lab; CLOSED completes all of its orders there."""
    owner, lab_id, store = _row(world, "clinics", clinic), _row(world, "labs", lab)["id"], world.store
    if status == "CLOSED":
        for row in list(store.filter_by("cases", "mainGroupId", clinic).values()):
            if row.get("labId") == lab_id:
                store.delete("cases", row["id"])
        return {}
    number = int(store.next_id("cases", "c").removeprefix("c-"))
    return {"id": store.put("cases", case(number, clinic, owner["organizationId"], None, status, lab_id))["id"]}


@control("POST", "leave")
def leave(world: World, lab: str) -> Any:
    """Let a lab leave the service; its partnerships stay unchanged."""
    world.store.put("labs", {**_row(world, "labs", lab), "leftDate": iso(world.clock.now())})
    return {}
