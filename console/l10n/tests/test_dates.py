"""Dates are in the formats of the reader's language, in their zone."""

from datetime import UTC, datetime

import pytest
from django.utils import translation

from console.l10n.dates import date_text, exact_time, local_moment, long_date_text, time_text, zone

AT = datetime(2026, 9, 17, 23, 5, 30, tzinfo=UTC)


@pytest.mark.req("LN-32")
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en-us", "Sep 17, 2026"),
        ("de-de", "17.09.2026"),
        ("ko-kr", "2026. 9. 17."),
        ("fr-fr", "17 sept. 2026"),
        ("zh-hant", "2026年9月17日"),
        ("th", "17 ก.ย. ค.ศ. 2026"),
        ("ar", "17\u200f/09\u200f/2026"),
    ],
)
def test_a_day_has_the_format_of_the_language(language, text):
    with translation.override(language):
        assert date_text(AT, UTC).replace("\u202f", " ") == text


@pytest.mark.req("LN-32")
@pytest.mark.parametrize(
    ("language", "day", "time", "both"),
    [
        ("en", "September 17, 2026", "11:05 PM", "Sep 17, 2026, 11:05 PM"),
        ("ko", "2026년 9월 17일", "23:05", "2026. 9. 17. 23:05"),
        ("pt-br", "17 de setembro de 2026", "23:05", "17 de set. de 2026 23:05"),
        ("th", "17 กันยายน ค.ศ. 2026", "23:05", "17 ก.ย. ค.ศ. 2026 23:05"),
        ("ar", "17 سبتمبر 2026", "11:05 م", "17\u200f/09\u200f/2026، 11:05 م"),
    ],
)
def test_sentences_have_the_whole_month_and_the_hour_of_the_language(language, day, time, both):
    with translation.override(language):
        written = (long_date_text(AT, UTC), time_text(AT, UTC), local_moment(AT, UTC).local)
    assert tuple(text.replace("\u202f", " ") for text in written) == (day, time, both)


@pytest.mark.req("LN-32")
def test_a_day_is_that_of_the_readers_zone():
    with translation.override("en-us"):
        assert date_text(AT, zone("Asia/Seoul")) == "Sep 18, 2026"


def test_a_moment_is_shown_to_the_minute_in_the_zone_and_in_utc():
    with translation.override("en-us"):
        moment = local_moment(AT, zone("Asia/Seoul"))
    assert moment.local.replace("\u202f", " ") == "Sep 18, 2026, 8:05 AM"
    assert moment.utc.replace("\u202f", " ") == "Sep 17, 2026, 11:05 PM"
    assert (moment.zone, moment.exact) == ("KST", "2026-09-17T23:05:30Z")


def test_none_is_an_empty_text():
    assert (date_text(None, UTC), exact_time(None)) == ("", "")


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc/passwd", "x" * 65, "Asia/\0"])
def test_an_unknown_zone_is_utc(name):
    assert zone(name) is UTC
