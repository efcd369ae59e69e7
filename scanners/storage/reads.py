"""Reads of the stored expected serial numbers of an organization."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils import timezone
from msgspec.structs import replace

from console.errors import ObjectNotFound
from console.models import OwnedRows, row_number
from console.sessions.deferred_writes import write_if_possible
from console.sessions.identity import keyed_hash
from scanners.models import (
    CHUNK_SIZE,
    CONNECTED,
    NEVER,
    UNCHECKED,
    Expected,
    ExpectedList,
    ExpectedSerial,
    NewExpected,
    Totals,
)
from upstream.listing import Listing, ListParams
from upstream.nouns import plain, plain_serial

READ_RECORD_INTERVAL = timedelta(days=1)
_STATES = {CONNECTED: Q(is_connected=True), NEVER: Q(is_connected=False), UNCHECKED: Q(is_connected=None)}
_COLUMNS = ("pk", "content", "is_connected", "checked_at", "added_at", "added_by", "version", "list__used_at")

ClinicNames = Callable[[Iterable[Expected]], Mapping[str, str]]


class StoredSerials:
    """The list of one `organization`, as an `administrator` sees it; both are keyed hashes.

    An instance lives as long as a request and caches the results of a search, which are not decrypted again for each
    page.
    """

    def __init__(self, organization: str, administrator: str) -> None:
        self._organization, self._administrator = organization, administrator
        self._results: dict[str, list[Expected]] = {}

    def read(self, params: ListParams, clinic_names: ClinicNames = lambda _rows: {}) -> Listing[Expected]:
        """Read a page. Keyword searches and sorting by serial number are done here, because these values are encrypted.

        `clinic_names` returns the names of the rows' clinics, which a keyword search includes.
        """
        start = (params.page - 1) * params.size
        rows = self._matching(params)
        if params.keyword or params.sort == "serial_number":
            key = repr(replace(params, page=1, size=1))
            if key not in self._results:
                self._results[key] = _searched(self._read(rows), params, clinic_names)
            matches = self._results[key]
            return Listing(matches[start : start + params.size], len(matches), params.page, params.size)
        by = ("added_at", "pk") if params.order == "asc" else ("-added_at", "pk")
        page = self._read(rows.order_by(*by)[start : start + params.size])
        return Listing(page, rows.count(), params.page, params.size)

    def get(self, id: str) -> Expected:
        """Read one row. Raises ObjectNotFound."""
        for row in self._read(self._rows.filter(pk=row_number(id))):
            return row
        raise ObjectNotFound("no such expected serial number")

    def among(self, serial_numbers: Iterable[str]) -> dict[str, Expected]:
        """Return the expected ones among these, by `plain_serial`, with one query for a page."""
        keys = dict.fromkeys(self._serial_key(number) for number in map(plain_serial, serial_numbers) if number)
        rows = [
            row
            for start in range(0, len(keys), CHUNK_SIZE)
            for row in self._read(self._rows.filter(serial_key__in=list(keys)[start : start + CHUNK_SIZE]))
        ]
        return {plain_serial(row.serial_number): row for row in rows if row.is_readable}

    def totals(self) -> Totals:
        """Return the counts of all rows."""
        values = self._rows.aggregate(
            total=Count("pk"),
            unchecked=Count("pk", filter=_STATES[UNCHECKED]),
            oldest_check=Min("checked_at"),
            newest=Max("pk"),
        )
        return Totals(**{**values, "newest": values["newest"] or 0})

    @property
    def _rows(self) -> OwnedRows[ExpectedSerial]:
        return ExpectedSerial.objects.for_owner(self._organization)

    def _matching(self, params: ListParams) -> QuerySet[ExpectedSerial]:
        rows = self._rows
        if params.ids:
            rows = rows.filter(pk__in=[number for id in params.ids if (number := row_number(id))])
        if clinics := params.filters.get("clinic"):
            rows = rows.filter(clinic_key__in=[self._clinic_key(id) for id in clinics])
        if states := params.filters.get("state"):
            among = Q()
            for state in states:
                among |= _STATES[state]
            rows = rows.filter(among)
        return rows

    def _read(self, rows: QuerySet[ExpectedSerial]) -> list[Expected]:
        read = list(rows.values_list(*_COLUMNS))
        if read and read[0][-1] < timezone.now() - READ_RECORD_INTERVAL:
            mine = ExpectedList.objects.for_owner(self._organization)
            write_if_possible(partial(mine.update, used_at=timezone.now()))
        return [self._expected(*values) for *values, _used in read]

    def _expected(
        self, pk: int, content: Any, connected: bool | None, checked: Any, added: Any, by: str, version: int
    ) -> Expected:
        serial_number, clinic_id, note = content or NewExpected("")
        return Expected(
            str(pk),
            serial_number,
            clinic_id,
            note,
            connected,
            checked,
            added,
            is_mine=by == self._administrator,
            version=version,
            is_readable=content is not None,
        )

    def _serial_key(self, plain: str) -> str:
        return keyed_hash("serial number", self._organization, plain)

    def _clinic_key(self, clinic_id: str) -> str:
        return keyed_hash("clinic", self._organization, clinic_id)


def _searched(rows: Iterable[Expected], params: ListParams, clinic_names: ClinicNames) -> list[Expected]:
    """Return the rows that contain the keyword, sorted."""
    matches = list(rows)
    if params.keyword:
        field, words, serial = params.search_field, plain(params.keyword), plain_serial(params.keyword)
        names = clinic_names(matches) if field in ("all", "clinic") else {}
        matches = [
            row
            for row in matches
            if (field in ("all", "serial_number") and serial and serial in plain_serial(row.serial_number))
            or (field in ("all", "note") and words in plain(row.note))
            or (field in ("all", "clinic") and words in plain(names.get(row.clinic_id, "")))
        ]
    is_down = params.order == "desc"
    if params.sort == "serial_number":
        return sorted(matches, key=lambda row: plain_serial(row.serial_number), reverse=is_down)
    return sorted(sorted(matches, key=lambda row: int(row.id)), key=lambda row: row.added_date, reverse=is_down)
