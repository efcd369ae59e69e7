"""The code pages in which spreadsheet programs write CSV, and which of them a file may be in.

A file does not say its code page. The one of the reader's language is the most likely, because the program follows the
language of the system; charset-normalizer ranks the others. Nobody but the reader can tell which names are right, so
each reading comes with some words to choose by.
"""

import re
import unicodedata
from itertools import islice
from typing import NamedTuple

from charset_normalizer import from_bytes
from django.utils.translation import get_language, gettext_lazy

from console.characters import normalized
from console.lists.query import Label

LABELS: dict[str, Label] = {
    "cp1252": gettext_lazy("Western European"),
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
    "cp936": gettext_lazy("Simplified Chinese"),
    "cp950": gettext_lazy("Traditional Chinese"),
}
"""The code pages by Python's names."""

OF_LANGUAGE = {
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
    "zh-hans": "cp936",
    "zh-hant": "cp950",
}
"""The code page of a system in each language; the others are Western European."""

_THEIRS = {"gb18030": "cp936", "gbk": "cp936", "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949"}
"""What charset-normalizer may call a code page, or a part of one."""
_SAMPLE = 16 * 1024
"""Characters by which a text is judged, from the first on that is not ASCII: a table of a hundred rows has some ten
thousand."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONGEST_WORD = 100
_WORDS = 4
_WORD = re.compile(r"[^\s!-@\[-`{-~]+")
_WITHOUT_SPACES = {"THAI", "CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH", "HANGUL"}
"""Scripts in which "ABC" may stand at the begin or the end of a word."""
_SPACED = {"CYRILLIC", "GREEK", "HEBREW", "ARABIC"}


class Reading(NamedTuple):
    """A code page that a file may be in, and some words of the file as they would read."""

    code_page: str
    words: list[str]

    @property
    def label(self) -> Label:
        return LABELS[self.code_page]


def possible(data: bytes) -> dict[str, str]:
    """Return the texts that a file may be, by their code pages, the most likely first; each text once.

    Left out are those of another language than the reader's that mix scripts within words, as in "J\u0434ger".
    """
    texts: dict[str, str] = {}
    of_reader = OF_LANGUAGE.get(get_language() or "", "cp1252")
    for code_page in dict.fromkeys([of_reader, *_detected(data), *LABELS]):
        try:
            text = data.decode(code_page)
        except UnicodeDecodeError:
            continue
        if text not in texts.values() and (code_page == of_reader or not _is_mixed(text)):
            texts[code_page] = text
    return texts


def _is_mixed(text: str) -> bool:
    """Tell whether half of the words that are not ASCII are of several scripts: a single one may be a brand."""
    first = _NOT_ASCII.search(text)
    start = max(0, first.start() - _LONGEST_WORD) if first else 0
    text = text[start : start + _SAMPLE]
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    script = {character: unicodedata.name(character, "").partition(" ")[0] for character in set(text)}
    return bool(words) and 2 * sum(_mixes([script[character] for character in word]) for word in words) >= len(words)


def _mixes(scripts: list[str]) -> bool:
    latin = [place for place, script in enumerate(scripts) if script == "LATIN"]
    return bool(latin) and (
        not _SPACED.isdisjoint(scripts) or not _WITHOUT_SPACES.isdisjoint(scripts[latin[0] : latin[-1]])
    )


def _detected(data: bytes) -> list[str]:
    found = from_bytes(data, cp_isolation=[*LABELS, *_THEIRS])
    names = [_THEIRS.get(match.encoding, match.encoding) for match in found]
    return [name for name in names if name in LABELS]


def reading(code_page: str, rows: list[list[str]]) -> Reading:
    """Return the words of a file that another code page would spell differently, those below the header first."""
    words = (cell.strip() for row in [*rows[1:], *rows[:1]] for cell in row if not cell.isascii())
    return Reading(code_page, [joined(word[:40]) for word in islice(dict.fromkeys(words), _WORDS)])


def joined(text: str) -> str:
    """Vietnamese is written with separate accents; join them with their letters."""
    return normalized("NFC", text)
