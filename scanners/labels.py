"""The words of scanners: what the service's codes, events and reasons are called."""

from collections.abc import Callable

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from console.lists.query import Label
from console.lists.view import Tone
from console.text.bidi import isolated
from console.upstream.errors import Code
from console.upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE, Scanner
from scanners.storage.changes import LIST_FULL

SCANNER_STATUSES: dict[str, tuple[Label, Tone]] = {
    # Translators: state of a scanner that is waiting for a decision. Short, and without gender if possible.
    "PENDING": (pgettext_lazy("state", "Pending"), "warning"),
    # Translators: state of a scanner; also beside the number of such scanners.
    "APPROVED": (pgettext_lazy("state", "Approved"), "success"),
    # Translators: state of a scanner; also beside the number of such scanners.
    "DISAPPROVED": (pgettext_lazy("state", "Disapproved"), "danger"),
    # Translators: state of a scanner.
    "APPROVAL_CANCELLED": (pgettext_lazy("state", "Approval canceled"), "neutral"),
}

EVENTS: dict[str, Label] = {
    # Translators: what happened to a scanner on a day, in a table.
    "CONNECTED": pgettext_lazy("event", "Connected"),
    # Translators: what happened to a scanner on a day, in a table.
    "APPROVED": pgettext_lazy("event", "Approved"),
    # Translators: what happened to a scanner on a day, in a table.
    "DISAPPROVED": pgettext_lazy("event", "Disapproved"),
    # Translators: what happened to a scanner on a day, in a table.
    "APPROVAL_CANCELLED": pgettext_lazy("event", "Approval canceled"),
    # Translators: what happened to a scanner that only we may use: another organization tried to connect it.
    "REFUSED_ELSEWHERE": gettext_lazy("Connection refused in another organization"),
}

REASONS: dict[str, Callable[[int], str]] = {
    # Translators: about one scanner.
    "SCANNER_IS_PENDING": lambda _count: gettext("It is pending now."),
    # Translators: about one scanner.
    "SCANNER_IS_APPROVED": lambda _count: gettext("It is approved now."),
    # Translators: about one scanner.
    "SCANNER_IS_DISAPPROVED": lambda _count: gettext("It is disapproved now."),
    # Translators: about one scanner.
    "SCANNER_IS_APPROVAL_CANCELLED": lambda _count: gettext("Its approval is canceled now."),
    Code.SCANNER_STATE.name: lambda _count: gettext("This can't be done in the scanner's current state."),
}
"""Why a scanner can't be decided about."""

REFUSALS: dict[int, Label] = {
    Code.SCANNER_OF_ANOTHER_ORGANIZATION: gettext_lazy("Another organization has approved this scanner."),
    LIST_FULL: gettext_lazy("At most 10,000 serial numbers can be expected. Delete some of them first."),
}


NOTES: dict[str, Label] = {
    # Translators: about one scanner: what its approval means.
    APPROVE: gettext_lazy("It can be used in this organization only. Connections in others are refused."),
    # Translators: about one scanner: what its disapproval means.
    DISAPPROVE: gettext_lazy("People can still scan. You are asked again when it is next connected."),
    # Translators: about one scanner: what it means to cancel its approval.
    CANCEL_APPROVAL: gettext_lazy(
        "It can be used in other organizations. You are asked again when it is next connected here."
    ),
}
"""What a decision means for people."""


def called(scanner: Scanner) -> str:
    """What a sentence calls a scanner: its serial number, else its ID."""
    return isolated(scanner.called)
