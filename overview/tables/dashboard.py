"""The figures of the dashboard, each with the URL of the list that it counts.

A figure is shown only if the service's answers prove it; a count that may continue behind the rows that were read is
omitted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType

from console.l10n.numbers import ngettext
from console.lists.view import Tone
from console.web.paths import get_path
from overview import links
from overview.labels import PARTNERSHIP_STATES, SCANNER_STATES
from overview.reading import IDLE_DAYS, Overview
from upstream.listing import Listing
from upstream.resources.dashboards import Summary
from upstream.resources.permissions import usual_settings
from upstream.resources.scanners import APPROVED, PENDING
from upstream.resources.users import INVITATION_EXPIRED, INVITED, NEVER, User

WIDTH = 1000
"""The width of a whole bar."""
MAX_UNKNOWN_STATES = 20
"""Number of unknown states shown in bars, the most frequent ones."""
EXPIRY_DAYS = 7
LOGIN_DAYS = (30, 90, 180)
"""The choices of the filter "Last login" of the list of users."""


@dataclass(frozen=True)
class Figure:
    """A number with its label and the URL of what it counts."""

    label: str
    count: int
    href: str


@dataclass(frozen=True)
class Tile(Figure):
    """One of the large numbers; `details` are figures in words, each with the URL of its list."""

    details: Sequence[Figure] = ()


@dataclass(frozen=True)
class Bar(Figure):
    """A figure with a bar of `width`, of WIDTH."""

    width: int = 0
    tone: Tone | UnsetType = UNSET


@dataclass(frozen=True)
class Chart:
    """Bars below a heading with its URL. `is_read` is False if their figures could not be read."""

    name: str
    title: str
    href: str
    bars: Sequence[Bar] = ()
    is_read: bool = True


@dataclass(frozen=True)
class Figures:
    """All figures of the dashboard. `ages` has the oldest waiting date by the kind of decision."""

    summary: Summary
    is_complete: bool
    """False if counts of the summary are unknown."""
    tiles: Sequence[Tile]
    charts: Sequence[Chart]
    to_check: Sequence[Figure]
    is_checked: bool
    """False if figures of `to_check` could not be read."""
    ages: Mapping[str, datetime] = field(default_factory=dict)


def get_figures(summary: Summary | None, overview: Overview, now: datetime) -> Figures:
    """Return the figures that the summary and the lists prove."""
    counts = summary or _summary_from_lists(overview)
    is_partnership_known = summary is not None or overview.partnerships is not None
    charts = [
        _login_chart(overview, counts, now),
        # Translators: heading of a chart.
        _state_chart("scanners", _("Scanners by status"), links.scanners_url(), counts.scanner_counts, SCANNER_STATES),
        _state_chart(
            "partnerships",
            # Translators: heading of a chart.
            _("Partnerships by status"),
            links.partnerships_url(),
            counts.partnership_counts,
            PARTNERSHIP_STATES,
        ),
    ]
    return Figures(
        summary=counts,
        is_complete=summary is not None or _are_complete(overview),
        tiles=_tiles(counts, is_partnership_known=is_partnership_known),
        charts=[chart for chart in charts if chart.bars or not chart.is_read],
        to_check=_to_check(counts, overview, now),
        is_checked=not overview.failed,
        ages=_ages(counts, overview),
    )


def _summary_from_lists(overview: Overview) -> Summary:
    """Return the counts of a service without a summary."""
    clinics, users, scanners, partnerships = (
        overview.clinics,
        overview.users,
        overview.scanners,
        overview.partnerships,
    )
    user_counts = _by_status(users)
    return Summary(
        main_group_count=clinics.result_count if clinics else None,
        sub_group_count=None,
        user_count=users.result_count if users else None,
        invited_user_count=user_counts.get(INVITED, 0) if user_counts else None,
        expired_invitation_count=user_counts.get(INVITATION_EXPIRED, 0) if user_counts else None,
        scanner_counts=_by_status(scanners),
        partnership_counts=_by_status(partnerships),
    )


def _are_complete(overview: Overview) -> bool:
    lists: tuple[Listing[Any] | None, ...] = (overview.users, overview.scanners, overview.partnerships)
    return overview.clinics is not None and all(
        listing is not None and (not listing.result_count or "status" in listing.facets) for listing in lists
    )


def _by_status(listing: Listing[Any] | None) -> dict[str, int]:
    return listing.facets.get("status", {}) if listing else {}


def _tiles(counts: Summary, *, is_partnership_known: bool) -> list[Tile]:
    scanners, approved = sum(counts.scanner_counts.values()), counts.scanner_counts.get(APPROVED)
    partnerships = counts.partnership_counts.get("ACCEPTED", 0) if is_partnership_known else None
    teams, invited, labs = counts.sub_group_count, counts.invited_user_count, counts.order_allowed_partner_count
    rows: tuple[tuple[str, int | None, str, Figure | None], ...] = (
        (
            _("Clinics"),
            counts.main_group_count,
            links.clinics_url(),
            _detail(teams, ngettext("%(count)s team", "%(count)s teams", teams or 0), get_path("groups:all-team-list")),
        ),
        (
            _("Users"),
            counts.user_count,
            links.users_url(),
            _detail(
                invited,
                ngettext("%(count)s pending invitation", "%(count)s pending invitations", invited or 0),
                links.users_url(status=INVITED),
            ),
        ),
        (
            _("Scanners"),
            scanners if counts.scanner_counts else None,
            links.scanners_url(),
            # Translators: scanners.
            _detail(
                approved,
                ngettext("%(count)s approved", "%(count)s approved", approved or 0),
                links.scanners_url(APPROVED),
            ),
        ),
        (
            _("Partnerships"),
            partnerships,
            links.partnerships_url("ACCEPTED"),
            _detail(
                labs,
                # Translators: the label of a number on the home page; dental labs.
                ngettext(
                    "%(count)s lab that clinics can order from", "%(count)s labs that clinics can order from", labs or 0
                ),
                links.ordering_url(),
            ),
        ),
    )
    return [
        Tile(label, count, href, [detail] if detail else []) for label, count, href, detail in rows if count is not None
    ]


def _detail(count: int | None, label: str, href: str) -> Figure | None:
    return None if count is None else Figure(label, count, href)


def _login_chart(overview: Overview, counts: Summary, now: datetime) -> Chart:
    """Return the users by their last login, with the same choices as the filter of the list."""
    labels = {
        "30": _("Not in the last 30 days, or never"),
        "90": _("Not in the last 90 days, or never"),
        "180": _("Not in the last 180 days, or never"),
        NEVER: _("Never"),
    }
    users, total = _users_by_login(overview, now), counts.user_count or 0
    return Chart(
        "logins",
        # Translators: heading of a chart: how long ago users last logged in.
        _("Users by last login"),
        links.users_url(sort="last_login_date"),
        [
            Bar(label, users[value], links.users_url(last_login=value), _width(users[value], total))
            for value, label in labels.items()
            if value in users and total
        ],
        is_read=overview.failed.isdisjoint({"users", "invitations"}),
    )


def _users_by_login(overview: Overview, now: datetime) -> dict[str, int]:
    """Return the number of users by the value of the filter, for the values whose numbers are known."""
    if (users := overview.all_users) is not None:
        dates = [user.last_login_date for user in users]
        counts = {str(days): _count_idle(dates, now, days) for days in LOGIN_DAYS}
        return {**counts, NEVER: dates.count(None)}
    by_status = _by_status(overview.invitations)
    # Facets that ignore their own filter also count active users who are idle.
    return {str(IDLE_DAYS): sum(by_status.values())} if by_status.keys() - {INVITED, INVITATION_EXPIRED} else {}


def _count_idle(dates: Sequence[datetime | None], now: datetime, days: int) -> int:
    """Return how many dates are missing, or earlier than these days ago."""
    since = now - timedelta(days=days)
    return sum(moment is None or moment <= since for moment in dates)


def _state_chart(
    name: str, title: str, href: str, counts: Mapping[str, int], states: Mapping[str, tuple[object, Tone]]
) -> Chart:
    """Return the known states in the order of `states`, followed by unknown ones with their codes."""
    known = {code: counts[code] for code in states if code in counts}
    others = sorted(counts.keys() - known.keys(), key=lambda code: (-counts[code], code))[:MAX_UNKNOWN_STATES]
    url, total = links.scanners_url if name == "scanners" else links.partnerships_url, sum(counts.values())
    return Chart(
        name,
        title,
        href,
        [
            Bar(
                str(states[code][0]) if code in states else code,
                counts[code],
                url(code),
                _width(counts[code], total),
                states[code][1] if code in states else "neutral",
            )
            for code in (*known, *others)
        ],
    )


def _width(count: int, total: int) -> int:
    return round(count * WIDTH / total) if total else 0


def _to_check(counts: Summary, overview: Overview, now: datetime) -> list[Figure]:
    """Return what an administrator should look at; figures that are zero or unknown are omitted."""
    figures = [*_expiring(counts, overview, now), *_idle_scanners(overview, now), *_clinics_to_check(counts, overview)]
    return [figure for figure in figures if figure.count]


def _expiring(counts: Summary, overview: Overview, now: datetime) -> list[Figure]:
    dates = _dates(user.invitation_expires_date for user in _invited(overview) if user.status == INVITED)
    if len(dates) != counts.invited_user_count:
        return []
    count = sum(moment < now + timedelta(days=EXPIRY_DAYS) for moment in dates)
    # Translators: a link in the list “Worth checking” on the home page.
    label = ngettext(
        "%(count)s invitation expiring in the next 7 days", "%(count)s invitations expiring in the next 7 days", count
    )
    return [Figure(label, count, links.users_url(status=INVITED, sort="created_date"))]


def _invited(overview: Overview) -> Sequence[User]:
    """Return the users without an account yet who were read."""
    listing = overview.users or overview.invitations
    return [user for user in listing.results if user.is_invited] if listing else []


def _dates(moments: Iterable[datetime | None]) -> list[datetime]:
    return [moment for moment in moments if moment]


def _idle_scanners(overview: Overview, now: datetime) -> list[Figure]:
    """Return the approved scanners that have not scanned for IDLE_DAYS."""
    if (scanners := overview.all_scanners) is not None:
        count = _count_idle([row.last_scanned_date for row in scanners if row.status == APPROVED], now, IDLE_DAYS)
    elif overview.idle_scanners:
        count = overview.idle_scanners.result_count
    else:
        return []
    # Translators: a link in the list “Worth checking” on the home page.
    label = ngettext(
        "%(count)s approved scanner with no scans in the last 90 days",
        "%(count)s approved scanners with no scans in the last 90 days",
        count,
    )
    return [Figure(label, count, links.scanners_url(APPROVED, last_scan=str(IDLE_DAYS)))]


def _clinics_to_check(counts: Summary, overview: Overview) -> list[Figure]:
    """Return the clinics that lack something or differ, if all of them were read.

    A count that is zero for all clinics, but not in total, is one that the service leaves out.
    """
    if not (clinics := overview.all_clinics):
        return []
    figures = list[Figure]()
    if any(clinic.user_count for clinic in clinics) or counts.user_count == 0:
        count = sum(not clinic.user_count for clinic in clinics)
        label = ngettext("%(count)s clinic without users", "%(count)s clinics without users", count)
        figures.append(Figure(label, count, links.clinics_url(has_user="false")))
    if any(clinic.partner_count for clinic in clinics) or counts.partnership_counts.get("ACCEPTED") == 0:
        count = sum(not clinic.partner_count for clinic in clinics)
        label = ngettext("%(count)s clinic without a partner", "%(count)s clinics without a partner", count)
        figures.append(Figure(label, count, links.clinics_url(has_partner="false")))
    settings = [clinic.settings for clinic in clinics]
    usual = usual_settings(settings)
    count = sum(any(row.get(name, value) != value for name, value in usual.items()) for row in settings)
    # Translators: a link in the list “Worth checking” on the home page; most: most of the clinics.
    label = ngettext(
        "%(count)s clinic with permissions that differ from most",
        "%(count)s clinics with permissions that differ from most",
        count,
    )
    return [*figures, Figure(label, count, links.differing_permissions_url())]


def _ages(counts: Summary, overview: Overview) -> dict[str, datetime]:
    """Return the date of the oldest decision of each kind, if it is known."""
    scanners = overview.all_scanners
    if scanners is None and overview.waiting_scanners:
        scanners = overview.waiting_scanners.results
    expired = _dates(user.invitation_expires_date for user in _invited(overview) if user.is_invitation_expired)
    dates = {
        "scanners": _dates(row.connected_date for row in scanners or () if row.status == PENDING),
        "requests": _dates(row.requested_date for row in overview.requests.results) if overview.requests else [],
        "invitations": expired if len(expired) == counts.expired_invitation_count else [],
    }
    return {kind: min(moments) for kind, moments in dates.items() if moments}


@dataclass(frozen=True)
class Sparkline:
    """The number of changes of each day; `heights` are those of its columns, of WIDTH."""

    total: int
    heights: Sequence[int]


def sparkline(counts: Mapping[date, int], today: date, days: int) -> Sparkline:
    """Return the changes of today and of as many days before."""
    values = [counts.get(today - timedelta(days=ago), 0) for ago in range(days, -1, -1)]
    highest = max(values)
    return Sparkline(sum(values), [round(value * WIDTH / highest) if highest else 0 for value in values])
