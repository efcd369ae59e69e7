"""The errors of calls to the upstream service, and the service's own codes.

    UpstreamError
    ├── SessionEnded         the session is over: log in again    (always handled by the middleware)
    ├── ServerCode15001      code 15001, with any status          (always handled by the middleware)
    ├── Maintenance          code 18001                           (always handled by the middleware)
    ├── NotFound             404, or an object of another organization
    ├── ForeignHost          an address outside the allow list; nothing was sent
    ├── NeedsRefresh         401 or 520 of a bearer call; internal to the client
    └── NotDone              caught by the view of a write
        ├── Refused          any other 4xx: the service understood the call and refused it
        │   ├── Conflict     409 and 412: the object's state, or a concurrent change
        │   └── NotOffered   the service has no such call, and need not have it
        ├── Limited          429
        ├── Failed           any other 5xx, and 520 after the replay
        ├── TimedOut         our deadline, or 524
        ├── Unreachable      no connection was opened
        └── BadAnswer        broken, mistyped, too large, cut off, or redirected

`may_be_done` is True if a write may have been executed in spite of the error. `answers.py` turns responses into errors,
`transport.py` does so with failures of the connection.
"""

from datetime import datetime
from enum import IntEnum
from typing import ClassVar, Optional

import msgspec

from upstream.nouns import Count, Id, Noun


class Code(IntEnum):
    """The service's codes (upstream contract, section 1.5); an unknown code stays a plain number."""

    UNKNOWN_FAILURE = 10000
    PARAMETER_MISSING = 10001
    PARAMETER_INVALID = 10002
    TOO_SHORT = 10003
    NOT_FOUND = 10004
    CHANGED_MEANWHILE = 10005
    ALREADY_DONE = 10006
    TOO_LARGE = 10007
    TOO_MANY_REQUESTS = 10008
    WRONG_LOGIN = 11001
    ACCESS_TOKEN_ENDED = 11002
    REFRESH_TOKEN_REFUSED = 11003
    CURRENT_PASSWORD_WRONG = 11004
    ACCOUNT_TYPE_REFUSED = 11005
    PASSWORD_UNCHANGED = 11006
    LINK_ENDED = 11007
    ACTION_NOT_ALLOWED = 11008
    PASSWORD_RULE_BROKEN = 11009
    EMAIL_IN_USE = 12001
    ORGANIZATION_NAME_IN_USE = 12002
    EMAIL_UNCHANGED = 12003
    ORGANIZATION_NAME_UNCHANGED = 12004
    SERVER_LOCATION_FIXED = 12005
    DASHBOARD_URL_REFUSED = 12006
    AGREEMENT_MISSING = 12007
    CLINIC_HAS_PARTNER = 13001
    ONGOING_ORDERED_CASE = 13002
    PARTNER_WITH_LAB = 13003
    PENDING_ORDERED_CASE_WITH_LAB = 13004
    NOT_EMPTY = 13005
    SEVERAL_REASONS = 13006
    NAME_IN_USE = 13007
    USER_EMAIL_IN_USE = 13008
    NOT_INVITED = 13009
    LAB_IS_NOT_A_PARTNER = 13010
    USER_STATE = 13011
    SCANNER_STATE = 14001
    FOREIGN_SCANNER = 14002
    FATAL = 15001
    LAB_ALREADY_LISTED = 16001
    LAB_NOT_LISTED = 16002
    LAB_REMOVAL_REFUSED = 16003
    REQUEST_ALREADY_OPEN = 16004
    NO_OPEN_REQUEST = 16005
    NO_PENDING_REQUEST = 16006
    END_HAS_ONGOING_ORDER = 16007
    END_HAS_PENDING_ORDER = 16008
    LAB_GONE = 16009
    NOTIFICATION_NOT_FOUND = 17001
    MAINTENANCE = 18001


IN_USE = {
    Code.EMAIL_IN_USE: "email",
    Code.USER_EMAIL_IN_USE: "email",
    Code.ORGANIZATION_NAME_IN_USE: "name",
    Code.NAME_IN_USE: "name",
}
"""The codes for a value that is already in use, with its field."""


class FieldError(msgspec.Struct, frozen=True):
    """A field that the service rejected; `field` is in our spelling (`team_type`, `clinic_id`)."""

    field: str
    code: int = 0


class Ref(Noun, frozen=True):
    """An object that blocks an action, for example an open case."""

    type: str = ""
    id: Id = ""
    label: str = ""


class Reason(msgspec.Struct, frozen=True):
    """A reason of a refusal, as the service's upper-case word, with the number of objects that block the action."""

    reason: str
    count: Count = 0
    refs: tuple[Ref, ...] = ()


class MaintenanceNotice(Noun, frozen=True, kw_only=True):
    """The unavailable services, with dates and reason; no end date means until further notice.

    `reason` is keyed by language; `planned` is a notice of the same shape, for the banner.
    """

    IS_WHOLE: ClassVar = True  # half a notice is none: without its end, it would close the console until further notice

    active: bool
    start_date: datetime | None = None
    end_date: datetime | None = None
    reason: dict[str, str] = {}
    unavailable_services: list[str] = []
    planned: Optional["MaintenanceNotice"] = None


