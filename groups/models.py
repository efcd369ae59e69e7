"""What the console itself keeps for user management: when somebody wants to look again, and presets of permissions.

Nothing is stored in clear but days: whose it is and what it is about are keyed hashes, the rest is encrypted.
"""

import json
from collections.abc import Mapping
from datetime import date, timedelta

import msgspec
from django.db import models
from django.utils import timezone

from console.config.encryption import EncryptedTextField, Unreadable, decrypt_text, encrypt_text
from console.sessions.key_rotation import rotate
from console.web.storage import is_clock_right

KEPT = timedelta(days=365)
"""A reminder that nobody has dealt with for so long after its day is deleted, and presets that nobody has used."""


class StoredReminder(models.Model):
    """One reminder of an organization; `thing` is found for its page, `key` also tells what of it is to be looked at.

    `content` is a `Content`, encrypted with the key `key_mark`.
    """

    organization = models.CharField(max_length=64)
    thing = models.CharField(max_length=64)
    key = models.CharField(max_length=64, unique=True)
    day = models.DateField(db_index=True)
    content = EncryptedTextField(mark="key_mark")
    key_mark = models.CharField(max_length=16)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "reminder"
        indexes = [
            models.Index(fields=["organization", "day", "id"], name="reminder_due"),
            models.Index(fields=["thing", "day"], name="reminder_thing"),
        ]

    def __str__(self) -> str:
        return f"reminder {self.pk}"


class Subject(msgspec.Struct, frozen=True):
    """The user or the clinic that is to be looked at, by the activity's code for its kind; names as they were then."""

    kind: str = ""
    id: str = ""
    name: str = ""
    clinic_id: str = ""
    clinic_name: str = ""


class Content(msgspec.Struct, frozen=True):
    """What a reminder tells: `about` is a permission, or the kind of the subject for all of it; `by` set it last."""

    subject: Subject = Subject()
    about: str = ""
    note: str = ""
    by: str = ""

    def encrypt(self) -> str:
        return encrypt_text(msgspec.json.encode(self).decode())

    @classmethod
    def decrypt(cls, content: str) -> "Content":
        """Read what a row holds. Raises Unreadable."""
        try:
            return msgspec.json.decode(decrypt_text(content), type=cls)
        except msgspec.MsgspecError as error:
            raise Unreadable from error


class Reminder(msgspec.Struct, frozen=True):
    """A reminder as it is read. One that can't be decrypted any more is not `is_readable`, and has its day only."""

    id: str
    day: date
    version: int
    content: Content = Content()
    is_readable: bool = True


class PresetList(models.Model):
    """The presets of one organization. Its row is the lock under which they are added, changed or deleted."""

    organization = models.CharField(max_length=64, primary_key=True)
    used_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "preset_list"

    def __str__(self) -> str:
        return f"preset list {self.organization[:8]}"


class PermissionPreset(models.Model):
    """One preset; `content` holds its name and what each permission is, encrypted with the key `key_mark`."""

    list = models.ForeignKey(PresetList, on_delete=models.CASCADE, related_name="presets")
    name_key = models.CharField(max_length=64)
    content = EncryptedTextField(mark="key_mark")
    key_mark = models.CharField(max_length=16, db_index=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "permission_preset"
        constraints = [models.UniqueConstraint(fields=["list", "name_key"], name="permission_preset_once")]

    def __str__(self) -> str:
        return f"permission preset {self.pk}"


class PresetUse(models.Model):
    """A clinic or user that a preset was the last one to be applied to; `content` holds its kind and ID."""

    preset = models.ForeignKey(PermissionPreset, on_delete=models.CASCADE, related_name="uses")
    owner_key = models.CharField(max_length=64, unique=True)
    content = EncryptedTextField(mark="key_mark")
    key_mark = models.CharField(max_length=16, db_index=True)

    class Meta:
        db_table = "preset_use"

    def __str__(self) -> str:
        return f"preset use {self.pk}"


class Preset(msgspec.Struct, frozen=True):
    """A preset as it is shown: its permissions by our names, "on" or "off"; one that can't be decrypted any more is not
    `is_readable`, and empty."""

    id: str
    name: str
    settings: Mapping[str, str]
    version: int
    is_readable: bool = True


def encrypted(*content: object) -> str:
    return encrypt_text(json.dumps(content))


def decrypted(content: str) -> tuple[str, object]:
    """Read the two parts of what a row holds. Raises Unreadable."""
    try:
        first, second = json.loads(decrypt_text(content))
    except (ValueError, TypeError) as error:
        raise Unreadable from error
    return str(first), second


def forget_old() -> None:
    """Delete the reminders whose day is long past, and the presets of organizations that have not used them for long,
    while others use the console."""
    now = timezone.now()
    if is_clock_right(now):
        StoredReminder.objects.filter(day__lt=(now - KEPT).date()).delete()
        PresetList.objects.filter(used_at__lt=now - KEPT).delete()


def encrypt_anew() -> None:
    """Encrypt with the first of the present keys what another one has encrypted, so that those may go."""
    rotate(StoredReminder, "content")
    rotate(PermissionPreset, "content")
    rotate(PresetUse, "content")
