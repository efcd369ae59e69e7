"""The serial numbers that an organization expects: its purchase list, which no service keeps.

Nothing is stored in clear: whose list it is and what a row is found by are keyed hashes, the rest is encrypted.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from django.db import models
from django.utils import timezone

from console.config.encryption import EncryptedJSONField
from console.models import OwnedList, OwnedRow

CONNECTED, NEVER, UNCHECKED = "connected", "never", "unchecked"
CHUNK_SIZE = 500
"""Rows of one statement: databases limit its variables."""
CHECK_HOLDS = timedelta(minutes=5)
"""What the service has just said of a row is not asked again for each page that shows it."""


class ExpectedList(OwnedList):
    """The list of one organization."""

    class Meta:
        db_table = "expected_list"


class NewExpected(NamedTuple):
    """A serial number to be expected, in which clinic ("" for any), and what is to be remembered of it."""

    serial_number: str
    clinic_id: str = ""
    note: str = ""


class ExpectedSerial(OwnedRow):
    """One serial number, as it was typed, with clinic and note.

    `is_connected` is what the service said at `checked_at`: whether it knows a scanner of this serial number.
    """

    owner_field = "list"

    list = models.ForeignKey(ExpectedList, on_delete=models.CASCADE, related_name="serials")
    serial_key = models.CharField(max_length=64)
    clinic_key = models.CharField(max_length=64, default="", blank=True)
    content = EncryptedJSONField(type=NewExpected, mark="key_mark")
    key_mark = models.CharField(max_length=16, db_index=True)
    is_connected = models.BooleanField(null=True)
    checked_at = models.DateTimeField(null=True)
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.CharField(max_length=64)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "expected_serial"
        constraints = [models.UniqueConstraint(fields=["list", "serial_key"], name="expected_serial_once")]
        indexes = [models.Index(fields=["list", "-added_at", "id"], name="expected_serial_newest")]


class Expected(msgspec.Struct, frozen=True):
    """A serial number that is expected. One that can't be decrypted any more is not `is_readable`, and empty.

    `is_connected` is None where the service was not asked yet.
    """

    id: str
    serial_number: str
    clinic_id: str
    note: str
    is_connected: bool | None
    checked_date: datetime | None
    added_date: datetime
    is_mine: bool
    version: int
    clinic_name: str = ""
    is_readable: bool = True

    @property
    def state(self) -> str:
        """Whether such a scanner has connected, as the filter calls it."""
        return {True: CONNECTED, False: NEVER, None: UNCHECKED}[self.is_connected]

    def as_checked(self, is_connected: bool | None) -> "Expected":
        """Return it with what the service said just now; unchanged where it said nothing."""
        if is_connected is None:
            return self
        return msgspec.structs.replace(self, is_connected=is_connected, checked_date=timezone.now())

    @property
    def is_due(self) -> bool:
        """Whether what the service said of it may not hold any more."""
        checked = self.checked_date
        return self.is_readable and (checked is None or timezone.now() - checked > CHECK_HOLDS)


class Totals(NamedTuple):
    """All that is expected, as numbers: how many, not checked yet, the oldest check, and the newest of all rows."""

    total: int
    unchecked: int
    oldest_check: datetime | None
    newest: int
