"""Fifty requests meet an ended token, again and again: one refresh each time.

On SQLite, on PostgreSQL, and from two hosts on one PostgreSQL, whose clocks are two seconds apart.
"""

import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from lab.soak.system import Report, system
from lab.soak.two_hosts import TwoHosts, two_hosts
from tests.e2e.http_client import CLINICS, Visitor, at_once, end_access, logged_in, refreshes
from tests.e2e.running import Console
from tools.postgres import cluster

VISITORS = 50
SLOW_REFRESH = {"path": "/v2/oauth/requestToken", "delay": 0.2}
"""The refresh is slow enough for the others to arrive in the meantime."""


def run(count: int) -> Report:
    """Make `count` stampedes on each database, and on two hosts."""
    report = Report()
    with system(workers=3) as console:
        stampedes(report, "SQLite", count, [console], lambda: end_access(console))
    with (
        tempfile.TemporaryDirectory(prefix="pg") as folder,
        cluster(Path(folder)) as url,
        system(workers=3, DATABASE_URL=url) as console,
    ):
        alone = TwoHosts([console], url)
        stampedes(report, "PostgreSQL", count, [console], alone.end_access)
    with two_hosts() as hosts:
        stampedes(report, "two hosts", count, hosts.consoles, hosts.end_access)
    return report


def stampedes(report: Report, name: str, count: int, consoles: Sequence[Console], end: Callable[[], None]) -> None:
    """Let all visitors ask at once, each console as many as the others; `end` ends the token of their session."""
    sandbox, auth = consoles[0].sandbox, logged_in(consoles[0]).auth
    visitors = itertools.cycle([Visitor(console, auth) for console in consoles])
    for _ in range(count):
        end()
        sandbox.clear_calls()
        sandbox.faults(SLOW_REFRESH)
        answers = Counter(answer.status_code for answer in at_once(VISITORS, lambda: next(visitors).get(CLINICS)))
        refreshed = len(refreshes(sandbox))
        report.counts[f"stampedes of {VISITORS} on {name}"] += 1
        report.counts["refreshes"] += refreshed
        if answers != {200: VISITORS} or refreshed != 1:
            report.wrong.append(f"{name}: {dict(answers)}, {refreshed} refreshes")
