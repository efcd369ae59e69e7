"""Lanes: calls that do not need one another, a few at a time, where none stops the others."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from console.upstream.calls import Call
from console.upstream.errors import NeedsRefresh, NotDone, NotFound

T = TypeVar("T")

LANES = 4  # single calls at the same time, in place of a bulk call (upstream contract, section 1.6)
Became: TypeAlias = T | NotDone | NotFound | NeedsRefresh


class Outcome(NamedTuple):
    """How a piece of work ended that another thread may have done."""

    result: Any
    error: Exception | None


def raise_first(found: Iterable[Exception | None]) -> None:
    """Raise the first that is an error."""
    for error in found:
        if error:
            raise error


class Lanes(Generic[T]):
    """Calls that wait for a lane, by their numbers, and what became of those that were sent."""

    def __init__(self, calls: Mapping[int, Call], send: Callable[[Call], T], has_time: Callable[[], bool]) -> None:
        self._waiting = deque(calls.items())
        self._send = send
        self._has_time = has_time
        self.became: dict[int, Became[T]] = {}

    def lane(self) -> None:
        """Send one call after the other while there is time; several threads do this at the same time."""
        while self._has_time():
            try:
                number, call = self._waiting.popleft()
            except IndexError:
                return
            try:
                self.became[number] = self._send(call)
            except (NotDone, NotFound, NeedsRefresh) as error:
                self.became[number] = error
            except Exception:
                self._waiting.clear()  # the other lanes end with the call that they are at
                raise
