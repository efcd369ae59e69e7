"""The activity of an organization: lists, files, single entries, and the history of one object.

A list takes the same few statements regardless of the number of entries: it has pages for the newest
MAX_LISTED_ENTRIES matches, and only a file has all of them. The history of an object is one statement and no call of
the service; if the database can't be read, the object's page shows a message in its place.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import partial, reduce
from operator import or_
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.models import Count, Max, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce, Lower, TruncDate

from console.audit import words
from console.audit.content import DONE, Change, Content, Entry, thing_key
from console.config.encryption import Unreadable
from console.errors import ObjectNotFound
from console.l10n.countries import sort_key
from console.l10n.dates import exact_time, local_moment
from console.lists.view import Cell
from console.models import Activity
from console.web.contributions import ActivityPages, contributed
from console.web.request import ConsoleRequest, get_organization_key, get_tz
from upstream.listing import PAGE_LIMIT, Listing, ListParams

logger = logging.getLogger(__name__)

MAX_LISTED_ENTRIES = 10_000
"""Maximum entries that a list has pages for."""
MAX_SEARCHED_ENTRIES = 5_000
"""Maximum entries that a search decrypts, which takes some 35 ms per 1,000: the newest ones that match the filters."""
MAX_ADMINISTRATORS = 200
"""Maximum administrators in the filter: the most recently active ones."""
_COLUMN_FILTERS = {"person": "who", "kind": "kind", "outcome": "outcome"}
"""Filters by name, with their column."""
_CLINICS = ("target", "clinic", "other_clinic")
_KEY_COLUMNS = (*_CLINICS, "team", "other_team")
"""Columns that may have the key of an object."""
_SEARCHED_FIELDS = ("name", "email")
"""Fields whose values a search finds, too."""
NEWEST = 5
"""Entries that the page of an object shows."""
PERMISSIONS = "permissions"
"""The code of the action that sets permissions, for all kinds that have them."""
MAX_PERMISSION_CHANGES = 50
"""Newest entries that are searched for the last change of each permission."""


class Period(NamedTuple):
    """The time from `start` until before `end`; None leaves that side open."""

    start: datetime | None = None
    end: datetime | None = None

    def conditions(self, column: str) -> dict[str, datetime]:
        """Return the conditions of a query on this column."""
        limits = {f"{column}__gte": self.start, f"{column}__lt": self.end}
        return {condition: limit for condition, limit in limits.items() if limit}


ANY_TIME = Period()


class HistoryRow(NamedTuple):
    """One entry, as the page of its object shows it."""

    date: Cell
    action: str
    changes: str
    administrator: str
    outcome: Cell
    href: str


@dataclass(frozen=True)
class History:
    """The newest entries about an object, and the address of all; `is_read` is False if reading them failed.

    `all_sources_href` is the address of its changes in the service's log, "" if there is none.
    """

    rows: Sequence[HistoryRow] = ()
    all_href: str = ""
    all_sources_href: str = ""
    is_read: bool = True


class LastChange(NamedTuple):
    """The last entry that set a field, and its change."""

    entry: Entry
    change: Change


class StoredActivity:
    """The entries of one `organization` that an `administrator` may see; both are keyed hashes."""

    def __init__(self, organization: str, administrator: str) -> None:
        self._organization, self._administrator = organization, administrator

    def list(self, params: ListParams, *, period: Period = ANY_TIME) -> Listing[Entry]:
        """Read a page, newest first. A bulk action is one entry, unless a filter applies to its rows.

        Filters: `person`, `thing` (keyed hashes), `act` ("user.edit"), `kind`, `outcome`, `clinic` (IDs). A keyword
        finds names, with its words in any order.
        """
        rows, keys_by_column = self._matching(params, period)
        if params.keyword:
            ids = _search(rows.filter(is_bulk=False), keys_by_column, params.keyword)
        elif keys_by_column:
            ids = _newest_ids(rows.filter(is_bulk=False), keys_by_column, MAX_LISTED_ENTRIES)
        else:
            return _page(rows.filter(parent=""), params)
        return _ids_page(ids, params)

    def is_searched_completely(self, params: ListParams, *, period: Period = ANY_TIME) -> bool:
        """Return whether a search covers all entries that match the filters."""
        rows, keys_by_column = self._matching(params, period)
        ids = _newest_ids(rows.filter(is_bulk=False), keys_by_column, MAX_SEARCHED_ENTRIES + 1)
        return len(ids) <= MAX_SEARCHED_ENTRIES

    def rows(self, entry: Entry, params: ListParams) -> Listing[Entry]:
        """Read a page of the rows of a bulk action, in the order of their execution."""
        return _page(_apply_filters(self._bulk_rows(entry), params), params, by="id")

    def get(self, id: str) -> Entry:
        """Read one entry. Raises ObjectNotFound."""
        number = int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0
        for row in self._rows.filter(pk=number):
            return _entry(row)
        raise ObjectNotFound("no such entry")

    def get_bulk_entry(self, row: Entry) -> Entry | None:
        """Read the bulk action of a row; None if it has none."""
        parents = self._rows.filter(key=row.parent) if row.parent else self._rows.none()
        return next((_entry(parent) for parent in parents), None)

    def newest(self, thing: str, count: int, *, actions: Sequence[str] = ()) -> Sequence[Entry]:
        """Read the newest entries about an object (its `thing_key`), of these actions or of all."""
        rows = self._visible(_by_expressions(self._organization)).filter(is_bulk=False)
        rows = rows.filter(act__in=actions) if actions else rows
        return _read_all(_newest_ids(rows, dict.fromkeys(_KEY_COLUMNS, (thing,)), count))

    def last_done(self, kind: str, action: str) -> Entry | None:
        """Read the newest bulk action of this code that was done."""
        rows = self._rows.filter(kind=kind, act=action, is_bulk=True, outcome=DONE)
        return next((_entry(row) for row in rows.order_by("-id")[:1]), None)

    def daily_counts(self, since: datetime, tz: tzinfo) -> dict[date, int]:
        """Count the entries of each day in this zone, as the list has them; days without any are missing."""
        rows = self._rows.filter(parent="", at__gte=since).annotate(day=TruncDate("at", tzinfo=tz))
        return dict(rows.values_list("day").annotate(Count("id")).order_by("day"))

    def bulk_rows(
        self, kind: str, actions: Sequence[str], *, after: int, single: Sequence[str] = ()
    ) -> Iterator[Entry]:
        """Read the rows of such bulk actions, and `single` actions, after an entry (its ID), oldest first."""
        rows = self._rows.filter(kind=kind, act__in=actions, is_bulk=False, id__gt=after)
        return map(_entry, rows.exclude(~Q(act__in=single), parent="").order_by("id"))

    def people(self) -> dict[str, str]:
        """Return the last known names of the administrators with entries, by keyed hash."""
        last = (
            Activity.objects.filter(organization=self._organization)
            .values("who")
            .annotate(last=Max("id"))
            .order_by("-last")
        )
        rows = Activity.objects.filter(id__in=last.values("last")[:MAX_ADMINISTRATORS]).order_by("-id")
        return {key: _name(content) for key, content in rows.values_list("who", "content")}

    def whole(self, params: ListParams, *, period: Period = ANY_TIME) -> Callable[[ListParams], Listing[Entry]]:
        """Return a function that reads all matches page by page, with the rows of bulk actions as single entries."""
        rows, keys_by_column = self._matching(params, period)
        rows = rows.filter(is_bulk=False)
        if params.keyword:
            return partial(_ids_page, _search(rows, keys_by_column, params.keyword))
        return (_KeyReader(rows, keys_by_column) if keys_by_column else _Reader(rows, "-id")).read

    def whole_rows(self, entry: Entry, params: ListParams) -> Callable[[ListParams], Listing[Entry]]:
        """Return a function that reads all matching rows of a bulk action page by page."""
        return _Reader(_apply_filters(self._bulk_rows(entry), params), "id").read

    @property
    def _rows(self) -> QuerySet[Activity]:
        return self._visible(Activity.objects.filter(organization=self._organization))

    def _bulk_rows(self, entry: Entry) -> QuerySet[Activity]:
        return self._rows.filter(parent=entry.key) if entry.is_bulk and entry.key else self._rows.none()

    def _visible(self, rows: QuerySet[Activity]) -> QuerySet[Activity]:
        return rows.filter(~Q(kind__in=_private_kinds()) | Q(who=self._administrator))

    def _matching(self, params: ListParams, period: Period) -> tuple[QuerySet[Activity], Mapping[str, Sequence[str]]]:
        """Return the rows that match the other filters, and the keys to look for by column, if any."""
        filters = params.filters
        clinics = [thing_key(self._organization, "clinic", id) for id in filters.get("clinic") or ()]
        things = filters.get("thing")
        keys_by_column = (
            dict.fromkeys(_KEY_COLUMNS, things) if things else dict.fromkeys(_CLINICS, clinics) if clinics else {}
        )
        if keys_by_column:
            rows = self._visible(_by_expressions(self._organization, period))
        else:
            rows = self._rows.filter(**period.conditions("at"))
        if things and clinics:
            rows = rows.filter(reduce(or_, (Q(**{f"{column}__in": clinics}) for column in _CLINICS)))
        rows = _apply_filters(rows, params)
        if actions := filters.get("act"):
            pairs = (action.partition(".") for action in actions)
            rows = rows.filter(reduce(or_, (Q(kind=kind, act=code) for kind, _dot, code in pairs)))
        return rows, keys_by_column


class _Reader:
    """Reads all rows in order, page by page.

    Each page starts after the end of the previous one, so entries that are stored concurrently shift no row.
    """

    def __init__(self, rows: QuerySet[Activity], by: str) -> None:
        self._rows, self._by, self._count = rows, by, 0
        self._ends: dict[int, int] = {}
        self._last = Listing[Entry]([], page=0)

    def read(self, params: ListParams) -> Listing[Entry]:
        """Read a page, after the previous one. Reading a full page again right away takes no query."""
        if params.page == self._last.page and len(self._last.results) == PAGE_LIMIT:
            return self._last
        if params.page == 1:
            if not self._ends:
                self._rows = self._rows.filter(id__lte=self._newest())
            self._count = self._count_all()  # old entries may have been deleted since
        rows = self._rows
        if params.page > 1:
            end = self._ends.get(params.page - 1, 0)
            rows = rows.filter(id__lt=end) if self._by == "-id" else rows.filter(id__gt=end)
        results = self._first(rows)
        if results:
            self._ends[params.page] = int(results[-1].id)
        self._last = Listing(results, self._count, params.page, PAGE_LIMIT)
        return self._last

    def _newest(self) -> int:
        return self._rows.order_by("-id").values_list("id", flat=True).first() or 0

    def _count_all(self) -> int:
        return self._rows.count()

    def _first(self, rows: QuerySet[Activity]) -> list[Entry]:
        return [_entry(row) for row in rows.order_by(self._by)[:PAGE_LIMIT]]


class _KeyReader(_Reader):
    """Reads the rows that have one of the keys in its column, newest first."""

    def __init__(self, rows: QuerySet[Activity], keys_by_column: Mapping[str, Sequence[str]]) -> None:
        super().__init__(rows, "-id")
        self._keys_by_column = keys_by_column

    def _newest(self) -> int:
        return next(iter(_newest_ids(self._rows, self._keys_by_column, 1)), 0)

    def _count_all(self) -> int:
        query, values = _matching_ids(self._rows, self._keys_by_column)
        ((count,),) = _fetch(f"SELECT COUNT(DISTINCT id) FROM ({query}) AS ids", values)  # noqa: S608
        return int(count)

    def _first(self, rows: QuerySet[Activity]) -> list[Entry]:
        return _read_all(_newest_ids(rows, self._keys_by_column, PAGE_LIMIT))


def _private_kinds() -> list[str]:
    """Return the kinds of which administrators see only their own entries."""
    return [kind.code for kind in contributed().activity.values() if kind.is_personal]


def _by_expressions(organization: str, period: Period = ANY_TIME) -> QuerySet[Activity]:
    """Return entries by expressions, so that the database doesn't use the indexes of organization and time.

    By those it would read all entries.
    """
    rows: QuerySet[Activity] = Activity.objects.alias(owner=Lower("organization")).filter(owner=organization)
    return rows.alias(moment=Coalesce("at", "at")).filter(**period.conditions("moment"))


def _matching_ids(
    rows: QuerySet[Activity], keys_by_column: Mapping[str, Sequence[str]], limit: int | None = None
) -> tuple[str, list[Any]]:
    """Return a query for the IDs of the rows that have one of the keys in its column, and its parameters.

    It finds the newest `limit` rows of each column, or all. Each column has an index, which is read from its newest
    end; conditions joined by OR would read all rows. A row that matches in several columns is found several times.
    """
    parts: list[str] = []
    values: list[Any] = []
    for column, keys in keys_by_column.items():
        newest = rows.filter(**{f"{column}__in": keys}).order_by("-id").values("id")[:limit]
        part, part_values = newest.query.sql_with_params()
        parts.append(f"SELECT id FROM ({part}) AS ids_{column}")  # noqa: S608  # our own names
        values.extend(part_values)
    return " UNION ALL ".join(parts), values


def _newest_ids(rows: QuerySet[Activity], keys_by_column: Mapping[str, Sequence[str]], limit: int) -> list[int]:
    """Return the IDs of the newest rows that have one of the keys in its column; of all rows without keys."""
    if not keys_by_column:
        return list(rows.order_by("-id").values_list("id", flat=True)[:limit])
    return [id for (id,) in _fetch(*_newest_query(rows, keys_by_column, limit))]


def _newest_query(
    rows: QuerySet[Activity], keys_by_column: Mapping[str, Sequence[str]], limit: int
) -> tuple[str, list[Any]]:
    query, values = _matching_ids(rows, keys_by_column, limit)
    return f"SELECT DISTINCT id FROM ({query}) AS ids ORDER BY id DESC LIMIT {limit}", values  # noqa: S608


def _search(rows: QuerySet[Activity], keys_by_column: Mapping[str, Sequence[str]], keyword: str) -> list[int]:
    """Return the IDs of the newest rows that have all words of the keyword in their names."""
    if keys_by_column:
        newest = RawSQL(*_newest_query(rows, keys_by_column, MAX_SEARCHED_ENTRIES))  # noqa: S611  # our own names
        rows = Activity.objects.filter(id__in=newest)
    contents = rows.order_by("-id").values_list("id", "content")[:MAX_SEARCHED_ENTRIES]
    words = sort_key(keyword).split()
    return [id for id, content in contents if _has_words(content, words)]


def _has_words(content: str, words: Sequence[str]) -> bool:
    try:
        about = Content.decrypt(content)
    except Unreadable:
        return False
    refs = (about.target, about.clinic, about.other_clinic, about.team, about.other_team)
    values = (
        value for change in about.changes if change.field in _SEARCHED_FIELDS for value in (change.old, change.new)
    )
    texts = [about.who, *(ref.name for ref in refs), *(value for value in values if isinstance(value, str))]
    names = "\n".join(map(sort_key, texts))
    return all(word in names for word in words)


def _read_all(ids: Sequence[int]) -> list[Entry]:
    """Read these entries, in this order."""
    rows = Activity.objects.in_bulk(ids)
    return [_entry(rows[id]) for id in ids if id in rows]


def _fetch(statement: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _apply_filters(rows: QuerySet[Activity], params: ListParams) -> QuerySet[Activity]:
    filters = {column: params.filters.get(name) for name, column in _COLUMN_FILTERS.items()}
    return rows.filter(**{f"{column}__in": values for column, values in filters.items() if values})


def _page(rows: QuerySet[Activity], params: ListParams, *, by: str = "-id") -> Listing[Entry]:
    start = _start(params)
    count = rows.values("id")[:MAX_LISTED_ENTRIES].count()
    page_rows = rows.order_by(by)[start : min(start + params.size, MAX_LISTED_ENTRIES)]
    return Listing([_entry(row) for row in page_rows], count, params.page, params.size)


def _ids_page(ids: Sequence[int], params: ListParams) -> Listing[Entry]:
    start = _start(params)
    return Listing(_read_all(ids[start : start + params.size]), len(ids), params.page, params.size)


def _start(params: ListParams) -> int:
    return min((params.page - 1) * params.size, MAX_LISTED_ENTRIES)


def _name(content: str) -> str:
    try:
        return Content.decrypt(content).who
    except Unreadable:
        return ""


def stored_activity(request: ConsoleRequest) -> StoredActivity:
    """Return the entries that the current administrator may see; nothing is read yet."""
    return StoredActivity(get_organization_key(request), request.admin.identity)


def read_history(request: ConsoleRequest, kind: str, id: str, name: str) -> History:
    """Read the newest entries about an object; the service's log is searched by its `name`."""
    key, stored = thing_key(get_organization_key(request), kind, id), stored_activity(request)
    entries = _read_or_none(lambda: stored.newest(key, NEWEST))
    if entries is None:
        return History(is_read=False)
    rows = [_history_row(request, entry, kind, id) for entry in entries]
    has_search = name and request.upstream.audit_logs.are_offered
    return History(rows, _pages().list_href(key), _pages().all_sources_href(name) if has_search else "")


