"""Compiled catalogs, kept as they are encoded: in dictionaries, as of `gettext`, they take four times the memory."""

import gettext
import re
import struct
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, Self
from weakref import WeakValueDictionary

Key = str | tuple[str, int]  # as `gettext` has them: a text, or one with plural forms and the number of a form

MOST_KNOWN = 4096
"""Texts of a language that are remembered; the console has some 1,700."""

_ORDER = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}
_UNKNOWN: Any = object()
_PLURAL = re.compile(r"^plural-forms:.*?plural=([^;\n]+)", re.IGNORECASE | re.MULTILINE)


class Catalog(gettext.NullTranslations):
    """What Django merges of a file. Raises an error of whatever kind for what is no whole catalog."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._catalog = Texts(data)
        found = _PLURAL.search(self._catalog.get("", ""))
        self.plural: Callable[[int], int] = gettext.c2py(found[1] if found else "n != 1")


class _Strings:
    """Byte strings one after another: each takes four bytes more than it has."""

    def __init__(self, strings: list[bytes]) -> None:
        self.data = b"".join(strings)
        self.ends = array("I", accumulate(map(len, strings)))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> bytes:
        return self.data[self.ends[number - 1] if number else 0 : self.ends[number]]

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))


_sources: WeakValueDictionary[int, _Strings] = WeakValueDictionary()
"""By their hash: all languages have the same, whose texts are in memory once."""


class Texts:
    """The translations of a file by their keys, as much of a dictionary as Django asks for. They never change."""

    def __init__(self, data: bytes) -> None:
        order = _ORDER[data[:4]]
        count, sources, translations = struct.unpack_from(f"{order}3I", data, 8)
        place = struct.Struct(f"{order}2I")
        keys = _Strings(list(_read(data, place, sources, count)))
        if list(keys) != sorted(keys):
            raise ValueError("the texts are not in their order")
        self._translations = _Strings(list(_read(data, place, translations, count)))
        known = _sources.setdefault(hash(keys.data), keys)
        self._sources = known if (known.data, known.ends) == (keys.data, keys.ends) else keys
        self._plurals: dict[Key, str | None] = {}

    def __len__(self) -> int:
        return len(self._sources)

    def __iter__(self) -> Iterator[str]:
        """The texts that are translated, each after its context, and without its plural."""
        return (_singular(source).decode() for source in self._sources)

    def copy(self) -> Self:
        return self

    def get(self, key: Key, default: Any = None) -> Any:
        """Return a translation. Those of plurals are remembered, as `catalogs` remembers the others."""
        if isinstance(key, str):
            found = self._find(key)
        elif (found := self._plurals.get(key, _UNKNOWN)) is _UNKNOWN:
            found = self._find(*key)
            if len(self._plurals) < MOST_KNOWN:
                self._plurals[key] = found
        return default if found is None else found

    def _find(self, text: str, form: int | None = None) -> str | None:
        wanted = text.encode(errors="surrogatepass")
        number = bisect_left(self._sources, wanted, key=_singular)
        if number == len(self._sources) or _singular(self._sources[number]) != wanted:
            return None
        if (b"\0" in self._sources[number]) != (form is not None):
            return None
        forms = self._translations[number].decode().split("\0")
        return forms[form or 0] if (form or 0) < len(forms) else None


def _singular(source: bytes) -> bytes:
    return source.partition(b"\0")[0]


def _read(data: bytes, place: struct.Struct, table: int, count: int) -> Iterator[bytes]:
    for number in range(count):
        length, start = place.unpack_from(data, table + 8 * number)
        if data[start + length]:
            raise ValueError("a text has no end")
        text = data[start : start + length]
        text.decode()
        yield text
