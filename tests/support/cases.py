"""Run one check over many cases, and report every case that fails."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import transaction
from django.test import Client

Case = TypeVar("Case")


def faults(cases: Collection[Case], check: Callable[[Case], Any], *, at_least: int) -> dict[str, str]:
    """Return the error of each case whose check raises one. AssertionError if there are fewer cases than expected."""
    assert len(cases) >= at_least, f"{len(cases)} cases, at least {at_least} expected"
    errors = {}
    for case in cases:
        try:
            check(case)
        except Exception as error:
            errors[str(case)] = f"{type(error).__name__}: {error}"
    return errors


@contextmanager
def rolled_back(client: Client) -> Iterator[None]:
    """Undo what is done to the database and to the cookies of this browser."""
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)
            client.cookies.clear()
            client.cookies.load(cookies)
