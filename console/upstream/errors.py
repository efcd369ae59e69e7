"""What a call to the upstream service can end in, and the numbers that the service gives its reasons.

    UpstreamError
    ├── SessionEnded         the session cannot go on: log in again            always the middleware's
    ├── ServerCode15001      the service says so, at any status                always the middleware's
    ├── Maintenance          code 18001                                        always the middleware's
    ├── NotFound             404, or an object of another organization
    ├── ForeignHost          an address outside of the allow list; nothing was sent
    ├── NeedsRefresh         401 or 520 of a bearer call; never leaves the client
    └── NotDone              what the view of a write catches
        ├── Refused          any other 4xx: the service understood, and says no
        │   └── Conflict     409 and 412: the object's state, or someone was quicker
        ├── Limited          429
        ├── Failed           any other 5xx, and 520 after the replay
        ├── TimedOut         our deadline, or 524: it may have been carried out
        ├── Unreachable      no connection was opened: it was not carried out
        └── BadAnswer        broken, mistyped, too large, cut off, or redirected: it may have been carried out

Answers are told apart in `answers.py`, what happens on the line in `transport.py`.
"""

from enum import IntEnum
from typing import TYPE_CHECKING

import msgspec

from console.upstream.nouns import Id, Noun

if TYPE_CHECKING:
    from console.upstream.maintenance import MaintenanceNotice


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
    SCANNER_STATE = 14001
    SCANNER_OF_ANOTHER_ORGANIZATION = 14002
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


class FieldError(msgspec.Struct, frozen=True):
    """A field that the service refused; `field` is in our spelling (`team_type`, `clinic_id`)."""

    field: str
    code: int = 0


class Ref(Noun, frozen=True):
    """Something that stands in the way, for example an open case."""

    type: str = ""
    id: Id = ""
    label: str = ""


class Reason(msgspec.Struct, frozen=True):
    """Why the service refuses, as one of its upper-case words, with how many things stand in the way."""

    reason: str
    count: int = 0
    refs: tuple[Ref, ...] = ()


_ANSWER_LOST = frozenset({502, 504, 520})  # statuses that somebody in front of the service may have given


class UpstreamError(Exception):
    """Base of all; `endpoint` and `request_id` are filled in by the client before anybody sees the error.

    Its text never holds what the service sent, nor an address with a query: it may be logged as it is.
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

    @property
    def may_be_done(self) -> bool:
        """Whether a write that ended in this may have been carried out all the same."""
        return self.status in _ANSWER_LOST

    def __str__(self) -> str:
        facts = (("status", self.status), ("code", self.code))
        told = [self.endpoint, self.message, *(f"{name} {value}" for name, value in facts if value is not None)]
        return ", ".join(part for part in told if part) or type(self).__name__


class SessionEnded(UpstreamError):
    """The refresh failed, the replay got 401, or there is nothing to call with."""


class ServerCode15001(UpstreamError):
    """The service reports its fatal condition (specification, section 8)."""


class Maintenance(UpstreamError):
    """The service is under maintenance; the notice is None when the answer held none."""

    def __init__(
        self, message: str = "", *, notice: "MaintenanceNotice | None" = None, status: int | None = None
    ) -> None:
        super().__init__(message, status=status, code=Code.MAINTENANCE)
        self.notice = notice


class NotFound(UpstreamError):
    """There is no such object, or it belongs to another organization."""


class ForeignHost(UpstreamError):
    """An address is outside of the allow list; nothing was sent to it."""


class NeedsRefresh(UpstreamError):
    """The access token was not accepted. Internal: the client refreshes once and replays."""


class NotDone(UpstreamError):
    """Base of what the view of a write catches to show its form again."""


class Refused(NotDone):
    """The service understood the call and says no."""

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
    """The object's state does not allow it, or it was changed by someone else meanwhile."""


class Limited(NotDone):
    """Too many requests; `retry_after` is in seconds, None when the service did not say."""

    def __init__(self, message: str = "", *, retry_after: int | None = None, code: int | None = None) -> None:
        super().__init__(message, status=429, code=code)
        self.retry_after = retry_after


class Failed(NotDone):
    """The service failed."""


class TimedOut(NotDone):
    """The time was up before the whole answer was there; a write that was `sent` may have been carried out."""

    def __init__(
        self, message: str = "", *, status: int | None = None, code: int | None = None, sent: bool = True
    ) -> None:
        super().__init__(message, status=status, code=code)
        self.sent = sent

    @property
    def may_be_done(self) -> bool:
        return self.sent


class Unreachable(NotDone):
    """No connection could be opened, or the line is known to be dead; nothing was carried out."""


class BadAnswer(NotDone):
    """The answer cannot be used; a write may have been carried out."""

    @property
    def may_be_done(self) -> bool:
        return True
