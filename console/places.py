"""Names of countries in the reader's language, from the Unicode locale data."""

from functools import lru_cache

from babel import Locale
from django.utils.translation import get_language, to_locale


def country_name(code: str) -> str:
    """The name of a country by its ISO 3166 code; the code itself when nobody knows it."""
    return _countries(get_language() or "en").get(code.upper(), code)


@lru_cache(maxsize=32)
def _countries(language: str) -> dict[str, str]:
    return dict(Locale.parse(to_locale(language)).territories)
