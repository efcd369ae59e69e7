"""The Unicode locale data of Babel for the console's languages, loaded before the first request and kept small.

Of each language Babel keeps the names of all currencies, units and time zones: 25 MB for 21 languages in each worker,
of which the console reads a quarter.
"""

from collections.abc import Iterable
from typing import Any

from babel import Locale, localedata
from django.utils.translation import to_locale

UNREAD = (
    "compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns", "currency_formats",
    "currency_names", "currency_names_plural", "currency_symbols", "currency_unit_patterns", "datetime_skeletons",
    "interval_formats", "measurement_systems", "meta_zones", "quarters", "scripts", "unit_display_names", "variants",
)  # fmt: skip
"""What nothing of the console reads; a test compares its texts before and after."""
DURATIONS = "duration-"
"""Of the units, those of “3 days ago”."""


def load(codes: Iterable[str]) -> None:
    """Load what the console reads of each language; safe to call again."""
    for code in codes:
        Locale.parse(to_locale(code)).languages  # noqa: B018 - it loads the language and those it inherits from
        for data in localedata._cache.values():
            _trim(data)


def _trim(data: dict[str, Any]) -> None:
    for name in UNREAD:
        if name in data:
            data[name] = {}
    units = data.get("unit_patterns", {})
    for name in [name for name in units if not name.startswith(DURATIONS)]:
        del units[name]
