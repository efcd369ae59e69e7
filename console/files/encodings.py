"""Guess the encoding of a CSV file, which does not contain this information.

That of the reader's language is the most likely one, because spreadsheet apps follow the language of the system;
charset-normalizer finds the others. Only the reader knows which spelling is right.
"""

import re
from contextlib import suppress

from charset_normalizer import from_bytes
from django.utils.translation import get_language, gettext_lazy

from console.lists.query import Label

ENCODINGS: dict[str, Label] = {
    # Translators: a script, in a list of ways to read a file.
    "cp1252": gettext_lazy("Western European"),
    # Translators: a script, in a list of ways to read a file.
    "cp1250": gettext_lazy("Central European"),
    # Translators: a script, in a list of ways to read a file.
    "cp1251": gettext_lazy("Cyrillic"),
    # Translators: a script, in a list of ways to read a file.
    "cp1253": gettext_lazy("Greek"),
    # Translators: a script, in a list of ways to read a file.
    "cp1254": gettext_lazy("Turkish"),
    # Translators: a script, in a list of ways to read a file.
    "cp1255": gettext_lazy("Hebrew"),
    # Translators: a script, in a list of ways to read a file.
    "cp1256": gettext_lazy("Arabic"),
    # Translators: a script, in a list of ways to read a file.
    "cp1257": gettext_lazy("Baltic"),
    # Translators: a script, in a list of ways to read a file.
    "cp1258": gettext_lazy("Vietnamese"),
    # Translators: a script, in a list of ways to read a file.
    "cp874": gettext_lazy("Thai"),
    # Translators: a script, in a list of ways to read a file.
    "cp932": gettext_lazy("Japanese"),
    # Translators: a script, in a list of ways to read a file.
    "cp949": gettext_lazy("Korean"),
    # Translators: a script, in a list of ways to read a file.
    "gbk": gettext_lazy("Simplified Chinese"),
    # Translators: a script, in a list of ways to read a file.
    "cp950": gettext_lazy("Traditional Chinese"),
}
"""The code pages in which spreadsheet apps write CSV, by Python's names."""

LANGUAGE_ENCODINGS = {
    "ar": "cp1256",
    "cs": "cp1250",
    "el": "cp1253",
    "ja": "cp932",
    "ko": "cp949",
    "pl": "cp1250",
    "ro": "cp1250",
    "ru": "cp1251",
    "th": "cp874",
    "tr": "cp1254",
    "vi": "cp1258",
    "zh-hans": "gbk",
    "zh-hant": "cp950",
}
"""The code page of a system by language; for other languages it is Western European."""
_WORD = re.compile(r'[^\x00-\x20,;"]+')


def reader_encoding() -> str:
    """Return the encoding in which spreadsheet apps in the reader's language write CSV."""
    return LANGUAGE_ENCODINGS.get(get_language() or "", "cp1252")


def likely_texts(data: bytes) -> dict[str, str]:
    """Return the possible texts of a file by encoding, each text once; that of the reader's language is first."""
    # In a long text, a few words in another script would hardly affect the result.
    words = "\n".join(word for word in _WORD.findall(data.decode("latin-1")) if not word.isascii())
    matches = from_bytes(words.encode("latin-1"), cp_isolation=list(ENCODINGS))
    texts: dict[str, str] = {}
    for name in dict.fromkeys([reader_encoding(), *(match.encoding for match in matches)]):
        with suppress(UnicodeDecodeError):
            text = data.decode(name)
            if text not in texts.values():
                texts[name] = text
    return texts
