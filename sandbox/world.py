"""The state that all calls share: data, clock, switches and recorded calls, under one lock."""

import threading
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sandbox.clock import Clock, iso
from sandbox.demo import EDITION, build
from sandbox.faults import Fault
from sandbox.notices import notify
from sandbox.store import Row, Store

DEFAULTS: Row = {
    "id": "switches",
    "offset": 0.0,
    "accessSeconds": 900.0,
    "refreshSeconds": 2_592_000.0,
    "careless": False,
    "facets": True,
    "maintenance": None,
}
MAX_CALLS = 20_000
demo_rows = lru_cache(maxsize=1)(build)  # rows are never changed in place, and tests reset often


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    handler_port: int
    api_port: int
    data: Path
    console_url: str


@dataclass
class World:
    """The whole state of the sandbox; `lock` is held while a call is executed."""

    options: Options
    store: Store
    clock: Clock = field(default_factory=Clock)
    lock: threading.RLock = field(default_factory=threading.RLock)
    calls: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MAX_CALLS))
    faults: list[Fault] = field(default_factory=list)

    @property
    def switches(self) -> Row:
        """The switches that controls have set."""
        return self.store.get("state", "switches") or DEFAULTS

    def switch(self, **values: Any) -> None:
        """Set switches, and keep them across restarts."""
        self.store.put("state", {**self.switches, **values})
        self.clock.offset = self.switches["offset"]
        self.expire_invitations()

    def reset(self) -> None:
        """Restore the demo data and all defaults."""
        self.clock.offset = 0
        self.calls.clear()
        self.faults.clear()
        edition = {"id": "demo", "edition": EDITION}
        now = self.clock.now()
        self.store.replace_all({**demo_rows(now - now % 60), "state": [DEFAULTS, edition]})

    @property
    def is_current(self) -> bool:
        """True if the data is of this edition of the demo data; older rows have a different shape."""
        return (self.store.get("state", "demo") or {}).get("edition") == EDITION

    def expire_invitations(self) -> None:
        """Mark the invitations that have expired."""
        now = iso(self.clock.now())
        for user in list(self.store.all("users").values()):
            if user["status"] == "INVITED" and user["invitationExpiresDate"] < now:
                self.store.put("users", {**user, "status": "INVITATION_EXPIRED"})
                about = {"type": "USER", "id": user["id"]}
                params = {"name": user["name"], "email": user["email"]}
                notify(self, user["organizationId"], "INVITATION_EXPIRED", params, about)


_world: World | None = None


def open_world(options: Options, *, reset: bool) -> World:
    """Open the data in `options.data`; create the demo data if there is none of this edition, or for a reset."""
    global _world
    options.data.mkdir(parents=True, exist_ok=True)
    _world = World(options, Store(options.data / "sandbox.sqlite3"))
    if reset or not _world.is_current:
        _world.reset()
    _world.switch()
    _world.store.flush()
    return _world


def world() -> World:
    """Return the world of this process."""
    if _world is None:
        raise RuntimeError("open_world() has not been called")
    return _world
