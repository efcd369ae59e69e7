"""The page of a lab: every field as it is shown."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import Generic, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from console.l10n.countries import country_name
from console.l10n.dates import time_text, zone
from console.l10n.hours import Day, is_open, span, week
from console.l10n.languages import language_name
from console.l10n.numbers import ngettext
from console.lists.view import Cell, date_cell
from console.web.links import Link
from partners import labels, links
from partners.addresses import mail_url, phone_url, safe_url
from partners.labels import LAB_TYPES, SERVICES, owner_name
from partners.tables.labs import founded, state_cell
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Partnership

T = TypeVar("T")

MAX_VALUES = 300
"""Maximum number of values shown of one field.

It is larger than the number of countries; more values are a mistake, and thousands would make the page too slow.
"""


class Truncated(NamedTuple, Generic[T]):
    """The first values of a field; `more` says how many are left out."""

    first: list[T]
    more: str = ""


class Address(NamedTuple):
    """A text that may be a link; `href` is empty if it is only text."""

    text: str
    href: str


class Hours(NamedTuple):
    """Opening hours of a lab: by weekday, or as free text. `now` and `is_open` contain only what is certain."""

    days: list[Day]
    text: str = ""
    now: str = ""
    is_open: bool = False
    zone: str = ""
    more: str = ""


class ClinicState(NamedTuple):
    """The state of a lab for a clinic or user, and the possible actions; `href` is the URL of the partnership."""

    name: str
    href: str
    state: Cell
    date: Cell
    actions: list[Link]


class LabPage(NamedTuple):
    """The texts of a lab's page."""

    state: Cell
    type: str
    country: str
    founded: str
    hours: Hours
    services: Truncated[str]
    languages: Truncated[str]
    served: Truncated[str]
    phone: Address
    mail: Address
    websites: Truncated[Address]


def lab_page(lab: Lab, *, now: datetime) -> LabPage:
    """Return the contents of a lab's page; unknown codes are shown unchanged."""
    return LabPage(
        state=state_cell(lab),
        type=str(LAB_TYPES.get(lab.lab_type, lab.lab_type)),
        country=country_name(lab.country_code),
        founded=founded(lab),
        hours=_hours(lab, now),
        services=_first(str(SERVICES.get(code, code)) for code in lab.services),
        languages=_first(language_name(code) for code in lab.communication_languages),
        served=_first(country_name(code) for code in lab.served_countries),
        phone=Address(lab.office_phone, phone_url(lab.office_phone) or ""),
        mail=Address(lab.contact_email, mail_url(lab.contact_email) or ""),
        websites=_first(Address(text, safe_url(text) or "") for text in lab.websites if text.strip()),
    )


def _first(values: Iterable[T]) -> Truncated[T]:
    """Return the first MAX_VALUES distinct values."""
    unique = list(dict.fromkeys(values))
    remaining = len(unique) - MAX_VALUES
    if remaining <= 0:
        return Truncated(unique)
    # Translators: last in a list, of services, languages, countries or websites: how many are not shown.
    return Truncated(
        unique[:MAX_VALUES], ngettext("and %(count)s more", "and %(count)s more", remaining) % {"count": remaining}
    )


def clinic_states(partnerships: Sequence[Partnership] | None, tz: tzinfo, *, back: str) -> list[ClinicState] | None:
    """Return the states of the requests and partnerships with a lab; None if they could not be read."""
    if partnerships is None:
        return None
    return [
        ClinicState(
            name=owner_name(row.owner),
            href=links.partnership_url(row.id, back=back),
            state=labels.state_cell(row),
            date=date_cell(row.ended_date or row.contract_date or row.requested_date, tz),
            actions=_action_links(row, back),
        )
        for row in partnerships
    ]


def _action_links(partnership: Partnership, back: str) -> list[Link]:
    if not links.partnership_pages(partnership.id):
        return []
    allowed = (action for action in labels.ACTIONS if partnership.allows(action))
    return [
        Link(str(labels.ACTIONS[action]), links.action_url(partnership.id, action, back=back)) for action in allowed
    ]


def _hours(lab: Lab, now: datetime) -> Hours:
    hours = lab.business_hours or ""
    if isinstance(hours, str):
        return Hours([], hours.strip())
    read = [span(one.day, one.open, one.close) for one in hours]
    spans, more = _first(one for one in read if one)
    if not spans:
        return Hours([])
    tz = zone(lab.time_zone or "")
    if not isinstance(tz, ZoneInfo) or tz.key != lab.time_zone:
        return Hours(week(spans), more=more)
    time = {"time": time_text(now, tz)}
    if more or None in read:  # the lab may be open at a time that could not be parsed or is left out
        # Translators: %(time)s: time of day at a lab, such as 2:05 PM.
        return Hours(week(spans), now=_("Local time: %(time)s.") % time, zone=tz.key, more=more)
    opened = is_open(spans, tz, now)
    # Translators: about a lab; %(time)s: time of day there, such as 2:05 PM.
    text = _("Open now. Local time: %(time)s.")
    if not opened:
        # Translators: about a lab; %(time)s: time of day there, such as 2:05 PM.
        text = _("Closed now. Local time: %(time)s.")
    return Hours(week(spans), now=text % time, is_open=opened, zone=tz.key)
