"""Labels of scanners: the service's codes, events and reasons."""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from console.forms.confirm import ActionMessages
from console.l10n.bidi import isolated
from console.lists.query import Label
from console.lists.view import Tone
from scanners.storage.changes import LIMIT
from upstream.errors import Code
from upstream.resources.scanners import APPROVE, CANCEL_APPROVAL, DISAPPROVE, Scanner

SCANNER_STATUSES: dict[str, tuple[Label, Tone]] = {
    # Translators: state of a scanner that is waiting for a decision. Short, and without gender if possible.
    "PENDING": (pgettext_lazy("state", "Pending"), "warning"),
    # Translators: state of a scanner; also next to the number of such scanners.
    "APPROVED": (pgettext_lazy("state", "Approved"), "success"),
    # Translators: state of a scanner; also next to the number of such scanners.
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
    "REFUSED_ELSEWHERE": gettext_lazy("Connection from another organization blocked"),
}

REASONS: dict[str, Callable[[int], str]] = {
    # Translators: about one scanner.
    "SCANNER_IS_PENDING": lambda _count: gettext("It's now pending."),
    # Translators: about one scanner.
    "SCANNER_IS_APPROVED": lambda _count: gettext("It's now approved."),
    # Translators: about one scanner.
    "SCANNER_IS_DISAPPROVED": lambda _count: gettext("It's now disapproved."),
    # Translators: about one scanner.
    "SCANNER_IS_APPROVAL_CANCELLED": lambda _count: gettext("Its approval is now canceled."),
    Code.SCANNER_STATE.name: lambda _count: gettext("This isn't possible with the scanner's current status."),
}
"""Messages for the reasons why a scanner can't be decided about."""

REFUSALS: dict[int | str, Label] = {
    Code.FOREIGN_SCANNER: gettext_lazy("Another organization has approved this scanner."),
    LIMIT: gettext_lazy("You can have up to 10,000 expected serial numbers. Delete some first."),
}


DECISIONS: dict[str, ActionMessages] = {
    APPROVE: ActionMessages(
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=gettext_lazy("Approve %(name)s?"),
        # Translators: about one scanner: what its approval means.
        text=gettext_lazy(
            "It can be used in this organization only. Connections from other organizations are refused."
        ),
        button=gettext_lazy("Approve scanner"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=gettext_lazy("%(name)s was approved."),
        failed=gettext_lazy("Failed to approve the scanner."),
    ),
    DISAPPROVE: ActionMessages(
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=gettext_lazy("Disapprove %(name)s?"),
        # Translators: about one scanner: what its disapproval means.
        text=gettext_lazy(
            "This doesn't block the scanner. You'll be asked to approve it again the next time it connects."
        ),
        button=gettext_lazy("Disapprove scanner"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=gettext_lazy("%(name)s was disapproved."),
        failed=gettext_lazy("Failed to disapprove the scanner."),
    ),
    CANCEL_APPROVAL: ActionMessages(
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        title=gettext_lazy("Cancel the approval of %(name)s?"),
        # Translators: about one scanner: what it means to cancel its approval.
        text=gettext_lazy(
            "Other organizations will be able to use it. You'll be asked again the next time it connects here."
        ),
        button=gettext_lazy("Cancel approval"),
        # Translators: button: go back, and do not cancel the approval of the scanner.
        keep=gettext_lazy("Keep approval"),
        # Translators: %(name)s: serial number of a scanner, such as EA1-48271.
        done=gettext_lazy("The approval of %(name)s was canceled."),
        failed=gettext_lazy("Failed to cancel the approval of the scanner."),
    ),
}


DELETE_SERIAL = ActionMessages(
    # Translators: %(name)s: a serial number, such as SN12345.
    title=gettext_lazy("Delete %(name)s?"),
    text=gettext_lazy(
        "It will be removed only from your expected serial numbers. Scanners that have already connected won't change."
    ),
    button=gettext_lazy("Delete serial number"),
    # Translators: %(name)s: a serial number, such as SN12345.
    done=gettext_lazy("%(name)s was deleted."),
    failed=gettext_lazy("Failed to delete the serial number."),
    missing=gettext_lazy("Someone else has already deleted this serial number."),
)
DELETE_UNREADABLE = replace(
    DELETE_SERIAL,
    title=gettext_lazy("Delete this serial number?"),
    text=gettext_lazy(
        "This serial number can no longer be read because the console's encryption keys were replaced after it was "
        "added."
    ),
    # Translators: button, a verb.
    button=gettext_lazy("Delete"),
    done=gettext_lazy("Serial number deleted."),
)


def get_names(scanner: Scanner) -> dict[str, str]:
    """Return the name of a scanner for sentences: its serial number, or else its ID."""
    return {"name": isolated(scanner.called)}
