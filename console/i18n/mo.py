"""Compiled catalogs, read where they stand: in dictionaries, as of `gettext`, they take three times the memory."""

import gettext
import re
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any, Self

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


class Texts:
    """The translations of a file by their keys, as much of a dictionary as Django asks for. They never change."""

    def __init__(self, data: bytes) -> None:
        order = _ORDER[data[:4]]
        self._count: int
        self._count, self._sources, self._translations = struct.unpack_from(f"{order}3I", data, 8)
        self._place = struct.Struct(f"{order}2I").unpack_from
        self._data = data
        self._plurals: dict[Key, str | None] = {}
        sources = [self._read(self._sources, number) for number in range(self._count)]
        if sources != sorted(sources):
            raise ValueError("the texts are not in their order")
        for number, source in enumerate(sources):
            source.decode()
            self._read(self._translations, number).decode()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        """The texts that are translated, each after its context, and without its plural."""
        return (self._source(number).decode() for number in range(self._count))

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
        number = bisect_left(range(self._count), wanted, key=self._source)
        if number == self._count or self._source(number) != wanted:
            return None
        if (b"\0" in self._read(self._sources, number)) != (form is not None):
            return None
        forms = self._read(self._translations, number).decode().split("\0")
        return forms[form or 0] if (form or 0) < len(forms) else None

    def _source(self, number: int) -> bytes:
        return self._read(self._sources, number).partition(b"\0")[0]

    def _read(self, table: int, number: int) -> bytes:
        length, start = self._place(self._data, table + 8 * number)
        if self._data[start + length]:
            raise ValueError("a text has no end")
        return self._data[start : start + length]
