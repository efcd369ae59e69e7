"""Matching of words in files: in English or the reader's language, in any case, by one of several names."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.utils import translation

from console.l10n.countries import sort_key
from upstream.characters import folded, normalized


def written_key(text: str) -> str:
    """Return a word without case, accents, blanks and punctuation: "E-Mail " is "email", and ı is i."""
    plain = sort_key(text).replace("ı", "i")
    return "".join(c for c in plain if unicodedata.category(c)[0] in "LMN")


_EQUIVALENTS = {
    **dict.fromkeys(map(ord, "‘’‚‛‹›′‵ʹʻʼ`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»″‶〝〞〟「」『』"), '"'),
    **dict.fromkeys(map(ord, "−‒﹣－"), "-"),
    **dict.fromkeys(map(ord, "。｡"), "."),
}
"""Characters that word processors insert, and characters that keyboards lack, with their plain forms."""
_ACCENTS = re.compile("[\u0300-\u036f]")
"""Combining marks over and under letters; those of Japanese and Thai make other words."""
_LETTERS = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode doesn't decompose, as keyboards without them write them."""


def written_keys(*texts: object) -> set[str]:
    """Return the keys of all names in these texts, separated by |, in English and in the reader's language."""
    with translation.override("en"):
        english = list(map(str, texts))
    return {written_key(name) for text in (*english, *map(str, texts)) for name in text.split("|")} - {""}


def all_written_keys(*texts: object) -> set[str]:
    """Return the keys of all names in these texts, separated by |, in all languages."""
    keys = set[str]()
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            keys |= {written_key(name) for text in texts for name in str(text).split("|")}
    return keys - {""}


def codes_by_word(words: Mapping[str, Sequence[object]]) -> dict[str, str]:
    """Return the code of each key of a word in any language; without words that have several codes."""
    keys = {code: all_written_keys(code, *texts) for code, texts in words.items()}
    counts = Counter(key for names in keys.values() for key in names)
    return {key: code for code, names in keys.items() for key in names if counts[key] == 1}


def meant(written: str, words: Mapping[str, Sequence[object]]) -> str:
    """Return the code of a word; `words` are the names of each code, the main name first. "" if none matches."""
    key = written_key(written)
    for count in (1, None):  # the main name of a code has priority over other names of another code
        for code, texts in words.items():
            if key in written_keys(code, *texts[:count]):
                return code
    return ""


def matches_input(given: str, text: str) -> bool:
    """Return True if the input is the text, except for case, accents and forms of quotes, dashes, blanks and digits."""
    given = input_key(given)
    if text.isdecimal() and given.isdecimal():
        return [unicodedata.decimal(digit) for digit in given] == [int(digit) for digit in text]
    return given == input_key(text)


def input_key(text: str) -> str:
    """Return a comparison key that ignores case, accents, and typographic variants."""
    plain = folded(text).translate(_EQUIVALENTS)
    plain = "".join("-" if unicodedata.category(char) == "Pd" else char for char in plain)
    plain = normalized("NFKD", normalized("NFKD", plain).casefold())
    return _ACCENTS.sub("", plain).translate(_LETTERS) or plain  # a text may be nothing but accents
