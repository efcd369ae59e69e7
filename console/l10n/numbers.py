"""Whole numbers as people read them: with their digits in groups, as the Unicode locale data has it."""

from functools import lru_cache

from babel import Locale
from django.utils.translation import get_language, to_locale
from django.utils.translation import ngettext as translate_plural

_FOUR_TOGETHER = frozenset({"es", "it", "pl"})
"""Languages that write 1234 without a sign, and 12.345 with one: Babel leaves this out of the locale data."""


def number_text(number: int) -> str:
    """A number in the reader's language, in Western digits."""
    if number < 1000:
        return str(number)
    language = get_language() or "en"
    if number < 10_000 and language in _FOUR_TOGETHER:
        return str(number)
    return f"{number:,}".replace(",", _group_sign(language))


def plain_number(text: str) -> str:
    """What `number_text` wrote, for programs: its digits alone."""
    return "".join(filter(str.isdigit, text))


def ngettext(one: str, many: str, count: int) -> str:
    """The text for so many, with `%(count)s` filled in; its other placeholders stay."""
    return translate_plural(one, many, count).replace("%(count)s", number_text(count))


@lru_cache(maxsize=32)
def _group_sign(language: str) -> str:
    sign: str = Locale.parse(to_locale(language)).number_symbols["latn"]["group"]
    return sign
