"""The names of languages in the reader's language, from the Unicode locale data."""

import re
from functools import lru_cache

from babel import Locale
from django.utils.translation import get_language, to_locale

from console.l10n.collation import in_order
from console.l10n.countries import country_name

_TAG = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}))?", re.IGNORECASE)


def language_name(code: str) -> str:
    """Return the name of a language by its tag, with the country if it has one; the tag itself if it is unknown."""
    match, names = _TAG.fullmatch(code), _languages(get_language() or "en")
    if not match or match[1].lower() not in names:
        return code
    language, script, country = match[1].lower(), (match[2] or "").title(), (match[3] or "").upper()
    whole = "_".join(filter(None, (language, script, country)))
    if whole in names:
        return names[whole]
    return f"{names[language]} ({country_name(country)})" if country else names[language]


def languages() -> list[tuple[str, str]]:
    """Return the languages as tag and name, in the reader's order, without those of one country or script."""
    return _in_order(get_language() or "en")


@lru_cache(maxsize=32)
def _in_order(reader: str) -> list[tuple[str, str]]:
    return in_order("languages", {tag: name for tag, name in _languages(reader).items() if "_" not in tag})


@lru_cache(maxsize=32)
def _languages(reader: str) -> dict[str, str]:
    return dict(Locale.parse(to_locale(reader)).languages)
