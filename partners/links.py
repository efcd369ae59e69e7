"""URLs of labs and partnerships: lists, pages and actions."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms import blockers
from console.forms.blockers import Blocker, NextStep
from console.forms.return_url import ViewPages, return_url, with_return_url
from console.lists.query import ID, Label
from console.web.contributions import SetupStep
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from partners.labels import lab_name
from upstream.errors import Reason
from upstream.resources.labs import Lab
from upstream.resources.partnerships import Action, Partnership, Party

Crumbs = list[dict[str, str]]

# labs


def lab_list_url() -> str:
    return get_path("partners:lab-list")


def lab_url(lab_id: str) -> str:
    """Return the URL of a lab's page; "" if its ID can't be part of a path."""
    return get_path("partners:lab-show", lab_id)


def lab_bulk_url(action: str) -> str:
    return get_path("partners:lab-bulk-run", action)


def lab_add_url(lab_id: str) -> str:
    return get_path("partners:lab-add", lab_id)


def lab_remove_url(lab_id: str) -> str:
    return get_path("partners:lab-remove", lab_id)


def back_from_lab(request: ConsoleRequest, *pages: str) -> str:
    """Return the URL of the search or tab from which a lab was opened, with its query, or of one of these pages."""
    return return_url(request, lab_list_url(), *map(tab_url, TABS), *pages)


def labs_crumb() -> dict[str, str]:
    return {"label": _("Find labs"), "href": lab_list_url()}


def lab_crumbs(lab: Lab) -> list[dict[str, str]]:
    """Return the breadcrumbs of a lab's page."""
    return [labs_crumb(), {"label": lab_name(lab), "href": lab_url(lab.id)}]


STATES = "#clinics"
"""The fragment of the clinics' states on a lab's page."""
REQUEST = "/request"
CANCEL = "/cancel"


# partnerships

TABS: dict[str, Label] = {
    "partner": gettext_lazy("Partners"),
    # Translators: tab: the labs, with the clinics that can order from them.
    "ordering": gettext_lazy("Who can order"),
    # Translators: tab: the requests for a partnership that labs have sent.
    "asking": gettext_lazy("Received requests"),
    # Translators: tab: the requests for a partnership that the organization has sent to labs.
    "sent": gettext_lazy("Sent requests"),
    # Translators: tab: the organization's own list of labs that can be sent requests.
    "my-lab": gettext_lazy("My list"),
    "past": gettext_lazy("History"),
}
"""The tabs of the partner list by name, which is also a part of their paths."""

BLOCKED_PAGES = ("groups:clinic-delete", "groups:user-delete", "groups:user-show")
"""The pages of clinics and users that partnerships keep from being deleted."""

MAX_ORDERING_PARTNERSHIPS = 25
"""Maximum number of partnerships on the page about ordering."""


def tab_url(tab: str) -> str:
    return get_path(f"partners:{tab}-list")


def back_to_list(request: ConsoleRequest, *others: str, tab: str = "asking") -> str:
    """Return the URL of the tab from which a page was opened, with its query; or the search, or a page of a lab.

    It can also be the page of a clinic or user that the partnership keeps from being deleted. Without any of them,
    return that of `tab`.
    """
    known = (tab_url(tab), *map(tab_url, TABS), lab_list_url(), *filter(None, others))
    other_views = ("clinic_partners:clinic-partner-list", "partners:request-list", *BLOCKED_PAGES)
    pages = ViewPages("partners:lab-show", (), other_views)
    return return_url(request, *known, pages=pages)


def partnership_pages(id: str) -> str:
    """Return the common start of a partnership's URLs; "" if its ID can't be part of a path."""
    return get_path("partners:partnership-show", id)


def partnership_url(id: str, *, back: str) -> str:
    """Return the URL of a partnership's page, with the list to return to."""
    page = partnership_pages(id)
    return with_return_url(page, back, tab_url("asking")) if page else ""


def resend_url(id: str) -> str:
    """Return the URL to which a POST without a message sends a request again unchanged."""
    return get_path("partners:partnership-resend", id)


def action_url(id: str, action: Action, *, back: str) -> str:
    name = "resend" if action == Action.SEND else action.value
    default = tab_url("partner" if action == Action.END else "asking")
    return with_return_url(get_path(f"partners:partnership-{name}", id), back, default)


def request_url(lab_id: str) -> str:
    """Return the URL of the clinics for which a request to a lab can be sent; "" if there is no such page."""
    return get_path("partners:request-list", lab_id)


def sent_requests_url(lab_id: str) -> str:
    """Return the URL of the list of requests sent to a lab."""
    return f"{tab_url('sent')}?{urlencode({'lab': lab_id})}"


def owner_url(owner: Party) -> str:
    """Return the URL of the page of a partnership's clinic or user."""
    if owner.is_clinic:
        return get_path("groups:user-list", owner.id)
    if owner.is_user and ID.fullmatch(owner.id):
        return f"{get_path('groups:all-user-list')}?{urlencode({'user': owner.id})}"
    return ""


def clinic_permissions_url(clinic_id: str) -> str:
    return get_path("groups:clinic-permission-edit", clinic_id)


def order_labs_url(clinic_id: str, *, back: str) -> str:
    """Return the URL of the form with the labs that a clinic may order from."""
    page = clinic_permissions_url(clinic_id)
    return with_return_url(page, back, get_path("groups:clinic-list")) + "#labs" if page else ""


def lab_ordering_url(lab_id: str) -> str:
    """Return the URL of the list of clinics that can order from a lab; "" if its ID can't be part of a query."""
    return f"{tab_url('ordering')}?{urlencode({'lab': lab_id})}" if ID.fullmatch(lab_id) else ""


def ordering_url(ids: Iterable[str], *, back: str) -> str:
    """Return the URL of the page that asks who may order, after these partnerships began."""
    chosen = [("id", id) for id in ids if ID.fullmatch(id)][:MAX_ORDERING_PARTNERSHIPS]
    return f"{get_path('partners:ordering-show')}?{urlencode([*chosen, ('back', back)])}"


def list_crumb() -> dict[str, str]:
    return {"label": _("Partners"), "href": tab_url("asking")}


def partnership_crumbs(partnership: Partnership, *, back: str) -> Crumbs:
    """Return the breadcrumbs of a partnership's page."""
    return [list_crumb(), {"label": lab_name(partnership.lab), "href": partnership_url(partnership.id, back=back)}]


def end_blockers(reasons: Sequence[Reason]) -> list[Blocker]:
    """Return the orders that block the end of a partnership, with the next step; orders have no page here."""
    next_step = NextStep(_("Ask the clinic or the lab to complete or cancel its open orders and requests."))
    return blockers.blockers(reasons, lambda _ref: "", lambda _reason: "", lambda _reason: next_step)


SETUP_STEPS = (
    SetupStep(
        label=gettext_lazy("Find labs"),
        text=gettext_lazy("A lab becomes a partner when one side accepts the other's request."),
        count=lambda summary: summary.partnership_counts.get("ACCEPTED", 0),
        href=lambda _summary: lab_list_url(),
        rank=4,
    ),
    SetupStep(
        # Translators: the title of a step of setting up the organization; dental labs.
        label=gettext_lazy("Choose the labs that clinics can order from"),
        text=gettext_lazy("Choose which clinics can order from each partner lab."),
        count=lambda summary: summary.order_allowed_partner_count,
        href=lambda _summary: tab_url("ordering"),
        rank=5,
    ),
)
