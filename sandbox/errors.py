"""Refusals: the contract's codes, their HTTP statuses and their JSON."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any


class Code(IntEnum):
    """The codes of the contract, section 1.5, that the sandbox uses itself; others come from faults."""

    UNKNOWN_FAILURE = 10000
    PARAMETER_MISSING = 10001
    PARAMETER_INVALID = 10002
    TOO_SHORT = 10003
    NOT_FOUND = 10004
    CHANGED_MEANWHILE = 10005
    SAME_KEY_OTHER_BODY = 10006
    TOO_LARGE = 10007
    WRONG_LOGIN = 11001
    ACCESS_TOKEN_ENDED = 11002
    REFRESH_TOKEN_REFUSED = 11003
    CURRENT_PASSWORD_WRONG = 11004
    SAME_PASSWORD = 11006
    LINK_ENDED = 11007
    NOT_ALLOWED = 11008
    PASSWORD_RULE = 11009
    EMAIL_IN_USE = 12001
    ORGANIZATION_NAME_IN_USE = 12002
    EMAIL_SAME = 12003
    ORGANIZATION_NAME_SAME = 12004
    SERVER_LOCATION_FIXED = 12005
    DASHBOARD_URL_NOT_ALLOWED = 12006
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
    PERMISSION_NOT_GRANTABLE = 13010
    USER_STATE = 13011
    SCANNER_STATE = 14001
    SCANNER_IN_ANOTHER_ORGANIZATION = 14002
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


# The reason of a refusal: {"reason", "count", "refs"}.
Reason = dict[str, Any]

# Codes whose status does not follow from their family.
STATUS = {
    10000: 500, 10004: 404, 10005: 412, 10006: 409, 10007: 413, 10008: 429,
    11001: 401, 11002: 401, 11003: 401, 11004: 422, 11005: 403, 11006: 422, 11007: 404, 11008: 403, 11009: 422,
    12001: 409, 12002: 409, 15001: 520, 17001: 404, 18001: 503,
}  # fmt: skip
FAMILY = {10: 400, 12: 422, 13: 409, 14: 409, 16: 409}


def get_status(code: int) -> int:
    """Return the HTTP status of a code; 500 for a code that is not in the contract."""
    return STATUS.get(code) or FAMILY.get(code // 1000, 500)


def error_body(
    code: int, message: str, trace_id: str, fields: Sequence[str] = (), reasons: Sequence[Reason] = ()
) -> dict[str, Any]:
    """Return the error JSON of the contract; `details` is omitted if there are none."""
    body: dict[str, Any] = {"code": int(code), "message": message, "traceId": trace_id}
    details: dict[str, Any] = {}
    if fields:
        details["fields"] = [{"field": field, "code": int(code)} for field in fields]
    if reasons:
        details["reasons"] = list(reasons)
    if details:
        body["details"] = details
    return body


class Refusal(Exception):
    """Raised when a call is refused; converted to the error JSON."""

    def __init__(
        self,
        code: Code,
        message: str = "",
        *,
        fields: Sequence[str] = (),
        reasons: Sequence[Reason] = (),
        status: int = 0,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message or code.name.replace("_", " ").lower()
        self.fields = fields
        self.reasons = reasons
        self.status = status or get_status(code)

    def body(self, trace_id: str) -> dict[str, Any]:
        """Return the error JSON."""
        return error_body(self.code, self.message, trace_id, self.fields, self.reasons)
