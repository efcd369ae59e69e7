"""What of user management waits for a decision: invitations that ended, and what somebody wanted to look at again."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from console.bulk.action import BulkList
from console.http import ConsoleRequest
from console.lists.view import ListView
from console.registry import DecisionKind
from console.upstream.client import Upstream
from console.upstream.errors import NotDone, NotFound
from console.upstream.listing import PAGE_LIMIT, Listing, ListParams
from console.upstream.resources.users import User
from groups import links
from groups.bulk.users import user_bulk
from groups.models import Reminder
from groups.reading import count_due, reminders_of, today_of
from groups.tables.ended_invitations import ended_table
from groups.tables.reminders import due_table

_EVER = datetime.min.replace(tzinfo=UTC)


def _read(upstream: Upstream, size: int) -> Listing[User]:
    """The service sorts by when they were created: those who were invited first ended first."""
    params = ListParams(size=size, sort="created_date", filters={"status": ("INVITATION_EXPIRED",)})
    found = upstream.users.list(params, organization_id=upstream.organization_id)
    rows = sorted(found.results, key=lambda user: user.invitation_expires_date or _EVER)
    return replace(found, results=rows)


def _draw(request: ConsoleRequest, found: Listing[User], path: str) -> tuple[ListView, BulkList[User]]:
    return ended_table(found, path=path, now=timezone.now()), user_bulk(request)


ENDED_INVITATIONS = DecisionKind(
    name="invitations",
    title=_("Expired invitations"),
    nothing=_("No invitations have expired."),
    failed=_("The invitations could not be read."),
    count=lambda summary: summary.expired_invitation_count or 0,
    read=lambda request, size: partial(_read, request.upstream, size),
    draw=_draw,
    actions=("resend", "cancel"),
    all_href=lambda: f"{links.user_list_url()}?status=INVITATION_EXPIRED&sort=created_date&order=asc",
    rank=3,
)


Due = tuple[Listing[Reminder], Mapping[str, User] | None]


def _begin(request: ConsoleRequest, _size: int) -> Callable[[], Due]:
    """The reminders are read now, and beside other kinds the users that they are about: where those are, or none."""
    due = reminders_of(request).due(today_of(request), PAGE_LIMIT)
    subjects = [reminder.content.subject for reminder in due.results]
    ids = tuple({subject.id for subject in subjects if subject.kind == "user"})
    return partial(_with_users, request.upstream, due, ids)


def _with_users(upstream: Upstream, due: Listing[Reminder], ids: tuple[str, ...]) -> Due:
    if not ids:
        return due, {}
    try:
        found = upstream.users.list(ListParams(size=PAGE_LIMIT, ids=ids), organization_id=upstream.organization_id)
    except (NotDone, NotFound):
        return due, None  # the reminder is worth more
    return due, {user.id: user for user in found.results}


DUE_REMINDERS = DecisionKind(
    name="reminders",
    # Translators: heading above users and permissions of which somebody wanted to be reminded on this day.
    title=_("Look again"),
    nothing=_("There is nothing to look at again today."),
    failed=_("The dates could not be read."),
    count=lambda _summary: 0,
    kept=count_due,
    read=_begin,
    draw=lambda _request, found, path: (due_table(found[0], path=path, users=found[1]), None),
    actions=(),
    all_href=lambda: "",
    rank=4,
)
