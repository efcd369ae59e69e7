"""The objects exchanged by resources, client and transport: the description of a call, the token, the call record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any, Protocol, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from upstream.config import TransportConfig
from upstream.errors import BadAnswer, NotDone, NotFound
from upstream.nouns import Count, Id, Named, Noun, Version, wire

T = TypeVar("T")
N = TypeVar("N", bound=Named)


@dataclass(frozen=True, slots=True)
class Token:
    """An access token, the address it may be sent to, and the generation of the grant it came from."""

    generation: int
    access_token: str = field(repr=False)
    api_url: str
    service_id: int


class RenewalFailure(StrEnum):
    """The reason why a token source has no newer token, as metrics call it."""

    SESSION_ENDED = "SessionEnded"
    SERVER_CODE_15001 = "ServerCode15001"
    MAINTENANCE = "Maintenance"
    TIMED_OUT = "TimedOut"
    NOT_STORED = "NotStored"


class NotRenewed(Exception):
    """A token source has no newer token."""

    def __init__(self, failure: RenewalFailure, message: str) -> None:
        super().__init__(message)
        self.failure = failure


class TokenSource(Protocol):
    """Supplies the tokens of bearer calls; it is responsible for the lease and for holding a new token for 3 s."""

    def current(self) -> Token:
        """Return the token to call with."""

    def renew(self, stale: Token) -> Token:
        """Return a newer token than `stale`, with at most one refresh for all callers; raise NotRenewed."""


class Limit(Enum):
    """The time limit of a call as a whole."""

    READ = auto()
    WRITE = auto()
    REFRESH = auto()
    LOOKUP = auto()  # region lookup, maintenance: 5 s
    EXPIRE = auto()  # expiring a token at logout: 2 s


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call to the service.

    Without `base` it is a bearer call: it goes to the address of the session's token, and may be replayed after a
    refresh. `may_be_empty` accepts an answer without content; `essential` calls (login, refresh, logout) ignore an
    open circuit breaker and are not counted by it; `reopen` tries a second time to open the connection. `read_only`
    marks a POST that changes nothing, `has_side_effects` a GET that does. The service may lack an `optional` call: it
    then ends in NotOffered, and is not offered for a while (`Caller.offers`). The circuit breaker ignores failures of
    a `breaker_neutral` call.
    """

    method: str
    path: str
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Sequence[tuple[str, str]] = ()
    body: Any = None
    version: int | None = None
    limit: Limit = Limit.READ
    base: str | None = None
    service_id: int | None = None
    access_token: str = field(default="", repr=False)
    may_be_empty: bool = False
    essential: bool = False
    reopen: bool = False
    read_only: bool = False
    has_side_effects: bool = False
    optional: bool = False
    breaker_neutral: bool = False
    idempotency_key: str = ""
    is_repeatable: bool = field(init=False, default=False)
    """True if the caller chose the key: the service then answers a repeated call with the stored answer."""

    def __post_init__(self) -> None:
        """Give a POST its key now, so that a replay has the same one; reads need no key."""
        object.__setattr__(self, "is_repeatable", bool(self.idempotency_key))
        if self.method == "POST" and not self.idempotency_key:
            object.__setattr__(self, "idempotency_key", str(uuid4()))

    @property
    def changes_data(self) -> bool:
        """True if it changes what administrators see: no read, check or lookup, and nothing of a login."""
        return self.has_side_effects or not (self.method == "GET" or self.essential or self.read_only)

    @property
    def endpoint(self) -> str:
        """Method and path as the contract writes them, without ids and query, so they can be logged and counted."""
        return f"{self.method} {self.path}"

    def filled_path(self) -> str:
        """Return the path with its ids filled in; raise NotFound for an id that no path can contain."""
        if any(value.strip() in ("", ".", "..") for value in self.ids.values()):
            raise NotFound("an id that can't exist")
        return self.path.format_map({name: quote(value, safe="") for name, value in self.ids.items()})