def last_changes(request: ConsoleRequest, kind: str, id: str) -> dict[str, LastChange]:
    """Return the last change of each permission of an object, by field; empty if reading fails."""
    key, stored = thing_key(get_organization_key(request), kind, id), stored_activity(request)
    last: dict[str, LastChange] = {}
    for entry in _read_or_none(lambda: stored.newest(key, MAX_PERMISSION_CHANGES, actions=[PERMISSIONS])) or ():
        if not entry.is_readable and entry.outcome == DONE and entry.target == key:
            break  # it may have set any of them, so an older change may not be the last
        # Entries about users of a clinic have its key, too.
        if entry.outcome == DONE and entry.kind == kind and entry.content.target.id == id:
            for change in entry.content.changes:
                last.setdefault(change.field, LastChange(entry, change))
    return last


def _pages() -> ActivityPages:
    pages = contributed().activity_pages
    if pages is None:
        raise ImproperlyConfigured("no app has pages of the activity")
    return pages


def entry_href(entry: Entry) -> str:
    return _pages().entry_href(entry.id)


def _history_row(request: ConsoleRequest, entry: Entry, kind: str, id: str) -> HistoryRow:
    """Return the row of an entry, which names its target unless that is the object of the page.

    The history of a clinic has entries about its users, too.
    """
    is_itself = (entry.kind, entry.content.target.id) == (kind, id)
    tz = get_tz(request)
    date = Cell(local_moment(entry.at, tz).local, at=exact_time(entry.at)) if entry.at else Cell("")
    return HistoryRow(
        date,
        words.action_text(entry.kind, entry.action) if is_itself else words.entry_title(entry),
        words.changed_text(entry, tz),
        entry.content.who,
        words.outcome_cell(entry.outcome),
        entry_href(entry),
    )


def _read_or_none(read: Callable[[], Sequence[Entry]]) -> Sequence[Entry] | None:
    try:
        return read()
    except DatabaseError as error:
        logger.warning("the activity could not be read: %s", type(error).__name__)
        return None


def _entry(row: Activity) -> Entry:
    content, is_readable = Content(), True
    try:
        content = Content.decrypt(row.content)
    except Unreadable:
        is_readable = False
    fields: Any = {name: getattr(row, name) for name in ("at", "kind", "outcome", "parent", "target", "is_bulk")}
    return Entry(**fields, action=row.act, id=str(row.pk), key=row.key, content=content, is_readable=is_readable)
