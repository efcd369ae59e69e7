"""Base of all decoded objects: the service's spelling is translated to ours here."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from upstream.characters import folded, is_visible, normalized
from upstream.emails import readable_email, sent_email

if TYPE_CHECKING:
    Id = str
else:
    Id = int | str  # numbers are accepted in answers, and converted to strings below

Email = Annotated[str, msgspec.Meta(title="email")]
"""An email address: readable in our objects, and in DNS form on the wire."""
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A number of things: one that browsers can count with, too."""
Version = Annotated[int, msgspec.Meta(ge=-1, le=2**53)]
UNREADABLE_VERSION = -1
"""Different from a missing version: an object without protection against overwriting is not changed."""
UNREADABLE_ID = "\ufffd"
"""Different from a missing ID: an object that may belong to another organization is not shown."""

_BETWEEN = frozenset({"Cc", "Cf", "Pd", "Zl", "Zp", "Zs"})
"""Categories of the characters that people put between the others of a serial number, or that are invisible."""


class Noun(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of the service's objects: ids are strings, dates are optional and in UTC, unknown keys are ignored."""

    def __post_init__(self) -> None:
        for name in _adjusted(type(self)):
            value = getattr(self, name)
            if type(value) is int:
                msgspec.structs.force_setattr(self, name, str(value))
            elif type(value) is datetime:
                msgspec.structs.force_setattr(self, name, _in_utc(value))
        for name in _emails(type(self)):
            msgspec.structs.force_setattr(self, name, readable_email(getattr(self, name)))
        for name, id in _references(type(self)):
            if text := getattr(self, name):
                msgspec.structs.force_setattr(self, name, called(text, getattr(self, id, None) or ""))


class Named(Noun, frozen=True, kw_only=True):
    """Base of the objects with a name and a page."""

    id: Id
    name: str = ""

    @property
    def called(self) -> str:
        return called(self.name, self.id)


def called(name: str, id: str) -> str:
    """Return the display name of an object: its ID if nothing of its name is visible."""
    return name if is_visible(name) else id


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


@cache
def _emails(noun: type[Noun]) -> tuple[str, ...]:
    return tuple(f.name for f in msgspec.structs.fields(noun) if f.type == Email)


@cache
def _references(noun: type[Noun]) -> tuple[tuple[str, str], ...]:
    """Return the fields with the name of another object, each with the field of its ID."""
    names = (f.name for f in msgspec.structs.fields(noun) if f.name.endswith("_name") and f.type in (str, str | None))
    return tuple((name, f"{name.removesuffix('_name')}_id") for name in names)


def wire(noun: type[Noun], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that were given (not UNSET), in the service's spelling.

    Raises KeyError for a field that the noun does not have: that is a mistake of the caller.
    """
    wire_names, emails = _spelling(noun), _emails(noun)
    given = {name: value for name, value in fields.items() if value is not msgspec.UNSET}
    return {wire_names[name]: sent_email(value) if name in emails else value for name, value in given.items()}


def new(noun: type[Noun], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an object to be created: like `wire`, but without those that are None or empty."""
    return {name: value for name, value in wire(noun, fields).items() if value not in (None, "")}


def plain(name: str) -> str:
    """Return a name for comparison, like the service: without invisible characters, case, accents, outer spaces."""
    decomposed = normalized("NFKD", folded(name).casefold())
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
    for upstream_noun, noun in _NOUNS:
        name = name.replace(upstream_noun, noun)
    return name
