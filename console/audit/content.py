"""What an entry tells beside its codes: names as they were then, and values. It is stored encrypted."""

from datetime import datetime
from typing import Any

import msgspec

from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.sessions.identity import keyed_hash

DONE, REFUSED, NOT_DONE, UNKNOWN = "done", "refused", "not_done", "unknown"
OUTCOMES = (DONE, REFUSED, NOT_DONE, UNKNOWN)
"""As they are stored: the service said no; it can't have been carried out; nobody knows."""

FORMER_CODES = {
    -1: "EXPECTED_SERIAL_LIMIT",
    -2: "REMINDER_LIMIT",
    -3: "REMINDER_EXISTS",
    -4: "PRESET_LIMIT",
}
"""The reasons of the console for which entries were stored with a number."""

Value = str | int | float | bool | list[str] | None
"""A value as it is stored: a code, a number, an ISO date, a name; no word of a language."""


class Ref(msgspec.Struct, frozen=True, array_like=True):
    """Something by its ID, and its name then. Both are empty where there is none."""

    id: str = ""
    name: str = ""

    def __bool__(self) -> bool:
        return bool(self.id or self.name)


class Change(msgspec.Struct, frozen=True, array_like=True):
    """A field by its code, with its value before and after; the former is None where nobody read it."""

    field: str
    old: Value = None
    new: Value = None


class Content(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an entry tells.

    `who` is the name of the administrator, `who_id` their ID. `reasons` say why it was refused, in the words of the
    service or of the console (`console.errors.Rejected`); `code` is the service's code. `counts` of a bulk act has how
    many rows ended how, by outcome.
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
        """Read what an entry holds. Raises Unreadable."""
        try:
            content = msgspec.json.decode(decrypt_text(text), type=cls)
        except (msgspec.MsgspecError, ValueError) as error:
            raise Unreadable from error
        if content.code in FORMER_CODES:
            return msgspec.structs.replace(content, code=None, reasons=[FORMER_CODES[content.code]])
        return content


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry; `content` is empty where it can't be decrypted any more, and then it is not `is_readable`.

    `key` is what its rows have as their `parent`, where it is a bulk act; `parent` is that of the act it is a row of.
    `target` is the `thing_key` of what it is about, which is known even where the rest can't be decrypted.
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
    """Return the keyed hash under which something is found: as `target`, `clinic`, `other_clinic` and so on."""
    return keyed_hash("activity", organization, kind, id) if id else ""


def as_value(value: Any) -> Value:
    """Return a value of a form as it is stored; what is empty is none."""
    if value in ("", (), []):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [str(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
