"""Data that the console stores for user management: reminders, and presets of permissions.

Only days are stored in clear: the owner and the subject are keyed hashes, the rest is encrypted.
"""

from collections.abc import Mapping
from datetime import date

import msgspec
from django.db import models

from console.config.encryption import EncryptedJSONField
from console.models import OwnedList, OwnedRow


class Subject(msgspec.Struct, frozen=True):
    """The user or clinic of a reminder; `kind` is the activity's code, the names are those when it was set."""

    kind: str = ""
    id: str = ""
    name: str = ""
    clinic_id: str = ""
    clinic_name: str = ""


class Content(msgspec.Struct, frozen=True):
    """The content of a reminder: `about` is a permission, or the subject's kind for all of it; `by` set it last."""

    subject: Subject = Subject()
    about: str = ""
    note: str = ""
    by: str = ""


class StoredReminder(OwnedRow):
    """One reminder of an organization; `thing` is the hash of its subject, `key` that of the subject and the topic."""

    owner_field = "organization"
    last_used_field = "day"

    organization = models.CharField(max_length=64)
    thing = models.CharField(max_length=64)
    key = models.CharField(max_length=64, unique=True)
    day = models.DateField(db_index=True)
    content = EncryptedJSONField(type=Content, mark="key_mark")
    key_mark = models.CharField(max_length=16)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "reminder"
        indexes = [
            models.Index(fields=["organization", "day", "id"], name="reminder_due"),
            models.Index(fields=["thing", "day"], name="reminder_thing"),
        ]


class Reminder(msgspec.Struct, frozen=True):
    """A reminder as it is read. One that can't be decrypted anymore is not `is_readable`, and has only its day."""

    id: str
    day: date
    version: int
    content: Content = Content()
    is_readable: bool = True


class PresetList(OwnedList):
    """The presets of one organization."""

    class Meta:
        db_table = "preset_list"


class PresetContent(msgspec.Struct, frozen=True, array_like=True):
    """The name of a preset, and the setting of each permission."""

    name: str
    settings: dict[str, str]


class PermissionPreset(OwnedRow):
    """One preset of an organization."""

    owner_field = "list"

    list = models.ForeignKey(PresetList, on_delete=models.CASCADE, related_name="presets")
    name_key = models.CharField(max_length=64)
    content = EncryptedJSONField(type=PresetContent, mark="key_mark")
    key_mark = models.CharField(max_length=16, db_index=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "permission_preset"
        constraints = [models.UniqueConstraint(fields=["list", "name_key"], name="permission_preset_once")]


class PresetUseContent(msgspec.Struct, frozen=True, array_like=True):
    """The kind and the ID of what a preset was applied to."""

    kind: str
    id: str


class PresetUse(OwnedRow):
    """A clinic or user whose last applied preset is `preset`."""

    owner_field = "preset__list"

    preset = models.ForeignKey(PermissionPreset, on_delete=models.CASCADE, related_name="uses")
    owner_key = models.CharField(max_length=64, unique=True)
    content = EncryptedJSONField(type=PresetUseContent, mark="key_mark")
    key_mark = models.CharField(max_length=16, db_index=True)

    class Meta:
        db_table = "preset_use"


class Preset(msgspec.Struct, frozen=True):
    """A preset as it is shown, with "on" or "off" by permission.

    One that can't be decrypted anymore is not `is_readable`, and empty.
    """

    id: str
    name: str
    settings: Mapping[str, str]
    version: int
    is_readable: bool = True
