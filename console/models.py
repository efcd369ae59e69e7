"""The console's own rows, except those of logins (console.sessions.models) and of the apps."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar

import msgspec
from django.db import models, transaction
from django.utils import timezone

from console.config.database_errors import storing
from console.config.encryption import EncryptedJSONField, EncryptedTextField, key_mark
from console.errors import ObjectNotFound, VersionConflict

Row = TypeVar("Row", bound="OwnedRow")


def row_number(id: str) -> int:
    """Return the primary key in a URL or a form; 0, which no row has, if it is not a number."""
    return int(id) if id.isascii() and id.isdecimal() and len(id) < 19 else 0


class OwnedRows(models.QuerySet[Row]):
    """Rows of an organization or an administrator."""

    def for_owner(self, owner: str) -> "OwnedRows[Row]":
        """Return the rows of an owner, by its keyed hash."""
        return self.filter(**{self.model.owner_field: owner})

    def find(self, id: str) -> Row:
        """Return a row by its ID. Raises ObjectNotFound."""
        for row in self.filter(pk=row_number(id)):
            return row
        raise ObjectNotFound(f"no such {self.model._meta.verbose_name}")

    def change(self, id: str, *, version: int, **values: Any) -> None:
        """Change a row that still has this version. Raises VersionConflict."""
        if "content" in values:
            values["key_mark"] = key_mark()
        if not self.filter(pk=row_number(id), version=version).update(version=version + 1, **values):
            raise VersionConflict(str(self.model._meta.verbose_name))

    def keep_newest(self, owner: str, count: int) -> None:
        """Delete the rows of an owner except the newest ones."""
        newest = self.for_owner(owner).order_by("-pk").values_list("pk", flat=True)
        self.filter(pk__in=list(newest[count:])).delete()


class OwnedRow(models.Model):
    """A row that the console stores for an organization or an administrator, found by their keyed hash.

    Its data is encrypted: `content`, an EncryptedJSONField, with the `key_mark` of its key. The purge deletes it a year
    after `last_used_field`, if it has one; otherwise it is deleted with the row that it belongs to.
    """

    RETENTION: ClassVar = timedelta(days=365)
    owner_field: ClassVar[str]
    last_used_field: ClassVar[str] = ""

    objects: ClassVar[Any] = OwnedRows.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {str(self.pk)[:8]}"

    @classmethod
    def purge(cls, now: datetime) -> None:
        """Delete the rows that have not been used for `RETENTION`."""
        if cls.last_used_field:
            cls.objects.filter(**{f"{cls.last_used_field}__lt": now - cls.RETENTION}).delete()


class OwnedList(OwnedRow):
    """The list of one organization: the lock for changes of its rows, which are deleted with it."""

    owner_field = "organization"
    last_used_field = "used_at"

    organization = models.CharField(max_length=64, primary_key=True)
    used_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        abstract = True

    @classmethod
    @contextmanager
    def locked(cls, organization: str, failed: str) -> Iterator[None]:
        """Execute a change while no other request changes this list; log `failed` if it can't be stored."""
        with storing(failed), transaction.atomic():
            cls.objects.bulk_create([cls(organization=organization)], ignore_conflicts=True)
            cls.objects.filter(pk=organization).update(used_at=timezone.now())  # waits for other requests
            yield


