"""The Unicode locale data of Babel for the console's languages, loaded before the first request and kept small.

Of each language Babel keeps the names of all currencies, units and time zones: 25 MB for 21 languages in each worker,
of which the console reads a quarter.
"""

from collections.abc import Iterable
from typing import Any, cast

from babel import core, localedata
from django.utils.translation import to_locale

UNREAD = (
    "compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns", "currency_formats",
    "currency_names", "currency_names_plural", "currency_symbols", "currency_unit_patterns", "datetime_skeletons",
    "interval_formats", "measurement_systems", "meta_zones", "quarters", "scripts", "unit_display_names", "variants",
)  # fmt: skip
"""What nothing of the console reads; a test compares its texts before and after."""
DURATIONS = "duration-"
"""Of the units, those of “3 days ago”."""


GLOBAL_UNREAD = (
    "all_currencies", "currency_fractions", "language_aliases", "likely_subtags", "territory_aliases",
    "territory_currencies", "territory_languages", "windows_zone_mapping",
)  # fmt: skip
"""The same of what belongs to no language."""


def load(codes: Iterable[str]) -> None:
    """Load what the console reads of each language; safe to call again."""
    kept: set[str] = set()
    known: dict[Any, Any] = {}
    for code in codes:
        localedata.load(to_locale(code))  # and those that it inherits from
        for name in localedata._cache.keys() - kept:
            data = localedata._cache[name]
            _trim(data)
            data.update(_shared(data, known))
            kept.add(name)
    everywhere = cast(dict[str, Any], core._global_data)
    for name in GLOBAL_UNREAD:
        everywhere.pop(name, None)


def _trim(data: dict[str, Any]) -> None:
    for name in UNREAD:
        if name in data:
            data[name] = {}
    units, fields = data.get("unit_patterns", {}), data.get("date_fields", {})
    for name in [name for name in units if not name.startswith(DURATIONS)]:
        del units[name]
    for name in [name for name in fields if "-" in name]:  # shorter forms, and days of the week
        del fields[name]


def _shared(value: Any, known: dict[Any, Any]) -> Any:
    """Return the same with each text once, a code or a name that several languages have, and each dictionary of texts.

    Into any other dictionary Babel writes what it has worked out for a language.
    """
    if type(value) is str:
        return known.setdefault(value, value)
    if type(value) is not dict:
        return value
    shared = {_shared(key, known): _shared(item, known) for key, item in value.items()}
    return (
        known.setdefault(tuple(shared.items()), shared)
        if all(type(item) is str for item in shared.values())
        else shared
    )
