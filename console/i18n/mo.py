"""Compiled catalogs that stay encoded in memory.

The dictionaries of `gettext` take four times the memory, and workers can't share them: a lookup changes the reference
count of a string, which copies its page of memory.
"""

import struct
from bisect import bisect_left
from gettext import NullTranslations, c2py

MAGIC = 0x950412DE


class Catalog(NullTranslations):
    """The texts of a compiled catalog. Raises errors of several types for data that is not a whole catalog."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        magic, _version, self._count, sources, translations = struct.unpack_from("=5I", data)
        if magic != MAGIC:
            raise ValueError("not a compiled catalog")
        self._data = data
        self._plurals: dict[str, list[str]] = {}
        # Each table has the length and the position of each text.
        self._sources = memoryview(data)[sources : sources + 8 * self._count].cast("I")
        self._translations = memoryview(data)[translations : translations + 8 * self._count].cast("I")
        self._check()
        header = "".join(self._forms(""))
        self._plural_form = c2py(header.partition("plural=")[2].partition(";")[0] or "n != 1")

    def gettext(self, message: str) -> str:
        super_gettext, forms = super().gettext, self._forms(message)
        form = self._plural_form(1) if len(forms) > 1 else 0
        return forms[form] if form < len(forms) else super_gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        super_ngettext, form = super().ngettext, self._plural_form(n)
        if (forms := self._plurals.get(msgid1)) is None:
            forms = self._plurals[msgid1] = self._forms(msgid1)
        return forms[form] if form < len(forms) else super_ngettext(msgid1, msgid2, n)

    def _forms(self, message: str) -> list[str]:
        """Return the translation of a message, a text for each plural form; an empty list without any."""
        source = message.encode(errors="surrogatepass")
        index = bisect_left(range(self._count), source, key=self._source)
        if index == self._count or self._source(index) != source:
            return []
        return self._text(self._translations, index).decode().split("\0")

    def _source(self, index: int) -> bytes:
        """Return the text of the code, without its plural."""
        return self._text(self._sources, index).partition(b"\0")[0]

    def _text(self, table: memoryview, index: int) -> bytes:
        length, start = table[2 * index], table[2 * index + 1]
        return self._data[start : start + length]

    def _check(self) -> None:
        for table in (self._sources, self._translations):
            for index in range(self._count):
                self._text(table, index).decode()
                if self._data[table[2 * index] + table[2 * index + 1]]:
                    raise ValueError("a text has no end")
        sources = list(map(self._source, range(self._count)))
        if sources != sorted(sources):
            raise ValueError("the texts are not sorted")
