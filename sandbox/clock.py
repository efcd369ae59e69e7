"""The sandbox clock: real time plus an offset, and the format of dates in answers."""

import time
from datetime import UTC, datetime


class Clock:
    """Real time, moved forward by `offset` seconds."""

    def __init__(self, offset: float = 0) -> None:
        self.offset = offset

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time() + self.offset


def iso(seconds: float) -> str:
    """Format a time as the contract does: ISO 8601, UTC, whole seconds, Z."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
