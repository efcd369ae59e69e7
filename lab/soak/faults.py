"""The cases of the fault matrix in random order, over and over: the right answer, in time, revealing nothing."""

import random
from typing import Any

from lab.soak.system import Report, system
from tests.e2e import test_fault_matrix
from tests.e2e.test_fault_matrix import FAULTS, TARGETS, failures


def run(count: int) -> Report:
    """Go on until at least `count` answers were looked at."""
    report = Report()
    timed = test_fault_matrix.timed

    def counted(send: Any) -> Any:
        report.counts["cases"] += 1
        return timed(send)

    test_fault_matrix.timed = counted
    try:
        with system(UPSTREAM_DEADLINES=test_fault_matrix.DEADLINES) as console:
            while report.counts["cases"] < count:
                fault = random.choice(list(FAULTS))
                name = random.choice(list(TARGETS))
                wrong = failures(console, fault, {name: TARGETS[name]})
                report.wrong += [f"{' at '.join(case)}: {error}" for case, error in wrong.items()]
    finally:
        test_fault_matrix.timed = timed
    return report
