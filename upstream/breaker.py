"""The circuit breaker: stop calling a host that failed to answer five times in a row."""

import time
from collections import deque
from collections.abc import Callable
from threading import Lock


class Breaker:
    """Opens for a host for 5 s after 5 consecutive failures within 10 s. Its state belongs to one process.

    `on_open` is called with the seconds, each time that it opens.
    """

    FAILURES, WITHIN, PAUSE = 5, 10.0, 5.0

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, on_open: Callable[[float], None] = lambda _seconds: None
    ) -> None:
        self._clock = clock
        self._on_open = on_open
        self._lock = Lock()
        self._failures: dict[str, deque[float]] = {}
        self._open_until: dict[str, float] = {}

    def is_open(self, host: str) -> bool:
        """Return whether calls to this host currently fail without being sent."""
        return self._clock() < self._open_until.get(host, 0)

    def note(self, host: str, *, answered: bool) -> None:
        """Record how a call ended; an answer with any status counts as answered."""
        with self._lock:
            if answered:
                self._failures.pop(host, None)
                return
            now = self._clock()
            failures = self._failures.setdefault(host, deque(maxlen=self.FAILURES))
            failures.append(now)
            if len(failures) == self.FAILURES and now - failures[0] <= self.WITHIN:
                self._open_until[host] = now + self.PAUSE
                self._on_open(self.PAUSE)
