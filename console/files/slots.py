"""Limit exports: one at a time per administrator, across all workers and hosts, and a maximum per worker.

The row of a running export is a lease. It is renewed while the export is read and sent, so it expires if the process
dies.
"""

import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from typing import TypeVar
from uuid import uuid4

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from console.config.database_errors import insert_if_absent
from console.models import RunningExport
from console.sessions.deferred_writes import can_write

T = TypeVar("T")

RENEW_INTERVAL_S = 10.0

_worker_slots = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 2))
"""Exports of a worker: each occupies a thread for minutes, and half of the threads remain for pages."""


class NotExported(Exception):
    """A list that can't be exported completely; the message says why, in whole sentences."""


class ExportSlot:
    """The only export of an administrator (`identity`), from `acquire` to `release`."""

    def __init__(self, identity: str) -> None:
        self._owner = salted_hmac("console.export", identity, algorithm="sha256").hexdigest()
        self._token = uuid4().hex
        self._renewed = 0.0
        self._has_lease = True
        self._free_worker: weakref.finalize[..., ExportSlot] | None = None

    def acquire(self) -> None:
        """Raise NotExported if another export of the administrator is running, or too many in this worker."""
        if not _worker_slots.acquire(blocking=False):
            raise NotExported(_("Other exports are in progress. Wait a moment, then try again."))
        self._free_worker = weakref.finalize(self, _worker_slots.release)
        can_write(self._insert)  # if that fails, the list is exported anyway, which only reads
        if not self._has_lease:
            self.release()
            raise NotExported(_("An export is already running."))

    def renewing(self, steps: Iterable[T]) -> Iterator[T]:
        """Yield the steps of the export, and renew the lease at each."""
        for step in steps:
            self.renew()
            yield step

    def renew(self) -> None:
        """Renew the lease if it is due."""
        if time.monotonic() - self._renewed < RENEW_INTERVAL_S:
            return
        can_write(lambda: self._row().update(lease_ends=timezone.now() + RunningExport.LEASE))
        self._renewed = time.monotonic()

    def release(self) -> None:
        """Let the administrator export again."""
        if self._free_worker is None or not self._free_worker.alive:
            return
        self._free_worker()
        can_write(self._row().delete)  # if that fails, the lease expires

    def _insert(self) -> None:
        now, self._renewed = timezone.now(), time.monotonic()
        RunningExport.expired(now).filter(pk=self._owner).delete()
        row = RunningExport(owner=self._owner, token=self._token, lease_ends=now + RunningExport.LEASE)
        self._has_lease = insert_if_absent(row)

    def _row(self) -> "QuerySet[RunningExport]":
        return RunningExport.objects.filter(pk=self._owner, token=self._token)
