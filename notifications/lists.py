"""Definitions of the lists with a page, by URL name."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from notifications.tables.notifications import NOTIFICATIONS

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "notifications:notification-list": lambda _request: NOTIFICATIONS,
}
