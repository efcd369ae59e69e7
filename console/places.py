"""What the Unicode locale data knows in the reader's language: names of countries, and how a list is written."""

from functools import lru_cache

from babel import Locale
from babel.lists import format_list
from django.utils.translation import get_language, to_locale


def country_name(code: str) -> str:
    """The name of a country by its ISO 3166 code; the code itself when nobody knows it."""
    return _countries(get_language() or "en").get(code.upper(), code)


def listed(names: list[str]) -> str:
    """Several names as one phrase: "A, B and C" in the manner of the language."""
    return format_list(names, locale=to_locale(get_language() or "en"))


@lru_cache(maxsize=32)
def _countries(language: str) -> dict[str, str]:
    return dict(Locale.parse(to_locale(language)).territories)
