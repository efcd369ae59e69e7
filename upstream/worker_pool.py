"""Make independent calls a few at a time, so that an error of one does not stop the others."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from upstream.calls import Call
from upstream.errors import Maintenance, NeedsRefresh, NotDone, NotFound

T = TypeVar("T")

MAX_WORKERS = 4  # concurrent single calls in place of a bulk call (upstream contract, section 1.6)
CallOutcome: TypeAlias = T | NotDone | NotFound | NeedsRefresh


class TaskOutcome(NamedTuple):
    """The result of a task, or its error."""

    result: Any
    error: Exception | None


def raise_first(errors: Iterable[Exception | None]) -> None:
    """Raise the first error, if there is one."""
    for error in errors:
        if error:
            raise error


class WorkerPool(Generic[T]):
    """Queued calls by their index, and the answers and errors of those that were sent."""

    def __init__(self, calls: Mapping[int, Call], send: Callable[[Call], T], has_time: Callable[[], bool]) -> None:
        self._waiting = deque(calls.items())
        self._send = send
        self._has_time = has_time
        self.results: dict[int, CallOutcome[T]] = {}
        self.maintenance: Maintenance | None = None

    def work(self) -> None:
        """Send one call after another while there is time; several tasks do this at the same time."""
        while self._has_time():
            try:
                index, call = self._waiting.popleft()
            except IndexError:
                return
            try:
                self.results[index] = self._send(call)
            except (NotDone, NotFound, NeedsRefresh) as error:
                self.results[index] = error
            except Maintenance as error:
                self.maintenance = error
                self._waiting.clear()
            except Exception:
                self._waiting.clear()  # the other workers stop after their current call
                raise
