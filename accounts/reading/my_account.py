"""Data of the account page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from console.i18n.languages import TABLE
from console.l10n.countries import country_name
from console.l10n.locations import location_name
from console.l10n.zones import zone_name
from console.lists.view import Cell, Fact, date_cell
from console.sessions.active_sessions import list_sessions
from console.web.request import ConsoleRequest, get_login, get_tz
from upstream import usage_dashboard
from upstream.errors import NotDone, NotFound
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization


@dataclass(frozen=True)
class Overview:
    """The account. The dashboard's URL is None if it could not be read."""

    organization: Organization
    admin: Admin
    dashboard_url: str | None
    session_count: int
    facts: list[Fact]
    """Facts about the organization that can't be changed here."""

    @property
    def language_name(self) -> str:
        """The language of emails, named in that language."""
        return next((row.name for row in TABLE if row.tag == self.admin.language), self.admin.language)

    @property
    def zone_name(self) -> str:
        """The time zone of emails."""
        return zone_name(self.admin.time_zone) if self.admin.time_zone else ""


def overview(request: ConsoleRequest) -> Overview:
    """Read the account; only the dashboard's URL may be missing."""
    upstream, current = request.upstream, request.admin
    organization, admin = upstream.together(
        lambda: upstream.organizations.get(current.organization_id), lambda: upstream.admins.get(current.id)
    )
    login = get_login(request)
    return Overview(
        organization=organization,
        admin=admin,
        dashboard_url=_address(request),
        session_count=len(list_sessions(login)) if login else 0,
        facts=[
            Fact(_("Country"), Cell(country_name(organization.country_code or ""))),
            Fact(
                _("Server location"),
                Cell(location_name(organization.server_location or "")),
                note=_("This is where your organization's data is stored. It can't be changed later."),
            ),
            Fact(pgettext("date", "Created"), date_cell(organization.created_date, get_tz(request))),
        ],
    )


def _address(request: ConsoleRequest) -> str | None:
    try:
        return usage_dashboard.read_url(request.upstream)
    except (NotDone, NotFound):
        return None
