"""What of user management waits for a decision: invitations that ended before anybody accepted them."""

from datetime import UTC, datetime

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from console.bulk.action import BulkList
from console.http import ConsoleRequest
from console.lists.view import ListView
from console.registry import DecisionKind
from console.upstream.client import Upstream
from console.upstream.listing import Listing, ListParams
from console.upstream.resources.users import User
from groups import links
from groups.bulk.users import user_bulk
from groups.tables.ended_invitations import ended_table

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
    read=_read,
    draw=_draw,
    actions=("resend", "cancel"),
    all_href=lambda: f"{links.user_list_url()}?status=INVITATION_EXPIRED&sort=created_date&order=asc",
    rank=3,
)
