"""Measure the start of gunicorn's first process, and the memory that it needs then, in the settings of production.

    .venv/bin/python -m lab.bench.start

Prints the median of several starts: seconds of CPU until the first request can be answered, and the process's share of
memory (PSS). To compare two editions, run it in both, in turns.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

from console.ops import demo

STARTS = 7
VARIABLES = {
    "SECRET_KEY": "x" * 60,
    "CONSOLE_ENV": "prod",
    "CONSOLE_HTTPS": "true",
    "ALLOWED_HOSTS": "localhost",
    "DOMAIN_HANDLER_URL": "https://handler.example",
    "API_URL": "https://api.example",
    "ALLOWED_UPSTREAM_HOSTS": "example",
    "SUPPORT_EMAIL": "support@console.example",
    "DJANGO_SETTINGS_MODULE": "console.settings",
}
CODE = """
import json, time
import console.wsgi
share = next(int(line.split()[1]) for line in open("/proc/self/smaps_rollup") if line.startswith("Pss:"))
print(json.dumps([time.process_time(), share / 1024]))
"""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        demo.prepare({**VARIABLES, "DATA_DIR": folder})
        starts = [_start(folder) for _ in range(STARTS)]
    seconds, megabytes = (statistics.median(values) for values in zip(*starts, strict=True))
    print(f"start {seconds:.2f} s of CPU, memory {megabytes:.1f} MB (median of {STARTS})")


def _start(folder: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=demo.ROOT,
        env={**os.environ, **VARIABLES, "DATA_DIR": folder},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds, megabytes = json.loads(done.stdout.splitlines()[-1])
    return [seconds, megabytes]


if __name__ == "__main__":
    main()
