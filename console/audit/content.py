"""The content of an entry in addition to its codes: names at the time of the action, and values. Stored encrypted."""

from datetime import datetime
from typing import Any

import msgspec

from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.sessions.identity import keyed_hash

DONE, REFUSED, NOT_DONE, UNKNOWN = "done", "refused", "not_done", "unknown"
OUTCOMES = (DONE, REFUSED, NOT_DONE, UNKNOWN)
"""Outcomes as they are stored. REFUSED: the service refused the action. NOT_DONE: it was certainly not performed."""

FORMER_CODES = {
    -1: "EXPECTED_SERIAL_LIMIT",
    -2: "REMINDER_LIMIT",
    -3: "REMINDER_EXISTS",
    -4: "PRESET_LIMIT",
}
"""Reasons of the console that older entries have as a number."""

Value = str | int | float | bool | list[str] | None
"""A value as it is stored: a code, a number, an ISO date or a name, but no translated text."""


class Ref(msgspec.Struct, frozen=True, array_like=True):
    """An object: its ID, and its name at the time. Both are empty if there is no object."""

    id: str = ""
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.id or self.name)


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A field by its code, with its value before and after; the old value is None if it was not read."""

    field: str
    old: Value = None
    new: Value = None


class Content(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of an entry.

    `who` is the name of the administrator, `who_id` their ID. `reasons` are the codes of the service or of the console
    (`console.errors.Rejected`) for a refusal; `code` is the service's error code. `counts` are the numbers of rows of a
    bulk action by outcome.
    """

    who: str = ""
    who_id: str = ""
    target: Ref = Ref()
    clinic: Ref = Ref()
    other_clinic: Ref = Ref()
    team: Ref = Ref()
    other_team: Ref = Ref()
    changes: list[Change] = []
    reasons: list[str] = []
    code: int | None = None
    counts: dict[str, int] = {}

    def encrypt(self) -> str:
        return encrypt_text(msgspec.json.encode(self).decode())

    @classmethod
    def decrypt(cls, text: str) -> "Content":
        """Read the content of an entry. Raises Unreadable."""
        try:
            content = msgspec.json.decode(decrypt_text(text), type=cls)
        except (msgspec.MsgspecError, ValueError) as error:
            raise Unreadable from error
        if content.code in FORMER_CODES:
            return msgspec.structs.replace(content, code=None, reasons=[FORMER_CODES[content.code]])
        return content


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry. If it can't be decrypted, `content` is empty and `is_readable` is False.

    The rows of a bulk action have its `key` as their `parent`. `target` is the `thing_key` of the object, which is
    known even if the content can't be decrypted.
    """

    id: str
    at: datetime | None
    action: str
    kind: str
    outcome: str
    key: str
    parent: str
    target: str = ""
    is_bulk: bool
    content: Content
    is_readable: bool = True


def thing_key(organization: str, kind: str, id: str) -> str:
    """Return the keyed hash of an object, as it is stored in `target`, `clinic`, `other_clinic` and so on."""
    return keyed_hash("activity", organization, kind, id) if id else ""


def as_value(value: Any) -> Value:
    """Return a value of a form as it is stored; None for an empty one."""
    if value in ("", (), []):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [str(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
