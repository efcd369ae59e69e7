"""Words as people write them into files: in English or the reader's language, in any case, by one of several names."""

import unicodedata
from collections.abc import Mapping, Sequence

from django.utils import translation

from console.l10n.countries import sort_key
from upstream.characters import folded, normalized


def written_key(text: str) -> str:
    """A word without case, accents, blanks and punctuation: "E-Mail " is "email". Capitals don't tell ı from i."""
    plain = sort_key(text).replace("ı", "i")
    return "".join(c for c in plain if unicodedata.category(c)[0] in "LMN")


_EQUIVALENTS = {
    **dict.fromkeys(map(ord, "‘’‚‛‹›′‵ʹʻʼ`´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟«»″‶〝〞〟「」『』"), '"'),
    **dict.fromkeys(map(ord, "−‒﹣－"), "-"),
    **dict.fromkeys(map(ord, "。｡"), "."),
}
"""What programs write of what is typed, and signs that a keyboard lacks."""


def written_keys(*texts: object) -> set[str]:
    """The keys of all names that these texts hold, separated by |, in English and in the reader's language."""
    with translation.override("en"):
        english = list(map(str, texts))
    return {written_key(name) for text in (*english, *map(str, texts)) for name in text.split("|")} - {""}


def meant(written: str, words: Mapping[str, Sequence[object]]) -> str:
    """The code that somebody means; `words` are what each is called, its own name first. "" when it is none of them."""
    key = written_key(written)
    for count in (1, None):  # another's name counts more than a further word
        for code, texts in words.items():
            if key in written_keys(code, *texts[:count]):
                return code
    return ""


def matches_input(given: str, text: str) -> bool:
    """Whether a text was typed, as a keyboard can: with other quotes, dashes and blanks, and digits of any style."""
    given = input_key(given)
    if text.isdecimal() and given.isdecimal():
        return [unicodedata.decimal(digit) for digit in given] == [int(digit) for digit in text]
    return given == input_key(text)


def input_key(text: str) -> str:
    """Return what a text and all ways to type it have in common; capital letters count."""
    plain = folded(text).translate(_EQUIVALENTS)
    return normalized("NFKD", "".join("-" if unicodedata.category(char) == "Pd" else char for char in plain))
