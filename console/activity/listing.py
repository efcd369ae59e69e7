"""The activity of an organization as lists: what can be asked of it, answered as a resource does.

Each answer costs the same few statements, however many entries there are: a list has pages for the newest MOST that
match, and only a file has all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, reduce
from operator import or_

from django.db import connection
from django.db.models import BooleanField, Max, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Lower

from console import registry
from console.activity.content import DONE, Content
from console.activity.reading import Entry, entries, read, thing_key
from console.grants.payload import Unreadable
from console.models import Activity
from console.rows import Objects
from console.upstream.errors import NotFound
from console.upstream.listing import PAGE_LIMIT, Listing, ListParams

MOST = 10_000
"""Entries that a list has pages for."""
MOST_LOOKED_AT = 100
"""Entries about something among which its newest are found."""
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
        rows = self._asked(params, since)
        is_about = params.filters.get("clinic") or params.filters.get("thing")
        return _page(rows.filter(is_bulk=False) if is_about else rows.filter(parent=""), params)

    def rows(self, act: Entry, params: ListParams) -> Listing[Entry]:
        """Read a page of the rows of a bulk act, in the order in which they were done."""
        return _page(_filtered(self._rows_of(act), params), params, by="id")

    def get(self, id: str) -> Entry:
        """Read one entry. Raises NotFound."""
        number = int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0
        for row in self._rows.filter(pk=number):
            return read(row)
        raise NotFound("no such entry")

    def act_of(self, row: Entry) -> Entry | None:
        """Read the bulk act that something is a row of."""
        found = self._rows.filter(key=row.parent) if row.parent else self._rows.none()
        return next((read(act) for act in found), None)

    def newest(self, thing: str, count: int, *, acts: Sequence[str] = ()) -> Sequence[Entry]:
        """Read the newest entries about something (`thing_key`), of these acts or of all; one statement."""
        own = _own_kinds() or [""]  # which no entry has
        rows = _newest(count, len(own), len(acts))
        return list(map(read, rows.all(self._organization, *[thing] * len(_PLACES), *own, self._administrator, *acts)))

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
        return _Whole(self._asked(params, since).filter(is_bulk=False), "-id").read

    def whole_rows(self, act: Entry, params: ListParams) -> Callable[[ListParams], Listing[Entry]]:
        """Return what reads all rows of a bulk act that match, page after page."""
        return _Whole(_filtered(self._rows_of(act), params), "id").read

    @property
    def _rows(self) -> QuerySet[Activity]:
        return self._may_see(entries(self._organization))

    def _about(self, keys: Mapping[Sequence[str], Sequence[str]]) -> QuerySet[Activity]:
        """The entries in which one of these keys stands in one of its places, of the MOST newest of each place.

        The index of the organization would read all rows, so it is compared by an expression.
        """
        of_each = "SELECT id FROM ({0}) AS among_{1}"
        found = " INTERSECT ".join(
            of_each.format(_standing(places, len(some), MOST), len(places)) for places, some in keys.items()
        )
        values = [key for places, some in keys.items() for key in [*some] * len(places)]
        among = RawSQL(_among(found), values, output_field=BooleanField())  # noqa: S611  # all that is asked is in values
        rows = Activity.objects.annotate(owner=Lower("organization"))
        return self._may_see(rows.filter(among, owner=self._organization))

    def _rows_of(self, act: Entry) -> QuerySet[Activity]:
        return self._rows.filter(parent=act.key) if act.is_bulk and act.key else self._rows.none()

    def _may_see(self, rows: QuerySet[Activity]) -> QuerySet[Activity]:
        return rows.filter(~Q(kind__in=_own_kinds()) | Q(who=self._administrator))

    def _asked(self, params: ListParams, since: datetime | None) -> QuerySet[Activity]:
        asked = params.filters
        clinics, things = asked.get("clinic"), asked.get("thing")
        about = {_CLINICS: [thing_key(self._organization, "clinic", id) for id in clinics or ()], _PLACES: things}
        rows = (
            self._about({places: keys for places, keys in about.items() if keys}) if clinics or things else self._rows
        )
        rows = _filtered(rows, params)
        if acts := asked.get("act"):
            pairs = (act.partition(".") for act in acts)
            rows = rows.filter(reduce(or_, (Q(kind=kind, act=code) for kind, _dot, code in pairs)))
        return rows.filter(at__gte=since) if since else rows


class _Whole:
    """Reads all rows in order, page after page, by where the page before ended: nothing is skipped, counted or moved
    by what is stored meanwhile."""

    def __init__(self, rows: QuerySet[Activity], by: str) -> None:
        self._rows, self._by, self._count = rows, by, 0
        self._ends: dict[int, int] = {}

    def read(self, params: ListParams) -> Listing[Entry]:
        """Read a page; the page before it must have been read."""
        if params.page == 1:
            newest = self._rows.order_by("-id").values_list("id", flat=True).first() or 0
            self._rows = self._rows.filter(id__lte=newest)
            self._count = self._rows.count()
        rows = self._rows
        if params.page > 1:
            end = self._ends.get(params.page - 1, 0)
            rows = rows.filter(id__lt=end) if self._by == "-id" else rows.filter(id__gt=end)
        found = list(rows.order_by(self._by)[:PAGE_LIMIT])
        if found:
            self._ends[params.page] = found[-1].pk
        return Listing([read(row) for row in found], self._count, params.page, PAGE_LIMIT)


def _own_kinds() -> list[str]:
    """Kinds of which each administrator sees only what they did themselves."""
    return [kind.code for kind in registry.activity.values() if kind.is_own]


@cache
def _newest(count: int, own: int, acts: int) -> Objects[Activity]:
    """The newest entries in which something stands somewhere, as `_about` finds them; each page of a thing reads them.

    Its values: the organization, the thing for each of _PLACES, so many kinds, the administrator, so many acts.
    """
    where = (
        f"LOWER(organization) = %s AND {_among(_standing(_PLACES, 1, MOST_LOOKED_AT))} AND NOT is_bulk"
        f" AND (NOT kind IN ({_marks(own)}) OR who = %s)"
    )
    return Objects(Activity, f"{where}{f' AND act IN ({_marks(acts)})' if acts else ''} ORDER BY id DESC LIMIT {count}")


def _standing(places: Sequence[str], keys: int, most: int) -> str:
    """Return what finds the newest entries, so many of each place, in which one of so many keys stands there.

    Each place has its own index, which is read from its newest end. Conditions that are joined by OR would read all.
    """
    newest = "SELECT id FROM (SELECT id FROM activity WHERE {0} IN ({1}) ORDER BY id DESC LIMIT {2}) AS of_{0}"
    return " UNION ALL ".join(newest.format(place, _marks(keys), most) for place in places)


def _among(found: str) -> str:
    """Return the condition that an entry is one of those found.

    PostgreSQL would join them, and compare each with each where it expects few: for minutes, if they are many.
    """
    return f"id = ANY(ARRAY({found}))" if connection.vendor == "postgresql" else f"id IN ({found})"


def _marks(count: int) -> str:
    return ", ".join(["%s"] * count)


def _filtered(rows: QuerySet[Activity], params: ListParams) -> QuerySet[Activity]:
    asked = {column: params.filters.get(name) for name, column in _PLAIN.items()}
    return rows.filter(**{f"{column}__in": values for column, values in asked.items() if values})


def _page(rows: QuerySet[Activity], params: ListParams, *, by: str = "-id") -> Listing[Entry]:
    start = min((params.page - 1) * params.size, MOST)
    count = rows.values("id")[:MOST].count()
    found = rows.order_by(by)[start : min(start + params.size, MOST)]
    return Listing([read(row) for row in found], count, params.page, params.size)


def _name(content: str) -> str:
    try:
        return Content.decrypt(content).who
    except Unreadable:
        return ""
