"""The definitions of the lists that have their own page, by URL name."""

from collections.abc import Callable

from console.lists.query import ListDefinition
from console.web.request import ConsoleRequest
from groups.tables.all_permissions import ALL_PERMISSIONS
from groups.tables.clinics import CLINICS
from groups.tables.presets import PRESETS
from groups.tables.review import REVIEW, SIGNED_REVIEWS
from groups.tables.teams import TEAMS
from groups.tables.users import ALL_USERS, USERS

LISTS: dict[str, Callable[[ConsoleRequest], ListDefinition]] = {
    "groups:clinic-list": lambda _request: CLINICS,
    "groups:user-list": lambda _request: USERS,
    "groups:all-user-list": lambda _request: ALL_USERS,
    "groups:team-list": lambda _request: TEAMS,
    "groups:all-team-list": lambda _request: TEAMS,
    "groups:all-permission-list": lambda _request: ALL_PERMISSIONS,
    "groups:preset-list": lambda _request: PRESETS,
    "groups:review-list": lambda _request: REVIEW,
    "groups:signed-review-list": lambda _request: SIGNED_REVIEWS,
}
