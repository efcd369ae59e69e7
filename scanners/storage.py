"""The expected serial numbers of an organization, read and changed where they are stored."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone
from msgspec.structs import replace

from console.grants.identity import keyed_hash
from console.grants.payload import Unreadable, encrypt_text, key_mark
from console.grants.writing import write_if_possible
from console.upstream.bulk import BulkResult, RowOutcome, RowUpdate
from console.upstream.errors import Code, Conflict, NotFound, Refused, Unreachable
from console.upstream.listing import Listing, ListParams
from console.upstream.nouns import plain, plain_serial
from scanners.models import (
    CONNECTED,
    NEVER,
    PIECE,
    UNCHECKED,
    Expected,
    ExpectedList,
    ExpectedSerial,
    NewExpected,
    Totals,
    decrypted,
)

MOST = 10_000
"""Serial numbers that one organization may expect."""
LIST_FULL = -1
"""No code of the service: it is ours, and its sentence is registered like those of the service's codes."""
NOTED_EVERY = timedelta(days=1)
_STATES = {CONNECTED: Q(is_connected=True), NEVER: Q(is_connected=False), UNCHECKED: Q(is_connected=None)}
_COLUMNS = ("pk", "content", "is_connected", "checked_at", "added_at", "added_by", "version", "list__used_at")


class ListFull(Refused):
    """More would be expected than one organization may; nothing was stored."""

    def __init__(self) -> None:
        super().__init__("the list of expected serial numbers is full", code=LIST_FULL)


class NotStored(Unreachable):
    """The database did not take a change, so nothing of it is stored."""


ClinicNames = Callable[[Iterable[Expected]], Mapping[str, str]]


