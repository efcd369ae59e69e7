"""The words of a keyword, which a row may have in any order: the service searches for one text only (contract, 1.4)."""

from collections.abc import Iterable

from upstream.nouns import plain

MAX_WORDS = 10
"""Words that are searched for; the others of a keyword are ignored."""


def split_words(keyword: str) -> list[str]:
    """Return the different words of a keyword, the longest first, because it is in the fewest rows."""
    words = {plain(word): word for word in keyword.split()}
    return sorted((word for key, word in words.items() if key), key=len, reverse=True)[:MAX_WORDS]


def have_words(texts: Iterable[str | None], words: Iterable[str]) -> bool:
    """Return whether each word is in one of the texts, whatever their case and accents."""
    plain_texts = [plain(text) for text in texts if text]
    return all(any(plain(word) in text for text in plain_texts) for word in words)
