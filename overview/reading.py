"""What several views read: the numbers from the lists, where the service has no summary; and what was done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from console.audit.content import Change, Content, Entry, Ref, Value, as_value
from console.l10n.dates import exact_time
from upstream.client import Upstream
from upstream.errors import NotDone, NotFound
from upstream.listing import Listing, ListParams
from upstream.nouns import our_name
from upstream.resources.audit_logs import LogEntry


@dataclass(frozen=True)
class Counted:
    """How many there are, and by their status; None where that is not known."""

    total: int | None = None
    by_status: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Lists:
    """The organization as its lists count it."""

    clinics: Counted
    teams: Counted
    users: Counted
    scanners: Counted
    partnerships: Counted


def counted(upstream: Upstream, organization_id: str) -> Lists:
    """Count by five lists; one that can't be read leaves the others."""
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


def service_log(upstream: Upstream, params: ListParams, since: datetime | None) -> Listing[Entry]:
    """Read a page of the service's own log, in the words of this console as far as these are known.

    Raises NotOffered where the service has none.
    """
    filters = {
        "clinic": params.filters.get("clinic", ()),
        "kind": tuple(service_kind for service_kind, kind in _KINDS.items() if kind in params.filters.get("kind", ())),
        "from": (exact_time(since),) if since else (),
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
"""What the service calls the kinds of things, and their codes here."""
_ACTIONS = {
    ("USER", "CREATE"): "invite",
    ("LAB", "CREATE"): "add",
    ("LAB", "DELETE"): "remove",
    ("PARTNERSHIP", "CREATE"): "send",
    ("ADMIN", "UPDATE"): "preferences",
}
"""Acts that are called otherwise for one kind."""


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
            # A partnership has no page of its own among the labs.
            target=Ref("" if row.kind == "PARTNERSHIP" else row.target_id, row.target_name or ""),
            clinic=Ref(row.clinic_id, clinic_name),
            changes=changes,
        ),
    )


def _value(value: Any) -> Value:
    """A value as it is stored here: what is switched is on or off."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return as_value(value)