@dataclass(frozen=True, slots=True)
class CallRecord:
    """The result of one exchange, for logs, counts and metrics.

    `outcome` is "ok", the name of the error, or "Abandoned" if it was started for a page that could not wait for it.
    `error` is its text, which contains nothing of the request or the response.
    """

    method: str
    path: str
    status: int | None
    outcome: str
    milliseconds: float
    error: str = ""
    may_be_done: bool = False
    """True for a write that was executed, or may have been."""
    is_repeatable: bool = False
    """True if the service may have sent a stored answer: see `Call.is_repeatable`."""


class Caller(Protocol):
    """The part of the client that resources use."""

    @property
    def config(self) -> TransportConfig: ...

    @property
    def organization_id(self) -> str: ...

    @property
    def request_id(self) -> str: ...

    def offers(self, call: Call) -> bool: ...

    def call(self, call: Call, answer: type[T]) -> T: ...

    def each(self, calls: Sequence[Call], answer: type[T]) -> list[T | NotDone | NotFound]: ...


class Created(Noun, frozen=True, kw_only=True):
    """The answer to a creation; the id is empty when the answer did not contain it."""

    id: Id = ""


class Changed(msgspec.Struct, frozen=True):
    """The answer to any other write, which may be empty; the next update must send this `version`."""

    version: Version | None = None


class MatchCount(msgspec.Struct, frozen=True, rename="camel"):
    """The answer of an `exist` endpoint: the number of objects that match."""

    result_count: Count


def write(method: str, path: str, *, id: str = "", **more: Any) -> Call:
    """Return the call of a write, whose answer may be empty; `more` are further fields of Call."""
    ids = {"id": id} if "{id}" in path else {}
    return Call(method=method, path=path, ids=ids, limit=Limit.WRITE, may_be_empty=True, **more)


class Resource:
    """Base of the resources, each of which has the verbs of one noun."""

    def __init__(self, upstream: Caller) -> None:
        self._upstream = upstream

    def _read(
        self,
        answer: type[T],
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        optional: bool = False,
        **ids: str,
    ) -> T:
        return self._upstream.call(Call(method="GET", path=path, ids=ids, query=query, optional=optional), answer)

    def _read_one(self, answer: type[N], path: str, id: str, *, query: Sequence[tuple[str, str]] = ()) -> N:
        """Read an object by its id, and keep this one: pages link to the object, and the answer's id may be odd."""
        entity = self._read(answer, path, query=query, id=id)
        if not entity.id and not entity.name:
            raise BadAnswer(f"neither id nor name of the {answer.__name__} can be read")
        return replace(entity, id=id)

    def _exists(self, path: str, *, api_url: str | None = None, service_id: int | None = None, **query: str) -> bool:
        """Return whether such an object exists; with `api_url`, ask that address, without a token."""
        params = [(name, value) for name, value in query.items() if value]
        call = Call(method="GET", path=path, query=params, base=api_url, service_id=service_id)
        return self._upstream.call(call, MatchCount).result_count > 0

    def _create(self, call: Call) -> str:
        return self._upstream.call(call, Created).id

    def _change(self, call: Call) -> int | None:
        return self._upstream.call(call, Changed).version

    def _update(
        self, noun: type[Noun], path: str, id: str, *, version: int | None, changes: Mapping[str, Any]
    ) -> int | None:
        """Change fields of an object. Its unknown fields are sent back unchanged (contract, 1.3)."""
        stored = self._read(dict[str, Any], path, id=id)
        known = {field.encode_name for field in msgspec.structs.fields(noun)}
        unknown = {name: value for name, value in stored.items() if name not in known}
        body = {**unknown, **wire(noun, changes)}
        return self._change(write("PUT", path, id=id, body=body, version=version))

    def _check_organization(self, organization_id: str) -> None:
        """Raise NotFound if the answer belongs to an organization other than the session's."""
        expected = self._upstream.organization_id
        if expected and organization_id and organization_id != expected:
            raise NotFound("an object of another organization", request_id=self._upstream.request_id)
