"""The optional calls that a service has, if known from their answers to this process."""

import time
from typing import TypeAlias

CapabilityKey: TypeAlias = tuple[str, str]
"""The base address and the endpoint of a call."""

MISSING_TTL_S = 600.0
"""Seconds before a missing call is tried again."""


class CapabilityCache:
    """The optional calls that are known to be there or to be missing.

    A call that has worked before only counts as missing after two such answers in a row: a single one, among those of
    many rows, may be a gateway's.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Clear the cache; needed in tests only."""
        self._answered: set[CapabilityKey] = set()
        self._hidden_until: dict[CapabilityKey, float] = {}

    def is_available(self, key: CapabilityKey) -> bool:
        """Return whether to offer the call."""
        return time.monotonic() >= self._hidden_until.get(key, 0)

    def mark_present(self, key: CapabilityKey) -> None:
        """Record that the service has executed the call."""
        self._answered.add(key)
        self._hidden_until.pop(key, None)

    def mark_missing(self, key: CapabilityKey) -> None:
        """Record a response that there is no such call."""
        if key in self._answered:
            self._answered.discard(key)
        else:
            self._hidden_until[key] = time.monotonic() + MISSING_TTL_S
