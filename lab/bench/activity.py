"""Measure the cost of reading the activity of an organization with 100 entries and with 100,000: statements, bytes of
the result, milliseconds, and the statements that read the whole table.

The database is SQLite, of its own; nothing is asked of a service.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.ops import demo

FEW, MANY = 100, 100_000
CLINICS, USERS = 20, 1000
RARE = 50_000
"""One entry in so many is of the act that is rarely done; the first one is."""
EXPORTED = 1000
"""Rows of a file whose statements are counted."""
TIMES = 15
AT_ONCE = 1000


@dataclass(frozen=True)
class Cost:
    """The cost of one read: statements, bytes, milliseconds (the median), and the statements that read all rows."""

    statements: int
    bytes: int
    milliseconds: float
    scans: int


def main() -> None:
    """Measure and print, in a process that has the settings of a console of its own."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.activity", description=__doc__)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().inside:
        measure()
        return
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        variables = demo.environment(port=1, handler_port=1, api_port=1, data_dir=Path(name))
        demo.prepare(variables)
        command = [sys.executable, "-m", "lab.bench.activity", "--inside"]
        subprocess.run(command, cwd=demo.ROOT, env={**os.environ, **variables}, check=True)


def measure() -> None:
    """Store entries, read them in each way, store many more, and read them again."""
    import django

    django.setup()
    store(0, FEW)
    few = {name: cost(read) for name, read in reads().items()}
    store(FEW, MANY)
    many = {name: cost(read) for name, read in reads().items()}
    print(f"{'':<24}{f'with {FEW:,}':^32}{f'with {MANY:,}':^32}")
    print(f"{'':<24}" + 2 * f"{'SQL':>6}{'bytes':>10}{'ms':>9}{'scans':>7}")
    for name in few:
        costs = "".join(
            f"{c.statements:>6}{c.bytes:>10}{c.milliseconds:>9.2f}{c.scans:>7}" for c in (few[name], many[name])
        )
        print(f"{name:<24}{costs}")
    lists = [name for name in few if name != "export"]
    others = sum(few[name].statements != many[name].statements for name in lists)
    page = "first page"
    growth = 100 * (many[page].bytes / few[page].bytes - 1)
    print(
        f"{MANY:,} entries: other statements on {others}, {growth:+.1f} % bytes of the first page, "
        f"{max(many[name].milliseconds for name in lists):.1f} ms at most, "
        f"{many['export'].statements} statements for {EXPORTED:,} rows of a file, "
        f"{sum(c.scans for c in many.values())} reads of all rows"
    )


def store(first: int, end: int) -> None:
    """Store the entries of these numbers, of one organization."""
    from console.audit.content import Change, Content, Ref, thing_key
    from console.config.encryption import key_mark
    from console.models import Activity

    rows = []
    for number in range(first, end):
        user, clinic = Ref(f"u-{number % USERS}", f"User {number % USERS}"), Ref(f"g-{number % CLINICS}", "Clinic")
        content = Content(who="Ada Admin", who_id="a-1", target=user, clinic=clinic, changes=[Change("name", "A", "B")])
        rows.append(
            Activity(
                organization="ours",
                who=f"administrator {number % 7}",
                act="edit" if number % RARE else "lock",
                kind="user",
                target=thing_key("ours", "user", user.id),
                clinic=thing_key("ours", "clinic", clinic.id),
                outcome="done",
                key=f"{number:064}",
                content=content.encrypt(),
                key_mark=key_mark(),
            )
        )
        if len(rows) == AT_ONCE:
            Activity.objects.bulk_create(rows)
            rows = []
    Activity.objects.bulk_create(rows)


def reads() -> dict[str, Callable[[], Any]]:
    """Return the reads of the pages, by name."""
    from console.audit.content import thing_key
    from console.audit.query import StoredActivity
    from upstream.listing import PAGE_LIMIT, ListParams

    stored = StoredActivity("ours", "administrator 1")

    def export() -> Any:
        read = stored.whole(ListParams())
        return [read(ListParams(page=page)) for page in range(1, EXPORTED // PAGE_LIMIT + 1)]

    return {
        "first page": lambda: stored.list(ListParams()),
        "whom to choose from": stored.people,
        "filter by clinic": lambda: stored.list(ListParams(filters={"clinic": ("g-3",)})),
        "filter by person": lambda: stored.list(ListParams(filters={"person": ("administrator 3",)})),
        "search": lambda: stored.list(ListParams(keyword="user 7")),
        "search in a clinic": lambda: stored.list(ListParams(keyword="3 user", filters={"clinic": ("g-3",)})),
        "rare act": lambda: stored.list(ListParams(filters={"act": ("user.lock",)})),
        "history of a user": lambda: stored.newest(thing_key("ours", "user", "u-7"), 5),
        "export": export,
    }


def cost(read: Callable[[], Any]) -> Cost:
    """Read several times; statements and bytes are those of the last."""
    import msgspec
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    times = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        read()
        times.append(1000 * (time.perf_counter() - begun))
    with CaptureQueriesContext(connection) as queries:
        result = read()
    statements = [query["sql"] for query in queries]
    scans = 0
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            scans += any(str(row[3]).startswith("SCAN") and "activity" in str(row[3]) for row in cursor.fetchall())
    return Cost(len(statements), len(msgspec.json.encode(result)), statistics.median(times), scans)


if __name__ == "__main__":
    main()
