"""What the Unicode locale data knows in the reader's language: names of countries, and how a list is written."""

import unicodedata
from functools import lru_cache

from babel import Locale
from babel.lists import format_list
from django.utils.translation import get_language, to_locale

from console.l10n.bidi import isolated
from console.l10n.collation import in_order
from console.l10n.numbers import ngettext
from upstream.characters import folded, normalized

NO_COUNTRIES = frozenset({"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"})
"""Two-letter codes of the locale data that are unions, outlying parts, or made up for tests."""


def country_name(code: str) -> str:
    """The name of a country by its ISO 3166 code; the code itself when nobody knows it."""
    return _countries(get_language() or "en").get(code.upper(), code)


def country_code(text: str) -> str:
    """The code of a country that is written as its code or as its name, in the reader's language or in English; "" for
    what is none."""
    written, known = normalized("NFC", folded(text)).casefold(), _codes(get_language() or "en")
    return known.get(written) or known.get(sort_key(written), "")


def listed(names: list[str], *, total: int = 0) -> str:
    """Several names as one phrase: "A, B and C" in the manner of the language, each in its own direction.

    When they are some `of` more, the phrase ends with the number of the others.
    """
    parts, others = [isolated(name) for name in names], total - len(names)
    if others > 0:
        # Translators: the end of a list of names.
        parts.append(ngettext("%(count)s more", "%(count)s more", others) % {"count": others})
    return format_list(parts, locale=to_locale(get_language() or "en"))


def countries() -> list[tuple[str, str]]:
    """The countries as code and name, in the order of the reader's language."""
    return _in_order(get_language() or "en")


@lru_cache(maxsize=32)
def _in_order(language: str) -> list[tuple[str, str]]:
    return in_order("countries", _to_choose_from(language))


def _to_choose_from(language: str) -> dict[str, str]:
    return {c: n for c, n in _countries(language).items() if len(c) == 2 and c not in NO_COUNTRIES}


def sort_key(name: str) -> str:
    """A name to be found by: without regard to case and accents."""
    return "".join(c for c in normalized("NFKD", folded(name).casefold()) if not unicodedata.combining(c))


@lru_cache(maxsize=32)
def _countries(language: str) -> dict[str, str]:
    return dict(Locale.parse(to_locale(language)).territories)


@lru_cache(maxsize=32)
def _codes(language: str) -> dict[str, str]:
    """The codes by all that a country may be written as. A name as it is counts most, one without accents least: in
    Vietnamese, Áo is Austria, and AO the code of Angola."""
    names = [(name, code) for spoken in ("en", language) for code, name in _to_choose_from(spoken).items()]
    plain = {sort_key(name): code for name, code in names}
    codes = {code.casefold(): code for _name, code in names}
    return plain | codes | {normalized("NFC", name).casefold(): code for name, code in names}
