"""Definitions of the lists with a page, by URL name."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from scanners.tables.expected_serials import EXPECTED
from scanners.tables.scanners import CLINIC_SCANNERS, SCANNERS

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "scanners:scanner-list": lambda _request: SCANNERS,
    "clinic_scanners:clinic-scanner-list": lambda _request: CLINIC_SCANNERS,
    "scanners:expected-serial-list": lambda _request: EXPECTED,
}
