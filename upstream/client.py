"""The client, available to views as `request.upstream`: one instance per request, one attribute per noun."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar, cast, overload
from urllib.parse import urlencode
from uuid import uuid4

import msgspec

from upstream import answers, errors
from upstream.answers import AuthAttempt
from upstream.calls import Call, CallRecord, Limit, NotRenewed, RenewalFailure, Token, TokenSource
from upstream.capabilities import CapabilityKey
from upstream.config import TransportConfig
from upstream.hosts import check_base_url
from upstream.nouns import UNREADABLE_VERSION
from upstream.resources.admins import Admins
from upstream.resources.audit_logs import AuditLogs
from upstream.resources.clinics import Clinics
from upstream.resources.dashboards import Dashboards
from upstream.resources.labs import Labs
from upstream.resources.maintenance import MaintenanceNotices
from upstream.resources.notifications import Notifications
from upstream.resources.oauth import OAuth
from upstream.resources.organizations import Organizations
from upstream.resources.partner_lists import PartnerLists
from upstream.resources.partnerships import Partnerships
from upstream.resources.permissions import Permissions
from upstream.resources.regions import Region, Regions
from upstream.resources.scanners import Scanners
from upstream.resources.teams import Teams
from upstream.resources.users import Users
from upstream.tasks import Task, finish
from upstream.transport import Transport
from upstream.worker_pool import MAX_WORKERS, CallOutcome, TaskOutcome, WorkerPool, raise_first

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")

DEFAULT_SERVICE_ID = 1


class _ReadContext(NamedTuple):
    """The token given to a concurrent read, which must not use the token source itself."""

    owner: "Upstream"
    token: Token | None
    attempt: AuthAttempt


_read_context: ContextVar[_ReadContext | None] = ContextVar("read_context", default=None)


class _Noun(Generic[T]):
    """A resource of a client, created on access: stored in the client, both would wait for the garbage collector."""

    def __init__(self, kind: "Callable[[Upstream], T]") -> None:
        self._kind = kind

    def __get__(self, upstream: "Upstream", _owner: object) -> T:
        return self._kind(upstream)


class Upstream:
    """The service, as seen by one administrator's request.

    All calls of an instance share one deadline (`deadlines.request`), which starts with the first call.
    `on_call` receives a CallRecord for each exchange.
    """

    regions = _Noun(Regions)
    oauth = _Noun(OAuth)
    admins = _Noun(Admins)
    organizations = _Noun(Organizations)
    clinics = _Noun(Clinics)
    teams = _Noun(Teams)
    users = _Noun(Users)
    permissions = _Noun(Permissions)
    labs = _Noun(Labs)
    partner_lists = _Noun(PartnerLists)
    partnerships = _Noun(Partnerships)
    scanners = _Noun(Scanners)
    dashboards = _Noun(Dashboards)
    notifications = _Noun(Notifications)
    audit_logs = _Noun(AuditLogs)
    maintenance = _Noun(MaintenanceNotices)

    def __init__(
        self,
        transport: Transport,
        *,
        tokens: TokenSource | None = None,
        region: Region | None = None,
        organization_id: str = "",
        admin_id: str = "",
        request_id: str = "",
        language: str = "en-US",
        on_call: Callable[[CallRecord], None] | None = None,
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._region = region
        self._on_call = on_call
        self._ends: float | None = None
        self._may_have_written = False
        self.organization_id = organization_id
        self.admin_id = admin_id
        self.request_id = request_id or str(uuid4())
        self.language = language

    @property
    def config(self) -> TransportConfig:
        """Addresses and limits of this process."""
        return self._transport.config

    def offers(self, call: Call) -> bool:
        """Return whether the administrator's service has this optional call, if known to this process."""
        context = _read_context.get()
        current = self._tokens.current if self._tokens else lambda: None
        token = context.token if context and context.owner is self else current()
        return self._transport.capabilities.is_available(_capability_key(call, token))

    def restart(self) -> None:
        """Start the shared deadline again with the next call: for an answer that is sent while it is read."""
        self._ends = None

    def call(self, call: Call, answer: type[T]) -> T:
        """Make one call for a resource; if the token of a bearer call is rejected, renew it and replay once."""
        with self._naming(call):
            if call.base is not None:
                return self._exchange(call, answer, None, AuthAttempt.PUBLIC)
            return self._bearer(call, answer)

    @overload
    def together(self, a: Callable[[], A], /) -> tuple[A]: ...
    @overload
    def together(self, a: Callable[[], A], b: Callable[[], B], /) -> tuple[A, B]: ...
    @overload
    def together(self, a: Callable[[], A], b: Callable[[], B], c: Callable[[], C], /) -> tuple[A, B, C]: ...
    @overload
    def together(
        self, a: Callable[[], A], b: Callable[[], B], c: Callable[[], C], d: Callable[[], D], /
    ) -> tuple[A, B, C, D]: ...
    @overload
    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]: ...
    def together(self, *reads: Callable[[], Any]) -> tuple[Any, ...]:
        """Make independent reads of this instance concurrently, and return their results in order.

        Once all have ended, the first error in the order of the reads is raised. A read whose token has expired is
        repeated as a whole.
        """
        if len(reads) < 2 or _read_context.get():
            return tuple(read() for read in reads)
        token = self._tokens.current() if self._tokens else None
        outcomes = self._concurrently(reads, _ReadContext(self, token, AuthAttempt.FIRST))
        stale = [index for index, outcome in enumerate(outcomes) if isinstance(outcome.error, errors.NeedsRefresh)]
        raise_first(outcome.error for index, outcome in enumerate(outcomes) if index not in stale)
        if token and stale:
            context = _ReadContext(self, self._renew(token), AuthAttempt.REPLAY)
            for index, outcome in zip(stale, self._concurrently([reads[i] for i in stale], context), strict=True):
                outcomes[index] = outcome
            raise_first(outcome.error for outcome in outcomes)
        return tuple(outcome.result for outcome in outcomes)

    def start(self, read: Callable[[], T]) -> Callable[[float], T | None]:
        """Start a read, and return a function that waits for its result for at most the given seconds.

        It returns None if the read failed or is late. If the token has expired, the caller of the function renews it
        and makes the read. Errors that concern the session or the whole service are raised.
        """
        token = self._tokens.current() if self._tokens else None
        task = Task(partial(_attempt, read, _ReadContext(self, token, AuthAttempt.FIRST)))

        def result(seconds: float) -> T | None:
            finish([task], seconds=seconds)
            if not (outcome := task.result):
                return None
            error = outcome.error
            if isinstance(error, errors.NeedsRefresh):
                with suppress(errors.NotDone, errors.NotFound):
                    return read()
            if isinstance(error, errors.ServerCode15001 | errors.Maintenance):
                raise error
            value: T | None = outcome.result
            return value

        return result

    def each(self, calls: Sequence[Call], answer: type[T]) -> list[T | errors.NotDone | errors.NotFound]:
        """Make independent calls, including writes, four at a time; return the answer or error of each, in order.

        An error of one call does not stop the others, except that SessionEnded, ServerCode15001 and ForeignHost stop
        all calls and are raised. So does Maintenance, unless there are answers to report: then all other calls are
        Failed with its code, as if each had been refused. An expired token is renewed once, and
        only the calls that it failed are replayed, each with its own key. A call for which the shared deadline leaves
        no time is a TimedOut that was not `sent`.
        """
        if _read_context.get():
            raise ValueError("Only reads can be made at the same time")
        if not calls:
            return []
        with self._naming(calls[0]):
            self._remaining_s()  # the shared deadline starts here
            token = self._tokens.current() if self._tokens else None
            results, maintenance = self._in_workers(dict(enumerate(calls)), answer, token, AuthAttempt.FIRST)
            stale = {index: calls[index] for index, got in results.items() if isinstance(got, errors.NeedsRefresh)}
            if stale:
                try:
                    replayed, error = self._in_workers(stale, answer, self._renew(token), AuthAttempt.REPLAY)
                    results, maintenance = results | replayed, maintenance or error
                except errors.TimedOut:
                    pass  # calls that were not replayed are handled below
                except errors.Maintenance as error:  # of the renewal
                    maintenance = maintenance or error
        if maintenance and all(_is_rejected_unsent(got) for got in results.values()):
            raise maintenance
        return [self._final(results.get(index), call, maintenance) for index, call in enumerate(calls)]

    def _in_workers(
        self, calls: Mapping[int, Call], answer: type[T], token: Token | None, attempt: AuthAttempt
    ) -> tuple[dict[int, CallOutcome[T]], errors.Maintenance | None]:
        """Send each call once while there is time, and until maintenance starts; return the answers and errors of those
        that were sent, and the error that stopped the others."""

        def send(call: Call) -> T:
            with self._naming(call):
                return self._exchange(call, answer, token, attempt)

        pool = WorkerPool(calls, send, self._has_time)
        outcomes = self._concurrently([pool.work] * min(MAX_WORKERS, len(calls)), _ReadContext(self, token, attempt))
        raise_first(outcome.error for outcome in outcomes)
        return pool.results, pool.maintenance

    def _final(
        self, outcome: CallOutcome[T] | None, call: Call, maintenance: errors.Maintenance | None
    ) -> T | errors.NotDone | errors.NotFound:
        """Return the outcome of a call: Failed by maintenance or TimedOut for one that was not made or not replayed."""
        if outcome is not None and not isinstance(outcome, errors.NeedsRefresh):
            return outcome
        may_be_done = outcome is not None and outcome.may_be_done
        error: errors.NotDone = errors.TimedOut("no time left for this call", sent=may_be_done)
        if maintenance and not may_be_done:
            error = errors.Failed("maintenance", status=503, code=errors.Code.MAINTENANCE)
        error.endpoint, error.request_id = call.endpoint, self.request_id
        return error

    @contextmanager
    def _naming(self, call: Call) -> Iterator[None]:
        """Record the call and the request in an error."""
        try:
            yield
        except errors.UpstreamError as error:
            error.endpoint = error.endpoint or call.endpoint  # a failed refresh has recorded its own call
            error.request_id = error.request_id or self.request_id
            raise

    def _concurrently(self, reads: Sequence[Callable[[], Any]], context: _ReadContext) -> list[TaskOutcome]:
        tasks = [Task(partial(_attempt, read, context)) for read in reads]
        finish(tasks)
        return [cast(TaskOutcome, task.result) for task in tasks]

    def _bearer(self, call: Call, answer: type[T]) -> T:
        context = _read_context.get()
        if context and context.owner is self:
            if call.method != "GET":
                raise ValueError("Only reads can be made at the same time")  # a replay would make a new key
            return self._exchange(call, answer, context.token, context.attempt)
        token = self._tokens.current() if self._tokens else None
        try:
            return self._exchange(call, answer, token, AuthAttempt.FIRST)
        except errors.NeedsRefresh:
            pass
        return self._exchange(call, answer, self._renew(token), AuthAttempt.REPLAY)

    def _renew(self, stale: Token | None) -> Token:
        if not (self._tokens and stale):
            raise errors.SessionEnded("nothing to refresh")
        self._remaining_s()  # don't start a refresh without time for its answer
        try:
            return self._tokens.renew(stale)
        except NotRenewed as error:
            ends_in = _ENDS_IN[error.failure](str(error))
            if isinstance(ends_in, errors.NotDone):
                # A call with status 520 may be done, and it is not replayed to find out.
                if self._may_have_written:
                    raise errors.BadAnswer("the token could not be renewed after a write") from error
                ends_in.is_read_error = True
            raise ends_in from error

    def _exchange(self, call: Call, answer: type[T], token: Token | None, attempt: AuthAttempt) -> T:
        """Send the call once, decode its answer, and record the result."""
        started, status, outcome, text = time.perf_counter(), None, "Abandoned", ""
        may_be_done = call.changes_data
        try:
            body = call.body if call.body is not None or call.method == "GET" else {}
            received = self._transport.send(
                call.method,
                self._url(call, token),
                headers=self._headers(call, token),
                body=None if body is None else msgspec.json.encode(body),
                seconds=min(self._limit(call.limit), self._remaining_s()),
                essential=call.essential,
                reopen=call.reopen,
                breaker_neutral=call.breaker_neutral,
            )
            status = received.status
            read = answers.read(received, answer, attempt, may_be_empty=call.may_be_empty)
            outcome = "ok"
            if call.optional:
                self._transport.capabilities.mark_present(_capability_key(call, token))
            return read
        except errors.UpstreamError as error:
            error.endpoint, error.status = call.endpoint, error.status or status
            outcome, text = type(error).__name__, str(error)
            if call.optional and errors.is_missing(error):
                self._transport.capabilities.mark_missing(_capability_key(call, token))
                raise errors.NotOffered("the service has no such call", status=error.status) from error
            may_be_done = call.changes_data and error.may_be_done
            error.is_read_error = not (call.changes_data or self._may_have_written)
            raise
        finally:
            self._may_have_written |= may_be_done
            if self._on_call:
                milliseconds = (time.perf_counter() - started) * 1000
                self._on_call(
                    CallRecord(
                        call.method,
                        call.path,
                        status,
                        outcome,
                        milliseconds,
                        error=text,
                        may_be_done=may_be_done,
                        is_repeatable=call.is_repeatable,
                    )
                )

    def _url(self, call: Call, token: Token | None) -> str:
        query = f"?{urlencode(call.query)}" if call.query else ""
        return f"{self._base(call, token)}{call.filled_path()}{query}"

    def _base(self, call: Call, token: Token | None) -> str:
        if call.base is None:
            if not (token and token.api_url):
                raise errors.SessionEnded("no token, or no domain data")
            return check_base_url(token.api_url, self.config)
        if call.base == self.config.handler_url and not call.access_token:
            return call.base.rstrip("/")
        return check_base_url(call.base, self.config)

    def _headers(self, call: Call, token: Token | None) -> dict[str, str]:
        region_id = self._region.service_domain_id if self._region else 0
        bearer = token.access_token if token else call.access_token
        headers = {
            "service-id": str((token.service_id if token else call.service_id) or region_id or DEFAULT_SERVICE_ID),
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Language": self.language,
            "X-Request-Id": self.request_id,
        }
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        if call.idempotency_key:
            headers["Idempotency-Key"] = call.idempotency_key
        if call.version == UNREADABLE_VERSION:
            raise errors.Failed("the version of what is to be changed can't be read")
        if call.version is not None:
            headers["If-Match"] = f'"{call.version}"'
        return headers

    def _limit(self, limit: Limit) -> float:
        deadlines = self.config.deadlines
        return {
            Limit.READ: deadlines.read,
            Limit.WRITE: deadlines.write,
            Limit.REFRESH: deadlines.refresh,
            Limit.LOOKUP: min(5.0, deadlines.read),
            Limit.EXPIRE: min(2.0, deadlines.write),
        }[limit]

    def _remaining_s(self) -> float:
        """Return the seconds left until the shared deadline, which starts with the first call."""
        now = time.monotonic()
        if self._ends is None:
            self._ends = now + self.config.deadlines.request
        if self._ends <= now:
            raise errors.TimedOut("no time left for this request", sent=False)
        return self._ends - now

    def _has_time(self) -> bool:
        return self._ends is not None and self._ends > time.monotonic()


_ENDS_IN: dict[RenewalFailure, type[errors.UpstreamError]] = {
    RenewalFailure.SESSION_ENDED: errors.SessionEnded,
    RenewalFailure.SERVER_CODE_15001: errors.ServerCode15001,
    RenewalFailure.MAINTENANCE: errors.Maintenance,
    RenewalFailure.TIMED_OUT: errors.TimedOut,
    RenewalFailure.NOT_STORED: errors.Unreachable,
}
"""The error of a call whose token could not be renewed."""


def _capability_key(call: Call, token: Token | None) -> CapabilityKey:
    """Return the base address and the endpoint of a call."""
    base = call.base if call.base is not None else token.api_url if token else ""
    return base, call.endpoint


def _is_rejected_unsent(outcome: CallOutcome[T]) -> bool:
    """Return whether a call was only rejected for its expired token, before anything was done."""
    return isinstance(outcome, errors.NeedsRefresh) and not outcome.may_be_done


def _attempt(read: Callable[[], Any], context: _ReadContext) -> TaskOutcome:
    _read_context.set(context)
    try:
        return TaskOutcome(read(), None)
    except Exception as error:
        return TaskOutcome(None, error)
