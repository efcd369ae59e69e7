"""Whole numbers with grouped digits, as in the Unicode locale data."""

from functools import lru_cache

from babel import Locale
from django.utils.translation import get_language, to_locale
from django.utils.translation import ngettext as translate_plural

_FOUR_TOGETHER = frozenset({"es", "it", "pl"})
"""Languages that group digits only from 12.345 on: Babel leaves this out of the locale data."""


def number_text(number: int) -> str:
    """Return a number in the reader's language, in Western digits."""
    if number < 1000:
        return str(number)
    language = get_language() or "en"
    if number < 10_000 and language in _FOUR_TOGETHER:
        return str(number)
    return f"{number:,}".replace(",", _group_sign(language))


def plain_number(text: str) -> str:
    """Return the plain digits of a text from `number_text`, for programs."""
    return "".join(filter(str.isdigit, text))


def ngettext(one: str, many: str, count: int) -> str:
    """Return the plural text for a count, with `%(count)s` filled in; other placeholders stay."""
    return translate_plural(one, many, count).replace("%(count)s", number_text(count))


@lru_cache(maxsize=32)
def _group_sign(language: str) -> str:
    sign: str = Locale.parse(to_locale(language)).number_symbols["latn"]["group"]
    return sign
