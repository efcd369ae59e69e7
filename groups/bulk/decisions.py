"""Pending decisions of user management: expired invitations, and due reminders."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from console.bulk.action import BulkList
from console.l10n.numbers import ngettext
from console.lists.view import ListView
from console.web.contributions import DecisionKind
from console.web.request import ConsoleRequest
from groups.bulk.users import AllUserActions
from groups.links.users import user_list_url
from groups.models import Reminder
from groups.reading import count_due, get_reminders, get_today
from groups.tables.ended_invitations import ended_table
from groups.tables.reminders import due_table
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import PAGE_LIMIT, Listing, ListParams
from upstream.resources.users import User

_EVER = datetime.min.replace(tzinfo=UTC)


def _read(upstream: Upstream, size: int) -> Listing[User]:
    """Read the invitations that expired first. The service sorts by creation, so the oldest come first."""
    params = ListParams(size=size, sort="created_date", filters={"status": ("INVITATION_EXPIRED",)})
    listing = upstream.users.list(params, organization_id=upstream.organization_id)
    rows = sorted(listing.results, key=lambda user: user.invitation_expires_date or _EVER)
    return replace(listing, results=rows)


def _render(request: ConsoleRequest, listing: Listing[User], path: str) -> tuple[ListView, BulkList[User]]:
    return ended_table(listing, path=path, now=timezone.now()), AllUserActions(request)


ENDED_INVITATIONS = DecisionKind(
    name="invitations",
    # Translators: a heading: invitations of users that were not accepted in time.
    title=_("Expired invitations"),
    nothing=_("No invitations have expired."),
    count=lambda summary: summary.expired_invitation_count or 0,
    waiting=lambda n: ngettext("%(count)s expired invitation", "%(count)s expired invitations", n),
    read=lambda request, size: partial(_read, request.upstream, size),
    render=_render,
    actions=("resend", "cancel"),
    all_href=lambda: f"{user_list_url()}?status=INVITATION_EXPIRED&sort=created_date&order=asc",
    rank=3,
    is_counted=False,
)


ExistingSubjects = Mapping[str, Mapping[str, Any] | None]
"""The subjects of reminders that exist, by kind and ID; None for a kind that could not be read."""
Due = tuple[Listing[Reminder], ExistingSubjects]


def _read_due_reminders(request: ConsoleRequest, _size: int) -> Callable[[], Due]:
    """Read the due reminders, and return the function that reads their subjects concurrently with other decisions.

    The subjects tell the users' current clinics, and who no longer exists.
    """
    due = get_reminders(request).due(get_today(request), PAGE_LIMIT)
    return partial(_with_subjects, request.upstream, due)


def _with_subjects(upstream: Upstream, due: Listing[Reminder]) -> Due:
    subjects = [reminder.content.subject for reminder in due.results]
    lists: dict[str, Callable[..., Listing[Any]]] = {"user": upstream.users.list, "clinic": upstream.clinics.list}
    ids = {kind: tuple({subject.id for subject in subjects if subject.kind == kind}) for kind in lists}

    def read(kind: str) -> Mapping[str, Any] | None:
        if not ids[kind]:
            return {}
        try:
            params = ListParams(size=PAGE_LIMIT, ids=ids[kind])
            listing: Listing[Any] = lists[kind](params, organization_id=upstream.organization_id)
        except (NotDone, NotFound):
            return None  # the reminders are shown anyway
        return {row.id: row for row in listing.results}

    return due, {kind: read(kind) for kind in lists}


DUE_REMINDERS = DecisionKind(
    name="reminders",
    # Translators: heading above users and permissions for which a reminder is due on this day.
    title=_("Reminders"),
    nothing=_("No reminders due today."),
    count=lambda _summary: 0,
    waiting=lambda n: ngettext("%(count)s reminder due", "%(count)s reminders due", n),
    stored_count=count_due,
    read=_read_due_reminders,
    render=lambda _request, data, path: (due_table(data[0], path=path, existing=data[1]), None),
    actions=(),
    all_href=lambda: "",
    rank=4,
)
