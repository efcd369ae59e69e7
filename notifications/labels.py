"""The words of notifications: a sentence for each kind, made of what the service tells of it."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.lists.query import Label
from console.lists.view import Tone
from console.text.bidi import isolated
from console.text.dates import told
from console.text.numbers import ngettext
from console.upstream.resources.notifications import Notification

LONGEST_PARAM = 400
LONGEST_TEXT = 2000
"""Characters of the service's own texts that are shown."""

KINDS: dict[str, Label] = {
    "SCANNER_PENDING": gettext_lazy("Scanner waiting"),
    "SCANNER_REFUSED_ELSEWHERE": gettext_lazy("Scanner refused elsewhere"),
    "PARTNERSHIP_REQUESTED": gettext_lazy("Partnership requested"),
    "PARTNERSHIP_ACCEPTED": gettext_lazy("Request accepted"),
    "PARTNERSHIP_REJECTED": gettext_lazy("Request rejected"),
    "PARTNERSHIP_CANCELLED": gettext_lazy("Request canceled"),
    "PARTNERSHIP_ENDED": gettext_lazy("Partnership ended"),
    "INVITATION_EXPIRED": gettext_lazy("Invitation ended"),
    "EMAIL_CHANGED": gettext_lazy("Email changed"),
    "PASSWORD_CHANGED": gettext_lazy("Password changed"),
    "MAINTENANCE_PLANNED": gettext_lazy("Maintenance planned"),
    "NOTICE": gettext_lazy("Notice"),
}

SENTENCES: dict[str, tuple[Label, ...]] = {
    "SCANNER_PENDING": (
        gettext_lazy("Scanner %(serialNumber)s of %(clinic)s is waiting for approval."),
        gettext_lazy("Scanner %(serialNumber)s is waiting for approval."),
        gettext_lazy("A scanner is waiting for approval."),
    ),
    "SCANNER_REFUSED_ELSEWHERE": (
        gettext_lazy("Scanner %(serialNumber)s of %(clinic)s was refused by another organization."),
        gettext_lazy("Scanner %(serialNumber)s was refused by another organization."),
        gettext_lazy("A scanner was refused by another organization."),
    ),
    "PARTNERSHIP_REQUESTED": (
        gettext_lazy("%(lab)s asks %(clinic)s for a partnership."),
        gettext_lazy("%(lab)s asks for a partnership."),
        gettext_lazy("A lab asks for a partnership."),
    ),
    # The service tells both of the labs' answers and of ours by the same type.
    "PARTNERSHIP_ACCEPTED": (
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was accepted."),
        gettext_lazy("The partnership request with %(lab)s was accepted."),
        gettext_lazy("A partnership request was accepted."),
    ),
    "PARTNERSHIP_REJECTED": (
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was rejected."),
        gettext_lazy("The partnership request with %(lab)s was rejected."),
        gettext_lazy("A partnership request was rejected."),
    ),
    "PARTNERSHIP_CANCELLED": (
        gettext_lazy("The partnership request between %(lab)s and %(clinic)s was canceled."),
        gettext_lazy("The partnership request of %(lab)s was canceled."),
        gettext_lazy("A partnership request was canceled."),
    ),
    "PARTNERSHIP_ENDED": (
        gettext_lazy("The partnership between %(lab)s and %(clinic)s ended."),
        gettext_lazy("The partnership with %(lab)s ended."),
        gettext_lazy("A partnership ended."),
    ),
    "INVITATION_EXPIRED": (
        gettext_lazy("The invitation of %(name)s (%(email)s) ended."),
        gettext_lazy("The invitation of %(name)s ended."),
        gettext_lazy("An invitation ended."),
    ),
    "EMAIL_CHANGED": (
        gettext_lazy("The email address of your account is now %(email)s."),
        gettext_lazy("The email address of your account was changed."),
    ),
    "PASSWORD_CHANGED": (gettext_lazy("The password of your account was changed."),),
    "MAINTENANCE_PLANNED": (
        gettext_lazy("Maintenance is planned from %(startDate)s to %(endDate)s."),
        gettext_lazy("Maintenance is planned from %(startDate)s."),
        gettext_lazy("Maintenance is planned."),
    ),
}
"""Of each kind the sentence with all that may be known, and those with less; the last one needs nothing."""


def bell_label(unread: int) -> str:
    """Return what the bell is called: for those who do not see its number."""
    if not unread:
        return _("Notifications")
    return ngettext("Notifications, %(count)s unread", "Notifications, %(count)s unread", unread) % {"count": unread}


def sentence(notification: Notification, where: tzinfo) -> str:
    """Return what a notification says; what is unknown to us, and a notice, says what the service sent."""
    sent = _sent_text(notification)
    if notification.kind not in SENTENCES:
        return sent or notification.kind or _("Something happened that the service does not describe.")
    words = _words(notification.params, where)
    for text in SENTENCES[notification.kind]:
        try:
            return str(text % words)
        except KeyError:
            continue
    return sent


def _sent_text(notification: Notification) -> str:
    title, body = (text.strip()[:LONGEST_TEXT] for text in (notification.title, notification.body))
    if title and body:
        return _("%(title)s: %(text)s") % {"title": isolated(title), "text": isolated(body)}
    return title or body


def _words(params: Mapping[str, Any], where: tzinfo) -> dict[str, str]:
    """What can be filled in: texts and numbers; a date in the reader's zone. All else is as if it were missing."""
    words = {}
    for name, value in params.items():
        text = str(value).strip()[:LONGEST_PARAM] if isinstance(value, str) or type(value) is int else ""
        if text and name.endswith("Date"):
            text = _moment(text, where)
        if text:
            words[name] = isolated(text)
    return words


def _moment(text: str, where: tzinfo) -> str:
    try:
        moment = msgspec.convert(text, datetime)
        return told(moment, where).local if moment.tzinfo else ""
    except (msgspec.ValidationError, OverflowError, ValueError):
        return ""


SCANNER_STATES: dict[str, tuple[Label, Tone]] = {
    "PENDING": (gettext_lazy("Pending"), "warning"),
    "APPROVED": (gettext_lazy("Approved"), "success"),
    "DISAPPROVED": (gettext_lazy("Disapproved"), "danger"),
    "APPROVAL_CANCELLED": (gettext_lazy("Approval canceled"), "neutral"),
}
"""The states of scanners on the dashboard: what they are called, and their tone."""

PARTNERSHIP_STATES: dict[str, tuple[Label, Tone]] = {
    "PENDING_IN": (gettext_lazy("Asking us"), "warning"),
    "PENDING_OUT": (gettext_lazy("Sent by us"), "info"),
    "PENDING": (gettext_lazy("Open requests"), "warning"),
    "ACCEPTED": (gettext_lazy("Partnerships"), "success"),
    "REJECTED": (gettext_lazy("Rejected"), "danger"),
    "CANCELLED": (gettext_lazy("Canceled"), "neutral"),
    "ENDED": (gettext_lazy("Ended"), "neutral"),
}
"""The same of partnerships. A summary tells open requests by who asked; a list tells them as one."""
