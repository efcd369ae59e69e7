"""The words of scanners: what the service's codes, events and reasons are called."""

from collections.abc import Callable

from django.utils.translation import gettext, gettext_lazy

from console.lists.query import Label
from console.lists.view import Tone
from console.text.bidi import isolated
from console.upstream.errors import Code
from console.upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE, Scanner
from scanners.storage.changes import LIST_FULL

SCANNER_STATUSES: dict[str, tuple[Label, Tone]] = {
    "PENDING": (gettext_lazy("Pending"), "warning"),
    "APPROVED": (gettext_lazy("Approved"), "success"),
    "DISAPPROVED": (gettext_lazy("Disapproved"), "danger"),
    "APPROVAL_CANCELLED": (gettext_lazy("Approval canceled"), "neutral"),
}

EVENTS: dict[str, Label] = {
    "CONNECTED": gettext_lazy("Connected"),
    "APPROVED": gettext_lazy("Approved"),
    "DISAPPROVED": gettext_lazy("Disapproved"),
    "APPROVAL_CANCELLED": gettext_lazy("Approval canceled"),
    "REFUSED_ELSEWHERE": gettext_lazy("Connection in another organization refused"),
}

REASONS: dict[str, Callable[[int], str]] = {
    "SCANNER_IS_PENDING": lambda _count: gettext("It is pending now."),
    "SCANNER_IS_APPROVED": lambda _count: gettext("It is approved now."),
    "SCANNER_IS_DISAPPROVED": lambda _count: gettext("It is disapproved now."),
    "SCANNER_IS_APPROVAL_CANCELLED": lambda _count: gettext("Its approval is canceled now."),
    Code.SCANNER_STATE.name: lambda _count: gettext("This can't be done in the scanner's current state."),
}
"""Why a scanner can't be decided about."""

REFUSALS: dict[int, Label] = {
    Code.SCANNER_OF_ANOTHER_ORGANIZATION: gettext_lazy("Another organization has approved this scanner."),
    LIST_FULL: gettext_lazy("At most 10,000 serial numbers can be expected. Delete some of them first."),
}


NOTES: dict[str, Label] = {
    APPROVE: gettext_lazy("It can be used in this organization only. Connections in others are refused."),
    DISAPPROVE: gettext_lazy("People can still scan. You are asked again when it is next connected."),
    CANCEL_APPROVAL: gettext_lazy(
        "It can be used in other organizations. You are asked again when it is next connected here."
    ),
}
"""What a decision means for people."""


def called(scanner: Scanner) -> str:
    """What a sentence calls a scanner: its serial number, else its ID."""
    return isolated(scanner.called)
