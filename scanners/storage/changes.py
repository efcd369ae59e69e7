"""Changes to the stored expected serial numbers of an organization."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from console.config.database_errors import storing
from console.errors import LimitReached, ObjectNotFound, Rejected, VersionConflict
from console.models import row_number
from scanners.models import CHUNK_SIZE, ExpectedList, ExpectedSerial, NewExpected
from scanners.storage.reads import StoredSerials
from upstream.bulk import BulkResult, RowOutcome, RowUpdate
from upstream.errors import Code
from upstream.nouns import plain_serial

MAX_SERIALS = 10_000
"""Maximum number of serial numbers that an organization may expect."""
LIMIT = "EXPECTED_SERIAL_LIMIT"
"""The reason of the error about this limit."""
FAILED = "expected serial numbers could not be stored"


class ExpectedSerials(StoredSerials):
    """The list with methods that change it; each change is atomic."""

    def add(self, items: Sequence[NewExpected], *, dry_run: bool = False) -> BulkResult:
        """Add new serial numbers; with `dry_run`, only return the result. Raises LimitReached before it stores any.

        If two requests add the same serial number at once, the second one gets the error of a duplicate.
        """
        if dry_run:
            return self._new(items)[1]
        with ExpectedList.locked(self._organization, FAILED):
            new, result = self._new(items)
            ExpectedSerial.objects.bulk_create(new, batch_size=CHUNK_SIZE)
        return result

    def update(self, id: str, *, version: int | None, **fields: str) -> int:
        """Set `clinic_id` or `note`; return the new version. Raises VersionConflict, ObjectNotFound, Rejected."""
        with storing(FAILED), transaction.atomic():
            row = self._rows.find(id)
            if row.content is None:
                raise Rejected("what can't be read can't be changed")
            current = row.version if version is None else version
            self._rows.change(id, version=current, **self._columns(row.content._replace(**fields)))
        return current + 1

    def update_each(self, updates: Sequence[RowUpdate]) -> BulkResult:
        """Update each row and return the outcomes."""
        rows = []
        for change in updates:
            try:
                self.update(change.id, version=change.version, **change.fields)
                rows.append(RowOutcome(ok=True, id=change.id))
            except ObjectNotFound:
                rows.append(RowOutcome(ok=False, id=change.id, code=Code.NOT_FOUND))
            except VersionConflict:
                rows.append(RowOutcome(ok=False, id=change.id, code=Code.CHANGED_MEANWHILE))
            except Rejected:
                rows.append(RowOutcome(ok=False, id=change.id))
        return BulkResult(tuple(rows))

    def delete(self, ids: Collection[str]) -> BulkResult:
        """Delete rows; the outcome of each says if it existed."""
        numbers = {id: row_number(id) for id in ids}
        with ExpectedList.locked(self._organization, FAILED):
            rows = self._rows.filter(pk__in=[number for number in numbers.values() if number])
            existing = set(rows.values_list("pk", flat=True))
            rows.delete()
        outcomes = ((id, number in existing) for id, number in numbers.items())
        return BulkResult(
            tuple(RowOutcome(ok=ok, id=id, code=None if ok else Code.NOT_FOUND) for id, ok in outcomes),
        )

    def delete_all(self, *, count: int, newest: int) -> None:
        """Delete all rows unless some were added or deleted after they were counted. Raises VersionConflict."""
        with ExpectedList.locked(self._organization, FAILED):
            rows = self._rows.filter(pk__lte=newest)
            if rows.count() != count or self._rows.filter(pk__gt=newest).exists():
                raise VersionConflict("the expected serial numbers")
            rows.delete()

    def note_checks(self, connected: Mapping[str, bool]) -> None:
        """Store the service's answers about these rows, with the current time."""
        now = timezone.now()
        for state in (True, False):
            numbers = [int(id) for id, is_connected in connected.items() if is_connected == state]
            for start in range(0, len(numbers), CHUNK_SIZE):
                rows = self._rows.filter(pk__in=numbers[start : start + CHUNK_SIZE])
                rows.update(is_connected=state, checked_at=now)

    def _new(self, items: Sequence[NewExpected]) -> tuple[list[ExpectedSerial], BulkResult]:
        """Return the rows to store, and the outcome of each item."""
        keys = [self._serial_key(plain_serial(item.serial_number)) for item in items]
        known_keys: set[str] = set()
        for start in range(0, len(keys), CHUNK_SIZE):
            same = self._rows.filter(serial_key__in=keys[start : start + CHUNK_SIZE])
            known_keys.update(same.values_list("serial_key", flat=True))
        new: list[ExpectedSerial] = []
        outcomes, now = [], timezone.now()
        for key, item in zip(keys, items, strict=True):
            if key in known_keys:
                outcomes.append(RowOutcome(ok=False, code=Code.NAME_IN_USE, field="serial_number"))
                continue
            known_keys.add(key)
            outcomes.append(RowOutcome(ok=True))
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
        if new and self._rows.count() + len(new) > MAX_SERIALS:
            raise LimitReached(reason=LIMIT)
        return new, BulkResult(tuple(outcomes))

    def _columns(self, item: NewExpected) -> dict[str, Any]:
        return {"clinic_key": self._clinic_key(item.clinic_id) if item.clinic_id else "", "content": item}
