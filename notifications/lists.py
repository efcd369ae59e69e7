"""What can be asked of the lists that have a page of their own, by the names of their URLs."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from notifications.tables.notifications import NOTIFICATIONS

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "notifications:notification-list": lambda _request: NOTIFICATIONS,
}
