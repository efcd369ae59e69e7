"""Notifications about events, for each administrator of an organization."""

from typing import TYPE_CHECKING

from sandbox.clock import iso
from sandbox.store import Row

if TYPE_CHECKING:
    from sandbox.world import World


def notify(world: "World", organization_id: str, kind: str, params: dict[str, str], target: Row | None = None) -> None:
    """Notify the organization's administrators; `target` is {"type", "id"} of the event's object."""
    for admin in list(world.store.filter_by("admins", "organizationId", organization_id).values()):
        if admin["type"] == 1:
            world.store.put("notifications", {
                "id": world.store.next_id("notifications", "n"), "adminId": admin["id"], "type": kind, "params": params,
                "target": target, "read": False, "createdDate": iso(world.clock.now()),
            })  # fmt: skip
