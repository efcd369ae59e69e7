"""Turns: one request of a process works at a time, and goes on until it waits for something.

Python lets one thread work at a time anyway. Where several have work, it changes between them every few milliseconds:
all of them are late then, and none finds in the processor's caches what it worked with (docs/operations.md, "gunicorn",
has what turns gain).
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 0.25
"""Seconds that one request may keep the turn. After that the next one goes on without: whoever has it may be stuck in a
wait that does not give it up."""


class _Thread(threading.local):
    has_turn = False


class Turn:
    """The turn of a process; `with turn:` waits for it, first come, first served. A thread may not take it twice."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._is_taken = False
        self._given = 0.0
        self._waiting: deque[threading.Lock] = deque()
        self._thread = _Thread()

    @property
    def is_mine(self) -> bool:
        """Whether this thread has it."""
        return self._thread.has_turn

    def __enter__(self) -> None:
        called = threading.Lock()
        with self._lock:
            if not self._is_taken:
                self._is_taken = self._thread.has_turn = True
                self._given = time.monotonic()
                return
            called.acquire()
            self._waiting.append(called)
            left = self._patience_left()
        while not called.acquire(timeout=max(0.0, left)):
            with self._lock:
                if called not in self._waiting:  # called at this very moment
                    break
                left = self._patience_left()
                if left <= 0:
                    self._waiting.remove(called)
                    return
        self._thread.has_turn = True

    def __exit__(self, *_: object) -> None:
        if not self.is_mine:
            return
        self._thread.has_turn = False
        with self._lock:
            self._given = time.monotonic()
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def _patience_left(self) -> float:
        return self._given + self.patience - time.monotonic()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Let others work meanwhile, and wait for the turn again, if this thread has it."""
        if not self.is_mine:
            yield
            return
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()

    def pause(self, seconds: float) -> None:
        """Sleep, and let others work meanwhile."""
        with self.away():
            time.sleep(seconds)


turn = Turn()
"""The one of this process."""
