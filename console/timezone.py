"""The time zone in which a request's dates are shown: the cookie that the boot script writes, else UTC."""

from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django.utils import formats
from django.utils.translation import get_language

COOKIE = "tz"
NAME_LENGTH = 64


@lru_cache(maxsize=512)
def zone(name: str) -> tzinfo:
    """A time zone by its IANA name; UTC for whatever is none."""
    if not name or len(name) > NAME_LENGTH:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def zone_of(request: HttpRequest) -> tzinfo:
    return zone(request.COOKIES.get(COOKIE, "").replace("%2F", "/"))


def shown(moment: datetime | None, where: tzinfo) -> tuple[str, str]:
    """A date in the reader's language and zone, and the exact time in UTC (ISO 8601); two empty texts for none."""
    if moment is None:
        return "", ""
    exact = moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return _day(moment.astimezone(where).date(), get_language()), exact


@lru_cache(maxsize=8192)
def _day(day: date, _language: str | None) -> str:
    """A date in the active language; a list writes the same days again and again."""
    return formats.date_format(day, "DATE_FORMAT")
