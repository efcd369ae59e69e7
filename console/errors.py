"""Failures of the console itself; `upstream.errors` has those of calls to the service.

    DomainError
    ├── LoginRequired              no usable login                    (always handled by the middleware)
    └── ActionFailed               the view of a write shows its form again
        ├── Rejected               our own rules don't allow it
        │   ├── ObjectNotFound     no such object, or it belongs to another organization
        │   ├── VersionConflict    the object was changed after the form was shown
        │   ├── StateConflict      something else that the form depends on was changed
        │   ├── AlreadyDone        the same was stored before
        │   ├── ValueInUse         another object has this value
        │   │   └── NameInUse      which the form may replace
        │   ├── WrongPassword      the current password is another one
        │   ├── LimitReached       as many are stored as allowed
        │   └── FeatureUnavailable the service doesn't have what this needs
        ├── TooManyAttempts        throttled
        ├── SubmissionInProgress   the first of two equal forms has no response yet
        ├── StorageUnavailable     the database did not accept a change
        ├── NotConfigured          an address that a call needs is not configured
        ├── UnusableResponse       the service answered, but the console can't continue with that
        └── OutcomeUnknown         it is unknown whether the change was stored

`console.web.failures` maps both families to statuses and sentences.
"""


class DomainError(Exception):
    """Base of all failures. The text is for the log: it contains nothing that a user entered."""


class LoginRequired(DomainError):
    """There is no usable login."""


class ActionFailed(DomainError):
    """Base of the failures after which the view of a write shows its form again."""

    may_be_done = False
    """True if the write may have been executed in spite of the failure."""
    retry_after: int | None = None
    """Seconds after which to try again."""


class Rejected(ActionFailed):
    """The console's own rules don't allow the action.

    `reason` is stored in the audit entry, and is the key of its sentence (`Contributions.refusals`).
    """

    def __init__(self, message: str = "", *, reason: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class ObjectNotFound(Rejected):
    """There is no such object, or it belongs to another organization."""


class VersionConflict(Rejected):
    """The object was changed after the form was shown."""


class StateConflict(Rejected):
    """Something else that the form depends on was changed after it was shown."""


class AlreadyDone(Rejected):
    """The same was stored before."""


class ValueInUse(Rejected):
    """Another object has the values of these `fields`."""

    def __init__(self, *fields: str) -> None:
        super().__init__(f"in use: {', '.join(fields)}")
        self.fields = fields


class NameInUse(ValueInUse):
    """Another object has the name, and the form may replace it."""


class WrongPassword(Rejected):
    """The current password is another one."""


class LimitReached(Rejected):
    """The maximum number of objects is stored."""


class FeatureUnavailable(Rejected):
    """The service doesn't have what this needs."""


class TooManyAttempts(ActionFailed):
    """Too many attempts; the next one is possible in `retry_after` seconds."""

    def __init__(self, message: str = "", *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SubmissionInProgress(ActionFailed):
    """The first of two equal forms has no response yet."""

    may_be_done = True


class StorageUnavailable(ActionFailed):
    """The database did not accept a change, so nothing of it is stored."""


class NotConfigured(ActionFailed):
    """An address that a call needs is not configured."""


class UnusableResponse(ActionFailed):
    """The service responded, but the console can't continue with the response."""


class OutcomeUnknown(ActionFailed):
    """It is unknown whether a change was stored."""

    may_be_done = True
