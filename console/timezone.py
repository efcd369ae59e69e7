"""The time zone in which a request's dates are shown: the cookie that the boot script writes, else UTC."""

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django.utils import formats
from django.utils.timezone import localtime

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
    return formats.date_format(localtime(moment, where), "DATE_FORMAT"), exact
