"""What all decoded objects have in common: upstream spelling stops here."""

import re
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    Id = str
else:
    Id = int | str  # numbers are accepted on the wire, and turned into strings below


class Noun(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the service's objects: ids are strings, dates are aware and in UTC, unknown keys are ignored."""

    def __post_init__(self) -> None:
        for name in _adjusted(type(self)):
            value = getattr(self, name)
            if type(value) is int:
                msgspec.structs.force_setattr(self, name, str(value))
            elif type(value) is datetime and value.tzinfo is not UTC:
                aware = value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
                msgspec.structs.force_setattr(self, name, aware)


@cache
def _adjusted(noun: type[Noun]) -> tuple[str, ...]:
    return tuple(f.name for f in msgspec.structs.fields(noun) if f.type in (Id, datetime, datetime | None))


_NOUNS = (("main_group", "clinic"), ("sub_group", "team"))


def our_name(upstream_name: str) -> str:
    """Return a name of the service in our spelling: `mainGroupId` is `clinic_id`."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", upstream_name).lower()
    for theirs, ours in _NOUNS:
        name = name.replace(theirs, ours)
    return name
