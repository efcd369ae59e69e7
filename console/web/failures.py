"""The status and the sentence of each failure, of the service and of the console. The service's texts are not shown.

The table is in ARCHITECTURE.md ("Who handles a failure"); `error_pages.py` makes the responses.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.errors import (
    AlreadyDone,
    DomainError,
    NameInUse,
    NotConfigured,
    ObjectNotFound,
    Rejected,
    StateConflict,
    StorageUnavailable,
    SubmissionInProgress,
    TooManyAttempts,
    VersionConflict,
)
from console.l10n.numbers import ngettext
from upstream import errors
from upstream.errors import UpstreamError

ITEM_GONE = gettext_lazy("This item no longer exists.")


@dataclass(frozen=True)
class Failure:
    """An error as users see it: the HTTP status, a title and a sentence."""

    status: int
    title: str
    text: str


def describe(error: UpstreamError | DomainError) -> Failure:
    """Return the status and the texts of an error that does not redirect to another page."""
    match error:
        case errors.Maintenance():
            # Translators: a heading.
            return Failure(503, _("Maintenance"), _("The service is under maintenance."))
        case errors.NotFound() | ObjectNotFound():
            return Failure(404, _("Not found"), _("This item no longer exists, or it belongs to another organization."))
        case errors.Limited() | TooManyAttempts():
            return Failure(429, _("Too many requests"), _wait(error.retry_after))
        case errors.TimedOut() | SubmissionInProgress():
            return Failure(
                504,
                # Translators: a heading.
                _("The service took too long to respond"),
                _("The service didn't respond in time. Try again."),
            )
        case errors.Unreachable() | StorageUnavailable() | NotConfigured():
            return Failure(
                503, _("Can't reach the service"), _("The service can't be reached right now. Try again later.")
            )
        case errors.Conflict() | VersionConflict() | StateConflict() | AlreadyDone() | NameInUse():
            status = 412 if isinstance(error, VersionConflict) or getattr(error, "status", None) == 412 else 409
            # Translators: heading: another user changed what the form is about.
            return Failure(status, _("Changed in the meantime"), changed_by_others())
        case errors.Refused() | Rejected():
            return Failure(422, _("The service declined this request"), generic_message())
        case _:
            return Failure(502, _("Something went wrong"), generic_message())


def changed_by_others() -> str:
    """Return the sentence for a change that was based on an older state (code 10005)."""
    return _("Someone else changed this in the meantime.")


def not_loaded() -> str:
    """Return the sentence for a part of a page that can't be read, below its heading."""
    return _("Couldn't load this.")


def not_offered() -> str:
    """Return the sentence for a call that the service does not have."""
    return _("This isn't available here.")


def generic_message() -> str:
    """Return the specification's generic message (section 8)."""
    if not settings.SUPPORT_EMAIL:
        return _("An error has occurred. Try again later.")
    # Translators: email: the email address of the support.
    return _("An error has occurred. Try again later, or contact support at %(email)s.") % {
        "email": settings.SUPPORT_EMAIL
    }


def _wait(seconds: int | None) -> str:
    if not seconds:
        return _("Too many requests. Try again in a moment.")
    return ngettext(
        "Too many requests. Try again in %(count)s second.",
        "Too many requests. Try again in %(count)s seconds.",
        seconds,
    ) % {"count": seconds}
