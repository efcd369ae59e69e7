"""The serial numbers that an organization expects: its purchase list, which the service does not store.

Nothing is stored in clear text: the organization and the lookup keys are keyed hashes, the rest is encrypted.
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
"""Maximum number of rows in a statement, because databases limit its variables."""
CHECK_HOLDS = timedelta(minutes=5)
"""Time for which the service's answer about a row is used without asking again."""


class ExpectedList(OwnedList):
    """The list of one organization."""

    class Meta:
        db_table = "expected_list"


class NewExpected(NamedTuple):
    """An expected serial number to add, its clinic ("" for any), and a note."""

    serial_number: str
    clinic_id: str = ""
    note: str = ""


class ExpectedSerial(OwnedRow):
    """An expected serial number as it was typed, with clinic and note.

    `is_connected` is the service's answer at `checked_at`: whether it knows a scanner with this serial number.
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
    """An expected serial number. If it can't be decrypted, `is_readable` is false and the texts are empty.

    `is_connected` is None if the service has not been asked yet.
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
        """The value of the filter: whether such a scanner has connected."""
        return {True: CONNECTED, False: NEVER, None: UNCHECKED}[self.is_connected]

    def as_checked(self, is_connected: bool | None) -> "Expected":
        """Return a copy with the service's current answer; None changes nothing."""
        if is_connected is None:
            return self
        return msgspec.structs.replace(self, is_connected=is_connected, checked_date=timezone.now())

    @property
    def is_due(self) -> bool:
        """True if the service has to be asked again."""
        checked = self.checked_date
        return self.is_readable and (checked is None or timezone.now() - checked > CHECK_HOLDS)


class Totals(NamedTuple):
    """Counts of all expected serial numbers, the date of the oldest check, and the ID of the newest row."""

    total: int
    unchecked: int
    oldest_check: datetime | None
    newest: int
