"""Reads that several views of user management share: a user with the clinic, all choices, presets, reminders."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, partial
from typing import Any, cast

from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec.structs import replace

from console.errors import ObjectNotFound
from console.web.links import Link
from console.web.request import ConsoleRequest, get_organization_key, get_tz
from groups.labels import PERMISSIONS
from groups.links.clinics import Crumbs, clinic_crumbs
from groups.links.users import back_to_users, user_links
from groups.models import Preset
from groups.storage.presets import Presets
from groups.storage.reminders import Reminders
from upstream.client import Upstream
from upstream.listing import Listing, ListParams, all_by_name, read_all
from upstream.resources.clinics import Clinic, ClinicSettings
from upstream.resources.permissions import usual_settings
from upstream.resources.teams import Team
from upstream.resources.users import User

logger = logging.getLogger(__name__)

DIFFERS = "differs"
"""The name of the filter and sort by settings that differ from those of most clinics."""
_BY_COUNTRY = "country_code"


@dataclass(frozen=True)
class ClinicUser:
    """A user with their clinic, and the list that the user was opened from."""

    clinic: Clinic
    user: User
    back: str
    lock: Link | None = None
    """The link to lock or unlock the user."""

    @property
    def links(self) -> dict[str, str]:
        """The addresses of the user's pages, with the list to return to as it was."""
        return user_links(self.clinic.id, self.user.id, back=self.back)

    @property
    def crumbs(self) -> Crumbs:
        """The breadcrumbs from the list of clinics to this user's page."""
        return [*clinic_crumbs(self.clinic), {"label": self.user.called, "href": self.links["show"]}]


def find_clinic_user(request: ConsoleRequest, clinic_id: str, user_id: str) -> ClinicUser:
    """Read a user and the clinic. Raises ObjectNotFound if the user belongs to another clinic."""
    upstream = request.upstream
    clinic, user = upstream.together(lambda: upstream.clinics.get(clinic_id), lambda: upstream.users.get(user_id))
    return clinic_user(request, clinic, user)


def clinic_user(request: ConsoleRequest, clinic: Clinic, user: User) -> ClinicUser:
    """Return a user of this clinic. Raises ObjectNotFound if the user belongs to another one."""
    if user.clinic_id != clinic.id:
        raise ObjectNotFound("a user of another clinic")
    back = back_to_users(request, clinic.id)
    return ClinicUser(clinic, user, back, lock_link(request, user, user_links(clinic.id, user.id, back=back)))


def lock_link(request: ConsoleRequest, user: User, links: Mapping[str, str]) -> Link | None:
    """Return the link to lock or unlock this user; None if neither applies or the service doesn't offer it."""
    if not (links and request.upstream.users.can_be_locked):
        return None
    if user.is_locked:
        # Translators: button, a verb: let a locked user log in again.
        return Link(_("Unlock"), links["unlock"])
    # Translators: button, a verb: keep a user from logging in.
    return Link(_("Lock"), links["lock"]) if user.is_active else None


def get_presets(request: ConsoleRequest) -> Presets:
    """Return the presets of the administrator's organization; nothing is read yet."""
    return Presets(get_organization_key(request))


def every_preset(request: ConsoleRequest) -> list[Preset]:
    """Read the presets that can be chosen, by name; return none if they can't be read.

    Raises DatabaseError if that would drop a chosen one.
    """
    try:
        return [preset for preset in get_presets(request).all() if preset.is_readable]
    except DatabaseError as error:
        if request.POST.get("preset"):
            raise
        logger.warning("presets could not be read: %s", type(error).__name__)
        return []


def every_team(upstream: Upstream, clinic_id: str) -> list[Team]:
    """Read the teams of a clinic by name."""
    return all_by_name(upstream.together, partial(upstream.teams.list, clinic_id=clinic_id))


def every_clinic(upstream: Upstream, organization_id: str) -> list[Clinic]:
    """Read the clinics of the organization by name."""
    return all_by_name(upstream.together, partial(upstream.clinics.list, organization_id=organization_id))


