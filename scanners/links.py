"""The addresses of scanners: the list, the page of each, and what can be decided there."""

from django.utils.translation import gettext as _

from console.files.links import FileLink, export_links
from console.forms.return_url import ViewPages, return_url, with_return_url
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE

PAGE = "scanners:scanner-show"
DECISIONS = {APPROVE: "approve", DISAPPROVE: "disapprove", CANCEL_APPROVAL: "cancel-approval"}
"""The last part of an address, by the action."""


def scanner_list_url() -> str:
    return get_path("scanners:scanner-list")


def scanner_page(scanner_id: str) -> str:
    """The page of a scanner; "" where its ID can't stand in a path."""
    return get_path(PAGE, scanner_id)


def scanner_page_from(scanner_id: str, back: str) -> str:
    """The same, which knows the list to return to."""
    page = scanner_page(scanner_id)
    return page and with_return_url(page, back, scanner_list_url())


def decision_url(scanner_id: str, action: str, *, back: str) -> str:
    """The question before a decision, which knows where to return to."""
    page = scanner_page(scanner_id)
    return page and with_return_url(f"{page}/{DECISIONS[action]}", back, scanner_list_url())


def back_to_list(request: ConsoleRequest) -> str:
    """The list that a page was opened from, as it was."""
    return return_url(request, scanner_list_url())


def back_from_decision(request: ConsoleRequest) -> str:
    """The list, or the page of the scanner that was decided about."""
    return return_url(request, scanner_list_url(), pages=ViewPages(PAGE, ()))


def scanner_files() -> list[FileLink]:
    return export_links("scanners:scanner")


def scanners_crumb() -> dict[str, str]:
    return {"label": _("Scanners"), "href": scanner_list_url()}
