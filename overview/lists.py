"""Definitions of the lists with a page, by URL name."""

from collections.abc import Callable

from console.audit.query import stored_activity
from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from overview.tables.activity import activity_definition, service_definition

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "overview:activity-list": lambda request: activity_definition(stored_activity(request).people()),
    "overview:service-log-list": lambda _request: service_definition(),
}
