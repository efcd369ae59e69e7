"""Which tests run in `make test`, and which only in `make test-all`.

Every test runs in exactly one of the two. Those marked `all_ways` repeat, in another way, behavior that `make test` has
already proved once: by touch, in Arabic, without JavaScript, at another width, or under load and for longer. A test
says so with this mark and nothing else; the Makefile selects `not all_ways` and `all_ways`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet

all_ways = pytest.mark.all_ways
"""This test repeats another one in a different way."""


def alternating(subjects: Iterable[Any], variants: Sequence[Any]) -> list[ParameterSet]:
    """Pair every subject with every variant, for `parametrize`.

    `make test` gets each subject once, with the variants taking turns; `make test-all` gets all the other pairs.
    """
    return [
        pytest.param(subject, variant, marks=[] if turn == number % len(variants) else [all_ways])
        for number, subject in enumerate(subjects)
        for turn, variant in enumerate(variants)
    ]


def parts(members: Sequence[Any], count: int) -> list[Any]:
    """Split a sequence into this many parts of about the same size; every member is in exactly one of them."""
    return [members[first::count] for first in range(count)]


def named(value: Any) -> str | None:
    """Name a parameter in the id of a test; screens go by the first of them."""
    match value:
        case str() | int():
            return str(value)
        case (str(), *_):
            return "-".join(value)
        case (first, *_):
            return f"{first} and {len(value) - 1} more"
    return None
