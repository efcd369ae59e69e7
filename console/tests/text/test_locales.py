"""What is kept of the locale data is all that the console reads."""

from datetime import UTC, datetime, time, timedelta

import pytest
from babel import core, localedata
from django.utils import translation

from console.i18n.languages import TABLE
from console.text import countries, dates, hours, languages, locales, numbers, zones

MOMENT = datetime(2026, 11, 3, 14, 5, tzinfo=UTC)
AGES = [timedelta(seconds=1), timedelta(minutes=7), timedelta(hours=3), timedelta(days=400)]
SPANS = [hours.Span(day, time(9), time(18, 30)) for day in range(7)]


def forget():
    """Forget all that is remembered of the locale data."""
    localedata._cache.clear()
    core._global_data = None
    for module in (countries, dates, languages, numbers, zones):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def texts(language):
    with translation.override(language.code):
        return [
            countries.countries(),
            [countries.country_name(code) for code in ("KR", "XK", "ZZ")],
            countries.country_code("KR"),
            *(countries.listed(["A", "B", "C"][:count]) for count in (1, 2, 3)),
            languages.languages(),
            zones.zones(),
            numbers.number_text(1_234_567),
            dates.told(MOMENT, dates.zone("Asia/Seoul")),
            *(dates.date_text(datetime(2026, month, 1, tzinfo=UTC), UTC) for month in range(1, 13)),
            *(dates.long_date_text(datetime(2026, month, 1, tzinfo=UTC), UTC) for month in range(1, 13)),
            *(dates.age_text(MOMENT - age, MOMENT) for age in AGES),
            hours.week(SPANS),
        ]


@pytest.mark.req("LN-32")
def test_every_text_is_the_same_with_what_is_kept():
    forget()
    whole = [texts(language) for language in TABLE]
    forget()
    locales.load(language.code for language in TABLE)
    assert [texts(language) for language in TABLE] == whole
    assert not localedata.load("de")["currency_names"]
    assert not core.get_global("territory_languages")
    forget()
