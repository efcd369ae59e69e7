"""Reads of the dashboard, and of the service's log."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from console.audit.content import Change, Content, Entry, Ref, Value, as_value
from console.audit.query import ANY_TIME, Period
from console.l10n.dates import exact_time
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import PAGE_LIMIT, Listing, ListParams, chunked
from upstream.nouns import our_name
from upstream.resources.audit_logs import LogEntry
from upstream.resources.clinics import ClinicSettings
from upstream.resources.dashboards import Summary
from upstream.resources.partnerships import Partnership, State
from upstream.resources.scanners import APPROVED, PENDING, Scanner
from upstream.resources.users import INVITATION_EXPIRED, INVITED, User

Read = TypeVar("Read")

MAX_CALLS = 5
"""Calls of the service for the dashboard."""
IDLE_DAYS = 90
_INVITATIONS = (INVITED, INVITATION_EXPIRED)


@dataclass(frozen=True)
class Overview:
    """The lists that the dashboard counts; None for one that is not read, or could not be (`failed` has its name).

    `clinics`, `users` and `scanners` are first pages, with all rows of a small organization. Of a large one,
    `invitations` are the users without an account yet, with the facets of those who are idle; `waiting_scanners` and
    `requests` begin with the oldest; and `idle_scanners` are approved. `partnerships` are counted without a summary.
    """

    clinics: Listing[ClinicSettings] | None = None
    users: Listing[User] | None = None
    invitations: Listing[User] | None = None
    scanners: Listing[Scanner] | None = None
    waiting_scanners: Listing[Scanner] | None = None
    idle_scanners: Listing[Scanner] | None = None
    requests: Listing[Partnership] | None = None
    partnerships: Listing[Partnership] | None = None
    failed: frozenset[str] = frozenset()

    @property
    def all_users(self) -> list[User] | None:
        """All users; None if they are more than a page, or unknown."""
        return _whole(self.users)

    @property
    def all_scanners(self) -> list[Scanner] | None:
        return _whole(self.scanners)

    @property
    def all_clinics(self) -> list[ClinicSettings] | None:
        return _whole(self.clinics)


Row = TypeVar("Row")


def _whole(listing: Listing[Row] | None) -> list[Row] | None:
    return listing.results if listing and listing.result_count <= len(listing.results) else None


def read_overview(upstream: Upstream, summary: Summary | None, read_usage: Callable[[], Read]) -> tuple[Read, Overview]:
    """Read the lists concurrently with the usage dashboard's address; one that fails doesn't affect the others.

    With the counts of the badges and the address these are at most MAX_CALLS; a service that stores the address
    elsewhere takes two calls for it. What the summary shows to be empty is not read.
    """
    reads = _reads(upstream, summary)
    has_badges = upstream.dashboards.has_summary or upstream.notifications.has_unread_count
    max_reads = MAX_CALLS - has_badges - (1 if upstream.dashboards.has_url else 2)
    names = list(reads)[:max_reads]
    usage, *results = upstream.together(read_usage, *(partial(_listing_or_none, reads[name]) for name in names))
    lists = dict(zip(names, results, strict=True))
    return usage, Overview(**lists, failed=frozenset(name for name, result in lists.items() if result is None))


def _reads(upstream: Upstream, summary: Summary | None) -> dict[str, Callable[[], Listing[Any]]]:
    """Return the reads by the names of Overview, the most important first."""
    mine = {"organization_id": upstream.organization_id}
    page, oldest = ListParams(size=PAGE_LIMIT), ListParams(size=10)
    idle = (str(IDLE_DAYS),)
    invitations = replace(page, sort="created_date", filters={"status": _INVITATIONS, "last_login": idle})
    waiting = replace(oldest, sort="connected_date", filters={"status": (PENDING,)})
    unused = replace(oldest, filters={"status": (APPROVED,), "last_scan": idle})
    asking = {"status": ("PENDING",), "requested_by": ("LAB",)}
    requests = replace(oldest, sort="requested_date", filters=asking)
    reads: dict[str, Callable[[], Listing[Any]]] = {
        "clinics": lambda: upstream.clinics.list_with_settings(page, **mine),
        "users": lambda: upstream.users.list(page, **mine),
        "invitations": lambda: upstream.users.list(invitations, **mine),
        "scanners": lambda: upstream.scanners.list(page, **mine),
        "waiting_scanners": lambda: upstream.scanners.list(waiting, **mine),
        "idle_scanners": lambda: upstream.scanners.list(unused, **mine),
        "requests": lambda: upstream.partnerships.list(requests),
        "partnerships": lambda: upstream.partnerships.list(oldest),
    }
    if summary is None:
        names = ["clinics", "users", "scanners", "partnerships"]
    else:
        scanners, users = sum(summary.scanner_counts.values()), summary.user_count or 0
        names = [
            *(["clinics"] if summary.main_group_count else []),
            *(["users" if users <= PAGE_LIMIT else "invitations"] if users else []),
            *(["scanners"] if 0 < scanners <= PAGE_LIMIT else []),
            *(["waiting_scanners"] if scanners > PAGE_LIMIT and summary.scanner_counts.get(PENDING) else []),
            *(["requests"] if summary.partnership_counts.get("PENDING_IN") else []),
            *(["idle_scanners"] if scanners > PAGE_LIMIT else []),
        ]
    return {name: reads[name] for name in names}


def _listing_or_none(read: Callable[[], Listing[Any]]) -> Listing[Any] | None:
    try:
        return read()
    except (NotDone, NotFound):
        return None


def service_log(upstream: Upstream, params: ListParams, period: Period = ANY_TIME) -> Listing[Entry]:
    """Read a page of the service's own log, translated to this console's codes if they are known.

    Raises NotOffered if the service has no log.
    """
    filters = {
        "clinic": params.filters.get("clinic", ()),
        "kind": tuple(service_kind for service_kind, kind in _KINDS.items() if kind in params.filters.get("kind", ())),
        "from": (exact_time(period.start),) if period.start else (),
        "to": (exact_time(period.end),) if period.end else (),
    }
    listing = upstream.audit_logs.list(replace(params, sort="date", order="desc", filters=filters))
    names = upstream.clinics.get_known_names(listing.results)
    return Listing(
        [_from_service(row, names.get(row.clinic_id, "")) for row in listing.results],
        listing.result_count,
        listing.page,
        listing.size,
    )


def read_user_emails(upstream: Upstream, entries: Iterable[Entry]) -> dict[str, str]:
    """Return the current email addresses of the users that entries are about, by ID, with a call for each 100.

    Users who no longer exist, or who can't be read, are left out.
    """
    ids = dict.fromkeys(e.content.target.id for e in entries if e.kind == "user" and e.content.target.id)
    emails = dict[str, str]()
    for chunk in chunked(list(ids)):
        params = ListParams(size=PAGE_LIMIT, ids=tuple(chunk))
        try:
            users = upstream.users.list(params, organization_id=upstream.organization_id).results
        except (NotDone, NotFound):
            break
        emails |= {user.id: user.email for user in users}
    return emails


_KINDS = {
    "MAIN_GROUP": "clinic",
    "SUB_GROUP": "team",
    "USER": "user",
    "SCANNER": "scanner",
    "LAB": "lab",
    "PARTNERSHIP": "lab",
    "ORGANIZATION": "organization",
    "ADMIN": "administrator",
}
"""The console's kinds by the service's kinds."""
_ACTIONS = {
    ("USER", "CREATE"): "invite",
    ("LAB", "CREATE"): "add",
    ("LAB", "DELETE"): "remove",
    ("PARTNERSHIP", "CREATE"): "send",
    ("ADMIN", "UPDATE"): "preferences",
}
"""Actions whose names differ for one kind."""
_SENDER_ACTIONS = ("CREATE", "CANCEL")
"""Actions of the side that sent a request; the log has the same status for sent and received requests."""


def _from_service(row: LogEntry, clinic_name: str) -> Entry:
    is_sent = row.kind == "PARTNERSHIP" and row.action in _SENDER_ACTIONS
    changes = [
        Change(our_name(change.field), _value(change.old, is_sent=is_sent), _value(change.new, is_sent=is_sent))
        for change in row.changes
    ]
    return Entry(
        id=row.id,
        at=row.date,
        action=_ACTIONS.get((row.kind, row.action), "edit" if row.action == "UPDATE" else row.action.lower()),
        kind=_KINDS.get(row.kind, row.kind),
        outcome=row.result.lower(),
        key="",
        parent="",
        is_bulk=False,
        content=Content(
            who=row.actor_name or row.actor_id or "",
            # Partnerships have no page among the labs.
            target=Ref("" if row.kind == "PARTNERSHIP" else row.target_id, row.target_name or ""),
            clinic=Ref(row.clinic_id, clinic_name),
            changes=changes,
        ),
    )


def _value(value: Any, *, is_sent: bool) -> Value:
    """Return a value as the console stores it: booleans are "on" or "off"."""
    if is_sent and value == State.PENDING:
        return State.REQUEST_SENT
    if isinstance(value, bool):
        return "on" if value else "off"
    return as_value(value)
