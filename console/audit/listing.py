"""The activity of an organization as lists: what can be asked of it, answered as a resource does.

Each answer costs the same few statements, however many entries there are: a list has pages for the newest MOST that
match, and only a file has all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db import connection
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce, Lower

from console.audit.content import DONE, Content
from console.audit.reading import Entry, entries, read, thing_key
from console.errors import ObjectNotFound
from console.models import Activity
from console.sessions.crypto import Unreadable
from console.web import contributions
from upstream.listing import PAGE_LIMIT, Listing, ListParams

MOST = 10_000
"""Entries that a list has pages for."""
MOST_PEOPLE = 200
"""Administrators that can be chosen from, those who did something last."""
_PLAIN = {"person": "who", "kind": "kind", "outcome": "outcome"}
"""Filters that are columns of their own."""
_CLINICS = ("target", "clinic", "other_clinic")
_PLACES = (*_CLINICS, "team", "other_team")
"""Where something may stand in an entry."""


class StoredActivity:
    """The entries of one `organization` that an `administrator` may see; both are keyed hashes."""

    def __init__(self, organization: str, administrator: str) -> None:
        self._organization, self._administrator = organization, administrator

    def list(self, params: ListParams, *, since: datetime | None = None) -> Listing[Entry]:
        """Read a page, the newest first. A bulk act is one entry, unless what its rows are about is asked for.

        Filters: `person`, `thing` (keyed hashes), `act` ("user.edit"), `kind`, `outcome`, `clinic` (IDs).
        """
        rows, places = self._asked(params, since)
        if not places:
            return _page(rows.filter(parent=""), params)
        ids, start = _newest_ids(rows.filter(is_bulk=False), places, MOST), _start(params)
        return Listing(_read_all(ids[start : start + params.size]), len(ids), params.page, params.size)

    def rows(self, act: Entry, params: ListParams) -> Listing[Entry]:
        """Read a page of the rows of a bulk act, in the order in which they were done."""
        return _page(_filtered(self._rows_of(act), params), params, by="id")

    def get(self, id: str) -> Entry:
        """Read one entry. Raises ObjectNotFound."""
        number = int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0
        for row in self._rows.filter(pk=number):
            return read(row)
        raise ObjectNotFound("no such entry")

    def act_of(self, row: Entry) -> Entry | None:
        """Read the bulk act that something is a row of."""
        found = self._rows.filter(key=row.parent) if row.parent else self._rows.none()
        return next((read(act) for act in found), None)

    def newest(self, thing: str, count: int, *, acts: Sequence[str] = ()) -> Sequence[Entry]:
        """Read the newest entries about something (`thing_key`), of these acts or of all."""
        rows = self._may_see(_compared(self._organization, None)).filter(is_bulk=False)
        rows = rows.filter(act__in=acts) if acts else rows
        return _read_all(_newest_ids(rows, dict.fromkeys(_PLACES, (thing,)), count))

    def last_done(self, kind: str, act: str) -> Entry | None:
        """Read the newest bulk act of this code that was done."""
        rows = self._rows.filter(kind=kind, act=act, is_bulk=True, outcome=DONE)
        return next((read(row) for row in rows.order_by("-id")[:1]), None)

    def rows_of_all(self, kind: str, acts: Sequence[str], *, after: int, things: Sequence[str] = ()) -> Iterator[Entry]:
        """Read the rows of all such bulk acts after an entry (its ID), the oldest first: about all or these things."""
        rows = self._rows.filter(kind=kind, act__in=acts, is_bulk=False, id__gt=after).exclude(parent="")
        return map(read, (rows.filter(target__in=things) if things else rows).order_by("id"))

    def people(self) -> dict[str, str]:
        """Return who did anything, by keyed hash, and as they were last called."""
        last = entries(self._organization).values("who").annotate(last=Max("id")).order_by("-last")
        rows = Activity.objects.filter(id__in=last.values("last")[:MOST_PEOPLE]).order_by("-id")
        return {who: _name(content) for who, content in rows.values_list("who", "content")}

    def whole(self, params: ListParams, *, since: datetime | None = None) -> Callable[[ListParams], Listing[Entry]]:
        """Return what reads all that matches, page after page: each row of a bulk act for itself."""
        rows, places = self._asked(params, since)
        rows = rows.filter(is_bulk=False)
        return (_WholeAbout(rows, places) if places else _Whole(rows, "-id")).read

    def whole_rows(self, act: Entry, params: ListParams) -> Callable[[ListParams], Listing[Entry]]:
        """Return what reads all rows of a bulk act that match, page after page."""
        return _Whole(_filtered(self._rows_of(act), params), "id").read

    @property
    def _rows(self) -> QuerySet[Activity]:
        return self._may_see(entries(self._organization))

    def _rows_of(self, act: Entry) -> QuerySet[Activity]:
        return self._rows.filter(parent=act.key) if act.is_bulk and act.key else self._rows.none()

    def _may_see(self, rows: QuerySet[Activity]) -> QuerySet[Activity]:
        return rows.filter(~Q(kind__in=_own_kinds()) | Q(who=self._administrator))

    def _asked(
        self, params: ListParams, since: datetime | None
    ) -> tuple[QuerySet[Activity], Mapping[str, Sequence[str]]]:
        """Return what matches, of which one of these keys has to stand in one of these places, if there are any."""
        asked = params.filters
        clinics = [thing_key(self._organization, "clinic", id) for id in asked.get("clinic") or ()]
        things = asked.get("thing")
        places = dict.fromkeys(_PLACES, things) if things else dict.fromkeys(_CLINICS, clinics) if clinics else {}
        if places:
            rows = self._may_see(_compared(self._organization, since))
        else:
            rows = self._rows.filter(at__gte=since) if since else self._rows
        if things and clinics:
            rows = rows.filter(reduce(or_, (Q(**{f"{place}__in": clinics}) for place in _CLINICS)))
        rows = _filtered(rows, params)
        if acts := asked.get("act"):
            pairs = (act.partition(".") for act in acts)
            rows = rows.filter(reduce(or_, (Q(kind=kind, act=code) for kind, _dot, code in pairs)))
        return rows, places


class _Whole:
    """Reads all rows in order, page after page, by where the page before ended: nothing is skipped, counted or moved
    by what is stored meanwhile."""

    def __init__(self, rows: QuerySet[Activity], by: str) -> None:
        self._rows, self._by, self._count = rows, by, 0
        self._ends: dict[int, int] = {}
        self._last = Listing[Entry]([], page=0)

    def read(self, params: ListParams) -> Listing[Entry]:
        """Read a page, after the page before it. A full page that was read last is returned again without a query."""
        if params.page == self._last.page and len(self._last.results) == PAGE_LIMIT:
            return self._last
        if params.page == 1:
            if not self._ends:
                self._rows = self._rows.filter(id__lte=self._newest())
            self._count = self._counted()  # old entries may have been deleted since
        rows = self._rows
        if params.page > 1:
            end = self._ends.get(params.page - 1, 0)
            rows = rows.filter(id__lt=end) if self._by == "-id" else rows.filter(id__gt=end)
        found = self._first(rows)
        if found:
            self._ends[params.page] = int(found[-1].id)
        self._last = Listing(found, self._count, params.page, PAGE_LIMIT)
        return self._last

    def _newest(self) -> int:
        return self._rows.order_by("-id").values_list("id", flat=True).first() or 0

    def _counted(self) -> int:
        return self._rows.count()

    def _first(self, rows: QuerySet[Activity]) -> list[Entry]:
        return [read(row) for row in rows.order_by(self._by)[:PAGE_LIMIT]]


class _WholeAbout(_Whole):
    """The same of those rows in which something stands in one of these places, the newest first."""

    def __init__(self, rows: QuerySet[Activity], places: Mapping[str, Sequence[str]]) -> None:
        super().__init__(rows, "-id")
        self._places = places

    def _newest(self) -> int:
        return next(iter(_newest_ids(self._rows, self._places, 1)), 0)

    def _counted(self) -> int:
        found, values = _standing_in(self._rows, self._places)
        ((count,),) = _fetch(f"SELECT COUNT(DISTINCT id) FROM ({found}) AS found", values)  # noqa: S608
        return int(count)

    def _first(self, rows: QuerySet[Activity]) -> list[Entry]:
        return _read_all(_newest_ids(rows, self._places, PAGE_LIMIT))


def _own_kinds() -> list[str]:
    """Kinds of which each administrator sees only what they did themselves."""
    return [kind.code for kind in contributions.activity.values() if kind.is_own]


def _compared(organization: str, since: datetime | None) -> QuerySet[Activity]:
    """Return entries by expressions: by the indexes of the organization and of the time, all would be read."""
    rows: QuerySet[Activity] = Activity.objects.alias(owner=Lower("organization")).filter(owner=organization)
    return rows.alias(moment=Coalesce("at", "at")).filter(moment__gte=since) if since else rows


def _standing_in(
    rows: QuerySet[Activity], places: Mapping[str, Sequence[str]], most: int | None = None
) -> tuple[str, list[Any]]:
    """Return what finds the IDs of the rows in which one of these keys stands in one of these places, and its values.

    So many of the newest of each place, or all. Each place has its own index, which is read from its newest end.
    Conditions that are joined by OR would read all. What stands in several places is found as often.
    """
    parts: list[str] = []
    values: list[Any] = []
    for place, keys in places.items():
        newest = rows.filter(**{f"{place}__in": keys}).order_by("-id").values("id")[:most]
        part, of_part = newest.query.sql_with_params()
        parts.append(f"SELECT id FROM ({part}) AS of_{place}")  # noqa: S608  # names of ours
        values.extend(of_part)
    return " UNION ALL ".join(parts), values


def _newest_ids(rows: QuerySet[Activity], places: Mapping[str, Sequence[str]], most: int) -> list[int]:
    found, values = _standing_in(rows, places, most)
    newest = f"SELECT DISTINCT id FROM ({found}) AS found ORDER BY id DESC LIMIT {most}"  # noqa: S608
    return [id for (id,) in _fetch(newest, values)]


def _read_all(ids: Sequence[int]) -> list[Entry]:
    """Read these entries, in this order."""
    rows = Activity.objects.in_bulk(ids)
    return [read(rows[id]) for id in ids if id in rows]


def _fetch(statement: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _filtered(rows: QuerySet[Activity], params: ListParams) -> QuerySet[Activity]:
    asked = {column: params.filters.get(name) for name, column in _PLAIN.items()}
    return rows.filter(**{f"{column}__in": values for column, values in asked.items() if values})


def _page(rows: QuerySet[Activity], params: ListParams, *, by: str = "-id") -> Listing[Entry]:
    start = _start(params)
    count = rows.values("id")[:MOST].count()
    found = rows.order_by(by)[start : min(start + params.size, MOST)]
    return Listing([read(row) for row in found], count, params.page, params.size)


def _start(params: ListParams) -> int:
    return min((params.page - 1) * params.size, MOST)


def _name(content: str) -> str:
    try:
        return Content.decrypt(content).who
    except Unreadable:
        return ""
