"""The mails that the sandbox "sends", and the links in them."""

import uuid
from typing import Literal

from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.store import Row
from sandbox.world import World

Use = Literal["change-email", "reset-password"]
LINK_SECONDS = 24 * 3600


def send(world: World, *, to: str, kind: str, path: str, organization_id: str) -> None:
    """Put a mail in the box; its link carries the location code, so that the console knows the region."""
    location = world.store.all("organizations")[organization_id]["serverLocation"]
    mail = {
        "id": world.store.next_id("mails", "m"),
        "to": to,
        "kind": kind,
        "link": f"{world.options.console_url}{path}?r={location}",
        "time": iso(world.clock.now()),
    }
    world.store.put("mails", mail)


def send_link(world: World, admin: Row, use: Use, to: str) -> Row:
    """Send a link that works once within a day; older links of the same use stop working."""
    for old in list(world.store.where("links", "adminId", admin["id"]).values()):
        if old["use"] == use and not old["used"]:
            world.store.delete("links", old["id"])
    link = {
        "id": str(uuid.uuid4()),
        "use": use,
        "adminId": admin["id"],
        "email": to,
        "expires": world.clock.now() + LINK_SECONDS,
        "used": False,
    }
    world.store.put("links", link)
    kind = use.replace("-", "_").upper()
    send(world, to=to, kind=kind, path=f"/{use}/{link['id']}", organization_id=admin["organizationId"])
    return link


def open_link(world: World, link_id: str, use: Use) -> tuple[Row, Row]:
    """Return a link that still works, and its admin."""
    link = world.store.get("links", link_id)
    if link is None or link["use"] != use:
        raise Refusal(Code.LINK_ENDED, reasons=["UNKNOWN"])
    if link["used"]:
        raise Refusal(Code.LINK_ENDED, reasons=["USED"])
    if link["expires"] <= world.clock.now():
        raise Refusal(Code.LINK_ENDED, reasons=["EXPIRED"])
    return link, world.store.all("admins")[link["adminId"]]
