"""The console's settings on a host whose clock is ahead, for tests of two hosts."""

import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

AHEAD = 2
"""Seconds; hosts may differ by 4."""

_time = time.time

# Before anything is imported that could keep the right ones.
time.time = lambda: _time() + AHEAD
timezone.now = lambda: datetime.now(UTC) + timedelta(seconds=AHEAD)

from console.settings import *  # noqa: E402, F403
