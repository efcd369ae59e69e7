"""Columns whose values are known: one of a few codes, or the name of an existing object."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from console.files.spec import ColumnValues
from console.l10n.word_matching import codes_by_word, written_key
from console.lists.query import Label
from upstream.errors import NotDone, NotFound
from upstream.nouns import plain

_SIMILARITY = 0.8
"""Minimum similarity, as difflib measures it, of a name that is suggested."""
_SUGGESTIONS = 3
"""Maximum number of names that are suggested for one text."""


def coded_values(
    labels: Mapping[str, Label], words: Mapping[str, Sequence[Label]], find: Callable[[str], str]
) -> ColumnValues:
    """Return a column with one of a few codes; `words` are other names of them, `find` returns the code of a text."""

    @cache
    def codes() -> Mapping[str, str]:
        return codes_by_word({code: (label, *words.get(code, ())) for code, label in labels.items()})

    return ColumnValues(
        options=lambda _scope: list(labels.items()),
        find=lambda _scope, text: find(text),
        suggest=lambda _scope, text: find(text) or codes().get(written_key(text), ""),
    )


def named_values(read: Callable[[str], Sequence[str] | None], **options: Any) -> ColumnValues:
    """Return a column with names; `read` returns those in a scope, each once, or None if they are unknown."""

    @cache
    def names(scope: str) -> dict[str, str] | None:
        try:
            known = read(scope)
        except (NotDone, NotFound):  # the service checks them anyway
            return None
        return None if known is None else {plain(name): name for name in known if plain(name)}

    def find(scope: str, text: str) -> str | None:
        known = names(scope)
        return None if known is None else known.get(plain(text), "")

    def suggest(scope: str, text: str) -> str:
        key = plain(text)
        # "Clinic 2" is similar to "Clinic 3", but never means it.
        known = {other: name for other, name in (names(scope) or {}).items() if _digits(other) == _digits(key)}
        containing = [name for other, name in known.items() if key in other or other in key]
        if len(containing) == 1:
            return containing[0]
        return next((known[other] for other in get_close_matches(key, known, n=1, cutoff=_SIMILARITY)), "")

    return ColumnValues(
        options=lambda scope: [(name, name) for name in (names(scope) or {}).values()],
        find=find,
        suggest=suggest,
        **options,
    )


def complete(values: ColumnValues, text: str) -> str:
    """Return the only name that begins with a text, which may end within a word but not within a number; or else ""."""
    names = [name for name in _beginning_with(values, text) if not plain(name)[len(plain(text))].isdigit()]
    return names[0] if len(names) == 1 else ""


def closest_names(values: ColumnValues, text: str) -> list[str]:
    """Return the names that begin with a text, or else those that resemble it; the first few only."""
    if beginnings := _beginning_with(values, text):
        return beginnings[:_SUGGESTIONS]
    names = {plain(name): name for name, _label in values.options("")}
    return [names[key] for key in get_close_matches(plain(text), names, n=_SUGGESTIONS)]


def _beginning_with(values: ColumnValues, text: str) -> list[str]:
    return [name for name, _label in values.options("") if plain(name).startswith(plain(text))]


def _digits(text: str) -> list[str]:
    return [char for char in text if char.isdigit()]
