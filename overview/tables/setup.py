"""The list of steps to set up an organization. Nothing is stored: the steps are derived from the dashboard's counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from console.web.paths import get_path
from overview import links
from overview.reading import Lists
from upstream.resources.dashboards import Summary


@dataclass(frozen=True)
class Step:
    """A step; `href` is the URL of the page for it."""

    label: str
    text: str
    href: str
    is_done: bool


def setup_steps(source: Summary | Lists) -> Sequence[Step]:
    """Return the steps in the order in which they depend on each other, or an empty list if all are done.

    A step with an unknown count is omitted, because it may be done.
    """
    numbers: tuple[int | None, int | None, int | None]
    by_state: tuple[Mapping[str, int] | None, Mapping[str, int] | None]
    if isinstance(source, Summary):
        numbers = source.main_group_count, source.user_count, source.order_allowed_partner_count
        by_state = source.scanner_counts, source.partnership_counts
    else:
        numbers = source.clinics.total, source.users.total, None
        by_state = source.scanners.by_status, source.partnerships.by_status
    (clinics, users, orders), (scanners, partnerships) = numbers, by_state
    steps = (
        (clinics, _("Add your first clinic"), "", get_path("groups:clinic-create")),
        (
            users,
            _("Invite users"),
            _("Each new person gets an invitation by email."),
            get_path("groups:all-user-invite"),
        ),
        (
            scanners if scanners is None else scanners.get("APPROVED", 0),
            _("Approve scanner"),
            _("A scanner is in the list once it has connected for the first time."),
            links.scanners_url("PENDING" if scanners and scanners.get("PENDING") else ""),
        ),
        (
            partnerships if partnerships is None else partnerships.get("ACCEPTED", 0),
            _("Find labs"),
            _("A lab becomes a partner when it accepts your request, or when you accept its request."),
            get_path("partners:lab-list"),
        ),
        (
            orders,
            _("Labs that clinics can order from"),
            _("Choose which clinics can order from each partner lab."),
            get_path("partners:ordering-list"),
        ),
    )
    known_steps = [Step(label, text, href, count > 0) for count, label, text, href in steps if count is not None]
    return [] if all(step.is_done for step in known_steps) else known_steps
