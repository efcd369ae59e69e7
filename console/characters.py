"""The characters that can't be seen, and the blanks: one definition for all that is typed, pasted, read and compared.

`characters.json` holds it, with examples; static_src/lib/characters.ts reads the same file.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Literal

TABLE = json.loads(Path(__file__).with_name("characters.json").read_text("utf-8"))


def _class(name: str) -> str:
    """Return the expression for one of these characters; the table has their code points as hexadecimal ranges."""
    ranges = [["\\U" + end.zfill(8) for end in part.split("-")] for part in TABLE["classes"][name].split()]
    return f"[{''.join(map('-'.join, ranges))}]"


_NAME = re.compile(r"\{(\w+)\}")
BLANK, FILLER, INVISIBLE = _class("blank"), _class("filler"), _class("invisible")
"""Expressions for one character. Fillers are blanks that look like letters to most programs."""
LONGEST_NAME = 400
"""Characters of what may be a name: a hundred, however they are composed."""
_BLANKS = re.compile(f"{BLANK}+")
_NEVER_NEEDED = re.compile(f"(?!{_class('special')}){INVISIBLE}")
_NEEDED = "|".join(_NAME.sub(lambda found: _class(found[1]), pattern) for pattern in TABLE["kept"])
_REST = re.compile(f"{_NEEDED}|{_class('special')}")
_KEPT = "".join(f"\\{number}" for number in range(1, len(TABLE["kept"]) + 1))


def visible(text: str) -> str:
    """Return a text without the characters that can't be seen.

    Those stay that change their neighbors where a script needs them: joiners within Persian or Indian words, and what
    makes one emoji of several.
    """
    return text if text.isascii() else _REST.sub(_KEPT, _NEVER_NEEDED.sub("", text))


def folded(text: str) -> str:
    """Return a text as it is seen in one line: each run of blanks of any kind is one space, none at the ends."""
    return _BLANKS.sub(" ", visible(text)).strip(" ")


def is_visible(text: str) -> bool:
    """Whether anything of a text can be seen."""
    return any(unicodedata.category(char)[0] not in "CZ" for char in folded(text))


def normalized(form: Literal["NFC", "NFKC", "NFKD"], name: str) -> str:
    """Return one spelling for each character of a name; what is too long for a name stays as it is.

    Marks that follow one another take Python the square of their number: 100,000 of them keep it busy for 15 s.
    """
    return unicodedata.normalize(form, name) if len(name) <= LONGEST_NAME else name  # noqa: TID251  # the one place
