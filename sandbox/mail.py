"""The mails that the sandbox "sends", and the links in them."""

import uuid
from typing import Literal

from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.store import Row
from sandbox.world import World

Use = Literal["change-email", "reset-password", "invitation"]
LINK_SECONDS = 24 * 3600


def put(world: World, *, to: str, kind: str, link: str) -> None:
    """Add a mail to the mailbox."""
    row_id = world.store.next_id("mails", "m")
    world.store.put("mails", {"id": row_id, "to": to, "kind": kind, "link": link, "time": iso(world.clock.now())})


def send(world: World, *, to: str, kind: str, path: str, organization_id: str) -> None:
    """Mail a link to the console, with the location code from which the console knows the region."""
    location = world.store.all("organizations")[organization_id]["serverLocation"]
    put(world, to=to, kind=kind, link=f"{world.options.console_url}{path}?r={location}")


def send_link(world: World, admin: Row, use: Use, to: str) -> Row:
    """Send an administrator a link that works once within a day."""
    link = new_link(world, admin["id"], use, to, LINK_SECONDS)
    kind = use.replace("-", "_").upper()
    send(world, to=to, kind=kind, path=f"/{use}/{link['id']}", organization_id=admin["organizationId"])
    return link


def new_link(world: World, owner_id: str, use: Use, email: str, seconds: float) -> Row:
    """Return a link that works once and expires; older links of the same owner and use stop working."""
    delete_links(world, owner_id, use)
    return world.store.put("links", {
        "id": str(uuid.uuid4()), "use": use, "ownerId": owner_id, "email": email,
        "expires": world.clock.now() + seconds, "used": False,
    })  # fmt: skip


def delete_links(world: World, owner_id: str, use: Use) -> None:
    """Make an owner's links for one use stop working."""
    for old in list(world.store.filter_by("links", "ownerId", owner_id).values()):
        if old["use"] == use and not old["used"]:
            world.store.delete("links", old["id"])


def open_link(world: World, link_id: str, use: Use) -> Row:
    """Return a link that still works."""
    link = world.store.get("links", link_id)
    if link is None or link["use"] != use:
        raise _ended("UNKNOWN")
    if link["used"]:
        raise _ended("USED")
    if link["expires"] <= world.clock.now():
        raise _ended("EXPIRED")
    return link


def _ended(reason: str) -> Refusal:
    return Refusal(Code.LINK_ENDED, reasons=[{"reason": reason, "count": 1}])
