"""The console's settings on a host whose clock is ahead, for tests of two hosts."""

import time
from datetime import UTC, datetime, timedelta
from unittest import mock

from django.utils import timezone

AHEAD = 2
"""Seconds; hosts may differ by 4."""

_time = time.time


def time_ahead() -> float:
    return _time() + AHEAD


def now_ahead() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=AHEAD)


# Before anything is imported that could keep the right ones.
mock.patch.object(time, "time", time_ahead).start()
mock.patch.object(timezone, "now", now_ahead).start()

from console.settings import *  # noqa: E402, F403
