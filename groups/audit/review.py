"""Decisions of an access review and last logins as they are stored, with their labels."""

from datetime import date, tzinfo

from django.utils.translation import gettext_lazy, pgettext_lazy

from console.l10n.dates import written_day
from upstream.resources.users import User

KEEP, REDUCE, LOCK, DELETE, CANCEL = "keep", "reduce", "lock", "delete", "cancel"
OPEN, UNREADABLE = "open", "unreadable"
DECISIONS = {
    # Translators: button, a verb: leave the access of users as it is, after it was reviewed.
    KEEP: gettext_lazy("Keep access"),
    # Translators: button, a verb, and a decision: give users fewer permissions.
    REDUCE: gettext_lazy("Reduce permissions"),
    LOCK: gettext_lazy("Lock"),
    DELETE: gettext_lazy("Delete"),
    CANCEL: gettext_lazy("Cancel invitation"),
    # Translators: shown if no administrator has decided about a user.
    OPEN: gettext_lazy("No decision"),
    # It can't be decrypted anymore because its key is gone.
    UNREADABLE: gettext_lazy("Unreadable"),
}
"""The decisions about a user in an access review as they are stored, with their labels."""
REVIEW_ACTIONS = ("keep", "permissions", "lock", "delete", "cancel", "reopen", "unlock")
"""The actions that execute or clear decisions; the field `decision` sets them apart from actions of the same name."""
UNLOCK = "unlock"
"""The action that clears the decision to lock, also outside of the review: the user is back in the groups."""
SIGN_OFF = "sign_off"
NEVER, INVITED = "never", "invited"
"""The codes that are stored when there is no day of a last login."""


def last_login_text(value: str) -> str:
    """Return the text for a stored last login: a day, "Never" or "Invited"; an unknown value stays as it is."""
    labels = {NEVER: gettext_lazy("Never"), INVITED: pgettext_lazy("state", "Invited")}
    if value in labels:
        return str(labels[value])
    try:
        return written_day(date.fromisoformat(value))
    except ValueError:
        return value


def last_login_state(user: User, tz: tzinfo) -> str:
    """Return the last login as an access review stores it: a day in ISO format, or a code instead."""
    if user.is_invited:
        return INVITED
    return user.last_login_date.astimezone(tz).date().isoformat() if user.last_login_date else NEVER
