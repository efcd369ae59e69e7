"""Which optional calls a service has, as far as this process knows from their answers."""

import time
from typing import TypeAlias

Place: TypeAlias = tuple[str, str]
"""The base address and the endpoint of a call."""

HIDDEN = 600.0
"""Seconds for which a call that a service has not is not offered."""


class Offering:
    """What the answers of optional calls said last.

    A call that was answered before is only taken for missing at the second such answer in a row: a single one, among
    those of many rows, may be a gateway's.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing; needed in tests only."""
        self._answered: set[Place] = set()
        self._hidden_until: dict[Place, float] = {}

    def may_have(self, place: Place) -> bool:
        """Return whether the call is to be offered."""
        return time.monotonic() >= self._hidden_until.get(place, 0)

    def has(self, place: Place) -> None:
        """Note that the call was carried out."""
        self._answered.add(place)
        self._hidden_until.pop(place, None)

    def has_not(self, place: Place) -> None:
        """Note an answer that there is no such call."""
        if place in self._answered:
            self._answered.discard(place)
        else:
            self._hidden_until[place] = time.monotonic() + HIDDEN
