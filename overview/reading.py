"""Reads that several views share: counts from lists, if the service has no summary, and the service's log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from console.audit.content import Change, Content, Entry, Ref, Value, as_value
from console.audit.query import ANY_TIME, Period
from console.l10n.dates import exact_time
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import Listing, ListParams
from upstream.nouns import our_name
from upstream.resources.audit_logs import LogEntry


@dataclass(frozen=True)
class Counted:
    """The number of rows in total and by status; None if unknown."""

    total: int | None = None
    by_status: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Lists:
    """The organization's counts, taken from its lists."""

    clinics: Counted
    teams: Counted
    users: Counted
    scanners: Counted
    partnerships: Counted


def counted(upstream: Upstream, organization_id: str) -> Lists:
    """Count with five lists; one that can't be read doesn't affect the others."""
    params, mine = ListParams(size=10), {"organization_id": organization_id}
    return Lists(
        *upstream.together(
            lambda: _counted(lambda: upstream.clinics.list(params, **mine)),
            lambda: _counted(lambda: upstream.teams.list(params, **mine)),
            lambda: _counted(lambda: upstream.users.list(params, **mine)),
            lambda: _counted(lambda: upstream.scanners.list(params, **mine)),
            lambda: _counted(lambda: upstream.partnerships.list(params)),
        )
    )


def _counted(read: Callable[[], Listing[Any]]) -> Counted:
    try:
        listing = read()
    except (NotDone, NotFound):
        return Counted()
    return Counted(listing.result_count, listing.facets.get("status"))


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


def _from_service(row: LogEntry, clinic_name: str) -> Entry:
    changes = [Change(our_name(change.field), _value(change.old), _value(change.new)) for change in row.changes]
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


def _value(value: Any) -> Value:
    """Return a value as the console stores it: booleans are "on" or "off"."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return as_value(value)