class Attempt(models.Model):
    """The number of uses of one key (a hash of address, email or both, and of the action) in its window."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    window_ends = models.DateTimeField(db_index=True)
    blocked_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "attempt"

    def __str__(self) -> str:
        return f"{self.count} attempts until {self.window_ends:%H:%M}"


class Submission(models.Model):
    """A form that is being executed, or was recently; its response is encrypted, because it may contain personal data.

    Without a response the outcome is unknown. `form` is the same for all versions of a form.
    """

    key = models.CharField(max_length=64, primary_key=True)
    form = models.CharField(max_length=64, default="", db_default="", db_index=True)
    answer = EncryptedTextField(default="", blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "submission"

    def __str__(self) -> str:
        return f"form {self.key[:8]}"


class Draft(models.Model):
    """The data of a form from a session that ended; encrypted, and only for its author, the `sender`."""

    key = models.CharField(max_length=64, primary_key=True)
    sender = models.CharField(max_length=64, default="", db_default="", db_index=True)
    content = EncryptedTextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "draft"

    def __str__(self) -> str:
        return f"draft {self.key[:8]}"


class SavedViewContent(msgspec.Struct, frozen=True, array_like=True):
    """The name of a saved view, and the state of its list."""

    name: str
    path: str
    query: str
    hidden: tuple[str, ...]


class SavedView(OwnedRow):
    """The state of a list, saved under a name for one administrator.

    `owner`, `list` and `name_key` are keyed hashes: of the administrator, and of list and name, bound to them.
    """

    owner_field = "owner"
    last_used_field = "used_at"

    owner = models.CharField(max_length=64, db_index=True)
    list = models.CharField(max_length=64)
    name_key = models.CharField(max_length=64)
    content = EncryptedJSONField(type=SavedViewContent, mark="key_mark")
    key_mark = models.CharField(max_length=16)
    is_default = models.BooleanField(default=False, db_default=False)
    used_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "saved_view"
        constraints = [models.UniqueConstraint(fields=["list", "name_key"], name="saved_view_once")]


class ImportChoices(msgspec.Struct, frozen=True, omit_defaults=True):
    """The import's path and return address, the header of its file, and the answers to the questions about it.

    `columns` has the chosen source of each column by field, `values` the chosen value by the key of a file's value.
    """

    path: str
    back: str = ""
    header: list[str] = []
    encoding: str = ""
    sheet: str = ""
    overwrite: bool = False
    columns: dict[str, str] = {}
    values: dict[str, str] = {}


class ImportFile(OwnedRow):
    """A file that one administrator is importing; `owner` is their keyed hash.

    The file itself is deleted after an hour. The answers stay for a day, for another file with the same header.
    """

    RETENTION: ClassVar = timedelta(days=1)
    FILE_TTL: ClassVar = timedelta(hours=1)
    owner_field = "owner"
    last_used_field = "created_at"

    owner = models.CharField(max_length=64, db_index=True)
    file = EncryptedTextField(mark="file_mark", default="", blank=True)
    file_mark = models.CharField(max_length=16)
    content = EncryptedJSONField(type=ImportChoices, mark="key_mark")
    key_mark = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "import_file"

    @classmethod
    def purge(cls, now: datetime) -> None:
        """Delete the files of the last day without their answers, and older rows."""
        cls.objects.filter(created_at__lt=now - cls.FILE_TTL).exclude(file_mark="").update(file="", file_mark="")
        super().purge(now)


class ResultContent(msgspec.Struct, frozen=True):
    """The path of a result and its return address, and the signed `values` from which its page is rendered."""

    path: str
    back: str
    values: dict[str, str]


class StoredResult(OwnedRow):
    """The result of a bulk action or an import of one administrator; `owner` is their keyed hash."""

    RETENTION: ClassVar = timedelta(hours=1)
    owner_field = "owner"
    last_used_field = "created_at"

    owner = models.CharField(max_length=64, db_index=True)
    content = EncryptedJSONField(type=ResultContent, mark="key_mark")
    key_mark = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "stored_result"


class Activity(models.Model):
    """An action in this console, or an attempt. Its codes and its outcome are in clear; `content` has all other data.

    `organization`, `who`, `target`, the clinics and teams are keyed hashes (`console.audit.content.thing_key`). A moved
    object has its destination as `clinic` and `team`, and its origin as `other_clinic` and `other_team`. A bulk action
    (`is_bulk`) is the `parent` of its rows, by its `key`. An entry and its `key` belong to one execution; entries of a
    resubmission have the same `submission`.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True)
    organization = models.CharField(max_length=64)
    who = models.CharField(max_length=64)
    act = models.CharField(max_length=32)
    kind = models.CharField(max_length=32)
    target = models.CharField(max_length=64, default="", blank=True)
    clinic = models.CharField(max_length=64, default="", blank=True)
    other_clinic = models.CharField(max_length=64, default="", blank=True)
    team = models.CharField(max_length=64, default="", blank=True)
    other_team = models.CharField(max_length=64, default="", blank=True)
    outcome = models.CharField(max_length=8, default="unknown")
    is_bulk = models.BooleanField(default=False)
    parent = models.CharField(max_length=64, default="", blank=True)
    key = models.CharField(max_length=64, unique=True)
    submission = models.CharField(max_length=64, default="", db_default="", blank=True)
    content = EncryptedTextField(mark="key_mark")
    key_mark = models.CharField(max_length=16)

    class Meta:
        db_table = "activity"
        indexes = [
            models.Index(fields=["organization", "id"], name="activity_all"),
            models.Index(fields=["organization", "parent", "id"], name="activity_acts"),
            models.Index(fields=["organization", "who", "id"], name="activity_who"),
            models.Index(fields=["organization", "kind", "act", "id"], name="activity_act"),
            models.Index(fields=["submission", "id"], name="activity_submission"),
            models.Index(fields=["target", "id"], name="activity_target"),
            models.Index(fields=["clinic", "id"], name="activity_clinic"),
            models.Index(fields=["other_clinic", "id"], name="activity_other_clinic"),
            models.Index(fields=["team", "id"], name="activity_team"),
            models.Index(fields=["other_team", "id"], name="activity_other_team"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.kind}: {self.outcome}"


class RunningExport(models.Model):
    """The running export of an administrator (`owner` is a keyed hash), in any process; `token` identifies the process.

    A lease that was not renewed belongs to a process that has ended.
    """

    LEASE: ClassVar = timedelta(seconds=90)
    """Longer than the time between two renewals: the deadline of a few calls, or the time of a slow reader."""
    CLOCK_TOLERANCE: ClassVar = timedelta(minutes=1)
    """A lease that ends later than the latest possible end plus this was stored by a wrong clock, and is ignored."""

    owner = models.CharField(max_length=64, primary_key=True)
    token = models.CharField(max_length=32)
    lease_ends = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "running_export"

    def __str__(self) -> str:
        return f"export until {self.lease_ends:%H:%M:%S}"

    @classmethod
    def expired(cls, now: datetime) -> "models.QuerySet[RunningExport]":
        """Return the exports whose process has ended."""
        return cls.objects.exclude(lease_ends__range=(now, now + cls.LEASE + cls.CLOCK_TOLERANCE))


class Purge(models.Model):
    """A single row: the time of the last purge, and the end of the lock of a running one."""

    locked_until = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "purge"

    def __str__(self) -> str:
        return f"purge of {self.finished_at}"


class Translator(models.Model):
    """A user of the translators' site, not an administrator of an organization. Without languages, all are allowed."""

    name = models.CharField(max_length=64, unique=True)
    password = models.CharField(max_length=128)
    languages = models.CharField(max_length=200, default="", blank=True)  # tags, separated by commas
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "translator"

    def __str__(self) -> str:
        return self.name


class TranslatorLogin(models.Model):
    """A translator's login in a browser; its key is the SHA-256 of the cookie."""

    key = models.CharField(max_length=64, primary_key=True)
    translator = models.ForeignKey(Translator, models.CASCADE)
    ends_at = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "translator_login"

    def __str__(self) -> str:
        return f"login until {self.ends_at:%H:%M}"


class Edit(models.Model):
    """A translator's change of a text: its history, and the text that replaces the shipped translation.

    The newest published edit of a message is shown. `forms` and `former` are lists of plural forms, with one item if
    there is no plural.
    """

    class State(models.TextChoices):
        PUBLISHED = "published"
        ON_HOLD = "kept", "Kept"  # would deface a page
        COLLIDED = "collided"  # another translator has published a different text since
        REVERTED = "taken back", "Taken Back"
        DISCARDED = "discarded"  # was kept or collided, and no longer waits

    OPEN = (State.ON_HOLD, State.COLLIDED)
    """The states that require a decision."""

    code = models.CharField(max_length=16)
    message = models.CharField(max_length=64)
    context = models.TextField(default="", blank=True)
    text = models.TextField()
    plural = models.TextField(default="", blank=True)
    forms = models.JSONField()
    former = models.JSONField()
    author = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=12, choices=State.choices)

    class Meta:
        db_table = "edit"
        indexes = (models.Index(fields=["code", "message"]),)

    def __str__(self) -> str:
        return f"{self.state} {self.code}: {self.text[:40]}"


class EditVersion(models.Model):
    """A single row, whose number increases with each change of shown texts; all processes compare theirs with it."""

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        db_table = "edit_version"

    def __str__(self) -> str:
        return str(self.number)
