"""Compare the console's pages with the reference, in one run; started by `make bench`."""

import argparse
import gzip
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

from console.ops import demo
from lab.bench.recorded import recorded
from lab.bench.reference.process import ReferenceProcess
from sandbox.process import SandboxProcess, free_ports

EMAIL, PASSWORD = "admin@demo.example", "Demo123!"
USERS = "/user-manage/clinic/g-1/user"
OTHERS = {
    "clinics": "/user-manage/clinic",
    "teams": "/user-manage/clinic/g-1/team",
    "permissions": "/user-manage/clinic/g-1/permissions",
    "a form": "/user-manage/clinic/g-1/edit",
    "login": "/login",
}
"""Pages that are printed next to the list of users."""
WORKERS = 2
FORM_TOKEN = "a" * 32
CALL = 0.5
"""Milliseconds of CPU that are subtracted for each upstream call beyond the reference's one."""
TARGET = 1.7
"""Target for the cost of the list of users, as a multiple of the reference."""
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Round:
    """One target under load for some seconds."""

    cpu: float
    """Milliseconds of CPU of the worker processes, for each answer."""
    rate: float
    milliseconds: list[float]


@dataclass
class Target:
    """One page of one site, and its measurements."""

    name: str
    port: int
    path: str
    headers: dict[str, str]
    master: int
    """The gunicorn process whose children answer."""
    variables: dict[str, str]
    python: str = sys.executable
    """The interpreter that runs the site."""
    html: bytes = b""
    queries: int = 0
    calls: int = 0
    rounds: dict[int, list[Round]] = field(default_factory=dict)

    def inspect(self) -> None:
        """Read the page once, and count its queries and calls in a separate process."""
        with requests.Session() as session:
            session.trust_env = False
            url = f"http://127.0.0.1:{self.port}{self.path}"
            answer = session.get(url, headers=self.headers, allow_redirects=False, timeout=30)
        assert answer.status_code == 200, f"{self.name}: {answer.status_code}"
        self.html = answer.content
        counts = json.loads(self.inside().splitlines()[-1])  # the lines before it are the site's log
        self.queries, self.calls = counts["queries"], counts["calls"]

    def inside(self, *arguments: str) -> str:
        """Run lab.bench.counts for this page."""
        done = subprocess.run(
            [self.python, "-m", "lab.bench.counts", *arguments],
            cwd=demo.ROOT,
            env={**os.environ, **self.variables},
            input=json.dumps({"path": self.path, "headers": self.headers}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def load(self, *, seconds: float, connections: int) -> Round:
        """Put it under load from another process."""
        options = {"port": self.port, "path": self.path, "headers": self.headers}
        before = _cpu(self.master)
        done = subprocess.run(
            [sys.executable, "-m", "lab.bench.load"],
            cwd=demo.ROOT,
            input=json.dumps({**options, "seconds": seconds, "connections": connections}),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        cpu = _cpu(self.master) - before
        load: dict[str, Any] = json.loads(done.stdout)
        assert not load["failures"], f"{self.name}: {load['failures']} answers were no page"
        answers = len(load["milliseconds"])
        return Round(cpu=cpu / answers, rate=answers / load["seconds"], milliseconds=load["milliseconds"])

    def add(self, before: "Target") -> None:
        """Count its rounds, too: those of the same page before everything was started again.

        Where a process happens to have things in memory makes it faster or slower, as long as it lives. Two consoles of
        the same code differ by up to 8 %.
        """
        for connections, rounds in before.rounds.items():
            self.rounds[connections] += rounds

    def cpu(self, connections: int) -> float:
        return statistics.median(r.cpu for r in self.rounds[connections])

    def ratio(self, reference: "Target", connections: int, *, less: float = 0) -> float:
        """Return the median cost of each round, less so many milliseconds, relative to the same round of the reference.

        A shared machine is faster in one minute than in the next, by a third: only what ran close together compares.
        """
        pairs = zip(self.rounds[connections], reference.rounds[connections], strict=True)
        return statistics.median((measured.cpu - less) / other.cpu for measured, other in pairs)

    def rate(self, connections: int) -> float:
        return statistics.median(r.rate for r in self.rounds[connections])

    def percentile(self, connections: int, percent: int) -> float:
        durations = [one for r in self.rounds[connections] for one in r.milliseconds]
        return statistics.quantiles(durations, n=100)[percent - 1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.pages", description="What a page costs, beside the limit."
    )
    parser.add_argument("--seconds", type=float, default=0.6, help="of one round of one page")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--connections", type=int, nargs="+", default=[1], help="for example 1 16")
    parser.add_argument("--starts", type=int, default=1, help="so often all is started anew, each time for all rounds")
    parser.add_argument("--upstream", type=int, default=0, metavar="MS", help="how long the services take, say 50")
    parser.add_argument("--profile", action="store_true", help="print where the list's time goes, and measure nothing")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stop the started processes in any case
    if given.profile:
        with targets(given.upstream) as running:
            running[1].inside("--profile")
        return
    measured: list[Target] = []
    for _ in range(given.starts):
        with targets(given.upstream) as running:
            for target in running:
                target.inspect()
            for connections in given.connections:
                measure(running, connections, seconds=given.seconds, rounds=given.rounds)
        for target, before in zip(running, measured, strict=False):
            target.add(before)
        measured = running
    for connections in given.connections:
        print(_table(measured, connections))
    print(f"Load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs. Compare the ratios of one run only.")


@contextmanager
def targets(milliseconds: int = 0) -> Iterator[list[Target]]:
    """Start everything that is measured, the reference first, and stop it at the end.

    Both services take so many milliseconds for each answer.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        data = Path(folder)
        with (
            ReferenceProcess(data / "reference", workers=WORKERS, milliseconds=milliseconds) as reference,
            SandboxProcess(data_dir=data / "sandbox") as sandbox,
            recorded(sandbox, milliseconds=milliseconds) as (handler_port, api_port),
        ):
            (port,) = free_ports(1)
            variables = demo.environment(
                port=port, handler_port=handler_port, api_port=api_port, data_dir=data / "console"
            )
            demo.prepare(variables)
            with demo.ConsoleProcess(variables, workers=WORKERS, log=data / "console.log") as console:
                assert reference.process
                assert console.process
                cookie, html = {"Cookie": cookies(log_in(console.url))}, {"Accept": "text/html"}
                served = console.process.pid, variables
                reference_request = reference.port, reference.path, {"Cookie": cookies(reference.cookie)}
                yield [
                    Target("reference", *reference_request, reference.process.pid, reference.variables),
                    Target("console: 25 users", port, USERS, {**cookie, **html}, *served),
                    Target("console: the same as JSON", port, USERS, {**cookie, "Accept": "application/json"}, *served),
                    *(
                        Target(f"console: {name}", port, path, html if name == "login" else {**cookie, **html}, *served)
                        for name, path in OTHERS.items()
                    ),
                ]


def cookies(auth: str) -> str:
    """Return the cookies of a browser: the login, and the CSRF token under each site's name for it."""
    return f"auth={auth}; csrf={FORM_TOKEN}; csrftoken={FORM_TOKEN}"


def log_in(url: str) -> str:
    """Log in as the demo administrator; return the value of the cookie."""
    with requests.Session() as session:
        session.trust_env = False
        session.get(f"{url}/login", timeout=30)
        form = {"email": EMAIL, "password": PASSWORD, "csrfmiddlewaretoken": session.cookies["csrf"]}
        session.post(f"{url}/login", data=form, timeout=30, allow_redirects=False).raise_for_status()
        return str(session.cookies["auth"])


def measure(targets: list[Target], connections: int, *, seconds: float, rounds: int) -> None:
    """Alternate between targets, in both directions, so that other load of the machine affects all equally."""
    for target in targets:
        target.rounds[connections] = []
        target.load(seconds=0.5, connections=connections)  # warm up
    for number in range(rounds):
        for target in targets if number % 2 == 0 else reversed(targets):
            target.rounds[connections].append(target.load(seconds=seconds, connections=connections))


def _cpu(master: int) -> float:
    """Return the milliseconds of CPU, user and system, that the children of a process have used."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    return sum(_ticks(int(child)) for child in children) * 1000 / _TICK


def _ticks(pid: int) -> int:
    # The name of the process comes second, in parentheses, and may contain spaces.
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(numbers[11]) + int(numbers[12])


def _table(targets: list[Target], connections: int) -> str:
    reference = targets[0]
    lines = [
        f"Connections: {connections}, rounds: {len(targets[0].rounds[connections])}",
        f"{'page':<27}{'CPU ms':>8}{'ratio':>7}{'adjusted':>10}{'p50 ms':>8}{'p95 ms':>8}{'pages/s':>9}"
        f"{'bytes':>8}{'gzip':>7}{'calls':>7}{'SQL':>5}",
    ]
    for target in targets:
        ratio, adjusted = target.ratio(reference, connections), _adjusted(target, reference, connections)
        lines.append(
            f"{target.name:<27}{target.cpu(connections):>8.2f}{ratio:>7.2f}{adjusted:>10.2f}"
            f"{target.percentile(connections, 50):>8.1f}{target.percentile(connections, 95):>8.1f}"
            f"{target.rate(connections):>9.0f}{len(target.html):>8}{len(gzip.compress(target.html)):>7}"
            f"{target.calls:>7}{target.queries:>5}"
        )
    ratio = _adjusted(targets[1], reference, connections)
    lines.append(f"Target for 25 users: at most {TARGET}; {'met' if ratio <= TARGET else 'missed'} with {ratio:.2f}.\n")
    return "\n".join(lines)


def _adjusted(target: Target, reference: Target, connections: int) -> float:
    return target.ratio(reference, connections, less=CALL * (target.calls - reference.calls))


if __name__ == "__main__":
    main()
