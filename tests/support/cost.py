"""Measure the cost of a text: the processor time must grow no faster than its length."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LENGTHS = (1_000, 10_000, 100_000)
LEAST = 0.005
"""Seconds below which nothing is too slow, and a ratio says nothing."""
MAX_RATIO = 30
"""Ten times the length may cost ten times as much; three times that is left for a busy machine."""


def units(function: Callable[[], object]) -> float:
    """Return how many times the processor's time of a fixed piece of work it takes, 50 ms when alone.

    Seconds would depend on the load of the machine: one second of work took three next to other processes.
    """
    before = _fixed_work()
    with _without_collector():
        started = time.thread_time()
        function()
        took = time.thread_time() - started
    return took / max(before, _fixed_work())


@contextmanager
def _without_collector() -> Iterator[None]:
    """Disable the collector: it visits all objects of the process, which are more with each test."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _fixed_work() -> float:
    """Return the seconds that it takes to make, sort and join many small texts."""
    started = time.thread_time()
    ",".join(sorted(str(number * 7919 % 100_003) for number in range(100_000)))
    return time.thread_time() - started


def cost(function: Callable[[str], object], text: str, *, runs: int = 3) -> float:
    """Return the seconds that it takes; the least of some runs, since others use the machine as well."""
    took = []
    with _without_collector():
        for _ in range(runs):
            started = time.thread_time()
            function(text)
            took.append(time.thread_time() - started)
            if took[-1] > 0.1:
                break
    return min(took)


def is_linear(function: Callable[[str], object], text: Callable[[int], str]) -> bool:
    """Tell whether ten times the length costs about ten times as much; stop at the first step that costs far more."""
    before = cost(function, text(LENGTHS[0]))
    for length in LENGTHS[1:]:
        now = cost(function, text(length))
        if now > LEAST and now > MAX_RATIO * before:
            return False
        before = now
    return True
