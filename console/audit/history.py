"""What was done to one thing, for its own page: one statement, and none of the service's calls.

The page is worth more: where the database can't be read, it says so in this place.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import DatabaseError

from console.audit import words
from console.audit.content import DONE, Change
from console.audit.listing import StoredActivity
from console.audit.reading import Entry, thing_key
from console.l10n.dates import exact_time, told
from console.lists.view import Cell
from console.web import contributions
from console.web.request import ConsoleRequest, organization_of, zone_of

logger = logging.getLogger(__name__)

NEWEST = 5
"""Entries that the page of a thing shows."""
PERMISSIONS = "permissions"
"""The act that sets permissions, of each kind that has them."""
MOST_CHANGES = 50
"""Changes of permissions among which the last one of each is looked for."""


class HistoryRow(NamedTuple):
    """One entry, as the page of its thing shows it."""

    date: Cell
    act: str
    changes: str
    who: str
    outcome: Cell
    href: str


@dataclass(frozen=True)
class History:
    """The newest entries about something, and the address of all; `is_read` is False where they could not be read."""

    rows: Sequence[HistoryRow] = ()
    all_href: str = ""
    is_read: bool = True


class LastChange(NamedTuple):
    """The last entry that set a field, and how."""

    entry: Entry
    change: Change


def activity_of(request: ConsoleRequest) -> StoredActivity:
    """What was done in this console, as far as who is logged in may see it; nothing is read yet."""
    return StoredActivity(organization_of(request), request.admin.identity)


def history_of(request: ConsoleRequest, kind: str, id: str) -> History:
    """Read the newest entries about the thing of this kind and ID."""
    key, stored = thing_key(organization_of(request), kind, id), activity_of(request)
    found = _read(lambda: stored.newest(key, NEWEST))
    if found is None:
        return History(is_read=False)
    return History([_row(request, entry, kind, id) for entry in found], contributions.activity_pages[0].list_href(key))


def last_changes(request: ConsoleRequest, kind: str, id: str) -> dict[str, LastChange]:
    """Return who set each permission of the thing last, by the field; nothing where that can't be read."""
    key, stored = thing_key(organization_of(request), kind, id), activity_of(request)
    last: dict[str, LastChange] = {}
    for entry in _read(lambda: stored.newest(key, MOST_CHANGES, acts=[PERMISSIONS])) or ():
        if not entry.is_readable and entry.outcome == DONE and entry.target == key:
            break  # it may have set any of them, so what is older need not be the last
        # The entry of a user is about the clinic, too.
        if entry.outcome == DONE and entry.kind == kind and entry.content.target.id == id:
            for change in entry.content.changes:
                last.setdefault(change.field, LastChange(entry, change))
    return last


def entry_href(entry: Entry) -> str:
    return contributions.activity_pages[0].entry_href(entry.id)


def _row(request: ConsoleRequest, entry: Entry, kind: str, id: str) -> HistoryRow:
    """The entry, which says what it is about unless that is the thing itself: a clinic's are about its users, too."""
    is_itself = (entry.kind, entry.content.target.id) == (kind, id)
    date = Cell(told(entry.at, zone_of(request)).local, at=exact_time(entry.at)) if entry.at else Cell("")
    return HistoryRow(
        date,
        words.act_text(entry.kind, entry.act) if is_itself else words.title_of(entry),
        words.changed_text(entry),
        entry.content.who,
        words.outcome_cell(entry.outcome),
        entry_href(entry),
    )


def _read(read: Callable[[], Sequence[Entry]]) -> Sequence[Entry] | None:
    try:
        return read()
    except DatabaseError as error:
        logger.warning("the activity could not be read: %s", type(error).__name__)
        return None
