"""The cases of the fault matrix in random order, over and over: the right answer, in time, revealing nothing."""

import inspect
import random
import traceback
from typing import Any

from e2e import test_fault_matrix
from e2e.http_client import forget_attempts
from e2e.soak.system import Report, system

GIVEN = {"console", "sandbox", "fault"}
"""What the cases may ask for."""


def run(count: int) -> Report:
    """Go on until at least `count` answers were looked at."""
    report = Report()
    tests = [
        test
        for name, test in inspect.getmembers(test_fault_matrix, inspect.isfunction)
        if name.startswith("test_") and "fault" in _asked(test) <= GIVEN
    ]
    timed = test_fault_matrix.timed

    def counted(act: Any) -> Any:
        report.counts["cases"] += 1
        return timed(act)

    test_fault_matrix.timed = counted
    try:
        with system(UPSTREAM_DEADLINES=test_fault_matrix.DEADLINES) as console:
            while report.counts["cases"] < count:
                fault = random.choice(list(test_fault_matrix.FAULTS))  # noqa: S311 - no secret
                test = random.choice(tests)  # noqa: S311 - the same
                console.sandbox.renew()
                forget_attempts(console)
                given = {"console": console, "sandbox": console.sandbox, "fault": fault}
                try:
                    test(**{name: given[name] for name in _asked(test)})
                except AssertionError as error:
                    line = traceback.extract_tb(error.__traceback__)[-1].lineno
                    report.wrong.append(f"{test.__name__}[{fault}], line {line}: {error}")
    finally:
        test_fault_matrix.timed = timed
    return report


def _asked(test: Any) -> set[str]:
    return set(inspect.signature(test).parameters)
