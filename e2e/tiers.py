"""Which tests run in `make test`, and which only in `make test-all`.

The marker `slow` decides: `make test` runs every rule of the server, every flow once and every screen once under all
audits; `make test-all` runs the rest.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def alternating(subjects: Iterable[Any], variants: Sequence[Any]) -> list[ParameterSet]:
    """Pair every subject with every variant, for `parametrize`.

    `make test` gets each subject once, with the variants taking turns; `make test-all` gets all the other pairs.
    """
    return [
        pytest.param(subject, variant, marks=[] if turn == number % len(variants) else [pytest.mark.slow])
        for number, subject in enumerate(subjects)
        for turn, variant in enumerate(variants)
    ]


def parts(members: Sequence[Any], count: int) -> list[Any]:
    """Split a sequence into this many parts of about the same size; every member is in exactly one of them."""
    return [members[first::count] for first in range(count)]
