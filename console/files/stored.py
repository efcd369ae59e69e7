"""Stored import files: encrypted, for one hour, and only for the administrator who chose the file."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils import timezone
from msgspec.structs import replace

from console.config.database_errors import storing
from console.config.encryption import Unreadable, decrypt_text, encrypt_text, key_mark
from console.errors import ObjectNotFound
from console.models import ImportChoices, ImportFile
from console.sessions.identity import keyed_hash

MAX_FILES = 5
"""Files of one administrator; another one replaces the oldest."""


def store_file(identity: str, data: bytes, content: ImportChoices) -> ImportFile:
    """Store a file. Raises StorageUnavailable."""
    owner, file = _owner(identity), encrypt_text(b64encode(data).decode())
    with storing("an import file could not be stored"):
        ImportFile.purge(timezone.now())
        row: ImportFile = ImportFile.objects.create(owner=owner, file=file, file_mark=key_mark(), content=content)
        ImportFile.objects.keep_newest(owner, MAX_FILES)
    return row


def find_file(identity: str, path: str, id: str) -> ImportFile:
    """Return a stored file of this administrator and import. Raises ObjectNotFound."""
    row: ImportFile = ImportFile.objects.for_owner(_owner(identity)).find(id)
    if row.content is None or row.content.path != path or row.created_at < timezone.now() - ImportFile.RETENTION:
        raise ObjectNotFound("no such import file")
    return row


def read_file(row: ImportFile) -> bytes:
    """Return the content of a stored file; nothing if it was deleted after an hour, or can't be decrypted."""
    if not row.file or row.created_at < timezone.now() - ImportFile.FILE_TTL:
        return b""
    try:
        return b64decode(decrypt_text(row.file))
    except Unreadable:
        return b""


def save_choices(row: ImportFile, **values: Any) -> None:
    """Store answers to the questions about a file. Raises StorageUnavailable."""
    row.content = replace(row.content, **values)
    with storing("the answers to an import could not be stored"):
        row.save(update_fields=["content", "key_mark"])


def earlier_choices(identity: str, path: str, header: Sequence[str]) -> ImportChoices | None:
    """Return the answers for the administrator's last file with this header, if there is one."""
    rows: Iterable[ImportFile] = ImportFile.objects.for_owner(_owner(identity)).order_by("-pk")
    contents: list[ImportChoices | None] = [row.content for row in rows]
    matching = (one for one in contents if one and one.path == path and one.header == list(header))
    return next(matching, None)


def _owner(identity: str) -> str:
    return keyed_hash("import file", identity)
