"""Invitations of users: sent by mail, valid for a week, accepted by opening their link."""

from sandbox import mail
from sandbox.clock import iso
from sandbox.errors import Code, Refusal
from sandbox.people import DAY, INVITATION_DAYS
from sandbox.store import Row
from sandbox.world import World

WAITING = ("INVITED", "INVITATION_EXPIRED")


def dates(world: World) -> Row:
    """Return the fields of a user who is invited now."""
    now = world.clock.now()
    expires = iso(now + INVITATION_DAYS * DAY)
    return {"status": "INVITED", "invitedDate": iso(now), "invitationExpiresDate": expires}


def send(world: World, user: Row) -> None:
    """Send the mail with a link that works until the invitation expires; earlier links stop working."""
    link = mail.new_link(world, user["id"], "invitation", user["email"], INVITATION_DAYS * DAY)
    address = f"http://127.0.0.1:{world.options.handler_port}/__accept?link={link['id']}"
    mail.put(world, to=user["email"], kind="INVITATION", link=address)


def must_wait(user: Row) -> None:
    """Refuse the action for users who have already accepted."""
    if user["status"] not in WAITING:
        raise Refusal(Code.NOT_INVITED)


def accept(world: World, link_id: str) -> Row:
    """Accept the invitation of a link: the user becomes active."""
    link = mail.open_link(world, link_id, "invitation")
    world.store.put("links", {**link, "used": True})
    user = world.store.all("users")[link["ownerId"]]
    return world.store.change("users", user, status="ACTIVE", lastLoginDate=iso(world.clock.now()))
