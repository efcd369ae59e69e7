"""Measure the search of the whole console over a large organization: its calls, and its own work with a service that
takes 50 ms: the time of a search at p95, less the median time of one call to that service in the same run.
"""

import argparse
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from console.ops import demo
from lab.bench.many import AT_ONCE, CLINIC
from lab.bench.pages import WORKERS, Target, cookies, log_in, measure
from lab.bench.recorded import recorded
from sandbox.process import SandboxProcess, free_ports

USERS, SCANNERS, LABS = 10_000, 5_000, 20_000
UPSTREAM = 50
"""Milliseconds."""
KEYWORDS = ("kim", "seed", "dental", "demo.example")
JSON = "application/json"
NOTICE = "/v1/maintenance"
"""A call that needs no login."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.search", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    (port,) = free_ports(1)
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        SandboxProcess(data_dir=Path(name) / "sandbox") as sandbox,
    ):
        for first in range(0, USERS, AT_ONCE):
            sandbox.seed(CLINIC, min(AT_ONCE, USERS - first))
        sandbox.seed_scanners(CLINIC, SCANNERS)
        sandbox.seed_labs(LABS)
        with recorded(sandbox, milliseconds=UPSTREAM) as (handler_port, api_port):
            folder = Path(name) / "console"
            variables = demo.environment(port=port, handler_port=handler_port, api_port=api_port, data_dir=folder)
            demo.prepare(variables)
            with demo.ConsoleProcess(variables, workers=WORKERS, log=folder / "console.log") as console:
                assert console.process
                headers = {"Cookie": cookies(log_in(console.url)), "Accept": JSON}
                served = console.process.pid, variables
                targets = [
                    Target(keyword, port, f"/search?{urlencode({'q': keyword})}", headers, *served)
                    for keyword in KEYWORDS
                ]
                for target in targets:
                    target.inspect()
                service = Target("the service alone", handler_port, NOTICE, {"Accept": JSON}, *served)
                measure([service, *targets], 1, seconds=1.0, rounds=rounds)
    print(f"{'keyword':<16}{'CPU ms':>8}{'p50 ms':>8}{'p95 ms':>8}{'bytes':>8}{'calls':>7}{'SQL':>5}")
    print(f"{service.name:<24}{service.percentile(1, 50):>8.1f}{service.percentile(1, 95):>8.1f}")
    for t in targets:
        print(
            f"{t.name:<16}{t.cpu(1):>8.2f}{t.percentile(1, 50):>8.1f}{t.percentile(1, 95):>8.1f}"
            f"{len(t.html):>8}{t.calls:>7}{t.queries:>5}"
        )
    console_ms = max(t.percentile(1, 95) for t in targets) - service.percentile(1, 50)
    print(
        f"{USERS:,} users, {SCANNERS:,} scanners, {LABS:,} labs: at most {max(t.calls for t in targets)} calls, "
        f"and {console_ms:.1f} ms of own work at p95"
    )


if __name__ == "__main__":
    main()
