"""The page of decisions: the kinds of all apps are read separately, and each is decided on the page."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse

from console.bulk.bar import BarButton, bar_button
from console.lists.view import ListView
from console.web.access import private
from console.web.contributions import DecisionKind, contributed
from console.web.request import ConsoleRequest
from console.web.responses import show
from upstream.errors import NotDone, NotFound

logger = logging.getLogger(__name__)

MAX_ROWS = 10
"""Maximum number of rows of each kind."""


@dataclass(frozen=True)
class Part:
    """One kind as it is shown; without a list it could not be read."""

    kind: DecisionKind
    list: ListView | None = None
    form: str = ""
    """The ID of the form to which the rows' checkboxes belong."""
    path: str = ""
    buttons: Sequence[BarButton] = ()

    @property
    def has_more(self) -> bool:
        return self.list is not None and self.list.total > len(self.list.rows)


@private
def decision_list(request: ConsoleRequest) -> HttpResponse:
    kinds = sorted(contributed().decisions, key=lambda kind: kind.rank)
    results = request.upstream.together(*[_reading(request, kind) for kind in kinds])
    parts = [_part(request, kind, got) for kind, got in zip(kinds, results, strict=True)]
    return show(request, "overview/decision_list.html", parts=parts)


def _reading(request: ConsoleRequest, kind: DecisionKind) -> Callable[[], Any]:
    """Return a function that reads a kind concurrently with others; data stored by the console is read immediately."""
    try:
        begun = kind.read(request, MAX_ROWS)
    except DatabaseError as error:
        logger.warning("what waits could not be read: %s", type(error).__name__)
        return lambda: None

    def read() -> Any:
        try:
            return begun()
        except (NotDone, NotFound):
            return None

    return read


def _part(request: ConsoleRequest, kind: DecisionKind, result: Any) -> Part:
    if result is None:
        return Part(kind)
    view, bulk = kind.render(request, result, request.path)
    if bulk is None:
        return Part(kind, view)
    buttons = [bar_button(bulk, action) for action in bulk.offered() if action.name in kind.actions]
    return Part(kind, view, bulk.id, bulk.path, buttons)
