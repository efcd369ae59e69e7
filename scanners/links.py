"""URLs of scanners: the list, the page of each, and the decisions."""

from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.files.links import FileLink, export_links
from console.forms.return_url import ViewPages, return_url, with_return_url
from console.web.contributions import SetupStep
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from upstream.resources.dashboards import Summary
from upstream.resources.scanners import APPROVE, APPROVED, CANCEL_APPROVAL, DISAPPROVE, PENDING

PAGE = "scanners:scanner-show"
CLINIC_LIST = "clinic_scanners:clinic-scanner-list"
DECISIONS = {APPROVE: "approve", DISAPPROVE: "disapprove", CANCEL_APPROVAL: "cancel-approval"}
"""The last part of a decision's URL, by action."""


def scanner_list_url() -> str:
    return get_path("scanners:scanner-list")


def scanner_page(scanner_id: str) -> str:
    """Return the URL of a scanner's page; "" if its ID can't be part of a path."""
    return get_path(PAGE, scanner_id)


def scanner_page_from(scanner_id: str, back: str) -> str:
    """Return the URL of a scanner's page with the list to return to."""
    page = scanner_page(scanner_id)
    return page and with_return_url(page, back, scanner_list_url())


def decision_url(scanner_id: str, action: str, *, back: str) -> str:
    """Return the URL that asks for confirmation of a decision, with the page to return to."""
    page = scanner_page(scanner_id)
    return page and with_return_url(f"{page}/{DECISIONS[action]}", back, scanner_list_url())


def back_to_list(request: ConsoleRequest) -> str:
    """Return the URL of the list from which a page was opened, with its query: of all scanners, or of a clinic's."""
    return return_url(request, scanner_list_url(), pages=ViewPages(CLINIC_LIST, ()))


def back_from_decision(request: ConsoleRequest) -> str:
    """Return the URL of the list, or of the page on which the decision was made."""
    return return_url(request, scanner_list_url(), pages=ViewPages(PAGE, (), (CLINIC_LIST,)))


def scanner_files() -> list[FileLink]:
    return export_links("scanners:scanner")


def scanners_crumb() -> dict[str, str]:
    return {"label": _("Scanners"), "href": scanner_list_url()}


def _setup_url(summary: Summary) -> str:
    """Return the URL of the scanners that wait for approval, or of all."""
    return scanner_list_url() + (f"?{urlencode({'status': PENDING})}" if summary.scanner_counts.get(PENDING) else "")


SETUP_STEPS = (
    SetupStep(
        label=gettext_lazy("Approve scanners"),
        text=gettext_lazy("Scanners appear in the list after they connect for the first time."),
        count=lambda summary: summary.scanner_counts.get(APPROVED, 0),
        href=_setup_url,
        rank=3,
    ),
)
