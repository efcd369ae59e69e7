"""Base of all decoded objects: the service's spelling is translated to ours here."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

if TYPE_CHECKING:
    Id = str
else:
    Id = int | str  # numbers are accepted in answers, and converted to strings below

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A number of things: one that browsers can count with, too."""
Version = Annotated[int, msgspec.Meta(ge=-1, le=2**53)]
UNREADABLE_VERSION = -1
"""Not a missing one: what can't be protected against being overwritten is not changed."""
UNREADABLE_ID = "\ufffd"
"""Not a missing one: what may be another organization's is not shown."""

_BETWEEN = frozenset({"Cc", "Cf", "Pd", "Zl", "Zp", "Zs"})
"""Categories of the characters that people put between the others of a serial number, or that nobody sees."""

LONGEST_NAME = 400
"""Characters of what may be a name: a hundred, however they are composed."""


class Noun(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the service's objects: ids are strings, dates are optional and in UTC, unknown keys are ignored."""

    def __post_init__(self) -> None:
        for name in _adjusted(type(self)):
            value = getattr(self, name)
            if type(value) is int:
                msgspec.structs.force_setattr(self, name, str(value))
            elif type(value) is datetime:
                msgspec.structs.force_setattr(self, name, _in_utc(value))


class Named(Noun, frozen=True, kw_only=True):
    """Base of those that have pages of their own."""

    id: Id
    name: str = ""

    @property
    def called(self) -> str:
        return called(self.name, self.id)


def called(name: str, id: str) -> str:
    """Return what a thing is called: by its ID where nothing of its name can be seen."""
    return name if any(unicodedata.category(char)[0] not in "CZ" for char in name) else id


def _in_utc(moment: datetime) -> datetime | None:
    """Return the moment in UTC; None in the first and the last year of the calendar.

    Systems without a null write these for "never", and a time zone can push them out of the calendar.
    """
    if moment.year in (MINYEAR, MAXYEAR):
        return None
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


@cache
def _adjusted(noun: type[Noun]) -> tuple[str, ...]:
    kinds = (Id, Id | None, datetime | None)
    return tuple(f.name for f in msgspec.structs.fields(noun) if f.type in kinds)


def wire(noun: type[Noun], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that were given (not UNSET), in the service's spelling.

    Raises KeyError for a field that the noun does not have: that is a mistake of the caller.
    """
    theirs = _spelling(noun)
    return {theirs[name]: value for name, value in fields.items() if value is not msgspec.UNSET}


def new(noun: type[Noun], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object to be created: like `wire`, but without those that are None or empty."""
    return {name: value for name, value in wire(noun, fields).items() if value not in (None, "")}


def normalized(form: Literal["NFC", "NFKC", "NFKD"], name: str) -> str:
    """Return one spelling for each character of a name; what is too long for a name stays as it is.

    Marks that follow one another take Python the square of their number: 100,000 of them keep it busy for 15 s.
    """
    return unicodedata.normalize(form, name) if len(name) <= LONGEST_NAME else name  # noqa: TID251  # the one place


def plain(name: str) -> str:
    """Return a name the way the service compares it: without case, accents and surrounding spaces."""
    decomposed = normalized("NFKD", name.strip().casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def plain_serial(serial_number: str) -> str:
    """Return a serial number the way the service compares it: as `plain`, without spaces and dashes (contract, 7)."""
    return "".join(c for c in plain(serial_number) if unicodedata.category(c) not in _BETWEEN and c != "\u2212")


@cache
def _spelling(noun: type[Noun]) -> dict[str, str]:
    return {f.name: f.encode_name for f in msgspec.structs.fields(noun)}


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOUNS = (("main_group", "clinic"), ("sub_group", "team"))


def our_name(upstream_name: str) -> str:
    """Return our spelling of one of the service's names: `mainGroupId` becomes `clinic_id`."""
    name = _HUMP.sub("_", upstream_name).lower()
    for theirs, ours in _NOUNS:
        name = name.replace(theirs, ours)
    return name
