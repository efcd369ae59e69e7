"""Weekly opening hours as people read them, and whether it is open now."""

from collections.abc import Iterable
from datetime import datetime, time, tzinfo
from typing import NamedTuple

from babel.dates import get_day_names
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

from console.l10n.dates import clock_text

DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class Span(NamedTuple):
    """The opening and closing time on a day (0: Monday); past midnight if it closes before it opens."""

    day: int
    opens: time
    closes: time

    def covers(self, day: int, moment: time) -> bool:
        """Return True if a time on a day of the week is within the span."""
        if self.opens < self.closes:
            return day == self.day and self.opens <= moment < self.closes
        return (day == self.day and moment >= self.opens) or (day == (self.day + 1) % 7 and moment < self.closes)


class Day(NamedTuple):
    """A day of the week by its name; closed if it has no `spans`."""

    name: str
    spans: list[str]


def span(day: str, opens: str, closes: str) -> Span | None:
    """Return a span for values of the service; None if they are invalid or ambiguous."""
    if day.upper() not in DAYS:
        return None
    try:
        start, end = time.fromisoformat(opens), time.fromisoformat("00:00" if closes == "24:00" else closes)
    except ValueError:
        return None
    is_plain = start.tzinfo is None and end.tzinfo is None and start != end
    return Span(DAYS.index(day.upper()), start, end) if is_plain else None


def week(spans: Iterable[Span]) -> list[Day]:
    """Return the seven days in the reader's language, starting on Monday."""
    ordered = sorted(spans)
    names = get_day_names("wide", context="stand-alone", locale=to_locale(get_language() or "en"))
    # Translators: hours of a day, such as "9:00 AM to 6:00 PM".
    text = _("%(start)s to %(end)s")

    def span_text(one: Span) -> str:
        return text % {"start": clock_text(one.opens), "end": clock_text(one.closes)}

    return [Day(names[day], [span_text(one) for one in ordered if one.day == day]) for day in range(7)]


def is_open(spans: Iterable[Span], tz: tzinfo, now: datetime) -> bool:
    """Return True if it is open at a moment, in the time zone of the hours."""
    local = now.astimezone(tz)
    return any(one.covers(local.weekday(), local.time()) for one in spans)
