"""Definitions of the lists with a page, by URL name."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from partners.tables.labs import LABS
from partners.tables.my_labs import MY_LABS
from partners.tables.ordering import ORDERING
from partners.tables.partnerships import CLINIC_PARTNERS, TABS
from partners.tables.requests import ASKABLE

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "partners:lab-list": lambda _request: LABS,
    "partners:ordering-list": lambda _request: ORDERING,
    "partners:my-lab-list": lambda _request: MY_LABS,
    "partners:request-list": lambda _request: ASKABLE,
    "partners:asking-list": lambda _request: TABS["asking"].definition,
    "partners:partner-list": lambda _request: TABS["partner"].definition,
    "partners:sent-list": lambda _request: TABS["sent"].definition,
    "clinic_partners:clinic-partner-list": lambda _request: CLINIC_PARTNERS,
    "partners:past-list": lambda _request: TABS["past"].definition,
}
