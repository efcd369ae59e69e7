"""The dashboard's numbers, each with the URL of the list that it counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from console.lists.view import Tone
from console.web.paths import get_path
from overview import links
from overview.labels import PARTNERSHIP_STATES, SCANNER_STATES
from overview.reading import Lists
from upstream.resources.dashboards import Summary

WIDTH = 1000
"""The width of a whole bar."""
MAX_UNKNOWN_STATES = 20
"""Number of unknown states shown in a bar, the most frequent ones; the total includes all."""


@dataclass(frozen=True)
class Number:
    label: str
    count: int
    href: str


@dataclass(frozen=True)
class Part(Number):
    """One state: its number, and the start and width of its part of the bar."""

    tone: Tone
    start: int
    width: int


@dataclass(frozen=True)
class Proportion:
    """The numbers of objects by state. `is_read` is False if they could not be read."""

    name: str
    title: str
    href: str
    total: int
    parts: Sequence[Part]
    is_read: bool


@dataclass(frozen=True)
class Numbers:
    single: Sequence[Number]
    proportions: Sequence[Proportion]


def get_numbers(source: Summary | Lists) -> Numbers:
    """Return the numbers of a summary or, without one, of lists; unknown numbers are omitted."""
    totals: tuple[int | None, ...]
    invited: tuple[int | None, ...]
    scanners: Mapping[str, int] | None
    partnerships: Mapping[str, int] | None
    if isinstance(source, Summary):
        scanners, partnerships, orders = (
            source.scanner_counts,
            source.partnership_counts,
            source.order_allowed_partner_count,
        )
        totals = (source.main_group_count, source.sub_group_count, source.user_count)
        invited = (source.invited_user_count, source.expired_invitation_count)
    else:
        scanners, partnerships, orders = source.scanners.by_status, source.partnerships.by_status, None
        totals = (source.clinics.total, source.teams.total, source.users.total)
        user_counts = source.users.by_status or {}
        invited = (user_counts.get("INVITED"), user_counts.get("INVITATION_EXPIRED"))
    single = (
        (_("Clinics"), totals[0], get_path("groups:clinic-list")),
        (_("Teams"), totals[1], get_path("groups:all-team-list")),
        (_("Users"), totals[2], links.users_url()),
        (_("Pending invitations"), invited[0], links.users_url("INVITED")),
        (_("Expired invitations"), invited[1], links.users_url("INVITATION_EXPIRED")),
        (_("Labs that clinics can order from"), orders, get_path("partners:ordering-list")),
    )
    return Numbers(
        [Number(label, count, href) for label, count, href in single if count is not None],
        [
            _proportion("scanners", _("Scanners"), links.scanners_url, scanners, SCANNER_STATES),
            # Translators: heading above numbers by state, and label of the number of those in force.
            _proportion("partnerships", _("Partnerships"), links.partnerships_url, partnerships, PARTNERSHIP_STATES),
        ],
    )


def _proportion(
    name: str,
    title: str,
    href: Callable[[str], str],
    counts: Mapping[str, int] | None,
    states: Mapping[str, tuple[object, Tone]],
) -> Proportion:
    """Return the known states in the order of `states`, followed by unknown ones with their codes."""
    if counts is None:
        return Proportion(name, title, href(""), 0, (), is_read=False)
    known = {code: counts[code] for code in states if code in counts}
    total, start, parts = sum(counts.values()), 0, []
    others = sorted(counts.keys() - known.keys(), key=lambda code: (-counts[code], code))[:MAX_UNKNOWN_STATES]
    for code, count in {**known, **{code: counts[code] for code in others}}.items():
        label, tone = states.get(code, (code, "neutral"))
        width = round(count * WIDTH / total) if total else 0
        parts.append(Part(str(label), count, href(code), tone, start, width))
        start += width
    return Proportion(name, title, href(""), total, parts, is_read=True)
