"""Marks for the words of a search in a text."""

import unicodedata
from functools import lru_cache
from itertools import groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from upstream.characters import normalized
from upstream.nouns import plain
from upstream.words import split_words


def marked(text: str, keyword: str) -> SafeString:
    """Return the text as HTML in which the words of a keyword are marked, whatever their case and accents.

    The islands do the same (static_src/lib/marked.ts).
    """
    hits = _find(text, _plain_words(keyword))
    if not hits:
        return format_html("{}", text)
    parts = groupby(enumerate(text), key=lambda pair: pair[0] in hits)
    return format_html_join(
        "",
        "{}",
        (
            (format_html("<mark>{}</mark>" if is_hit else "{}", "".join(char for _index, char in pairs)),)
            for is_hit, pairs in parts
        ),
    )


@lru_cache(maxsize=64)
def _plain_words(keyword: str) -> tuple[str, ...]:
    return tuple(map(plain, split_words(keyword)))


def _find(text: str, words: tuple[str, ...]) -> set[int]:
    """Return the positions of all characters of the words; an accent belongs to the letter before it."""
    letters = [(letter, index) for index, char in enumerate(text) for letter in _plain_letters(char)]
    plain_text = "".join(letter for letter, _index in letters)
    hits: set[int] = set()
    for word in words:
        start = plain_text.find(word)
        while start >= 0:
            hits.update(index for _letter, index in letters[start : start + len(word)])
            start = plain_text.find(word, start + 1)
    for index, char in enumerate(text):
        if index - 1 in hits and not _plain_letters(char):
            hits.add(index)
    return hits


def _plain_letters(char: str) -> str:
    """Return a character without case and accents: one letter, several (ß), or none."""
    return char.lower() if char.isascii() else _decomposed(char)


@lru_cache(maxsize=4096)
def _decomposed(char: str) -> str:
    letters = normalized("NFKD", char.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
