"""The files in which workers count for one another: memory that is full, or a file that is damaged, ends nobody."""

import json
import logging
import mmap
import os
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

from prometheus_client import values
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

SIZE = 1 << 16
"""Bytes of a new file, as prometheus_client makes it."""
DAMAGED = (OSError, ValueError, RuntimeError, struct.error)
"""What reading such a file may raise."""


class Counts(MmapedDict):
    """The counts of one kind in a file, whose memory is taken at once rather than with the first write to each page.

    A write for which no memory is left would end the process (SIGBUS), and so would that of the next worker. One that
    gets no memory counts for itself: it serves, and is missing in what is told.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        try:
            if not _is_whole(file := Path(filename)):
                file.unlink(missing_ok=True)
            with file.open("ab") as opened:
                os.posix_fallocate(opened.fileno(), 0, max(SIZE, file.stat().st_size))
            super().__init__(filename)  # type: ignore[no-untyped-call]
        except OSError as error:
            logger.warning("this process counts for itself: %s", error.strerror)
            self._f, self._m = None, mmap.mmap(-1, SIZE)  # type: ignore[assignment]
            self._capacity, self._positions, self._used = SIZE, {}, 8

    def _init_value(self, key: str) -> None:
        while self._used + len(key.encode()) + 28 > self._capacity:  # its length, padding, value and time
            self._grow(self._capacity * 2)
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self, capacity: int) -> None:
        if self._f is not None:
            try:
                os.posix_fallocate(self._f.fileno(), 0, capacity)
                self._m, self._capacity = mmap.mmap(self._f.fileno(), capacity), capacity
                return
            except OSError:
                self._f.close()  # what was told until now stays in it
        alone = mmap.mmap(-1, capacity)
        alone[: self._capacity] = self._m[:]
        self._f, self._m, self._capacity = None, alone, capacity  # type: ignore[assignment]


class AllCounts(MultiProcessCollector):
    """The counts of all workers together; a file that is damaged is left out."""

    def collect(self) -> Iterable[Metric]:
        return self.merge([str(file) for file in sorted(Path(self._path).glob("*.db")) if _is_whole(file)])  # type: ignore[no-any-return, no-untyped-call]


def count_in_files(name: Callable[[], str]) -> None:
    """Have the metrics of this process kept in files that bear this name, which is another one once it has forked."""
    vars(values)["MmapedDict"] = Counts
    values.ValueClass = values.MultiProcessValue(name)  # type: ignore[no-untyped-call]


def _is_whole(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            (used,) = struct.unpack("i", opened.read(4))
        if not 0 <= used <= file.stat().st_size:
            return False
        for key, *_value in MmapedDict.read_all_values_from_file(file):  # type: ignore[no-untyped-call]
            json.loads(key)
    except DAMAGED:
        return False
    return True
