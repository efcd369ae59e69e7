"""The routes of the console, and paths with example ids: `ROUTES`, `PRIVATE`, and `Route.path()`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLResolver, get_resolver

IDS = {
    "action": "delete",
    "clinic_id": "g-1",
    "user_id": "u-1",
    "team_id": "t-1",
    "lab_id": "l-1",
    "partnership_id": "p-1",
    "scanner_id": "s-1",
    "expected_id": "1",
    "reminder_id": "1",
    "preset_id": "1",
    "entry_id": "1",
    "review_id": "2",
    "view_id": "1",
    "import_id": "1",
    "step": "columns",
    "link_id": "7b7c1f7e-5a5a-4d0b-9a4e-3f8f6c1f0a11",
    "session_id": "e-1",
    "tag": "en-US",
    "version": "0",
    "name": "x",
    "notification_id": "n-1",
    "kind": "xlsx",
    "until": "20260105T083000Z",
}
"""An example for each variable part of a path; those of the service's objects are the ids of the factories."""
IDS_BY_ROUTE = {
    "scanner-bulk-run": {"action": "approve"},
    "lab-bulk-run": {"action": "add"},
    "all-permission-bulk-run": {"action": "permissions"},
    "my-lab-bulk-run": {"action": "remove"},
    "asking-bulk-run": {"action": "accept"},
    "sent-bulk-run": {"action": "cancel"},
    "request-bulk-run": {"action": "send"},
    "user-import-step": {"import_id": "2"},
    "all-user-import-step": {"import_id": "3"},
    "expected-serial-import-step": {"import_id": "4"},
    "service-log-show": {"entry_id": "e-1"},
}
"""Other examples for one route, by its name."""


@dataclass(frozen=True)
class Route:
    """A route; its pattern is the path with placeholders, as in `/clinic/<id:clinic_id>`. `app` has its URL."""

    name: str
    pattern: str
    view: Any
    app: str

    def __str__(self) -> str:
        return self.pattern

    @property
    def parameters(self) -> list[str]:
        """The names of the placeholders."""
        return re.findall(r"<\w+:(\w+)>", self.pattern)

    @property
    def access(self) -> str:
        return str(self.view.access)

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(self.view.methods)

    def path(self, **ids: str) -> str:
        """Return the path with these ids, and with examples for the others. KeyError for a placeholder without any."""
        values = IDS | IDS_BY_ROUTE.get(self.name, {}) | ids
        return re.sub(r"<\w+:(\w+)>", lambda placeholder: values[placeholder[1]], self.pattern)


def _routes(resolver: URLResolver, prefix: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _routes(entry, prefix + str(entry.pattern))
        elif entry.name != "unknown":
            app = resolver.app_name or str(entry.callback.__module__).split(".")[0]
            yield Route(entry.name or "", prefix + str(entry.pattern), entry.callback, app)


ROUTES = list(_routes(get_resolver(), "/"))
PRIVATE = [route for route in ROUTES if route.access == "private"]
