"""Invisible characters and blanks: one definition for all text that is entered, pasted, read and compared.

`characters.json` holds it, with examples; static_src/lib/characters.ts reads the same file.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Literal

TABLE = json.loads(Path(__file__).with_name("characters.json").read_text("utf-8"))


_EXTENDS = re.compile("[\u0e33\u0eb3\u1160-\u11ff\u200c\u200d\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Vowels of Thai and Lao, Japanese signs in half width, later letters of Korean syllables, and parts of emoji."""
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")
_VIRAMA, _ZWJ = 9, "\u200d"


def _class(name: str) -> str:
    """Return the expression for one of these characters; the table has their code points as hexadecimal ranges."""
    ranges = [["\\U" + end.zfill(8) for end in part.split("-")] for part in TABLE["classes"][name].split()]
    return f"[{''.join(map('-'.join, ranges))}]"


_NAME = re.compile(r"\{(\w+)\}")
BLANK, FILLER, INVISIBLE = _class("blank"), _class("filler"), _class("invisible")
"""Expressions for one character. Fillers are blanks that look like letters to most programs."""
MAX_NAME_LENGTH = 400
"""Characters of what may be a name: a hundred, however they are composed."""
_LATIN_WORDS = re.compile("[!-~¡-¬®-\u02ff]+(?: [!-~¡-¬®-\u02ff]+)*")
"""In one line, with nothing that can't be seen and one space between words."""
_BLANKS = re.compile(f"{BLANK}+")
_NEVER_NEEDED = re.compile(f"(?!{_class('special')}){INVISIBLE}")
_NEEDED = "|".join(_NAME.sub(lambda match: _class(match[1]), pattern) for pattern in TABLE["keep"])
_NEEDED_OR_SPECIAL = re.compile(f"{_NEEDED}|{_class('special')}")
_KEEP_GROUPS = "".join(f"\\{number}" for number in range(1, len(TABLE["keep"]) + 1))


def visible(text: str) -> str:
    """Return a text without the characters that can't be seen.

    Those stay that change their neighbors where a script needs them: joiners within Persian or Indian words, and what
    makes one emoji of several.
    """
    return text if text.isascii() else _NEEDED_OR_SPECIAL.sub(_KEEP_GROUPS, _NEVER_NEEDED.sub("", text))


def folded(text: str) -> str:
    """Return a text in one line: each run of blanks of any kind is one space, with none at the ends."""
    if _LATIN_WORDS.fullmatch(text):
        return text  # most texts; the full check takes five times as long
    return _BLANKS.sub(" ", visible(text)).strip(" ")


def is_visible(text: str) -> bool:
    """Return whether a text has any visible character."""
    if _LATIN_WORDS.fullmatch(text):
        return True
    return any(unicodedata.category(char)[0] not in "CZ" for char in folded(text))


def normalized(form: Literal["NFC", "NFKC", "NFKD"], name: str) -> str:
    """Return one spelling for each character of a name; a text that is too long for a name is returned unchanged.

    Python needs quadratic time for consecutive marks: 100,000 of them keep it busy for 15 s.
    """
    return unicodedata.normalize(form, name) if len(name) <= MAX_NAME_LENGTH else name  # noqa: TID251  # the one place


def first_letter(text: str) -> str:
    """Return what readers see as the first letter: with its accents, or all parts of an emoji or a flag."""
    end = 1
    while end < len(text) and _belongs(text, end):
        end += 1
    return text[:end]


def _belongs(text: str, index: int) -> bool:
    """Return whether a character belongs to the letter before it, by Unicode's grapheme clusters."""
    before, char = text[index - 1], text[index]
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or _EXTENDS.match(char):
        return True
    if _REGIONAL.match(char):
        return index == 1 and _REGIONAL.match(before) is not None
    is_conjunct = unicodedata.combining(before) == _VIRAMA and unicodedata.category(char) == "Lo"
    return is_conjunct or (before == _ZWJ and unicodedata.category(char) == "So")
