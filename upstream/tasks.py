"""Calls that one thread makes at the same time: while one waits for the service, another runs (docs/adr/0013).

What it guarantees, each proved by the test of that name in tests/test_guarantees.py:

- The calls of a page run together and see the same context variables.
- Calls that no one waits for are canceled.
"""

import select
import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from math import inf
from socket import socket
from typing import Any, cast

from greenlet import getcurrent, greenlet

READ, WRITE = select.POLLIN, select.POLLOUT


class Task(greenlet):
    """A function that starts at once, and continues whenever its thread waits for something else."""

    result: Any = None
    waits_for: tuple[socket, int, float]
    """The socket, the event, and until when (monotonic)."""

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__(self._execute)
        self.gr_context = copy_context()
        self._function = function
        _unfinished.tasks.add(self)
        self.switch()

    def _execute(self) -> None:
        try:
            self.result = self._function()
        finally:
            _unfinished.tasks.discard(self)


class _Unfinished(threading.local):
    """The tasks of a thread that have not ended."""

    def __init__(self) -> None:
        self.tasks: set[Task] = set()


_unfinished = _Unfinished()


def finish(tasks: Sequence[Task], *, seconds: float = inf) -> None:
    """Wait until these have ended, at most this many seconds."""
    ends = time.monotonic() + seconds
    while not all(task.dead for task in tasks) and time.monotonic() < ends:
        _run_ready(ends)


def end_all() -> None:
    """Cancel the tasks of this thread that have not ended."""
    for task in tuple(_unfinished.tasks):
        task.throw()


def is_ready(sock: socket, event: int, seconds: float) -> bool:
    """Run the other tasks of this thread until the socket is ready; return False if it is not in time."""
    until = time.monotonic() + seconds
    task = getcurrent()
    if isinstance(task, Task):
        task.waits_for = sock, event, until
        return cast(bool, cast(greenlet, task.parent).switch())
    while time.monotonic() < until:
        if _run_ready(until, sock, event):
            return True
    return _run_ready(until, sock, event)  # what arrived while a task ran is in time


def _run_ready(until: float, sock: socket | None = None, event: int = 0) -> bool:
    """Wait for the first event, and run the tasks that waited for it; return whether the socket is ready."""
    poll, waiting = select.poll(), [(task, *task.waits_for) for task in _unfinished.tasks]
    for _task, its_socket, its_event, its_end in waiting:
        poll.register(its_socket, its_event)
        until = min(until, its_end)
    if sock:
        poll.register(sock, event)
    ready = {fd for fd, _event in poll.poll(max(0.0, until - time.monotonic()) * 1000)}
    is_socket_ready, now = sock is not None and sock.fileno() in ready, time.monotonic()
    for task, its_socket, _event, its_end in waiting:
        if (is_its_ready := its_socket.fileno() in ready) or its_end <= now:
            task.switch(is_its_ready)
    return is_socket_ready
