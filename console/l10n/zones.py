"""Time zones by city and country, in the reader's language."""

from functools import lru_cache
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location
from django.utils.translation import get_language, to_locale

from console.l10n.collation import in_order
from console.l10n.countries import sort_key
from upstream.characters import normalized

UTC = "UTC"
_ETC = "Etc/"
_WORLD = "001"


def zones() -> list[tuple[str, str]]:
    """Return the IDs and names to choose from, in the order of the reader's language."""
    return in_order("zones", _names(get_language() or "en"))


def zone_name(zone: str) -> str:
    """Return the name of a zone; its ID, such as UTC or GMT+3, if it has none."""
    names = _names(get_language() or "en")
    return names.get(get_global("zone_aliases").get(zone, zone), zone.removeprefix(_ETC))


def get_zone_id(text: str) -> str:
    """Return the ID of a zone by its name in the reader's language, or by its ID; "" if there is none."""
    return _zones(get_language() or "en").get(_plain(text), "")


@lru_cache(maxsize=32)
def _names(language: str) -> dict[str, str]:
    locale, aliases = Locale.parse(to_locale(language)), get_global("zone_aliases")
    available, names = _available_zones(), {UTC: UTC}
    for zone, territory in get_global("zone_territories").items():
        if zone in available and zone not in aliases and not zone.startswith(_ETC):
            city = get_timezone_location(zone, locale=locale, return_city=True)
            country = locale.territories.get(territory, territory)
            names[zone] = city if city == country or territory == _WORLD else f"{city}, {country}"
    return names


@lru_cache(maxsize=32)
def _zones(language: str) -> dict[str, str]:
    ids = {_plain(zone): zone for zone in _available_zones()}
    return ids | {_plain(name): zone for zone, name in _names(language).items()}


@lru_cache
def _available_zones() -> frozenset[str]:
    """Return the zones of this machine's data, cached because listing them reads hundreds of files."""
    return frozenset(available_timezones())


def _plain(name: str) -> str:
    return sort_key(normalized("NFC", name))
