"""Turn an answer into an object or an error. The rules apply in the order of the upstream contract, section 1.5."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from functools import cache
from math import ceil
from threading import Lock
from typing import Any, TypeVar, cast

import msgspec

from upstream import lenient
from upstream.errors import (
    BadAnswer,
    Code,
    Conflict,
    Failed,
    FieldError,
    Limited,
    Maintenance,
    MaintenanceNotice,
    NeedsRefresh,
    NotFound,
    Reason,
    Refused,
    ServerCode15001,
    SessionEnded,
    TimedOut,
    UpstreamError,
)
from upstream.nouns import our_name

T = TypeVar("T")
_UNREADABLE = (ValueError, RecursionError)
"""Errors of a body that is not JSON, not UTF-8, or not of its type: both readers raise a ValueError."""
_COMPILING = Lock()
"""msgspec gives other threads a type that it has not finished, which ends the process."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete HTTP answer."""

    status: int
    body: bytes = field(repr=False)
    retry_after: str = ""


class AuthAttempt(Enum):
    """The state of a call's token, which decides what a 401 or a 520 means."""

    PUBLIC = auto()  # the call had no session token: an ordinary refusal or failure
    FIRST = auto()  # the token may still be renewed
    REPLAY = auto()  # the token was renewed already: final


def read(answer: Answer, wanted: type[T], attempt: AuthAttempt, *, may_be_empty: bool = False) -> T:
    """Return the decoded answer, or raise the error that it stands for."""
    status, body = answer.status, answer.body
    succeeded = 200 <= status < 300
    # A successful answer is decoded only once, unless it contains the digits of one of these codes.
    if not succeeded or b"15001" in body or b"18001" in body:
        refusal = _Refusal.parse(body)
        if refusal.code == Code.FATAL:
            raise ServerCode15001(status=status, code=Code.FATAL)
        if refusal.code == Code.MAINTENANCE:
            raise Maintenance(status=status, notice=refusal.notice())
        if not succeeded:
            raise _error(answer, refusal, attempt)
    return _decode(body.strip() or (b"{}" if may_be_empty else b""), wanted)


def _error(answer: Answer, refusal: "_Refusal", attempt: AuthAttempt) -> UpstreamError:
    status, code = answer.status, refusal.code
    if status in (401, 520) and attempt is AuthAttempt.FIRST:
        return NeedsRefresh(status=status, code=code)
    if status == 401 and attempt is AuthAttempt.REPLAY:
        return SessionEnded(status=status, code=code)
    if status == 404:
        return NotFound(status=status, code=code, reasons=refusal.reasons())
    if status == 429:
        return Limited(code=code, retry_after=_seconds(answer.retry_after))
    if status == 524:
        return TimedOut(status=status, code=code)
    if 500 <= status < 600:
        return Failed(status=status, code=code, retry_after=_seconds(answer.retry_after))
    if 400 <= status < 500:
        kind = Conflict if status in (409, 412) else Refused
        return kind(status=status, code=code, fields=refusal.fields(), reasons=refusal.reasons())
    return BadAnswer("a redirect" if 300 <= status < 400 else "a status that means nothing", status=status)


def _seconds(retry_after: str) -> int | None:
    """Read a Retry-After header, which is a number of seconds or a date (RFC 9110, 10.2.3); None if it is neither."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        seconds = int(text) if len(text) < 7 else None
    else:
        try:
            date = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return None
        if date.tzinfo is None:  # "-0000": a time in UTC, from an unknown zone
            date = date.replace(tzinfo=UTC)
        seconds = ceil((date - datetime.now(UTC)).total_seconds())
    return seconds if seconds is not None and 0 <= seconds < 1_000_000 else None


class _Reasons(msgspec.Struct, frozen=True):
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class _Refusal:
    """The body of an error, read leniently: a malformed part is ignored and never causes an error of its own."""

    code: int | None
    details: dict[str, Any]

    @classmethod
    def parse(cls, body: bytes) -> "_Refusal":
        try:
            decoded = lenient.parse(body)
        except _UNREADABLE:
            decoded = None
        content = decoded if isinstance(decoded, dict) else {}
        details = content.get("details")
        return cls(_number(content.get("code")), details if isinstance(details, dict) else {})

    def fields(self) -> tuple[FieldError, ...]:
        rows = self.details.get("fields")
        return tuple(
            FieldError(our_name(row["field"]), _number(row.get("code")) or 0)
            for row in (rows if isinstance(rows, list) else [])
            if isinstance(row, dict) and isinstance(row.get("field"), str)
        )

    def reasons(self) -> tuple[Reason, ...]:
        return lenient.fitted(self.details, _Reasons).reasons

    def notice(self) -> MaintenanceNotice | None:
        try:
            return lenient.fitted(self.details, MaintenanceNotice)
        except _UNREADABLE:
            return None


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    return value if type(value) is int else None


def _decode(body: bytes, wanted: type[T]) -> T:
    decoder: msgspec.json.Decoder[T] = _decoder(cast(Any, wanted))
    try:
        return decoder.decode(body)
    except _UNREADABLE as error:
        complaint = error
    # One odd value must not take a whole answer away. This takes longer, and is only for answers that have one.
    try:
        # An equal `Listing[…]` may be another object, which would be compiled without the lock.
        return lenient.fitted(lenient.parse(body), decoder.type)
    except _UNREADABLE:
        # msgspec's message names types and the path within the answer, never a value.
        if isinstance(complaint, UnicodeDecodeError):
            raise BadAnswer("text that is not UTF-8") from None
        raise BadAnswer("too deeply nested" if isinstance(complaint, RecursionError) else str(complaint)) from None


@cache
def _decoder(wanted: Any) -> msgspec.json.Decoder[Any]:
    with _COMPILING:  # `warm_up` has compiled the types themselves, but not lists of them
        return msgspec.json.Decoder(wanted)
