"""Labels and tones of the states of scanners and partnerships on the dashboard."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from console.lists.query import Label
from console.lists.view import Tone

SCANNER_STATES: dict[str, tuple[Label, Tone]] = {
    "PENDING": (pgettext_lazy("state", "Pending"), "warning"),
    "APPROVED": (pgettext_lazy("state", "Approved"), "success"),
    "DISAPPROVED": (pgettext_lazy("state", "Disapproved"), "danger"),
    "APPROVAL_CANCELLED": (pgettext_lazy("state", "Approval canceled"), "neutral"),
}

PARTNERSHIP_STATES: dict[str, tuple[Label, Tone]] = {
    "PENDING_IN": (gettext_lazy("Received requests"), "warning"),
    "PENDING_OUT": (gettext_lazy("Sent requests"), "info"),
    # Translators: label of a number: requests that no one has answered.
    "PENDING": (gettext_lazy("Pending requests"), "warning"),
    # Translators: label of a number: partnerships in force, of clinics with labs.
    "ACCEPTED": (gettext_lazy("Partnerships"), "success"),
    "REJECTED": (pgettext_lazy("state", "Rejected"), "danger"),
    "CANCELLED": (pgettext_lazy("state", "Canceled"), "neutral"),
    "ENDED": (pgettext_lazy("state", "Ended"), "neutral"),
}
"""A summary counts open requests by sender (PENDING_IN, PENDING_OUT); a list counts them together (PENDING)."""
