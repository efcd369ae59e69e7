"""Definitions of the lists with a page, by URL name."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from scanners.tables.expected_serials import EXPECTED
from scanners.tables.scanners import SCANNERS

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "scanners:scanner-list": lambda _request: SCANNERS,
    "scanners:expected-serial-list": lambda _request: EXPECTED,
}
