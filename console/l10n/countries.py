"""Names of countries and the format of lists, from the Unicode locale data in the reader's language."""

import unicodedata
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.lists import format_list
from django.conf import settings
from django.utils.translation import get_language, to_locale

from console.l10n.bidi import isolated
from console.l10n.collation import in_order
from console.l10n.numbers import ngettext
from upstream.characters import folded, normalized

NO_COUNTRIES = frozenset({"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"})
"""Two-letter codes of the locale data that are unions, outlying parts, or made up for tests."""


def country_name(code: str) -> str:
    """Return the name of a country by its ISO 3166 code; the code itself if it is unknown."""
    return _countries(get_language() or "en").get(code.upper(), code)


def country_code(text: str) -> str:
    """Return the code of a country given as its code or its name, in the reader's language or in English; "" if
    unknown."""
    written, known = normalized("NFC", folded(text)).casefold(), _codes(get_language() or "en")
    return known.get(written) or known.get(sort_key(written), "")


def country_code_in_any_language(text: str) -> str:
    """Return the code of a country by its name in any of the console's languages; "" if unknown."""
    key = sort_key(text)
    codes = (_codes(language).get(key, "") for language, _name in settings.LANGUAGES)
    return next(filter(None, codes), "")


def listed(names: list[str], *, total: int = 0, style: Literal["standard", "or"] = "standard") -> str:
    """Return several names as one phrase: "A, B and C" in the reader's language, each with its own direction.

    With the style "or" it is "A, B or C". If `total` is larger than their number, the phrase ends with the number of
    the others.
    """
    parts, others = [isolated(name) for name in names], total - len(names)
    if others > 0:
        # Translators: the end of a list of names.
        parts.append(ngettext("%(count)s more", "%(count)s more", others) % {"count": others})
    return format_list(parts, style, locale=to_locale(get_language() or "en"))


def countries() -> list[tuple[str, str]]:
    """Return the countries as code and name, in the order of the reader's language."""
    return _in_order(get_language() or "en")


@lru_cache(maxsize=32)
def _in_order(language: str) -> list[tuple[str, str]]:
    return in_order("countries", _to_choose_from(language))


def _to_choose_from(language: str) -> dict[str, str]:
    return {c: n for c, n in _countries(language).items() if len(c) == 2 and c not in NO_COUNTRIES}


def sort_key(name: str) -> str:
    """Return a key to find a name by, without case and accents."""
    plain = folded(name).casefold()
    if plain.isascii():
        return plain  # most names; the full check takes five times as long
    return "".join(c for c in normalized("NFKD", plain) if not unicodedata.combining(c))


@lru_cache(maxsize=32)
def _countries(language: str) -> dict[str, str]:
    return dict(Locale.parse(to_locale(language)).territories)


@lru_cache(maxsize=32)
def _codes(language: str) -> dict[str, str]:
    """Return the codes by all spellings of the countries. An exact name has priority, one without accents comes last:
    in Vietnamese, Áo is Austria, and AO the code of Angola."""
    names = [(name, code) for spoken in ("en", language) for code, name in _to_choose_from(spoken).items()]
    plain = {sort_key(name): code for name, code in names}
    codes = {code.casefold(): code for _name, code in names}
    return plain | codes | {normalized("NFC", name).casefold(): code for name, code in names}
