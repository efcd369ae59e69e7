"""Read an answer that is not quite of its type: parts that don't fit count as missing.

Except in an object that would mean something else then (`IS_WHOLE`): in that, only nulls count as missing.
"""

import json
import re
from contextlib import suppress
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from upstream.nouns import UNREADABLE_ID, UNREADABLE_VERSION

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNREADABLE = {"id": "", "organizationId": UNREADABLE_ID, "version": UNREADABLE_VERSION}
"""Values for fields that affect decisions: unreadable must not mean missing."""
_ITEMS = 10_000  # of a list; no screen shows as many
_DIGITS = 400  # of a number; Python refuses to read or print much longer ones


def parse(body: bytes) -> Any:
    """Decode JSON, also with numbers beyond all limits and with lone surrogates; raise ValueError if it is none.

    A text that was cut within an emoji ends in one, which can't be sent to a browser.
    """
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(body)
    return _whole(json.loads(body.decode(), parse_int=_number, parse_constant=lambda _name: None))


def fitted(value: Any, wanted: type[T]) -> T:
    """Convert the parts of a value that fit; raise ValidationError if none does."""
    return msgspec.convert(_fitting(value, wanted), wanted)


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) < _DIGITS else None


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value


def _fitting(value: Any, wanted: Any) -> Any:
    """Return the value without the parts that don't fit; raise ValidationError if the remainder doesn't fit either."""
    with suppress(msgspec.ValidationError):
        msgspec.convert(value, wanted)
        return value
    kind, parts = get_origin(wanted) or wanted, get_args(wanted)
    if kind in (Union, UnionType):
        for part in parts:
            with suppress(msgspec.ValidationError):
                return _fitting(value, part)
    elif kind in (list, tuple) and isinstance(value, list):
        value = [item for row in value[:_ITEMS] for item in _row(row, parts[0])]
    elif kind is dict and isinstance(value, dict):
        value = {key: item for key, row in value.items() for item in _row(row, parts[1])}
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict):
        value = _without_nulls(value) if getattr(kind, "IS_WHOLE", False) else _fields(value, wanted)
    msgspec.convert(value, wanted)
    return value


def _row(row: Any, wanted: Any) -> list[Any]:
    """Return an item, or nothing; an object without an id that can be read is shown all the same, with an empty one."""
    with suppress(msgspec.ValidationError):
        return [_fitting(row, wanted)]
    with suppress(msgspec.ValidationError):
        return [_fitting({**(row if isinstance(row, dict) else {}), "id": ""}, wanted)]
    return []


def _fields(value: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Return the fields that fit."""
    fitting = {}
    for field in _get_fields(wanted):
        name = field.encode_name
        if value.get(name) is None:
            continue  # missing and null mean the same
        if name in _UNREADABLE:
            fitting[name] = _UNREADABLE[name]  # unless it can be read
        with suppress(msgspec.ValidationError):
            fitting[name] = _fitting(value[name], field.type)
    return fitting


@cache
def _get_fields(wanted: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a type. Cached, because msgspec inspects the annotations each time."""
    return msgspec.structs.fields(wanted)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