class ExpectedSerials:
    """The list of one `organization`, as an `administrator` sees it; both are keyed hashes.

    It lives as long as a request: what was searched for once is not decrypted again for the next page of it.
    """

    def __init__(self, organization: str, administrator: str) -> None:
        self._organization, self._administrator = organization, administrator
        self._found: dict[str, list[Expected]] = {}

    # What is there

    def read(self, params: ListParams, clinic_names: ClinicNames = lambda _rows: {}) -> Listing[Expected]:
        """Read a page. The database finds, sorts and cuts, but for a keyword and by serial number: those are encrypted.

        `clinic_names` returns the names of the rows' clinics, in which a keyword is looked for, too.
        """
        start = (params.page - 1) * params.size
        rows = self._matching(params)
        if params.keyword or params.sort == "serial_number":
            asked = repr(replace(params, page=1, size=1))
            if asked not in self._found:
                self._found[asked] = _searched(self._decrypt(rows), params, clinic_names)
            found = self._found[asked]
            return Listing(found[start : start + params.size], len(found), params.page, params.size)
        by = ("added_at", "pk") if params.order == "asc" else ("-added_at", "pk")
        page = self._decrypt(rows.order_by(*by)[start : start + params.size])
        return Listing(page, rows.count(), params.page, params.size)

    def get(self, id: str) -> Expected:
        """Read one row. Raises NotFound."""
        for row in self._decrypt(self._rows.filter(pk=_number(id))):
            return row
        raise NotFound("no such expected serial number")

    def among(self, serial_numbers: Iterable[str]) -> dict[str, Expected]:
        """Return those of these that are expected, by how they are compared (`plain_serial`); one query for a page."""
        keys = dict.fromkeys(self._serial_key(number) for number in map(plain_serial, serial_numbers) if number)
        found = [
            row
            for start in range(0, len(keys), PIECE)
            for row in self._decrypt(self._rows.filter(serial_key__in=list(keys)[start : start + PIECE]))
        ]
        return {plain_serial(row.serial_number): row for row in found if row.is_readable}

    def totals(self) -> Totals:
        """Count what there is."""
        told = self._rows.aggregate(
            total=Count("pk"),
            unchecked=Count("pk", filter=_STATES[UNCHECKED]),
            oldest_check=Min("checked_at"),
            newest=Max("pk"),
        )
        return Totals(**{**told, "newest": told["newest"] or 0})

    # What changes it

    def add(self, items: Sequence[NewExpected], *, dry_run: bool = False) -> BulkResult:
        """Add what is not there yet; only say what would be, with `dry_run`. Raises ListFull, and then stores nothing.

        Two who add the same at the same time add it once: the second one is told that it is there.
        """
        if dry_run:
            return self._new(items)[1]
        with self._locked():
            new, told = self._new(items)
            ExpectedSerial.objects.bulk_create(new, batch_size=PIECE)
        return told

    def update(self, id: str, *, version: int | None, **fields: str) -> int:
        """Set clinic or note (`clinic_id`, `note`); return the new version. Raises Conflict, NotFound, Refused."""
        with _stored(), transaction.atomic():
            row = self._rows.filter(pk=_number(id)).first()
            if row is None:
                raise NotFound("no such expected serial number")
            try:
                now = decrypted(row.content)
            except Unreadable as error:
                raise Refused("what can't be read can't be changed") from error
            seen = row.version if version is None else version
            values = self._columns(now._replace(**fields))
            if not self._rows.filter(pk=row.pk, version=seen).update(version=seen + 1, **values):
                raise Conflict("an expected serial number", status=412, code=Code.CHANGED_MEANWHILE)
        return seen + 1

    def update_each(self, updates: Sequence[RowUpdate]) -> BulkResult:
        """Do the same to each."""
        rows = []
        for change in updates:
            try:
                self.update(change.id, version=change.version, **change.fields)
                rows.append(RowOutcome(ok=True, id=change.id))
            except Refused as error:
                rows.append(RowOutcome(ok=False, id=change.id, code=error.code))
            except NotFound:
                rows.append(RowOutcome(ok=False, id=change.id, code=Code.NOT_FOUND))
        return BulkResult(tuple(rows))

    def delete(self, ids: Collection[str]) -> BulkResult:
        """Delete these; each tells whether it was still there."""
        numbers = {id: _number(id) for id in ids}
        with self._locked():
            rows = self._rows.filter(pk__in=[number for number in numbers.values() if number])
            there = set(rows.values_list("pk", flat=True))
            rows.delete()
        told = ((id, number in there) for id, number in numbers.items())
        return BulkResult(
            tuple(RowOutcome(ok=ok, id=id, code=None if ok else Code.NOT_FOUND) for id, ok in told),
        )

    def delete_all(self, *, count: int, newest: int) -> None:
        """Delete all, as long as they are still those that were counted, up to the `newest`; else raise Conflict."""
        with self._locked():
            rows = self._rows.filter(pk__lte=newest)
            if rows.count() != count or self._rows.filter(pk__gt=newest).exists():
                raise Conflict("the expected serial numbers", status=412, code=Code.CHANGED_MEANWHILE)
            rows.delete()

    def note_checks(self, connected: Mapping[str, bool]) -> None:
        """Remember what the service said of these rows now."""
        now = timezone.now()
        for state in (True, False):
            numbers = [int(id) for id, is_connected in connected.items() if is_connected == state]
            for start in range(0, len(numbers), PIECE):
                rows = self._rows.filter(pk__in=numbers[start : start + PIECE])
                rows.update(is_connected=state, checked_at=now)

    # How

    @property
    def _rows(self) -> QuerySet[ExpectedSerial]:
        return ExpectedSerial.objects.filter(list=self._organization)

    def _matching(self, params: ListParams) -> QuerySet[ExpectedSerial]:
        rows = self._rows
        if params.ids:
            rows = rows.filter(pk__in=[number for id in params.ids if (number := _number(id))])
        if clinics := params.filters.get("clinic"):
            rows = rows.filter(clinic_key__in=[self._clinic_key(id) for id in clinics])
        if states := params.filters.get("state"):
            among = Q()
            for state in states:
                among |= _STATES[state]
            rows = rows.filter(among)
        return rows

    def _decrypt(self, rows: QuerySet[ExpectedSerial]) -> list[Expected]:
        read = list(rows.values_list(*_COLUMNS))
        if read and read[0][-1] < timezone.now() - NOTED_EVERY:
            mine = ExpectedList.objects.filter(pk=self._organization)
            write_if_possible(partial(mine.update, used_at=timezone.now()))
        return [self._expected(*values) for *values, _used in read]

    def _expected(
        self, pk: int, content: str, connected: bool | None, checked: Any, added: Any, by: str, version: int
    ) -> Expected:
        try:
            told, is_readable = decrypted(content), True
        except Unreadable:
            told, is_readable = NewExpected(""), False
        is_own = by == self._administrator
        return Expected(
            str(pk),
            told.serial_number,
            told.clinic_id,
            told.note,
            connected,
            checked,
            added,
            is_own,
            version,
            is_readable=is_readable,
        )

    def _new(self, items: Sequence[NewExpected]) -> tuple[list[ExpectedSerial], BulkResult]:
        """The rows that are to be stored, and what is told of each item."""
        keys = [self._serial_key(plain_serial(item.serial_number)) for item in items]
        there: set[str] = set()
        for start in range(0, len(keys), PIECE):
            same = self._rows.filter(serial_key__in=keys[start : start + PIECE])
            there.update(same.values_list("serial_key", flat=True))
        new: list[ExpectedSerial] = []
        told, now = [], timezone.now()
        for key, item in zip(keys, items, strict=True):
            if key in there:
                told.append(RowOutcome(ok=False, code=Code.NAME_IN_USE, field="serial_number"))
                continue
            there.add(key)
            told.append(RowOutcome(ok=True))
            columns = self._columns(item)
            new.append(
                ExpectedSerial(
                    list_id=self._organization,
                    serial_key=key,
                    added_at=now,
                    added_by=self._administrator,
                    **columns,
                )
            )
        if new and self._rows.count() + len(new) > MOST:
            raise ListFull
        return new, BulkResult(tuple(told))

    def _columns(self, item: NewExpected) -> dict[str, str]:
        clinic_key = self._clinic_key(item.clinic_id) if item.clinic_id else ""
        return {"clinic_key": clinic_key, "content": encrypt_text(json.dumps(item)), "key_mark": key_mark()}

    def _serial_key(self, plain: str) -> str:
        return keyed_hash("serial number", self._organization, plain)

    def _clinic_key(self, clinic_id: str) -> str:
        return keyed_hash("clinic", self._organization, clinic_id)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Make a change while nobody else adds to this list or deletes from it."""
        with _stored(), transaction.atomic():
            ExpectedList.objects.bulk_create([ExpectedList(organization=self._organization)], ignore_conflicts=True)
            ExpectedList.objects.filter(pk=self._organization).update(used_at=timezone.now())  # waits for the others
            yield


@contextmanager
def _stored() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise NotStored(type(error).__name__) from error


def _searched(rows: Iterable[Expected], params: ListParams, clinic_names: ClinicNames) -> list[Expected]:
    """Those in which the keyword is, sorted."""
    found = list(rows)
    if params.keyword:
        field, words, serial = params.search_field, plain(params.keyword), plain_serial(params.keyword)
        names = clinic_names(found) if field in ("all", "clinic") else {}
        found = [
            row
            for row in found
            if (field in ("all", "serial_number") and serial and serial in plain_serial(row.serial_number))
            or (field in ("all", "note") and words in plain(row.note))
            or (field in ("all", "clinic") and words in plain(names.get(row.clinic_id, "")))
        ]
    is_down = params.order == "desc"
    if params.sort == "serial_number":
        return sorted(found, key=lambda row: plain_serial(row.serial_number), reverse=is_down)
    return sorted(sorted(found, key=lambda row: int(row.id)), key=lambda row: row.added_date, reverse=is_down)


def _number(id: str) -> int:
    """The number of a row; 0, which none has, for whatever else an address or a form holds."""
    return int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0