_ANSWER_LOST = frozenset({502, 504, 520, 524})  # given by a proxy that did not get the service's answer
_LOWEST_CODE = 10000


class UpstreamError(Exception):
    """Base of all errors; the client fills in `endpoint` and `request_id` before a caller sees the error.

    Its text never contains data of the service or an address with a query, so it can be logged.
    """

    def __init__(
        self,
        message: str = "",
        *,
        status: int | None = None,
        code: int | None = None,
        endpoint: str = "",
        request_id: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.endpoint = endpoint
        self.request_id = request_id
        self.is_read_error = False
        """True if the call was a read with no write before it: set by the client."""

    @property
    def may_be_done(self) -> bool:
        """True if a write that ended in this error may have been carried out.

        False if the answer proves the opposite: a 4xx does (except 408, which a proxy gives), and so does a 5xx that
        carries a code of the service, a 501 or a 503. Also False for reads.
        """
        if self.is_read_error or self.status is None or not (500 <= self.status < 600 or self.status == 408):
            return False
        if self.status in (501, 503):
            return False
        return self.status in _ANSWER_LOST or self.code is None or self.code < _LOWEST_CODE

    def __str__(self) -> str:
        facts = (("status", self.status), ("code", self.code))
        parts = [self.endpoint, self.message, *(f"{name} {value}" for name, value in facts if value is not None)]
        return ", ".join(part for part in parts if part) or type(self).__name__


class SessionEnded(UpstreamError):
    """The refresh failed, the replay got 401, or there is no token."""


class ServerCode15001(UpstreamError):
    """The service reports its fatal condition (specification, section 8), whether or not the call was executed."""

    @property
    def may_be_done(self) -> bool:
        return True


class Maintenance(UpstreamError):
    """The service is under maintenance; the notice is None if the answer had none."""

    def __init__(
        self, message: str = "", *, notice: MaintenanceNotice | None = None, status: int | None = None
    ) -> None:
        super().__init__(message, status=status, code=Code.MAINTENANCE)
        self.notice = notice


class NotFound(UpstreamError):
    """There is no such object, or it belongs to another organization; for a mailed link, `reasons` say why."""

    def __init__(
        self,
        message: str = "",
        *,
        status: int | None = None,
        code: int | None = None,
        request_id: str = "",
        reasons: tuple[Reason, ...] = (),
    ) -> None:
        super().__init__(message, status=status, code=code, request_id=request_id)
        self.reasons = reasons


class ForeignHost(UpstreamError):
    """An address is outside the allow list; nothing was sent to it."""


class NeedsRefresh(UpstreamError):
    """The access token was rejected. Internal: the client refreshes once and replays the call."""


class NotDone(UpstreamError):
    """Base of the errors after which the view of a write shows its form again."""

    retry_after: int | None = None
    """Seconds after which to try again, where the service says so."""


class Refused(NotDone):
    """The service understood the call and refused it."""

    def __init__(
        self,
        message: str = "",
        *,
        status: int | None = None,
        code: int | None = None,
        fields: tuple[FieldError, ...] = (),
        reasons: tuple[Reason, ...] = (),
    ) -> None:
        super().__init__(message, status=status, code=code)
        self.fields = fields
        self.reasons = reasons


class Conflict(Refused):
    """The object's state does not allow the action, or another request has changed the object."""


class NotOffered(Refused):
    """The service has no such call, which is optional in the contract; nothing was executed."""

    @property
    def may_be_done(self) -> bool:
        return False


class Limited(NotDone):
    """Too many requests."""

    def __init__(self, message: str = "", *, retry_after: int | None = None, code: int | None = None) -> None:
        super().__init__(message, status=429, code=code)
        self.retry_after = retry_after


class Failed(NotDone):
    """The service failed."""

    def __init__(
        self, message: str = "", *, status: int | None = None, retry_after: int | None = None, code: int | None = None
    ) -> None:
        super().__init__(message, status=status, code=code)
        self.retry_after = retry_after


class TimedOut(NotDone):
    """Time ran out before the response was complete; a write that was `sent` may have been executed."""

    def __init__(
        self, message: str = "", *, status: int | None = None, code: int | None = None, sent: bool = True
    ) -> None:
        super().__init__(message, status=status, code=code)
        self.sent = sent

    @property
    def may_be_done(self) -> bool:
        return self.sent and not self.is_read_error


class Unreachable(NotDone):
    """No connection could be opened, or the host is known not to respond; nothing was executed."""


class BadAnswer(NotDone):
    """The response is unusable; a write may have been executed."""

    @property
    def may_be_done(self) -> bool:
        return not self.is_read_error


def is_missing(error: UpstreamError) -> bool:
    """Return whether the service has no such call; some services take its path for that of an object (405)."""
    return error.status in (405, 501) or (error.status == 404 and error.code != Code.NOT_FOUND)
