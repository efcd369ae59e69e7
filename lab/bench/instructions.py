"""Count the instructions of a page, which vary less than milliseconds with other load of the machine; needs valgrind.

    .venv/bin/python -m lab.bench.instructions

Each page is requested within one process, under cachegrind, a few times and many times; the difference is divided by
the further requests. The kernel's own work, and how well the processor's caches serve the instructions, are not in it:
milliseconds: lab.bench.pages. The reference is counted a second time with as many upstream calls as the list makes.
"""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from shutil import which

from console.ops.demo import ROOT
from lab.bench.pages import Target, targets

FEW, MANY = 20, 120
"""Requests of the two runs, after those that warm up."""


def main() -> None:
    """Count and print."""
    if not which("valgrind"):
        sys.exit("Counting instructions needs valgrind.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with targets() as (reference, *pages):
        for target in (reference, *pages):
            target.inspect()
        same = replace(
            reference, name=f"reference, {pages[0].calls} calls", path=f"{reference.path}?calls={pages[0].calls}"
        )
        limit, as_many = count(reference), count(same)
        print(f"{'page':<27}{'million':>9}{'ratio':>7}")
        print(f"{reference.name:<27}{limit:>9.2f}{1:>7.2f}")
        print(f"{same.name:<27}{as_many:>9.2f}{as_many / limit:>7.2f}")
        for page in pages:
            measured = count(page)
            print(f"{page.name:<27}{measured:>9.2f}{measured / limit:>7.2f}", flush=True)
            if page is pages[0]:
                print(f"{'  beside as many calls':<27}{'':>9}{measured / as_many:>7.2f}")


def count(target: Target) -> float:
    """Return the millions of instructions of one request."""
    return (_run(target, MANY) - _run(target, FEW)) / (MANY - FEW) / 1e6


def _run(target: Target, requests: int) -> int:
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run(
        [*valgrind, sys.executable, "-m", "lab.bench.counts", "--requests", str(requests)],
        cwd=ROOT,
        env={**os.environ, **target.variables, "PYTHONHASHSEED": "0"},
        input=json.dumps({"path": target.path, "headers": target.headers}),
        capture_output=True,
        text=True,
        check=True,
    )
    match = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    assert match, done.stderr
    return int(match[1].replace(",", ""))


if __name__ == "__main__":
    main()
