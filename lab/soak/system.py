"""Shared parts of the long proofs: a separate sandbox and console, and a report."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.running import MAINTENANCE, Console, Sandbox, start

CLIENTS = 4
"""Clients that send at the same time."""


@dataclass
class Report:
    """Counts of a proof, and descriptions of what was wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counted = ", ".join(f"{count:g} {name}" for name, count in self.counts.items())
        return "\n".join(
            [
                f"{counted}; wrong: {len(self.wrong)}",
                *(f"  {text}" for text in (*self.wrong[:10], *self.wrong[10:][-10:])),
            ]
        )


@contextmanager
def system(*, workers: int = 2, **variables: str) -> Iterator[Console]:
    """Run a sandbox and a console on data that is gone afterwards.

    `variables` are settings of the console.
    """
    with tempfile.TemporaryDirectory(prefix="soak") as folder, Sandbox(data_dir=Path(folder) / "sandbox") as sandbox:
        data = Path(folder) / "console"
        notice = str(data / MAINTENANCE)
        console, process = start(data, sandbox, workers=workers, **{"MAINTENANCE_FILE": notice, **variables})
        try:
            yield console
        finally:
            process.stop()


def together(pool: ThreadPoolExecutor, clients: Sequence[Callable[[], None]], count: int) -> None:
    """Have the clients send `count` requests between them, all at the same time."""

    def some(send: Callable[[], None], number: int) -> None:
        for _ in range(number):
            send()

    shares = [count // len(clients) + (number < count % len(clients)) for number in range(len(clients))]
    for future in [pool.submit(some, send, share) for send, share in zip(clients, shares, strict=True)]:
        future.result()


def errors_in(log: str) -> list[str]:
    """Return the errors of our own that a console has logged, each traceback once: what is to be mended."""
    lines = (json.loads(line) for line in log.splitlines() if line.startswith("{") and '"exception"' in line)
    return [f"logged: {text}" for text in dict.fromkeys(line["exception"] for line in lines)]


def report_leaks(report: Report, source: str, text: str, canaries: Iterable[str]) -> None:
    """Report those that a text has and must not have."""
    report.wrong += [f"{source} has {canary[:12]!r}" for canary in canaries if canary in text]