def every_user(upstream: Upstream, clinic_id: str) -> list[User]:
    """Read the users of a clinic by name."""
    return all_by_name(upstream.together, partial(upstream.users.list, clinic_id=clinic_id))


@dataclass(frozen=True)
class Comparison:
    """The clinics of a search or country that were read, of `total` in all, and the settings of most of them."""

    clinics: Sequence[ClinicSettings]
    total: int
    facets: dict[str, dict[str, int]] = field(default_factory=dict)

    @cached_property
    def usual(self) -> dict[str, bool]:
        """The setting of each permission in most clinics."""
        return usual_settings([clinic.settings for clinic in self.clinics])

    def differences(self, clinic: ClinicSettings) -> list[str]:
        """Return the permissions of a clinic that most have set otherwise; an unknown setting doesn't differ."""
        settings = clinic.settings
        return [name for name, usual in self.usual.items() if settings.get(name, usual) != usual]

    def page(self, params: ListParams) -> Listing[ClinicSettings]:
        """Return the page of these clinics that a list asks for."""
        wanted = {name: chosen[0] == "on" for name, chosen in params.filters.items() if name in PERMISSIONS}
        matching = [
            clinic
            for clinic in self.clinics
            if all(clinic.settings.get(name) is value for name, value in wanted.items())
            if DIFFERS not in params.filters or self.differences(clinic)
        ]
        if params.sort == DIFFERS:
            matching.sort(key=lambda clinic: len(self.differences(clinic)), reverse=params.order == "desc")
        start = (params.page - 1) * params.size
        return Listing(matching[start : start + params.size], len(matching), params.page, params.size, self.facets)


class ComparedClinics:
    """The clinics with their permissions, for a list. An instance lives as long as a request.

    The service searches by name and country, but not by permission. To find the settings of most clinics, and the
    clinics that differ, all matches are read, up to SEARCH_LIMIT, 100 at a time.
    """

    def __init__(self, request: ConsoleRequest) -> None:
        self._upstream = request.upstream
        self._read_one = partial(self._upstream.clinics.list_settings, organization_id=request.admin.organization_id)
        self._compared: dict[str, Comparison] = {}

    def read(self, params: ListParams) -> Listing[ClinicSettings]:
        """Read a page, or rows by their IDs. Raises NotOffered if the service doesn't list permissions."""
        return self._read_one(params) if params.ids else self.compared(params).page(params)

    def compared(self, params: ListParams) -> Comparison:
        """Read all clinics of a list once, regardless of its page."""
        upstream_filters = {name: values for name, values in params.filters.items() if name == _BY_COUNTRY}
        is_local_sort = params.sort == DIFFERS
        upstream_params = replace(
            params,
            page=1,
            size=25,
            filters=upstream_filters,
            sort="name" if is_local_sort else params.sort,
            order="asc" if is_local_sort else params.order,
        )
        if (key := repr(upstream_params)) not in self._compared:
            all = read_all(self._upstream.together, self._read_one, params=upstream_params)
            self._compared[key] = Comparison(all.results, all.result_count, all.facets)
        return self._compared[key]


def get_reminders(request: ConsoleRequest) -> Reminders:
    """Return the reminders of the administrator's organization; nothing is read yet."""
    return Reminders(get_organization_key(request))


def get_today(request: ConsoleRequest) -> date:
    """Return the current day in the administrator's time zone."""
    return timezone.now().astimezone(get_tz(request)).date()


def count_due(request: ConsoleRequest) -> int:
    """Count the due reminders with one statement per request; return 0 if that fails: every page shows it."""
    counted = cast(Any, request)
    if not hasattr(counted, "due_reminder_count"):
        try:
            counted.due_reminder_count = get_reminders(request).count_due(get_today(request))
        except DatabaseError as error:
            logger.warning("the reminders could not be counted: %s", type(error).__name__)
            counted.due_reminder_count = 0
    return int(counted.due_reminder_count)
