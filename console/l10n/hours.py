"""The hours of a week as people read them, and whether it is within them now, if that is certain."""

from collections.abc import Iterable
from datetime import datetime, time, tzinfo
from typing import NamedTuple

from babel.dates import get_day_names
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

from console.l10n.dates import clock_text

DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class Span(NamedTuple):
    """From when to when it is open on a day (0: Monday); over midnight where it closes before it opens."""

    day: int
    opens: time
    closes: time

    def covers(self, day: int, moment: time) -> bool:
        """Whether a moment of a day of the week is within it."""
        if self.opens < self.closes:
            return day == self.day and self.opens <= moment < self.closes
        return (day == self.day and moment >= self.opens) or (day == (self.day + 1) % 7 and moment < self.closes)


class Day(NamedTuple):
    """A day of the week by its name; no `spans`: closed."""

    name: str
    spans: list[str]


def span(day: str, opens: str, closes: str) -> Span | None:
    """Return what was sent as a span; None for what is none, or could mean two things."""
    if day.upper() not in DAYS:
        return None
    try:
        start, end = time.fromisoformat(opens), time.fromisoformat("00:00" if closes == "24:00" else closes)
    except ValueError:
        return None
    is_plain = start.tzinfo is None and end.tzinfo is None and start != end
    return Span(DAYS.index(day.upper()), start, end) if is_plain else None


def week(spans: Iterable[Span]) -> list[Day]:
    """Return the seven days in the reader's language, from Monday on."""
    ordered = sorted(spans)
    names = get_day_names("wide", context="stand-alone", locale=to_locale(get_language() or "en"))
    # Translators: hours of a day, such as "9:00 AM to 6:00 PM".
    text = _("%(start)s to %(end)s")

    def span_text(one: Span) -> str:
        return text % {"start": clock_text(one.opens), "end": clock_text(one.closes)}

    return [Day(names[day], [span_text(one) for one in ordered if one.day == day]) for day in range(7)]


def is_open(spans: Iterable[Span], tz: tzinfo, now: datetime) -> bool:
    """Whether it is open at a moment, in the zone of the hours."""
    local = now.astimezone(tz)
    return any(one.covers(local.weekday(), local.time()) for one in spans)
