"""Fifty requests meet an ended token, again and again: one refresh each time, on SQLite and on PostgreSQL."""

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psycopg

from console.testing.postgres import binaries, cluster
from e2e.http_client import CLINICS, at_once, end_access, logged_in, refreshes
from e2e.running import Console
from e2e.soak.system import Report, system

VISITORS = 50
HELD = {"path": "/v2/oauth/requestToken", "delay": 0.2}
"""The refresh is slow enough for the others to arrive in the meantime."""


def run(count: int) -> Report:
    """Make `count` stampedes on each database; PostgreSQL where it is installed."""
    report = Report()
    with system(workers=3) as console:
        _stampedes(report, "SQLite", count, console, lambda: end_access(console))
    if programs := binaries():
        with (
            tempfile.TemporaryDirectory(prefix="pg") as folder,
            cluster(Path(folder), programs) as url,
            system(workers=3, DATABASE_URL=url) as console,
        ):
            _stampedes(report, "PostgreSQL", count, console, lambda: _end_access(console, url))
    else:
        report.counts["stampedes on PostgreSQL, which is not installed"] = 0
    return report


def _stampedes(report: Report, name: str, count: int, console: Console, end: Callable[[], None]) -> None:
    visitor, sandbox = logged_in(console), console.sandbox
    for _ in range(count):
        end()
        sandbox.forget_calls()
        sandbox.faults(HELD)
        answers = Counter(answer.status_code for answer in at_once(VISITORS, lambda: visitor.get(CLINICS)))
        refreshed = len(refreshes(sandbox))
        report.counts[f"stampedes of {VISITORS} on {name}"] += 1
        report.counts["refreshes"] += refreshed
        if answers != {200: VISITORS} or refreshed != 1:
            report.wrong.append(f"{name}: {dict(answers)}, {refreshed} refreshes")


def _end_access(console: Console, url: str) -> None:
    """Do what `end_access` does, on PostgreSQL."""
    console.sandbox.tokens(expire="access")
    with psycopg.connect(url) as connection:
        connection.execute(
            """UPDATE "grant" SET refreshed_at = refreshed_at - interval '1 hour',
            lease_until = lease_until - interval '1 hour'"""
        )
