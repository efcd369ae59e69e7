"""Labels of notifications, and a sentence for each kind with the parameters that the service sends."""

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from console.l10n.bidi import filled, isolated
from console.l10n.dates import iso_moment_text
from console.l10n.numbers import ngettext
from console.lists.query import Label
from upstream.characters import is_visible
from upstream.resources.notifications import Notification

MAX_PARAM_LENGTH = 400
MAX_TEXT_LENGTH = 2000
"""Characters of the service's own texts that are shown."""

KINDS: dict[str, Label] = {
    # Translators: kind of notification, as are the texts that follow: in a column and in a filter.
    "SCANNER_PENDING": gettext_lazy("Scanner waiting for approval"),
    "SCANNER_REFUSED_ELSEWHERE": gettext_lazy("Connection from another organization blocked"),
    # Translators: a type of notification.
    "PARTNERSHIP_REQUESTED": gettext_lazy("Partnership requested"),
    # Translators: a type of notification: a partnership request was accepted.
    "PARTNERSHIP_ACCEPTED": gettext_lazy("Request accepted"),
    # Translators: a type of notification: a partnership request was rejected.
    "PARTNERSHIP_REJECTED": gettext_lazy("Request rejected"),
    # Translators: a type of notification: a partnership request was canceled.
    "PARTNERSHIP_CANCELLED": gettext_lazy("Request canceled"),
    # Translators: a type of notification.
    "PARTNERSHIP_ENDED": gettext_lazy("Partnership ended"),
    # Translators: kind of notification.
    "INVITATION_EXPIRED": pgettext_lazy("event", "Invitation expired"),
    # Translators: a type of notification.
    "EMAIL_CHANGED": gettext_lazy("Email address changed"),
    # Translators: a type of notification.
    "PASSWORD_CHANGED": gettext_lazy("Password changed"),
    # Translators: kind of notification.
    "MAINTENANCE_PLANNED": gettext_lazy("Maintenance scheduled"),
    # Translators: kind of notification: something that the service announces. A noun.
    "NOTICE": gettext_lazy("Notice"),
}

SENTENCES: dict[str, tuple[Label, ...]] = {
    "SCANNER_PENDING": (
        # Translators: %(serialNumber)s: of a scanner, such as EA1-48271; %(clinic)s: name of a clinic.
        gettext_lazy("Scanner %(serialNumber)s at %(clinic)s is waiting for approval."),
        # Translators: %(serialNumber)s: of a scanner, such as EA1-48271.
        gettext_lazy("Scanner %(serialNumber)s is waiting for approval."),
        gettext_lazy("A scanner is waiting for approval."),
    ),
    "SCANNER_REFUSED_ELSEWHERE": (
        # Translators: %(serialNumber)s: of a scanner, such as EA1-48271; %(clinic)s: name of a clinic.
        gettext_lazy(
            "Another organization tried to connect scanner %(serialNumber)s, which belongs to %(clinic)s, and was "
            "blocked."
        ),
        # Translators: %(serialNumber)s: of a scanner, such as EA1-48271.
        gettext_lazy("Another organization tried to connect scanner %(serialNumber)s and was blocked."),
        gettext_lazy("Another organization tried to connect one of your scanners and was blocked."),
    ),
    "PARTNERSHIP_REQUESTED": (
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic.
        gettext_lazy("%(lab)s requested a partnership with %(clinic)s."),
        # Translators: %(lab)s: name of a dental lab.
        gettext_lazy("%(lab)s requested a partnership."),
        gettext_lazy("A lab requested a partnership."),
    ),
    # The service uses the same type for the labs' answers and for ours.
    "PARTNERSHIP_ACCEPTED": (
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic.
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was accepted."),
        # Translators: %(lab)s: name of a dental lab.
        gettext_lazy("The partnership request with %(lab)s was accepted."),
        gettext_lazy("A partnership request was accepted."),
    ),
    "PARTNERSHIP_REJECTED": (
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic.
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was rejected."),
        # Translators: %(lab)s: name of a dental lab.
        gettext_lazy("The partnership request with %(lab)s was rejected."),
        gettext_lazy("A partnership request was rejected."),
    ),
    "PARTNERSHIP_CANCELLED": (
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic.
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was canceled."),
        # Translators: %(lab)s: name of a dental lab.
        gettext_lazy("The partnership request with %(lab)s was canceled."),
        gettext_lazy("A partnership request was canceled."),
    ),
    "PARTNERSHIP_ENDED": (
        # Translators: %(lab)s: name of a dental lab; %(clinic)s: name of a clinic.
        gettext_lazy("The partnership between %(lab)s and %(clinic)s ended."),
        # Translators: %(lab)s: name of a dental lab.
        gettext_lazy("The partnership with %(lab)s ended."),
        gettext_lazy("A partnership ended."),
    ),
    "INVITATION_EXPIRED": (
        # Translators: %(name)s: name of a person; %(email)s: the email address that was invited.
        gettext_lazy("The invitation for %(name)s (%(email)s) expired."),
        # Translators: %(name)s: name of a person.
        gettext_lazy("The invitation for %(name)s expired."),
        gettext_lazy("An invitation expired."),
    ),
    "EMAIL_CHANGED": (
        # Translators: %(email)s: an email address.
        gettext_lazy("Your email address is now %(email)s."),
        gettext_lazy("Your email address was changed."),
    ),
    "PASSWORD_CHANGED": (gettext_lazy("Your password was changed."),),
    "MAINTENANCE_PLANNED": (
        # Translators: %(startDate)s and %(endDate)s: date and time, such as Nov 22, 2026, 2:05 PM.
        gettext_lazy("Maintenance is scheduled from %(startDate)s to %(endDate)s."),
        # Translators: %(startDate)s: date and time, such as Nov 22, 2026, 2:05 PM.
        gettext_lazy("Maintenance is scheduled starting %(startDate)s."),
        gettext_lazy("Maintenance is scheduled."),
    ),
}
"""The sentences of each kind, from the one with all parameters to the one without any."""


def bell_label(unread: int) -> str:
    """Return the accessible name of the bell button, with the unread count."""
    if not unread:
        return _("Notifications")
    # Translators: name of the bell button, read aloud by screen readers.
    return ngettext("Notifications, %(count)s unread", "Notifications, %(count)s unread", unread) % {"count": unread}


def sentence(notification: Notification, tz: tzinfo) -> str:
    """Return the text of a notification; for notices and unknown kinds, the text that the service sent."""
    sent = _sent_text(notification)
    if notification.kind not in SENTENCES:
        return sent or notification.kind or _("The service sent a notification without details.")
    words = _words(notification.params, tz)
    for text in SENTENCES[notification.kind]:
        try:
            return filled(text, words)
        except KeyError:
            continue
    return sent


def _sent_text(notification: Notification) -> str:
    title, body = (text.strip()[:MAX_TEXT_LENGTH] for text in (notification.title, notification.body))
    # Translators: a notification in the service's own words: its title, and its text.
    pattern = _("%(title)s: %(text)s")
    return isolated(pattern % {"title": title, "text": body} if title and body else title or body)


def _words(params: Mapping[str, Any], tz: tzinfo) -> dict[str, str]:
    """Return the usable parameters: texts, numbers, and dates in the reader's time zone. Other values are omitted."""
    words = {}
    for name, value in params.items():
        text = str(value).strip()[:MAX_PARAM_LENGTH] if isinstance(value, str) or type(value) is int else ""
        if text and name.endswith("Date"):
            text = iso_moment_text(text, tz)
        if is_visible(text):
            words[name] = isolated(text)
    return words
