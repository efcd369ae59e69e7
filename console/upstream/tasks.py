"""Calls that one thread makes at the same time: while one waits for the service, it goes on with another.

More threads would do, too, but to hand a call over to one costs half as much as the call itself: they wait for Python's
lock, and take what a page works with from one processor to another.
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
    """A function that is begun at once, and goes on whenever its thread waits for something; it sees the context
    variables as they are now."""

    result: Any = None
    waits_for: tuple[socket, int, float]
    """The socket, the event, and until when (monotonic)."""

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__(self._carry_out)
        self.gr_context = copy_context()
        self._function = function
        _begun.tasks.add(self)
        self.switch()

    def _carry_out(self) -> None:
        try:
            self.result = self._function()
        finally:
            _begun.tasks.discard(self)


class _Begun(threading.local):
    """The tasks of a thread that have not ended."""

    def __init__(self) -> None:
        self.tasks: set[Task] = set()


_begun = _Begun()


def finish(tasks: Sequence[Task], *, seconds: float = inf) -> None:
    """Wait until these have ended, at most so many seconds."""
    ends = time.monotonic() + seconds
    while not all(task.dead for task in tasks) and time.monotonic() < ends:
        _go_on(ends)


def end_all() -> None:
    """End the tasks of this thread that nobody has waited for."""
    for task in tuple(_begun.tasks):
        task.throw()


def is_ready(sock: socket, event: int, seconds: float) -> bool:
    """Wait until a socket is ready, and go on meanwhile with what else this thread has begun; tell whether it is."""
    until = time.monotonic() + seconds
    task = getcurrent()
    if isinstance(task, Task):
        task.waits_for = sock, event, until
        return cast(bool, cast(greenlet, task.parent).switch())
    while not (ready := _go_on(until, sock, event)) and time.monotonic() < until:
        pass
    return ready


def _go_on(until: float, sock: socket | None = None, event: int = 0) -> bool:
    """Wait for what comes first, and go on with the tasks whose turn it is; tell whether the socket is ready."""
    poll, waiting = select.poll(), [(task, *task.waits_for) for task in _begun.tasks]
    for _task, its_socket, its_event, at_most in waiting:
        poll.register(its_socket, its_event)
        until = min(until, at_most)
    if sock:
        poll.register(sock, event)
    ready = {place for place, _event in poll.poll(max(0.0, until - time.monotonic()) * 1000)}
    is_own = sock is not None and sock.fileno() in ready
    now = time.monotonic()
    for task, its_socket, _event, at_most in waiting:
        if (is_its_turn := its_socket.fileno() in ready) or at_most <= now:
            task.switch(is_its_turn)
    return is_own
