"""The page of a lab: every field that it has, as it is shown."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from console.lists.view import Cell, Link, date_cell
from console.text.countries import country_name
from console.text.dates import zone
from console.text.hours import Day, Span, is_open, local_time, span, week
from console.text.languages import language_name
from console.text.links import mail_url, phone_url, safe_url
from console.upstream.resources.labs import Lab
from console.upstream.resources.partnerships import Partnership
from partners import labels, links
from partners.labels import LAB_TYPES, SERVICES, owner_name
from partners.tables.labs import founded, state_cell


class Address(NamedTuple):
    """Something that may be a link; `href` is empty where it is only text."""

    text: str
    href: str


class Hours(NamedTuple):
    """When a lab is open: by the days of the week, or in its own words; what is said of now is only what is certain."""

    days: list[Day]
    text: str = ""
    now: str = ""
    is_open: bool = False
    zone: str = ""


class ClinicState(NamedTuple):
    """What a lab is to one clinic, or to a user, and what can be done about it; `href` is the page of that."""

    name: str
    href: str
    state: Cell
    date: Cell
    acts: list[Link]


class LabPage(NamedTuple):
    """A lab in words."""

    state: Cell
    type: str
    country: str
    founded: str
    hours: Hours
    services: list[str]
    languages: list[str]
    served: list[str]
    phone: Address
    mail: Address
    websites: list[Address]


def lab_page(lab: Lab, *, now: datetime) -> LabPage:
    """Return what the page of a lab shows; codes that nobody knows are shown as they are."""
    return LabPage(
        state=state_cell(lab),
        type=str(LAB_TYPES.get(lab.lab_type, lab.lab_type)),
        country=country_name(lab.country_code),
        founded=founded(lab),
        hours=_hours(lab, now),
        services=[str(SERVICES.get(code, code)) for code in lab.services],
        languages=[language_name(code) for code in lab.communication_languages],
        served=[country_name(code) for code in lab.served_countries],
        phone=Address(lab.office_phone, phone_url(lab.office_phone) or ""),
        mail=Address(lab.contact_email, mail_url(lab.contact_email) or ""),
        websites=[Address(text, safe_url(text) or "") for text in lab.websites if text.strip()],
    )


def clinic_states(partnerships: Sequence[Partnership] | None, where: tzinfo, *, back: str) -> list[ClinicState] | None:
    """Return what was asked and agreed with a lab; None where that could not be read."""
    if partnerships is None:
        return None
    return [
        ClinicState(
            name=owner_name(row.owner),
            href=links.partnership_url(row.id, back=back),
            state=labels.state_cell(row),
            date=date_cell(row.ended_date or row.contract_date or row.requested_date, where),
            acts=_acts(row, back),
        )
        for row in partnerships
    ]


def _acts(partnership: Partnership, back: str) -> list[Link]:
    if not links.partnership_pages(partnership.id):
        return []
    allowed = (act for act in labels.ACTS if partnership.allows(act))
    return [Link(str(labels.ACTS[act]), links.act_url(partnership.id, act, back=back)) for act in allowed]


def _hours(lab: Lab, now: datetime) -> Hours:
    told = lab.business_hours or ""
    if isinstance(told, str):
        return Hours([], told.strip())
    read = [span(one.day, one.open, one.close) for one in told]
    spans: list[Span] = [one for one in read if one]
    if not spans:
        return Hours([])
    where = zone(lab.time_zone or "")
    if not isinstance(where, ZoneInfo) or where.key != lab.time_zone:
        return Hours(week(spans))
    time = {"time": local_time(where, now)}
    if len(spans) < len(read):  # what could not be read may be now
        return Hours(week(spans), now=_("It is %(time)s there now.") % time, zone=where.key)
    opened = is_open(spans, where, now)
    text = _("Open now. It is %(time)s there.") if opened else _("Closed now. It is %(time)s there.")
    return Hours(week(spans), now=text % time, is_open=opened, zone=where.key)
