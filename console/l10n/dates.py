"""Points in time in the reader's language and time zone, in the formats of the Unicode locale data."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from babel.dates import format_date, format_time, format_timedelta, get_datetime_format
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

NAME_LENGTH = 64
_SHORT_TIMES = {"ko": "HH:mm"}
"""Korean software uses 24 hours, where the locale data has 12."""
_MEDIUM_DATES = {"th": "d MMM G y"}
"""Thailand has its own calendar years; all other formats name the era."""


class Moment(NamedTuple):
    """A point in time as a page shows it: in a zone (and that zone's name), in UTC, and for machines (ISO 8601)."""

    local: str
    zone: str
    utc: str
    exact: str


@lru_cache(maxsize=512)
def zone(name: str) -> tzinfo:
    """Return a time zone by its IANA name; UTC if there is none."""
    if not name or len(name) > NAME_LENGTH:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def date_text(moment: datetime | None, tz: tzinfo) -> str:
    """Return the day of a point in time in the reader's language and zone; "" for None."""
    return _day(moment.astimezone(tz).date(), get_language() or "en") if moment else ""


def written_day(day: date) -> str:
    """Return a calendar day, which is the same in each zone, in the format of `date_text`."""
    return _day(day, get_language() or "en")


def long_date_text(moment: datetime, tz: tzinfo) -> str:
    """Return the day for use in a sentence, with the full name of its month."""
    return format_date(moment.astimezone(tz).date(), "long", locale=to_locale(get_language() or "en"))


def day_text(moment: datetime | None, tz: tzinfo, now: datetime) -> str:
    """Return the day as in `date_text`, or "Today" or "Yesterday"."""
    if moment is None:
        return ""
    days = (now.astimezone(tz).date() - moment.astimezone(tz).date()).days
    # Translators: instead of a date, alone in its place.
    today = _("Today")
    # Translators: instead of a date, alone in its place.
    yesterday = _("Yesterday")
    return {0: today, 1: yesterday}.get(days) or date_text(moment, tz)


def time_text(moment: datetime, tz: tzinfo) -> str:
    """Return the time of the day, to the minute."""
    return clock_text(moment.astimezone(tz).time())


def clock_text(clock_time: time) -> str:
    """Return a time of the day, to the minute."""
    language = get_language() or "en"
    return format_time(clock_time, _SHORT_TIMES.get(language, "short"), locale=to_locale(language))


def age_text(moment: datetime | None, now: datetime) -> str:
    """Return the time since then in its largest unit: "3 days ago"; "" for None."""
    if moment is None:
        return ""
    past = min(moment - now, timedelta())
    return format_timedelta(past, add_direction=True, locale=to_locale(get_language() or "en"))


def exact_time(moment: datetime | None) -> str:
    """Return a point in time for machines: ISO 8601 in UTC, to the second; "" for None."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z") if moment else ""


def zoned_time(moment: datetime | None, tz: tzinfo) -> str:
    """Return a point in time for a file: ISO 8601 in the reader's zone, with its offset from UTC; "" for None."""
    return moment.astimezone(tz).isoformat(timespec="seconds") if moment else ""


def local_moment(moment: datetime, tz: tzinfo) -> Moment:
    """Return a point in time with its time of day, in a zone and in UTC."""
    local = moment.astimezone(tz)
    return Moment(
        local=_day_and_time(local),
        zone=local.tzname() or "",
        utc=_day_and_time(moment.astimezone(UTC)),
        exact=exact_time(moment),
    )


def iso_moment_text(text: str, tz: tzinfo) -> str:
    """Return an ISO 8601 point in time as `local_moment` shows it; "" for other texts, and for one without a zone."""
    try:
        moment = msgspec.convert(text, datetime)
        return local_moment(moment, tz).local if moment.tzinfo else ""
    except (msgspec.ValidationError, OverflowError, ValueError):
        return ""


def _day_and_time(local: datetime) -> str:
    """Format to the minute: no ready-made format of the locale data has the month as a word without seconds."""
    language = get_language() or "en"
    pattern = str(get_datetime_format("medium", locale=to_locale(language))).replace("'", "")
    return pattern.replace("{1}", _day(local.date(), language)).replace("{0}", clock_text(local.time()))


@lru_cache(maxsize=8192)
def _day(day: date, language: str) -> str:
    """Format a day; cached, because a list has the same days again and again."""
    return format_date(day, _MEDIUM_DATES.get(language, "medium"), locale=to_locale(language))
