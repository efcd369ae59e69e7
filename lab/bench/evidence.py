"""Write docs/evidence.md: each goal, the command that measured it, and the figure, misses included.

    make evidence                                       # all of it: hours
    .venv/bin/python -m lab.bench.evidence                  # the same
    .venv/bin/python -m lab.bench.evidence pages kills=5    # these, one of them smaller; the others keep their figures

What a command printed is kept in docs/evidence.json, with its day and machine, and the page is drawn from that. One
that fails or never ends stops no other; what it printed until then is kept as well, and the exit code is 1 in the end.
"""

import json
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from console.ops.demo import ROOT
from lab.soak.__main__ import PROOFS

STORED = ROOT / "docs" / "evidence.json"
PAGE = ROOT / "docs" / "evidence.md"
SOAK = ("-m", "lab.soak")
RUNTIME = ROOT / "build" / "runtime" / "bin" / "python"
"""Python with only what a server has installed (`make bom`): packages may import others that only tools need."""
COMMAND_TIMEOUT_SECONDS = 4 * 3600
"""Seconds that a command may take: one that never ends must not stop the others."""
CLEANS_UP = 120
"""Seconds for a command that is interrupted to stop what it started."""


@dataclass(frozen=True)
class Goal:
    """A promised figure, and the function that reads it from the output of a command."""

    text: str
    limit: str
    figure: Callable[[str], str]
    holds: Callable[[str], bool]


@dataclass(frozen=True)
class Measure:
    """A command of Python and its goals; `count` is its last argument, where it takes one."""

    command: tuple[str, ...]
    goals: tuple[Goal, ...]
    count: int | None = None
    python: str | Path = sys.executable

    def command_line(self, count: int | None) -> str:
        python = f"python {shlex.join(self.command)}"
        return python if count is None else f"{python} {count}"


@dataclass
class Result:
    """The output of a command, with its time and machine."""

    command: str
    day: str
    machine: str
    commit: str
    failed: bool
    printed: list[str] = field(default_factory=list)
    note: str = ""
    """The reason if it did not end well."""


def number(pattern: str, group: int = 1) -> Callable[[str], float]:
    """Return what reads a number of the first line that matches."""

    def read(printed: str) -> float:
        match = re.search(pattern, printed, re.MULTILINE)
        if not match:
            raise ValueError(f"nothing like {pattern!r} was printed")
        return float(match[group].replace(",", ""))

    return read


def maximum(text: str, pattern: str, limit: float, unit: str, *, group: int = 1) -> Goal:
    read = number(pattern, group)
    return Goal(text, f"≤ {limit:g}{unit}", lambda p: f"{read(p):g}{unit}", lambda p: read(p) <= limit)


def minimum(text: str, pattern: str, limit: float, unit: str) -> Goal:
    read = number(pattern)
    return Goal(text, f"≥ {limit:g}{unit}", lambda p: f"{read(p):g}{unit}", lambda p: read(p) >= limit)


def nothing_wrong(text: str) -> Goal:
    """Return the goal of a long proof, which counts what it did and what was wrong."""

    def counted(printed: str) -> str:
        # Commands that a proof calls may print something, too.
        line = next((line for line in printed.splitlines() if "; wrong: " in line), "")
        return line.partition(": ")[2] or "no figure"

    return Goal(text, "0 wrong", counted, lambda printed: "; wrong: 0" in printed)


def soak(name: str, text: str) -> Measure:
    return Measure((*SOAK, name), (nothing_wrong(text),), PROOFS[name])


def tested(text: str, *tests: str) -> Measure:
    """Return the measure of a goal that tests prove."""
    passed = number(r"\b(\d+) passed\b")
    goal = Goal(text, "all pass", lambda p: f"{passed(p):g} passed", lambda p: passed(p) > 0)
    return Measure(("-m", "pytest", "-q", *tests), (goal,))


def _row(page: str, column: int) -> str:
    """Return what finds a column of a table's row: the columns after the name are numbers."""
    return rf"^{re.escape(page)}\s+" + r"(?:[\d.,]+\s+)" * column + r"([\d.,]+)"


def _ratio(column: int) -> Callable[[str], float]:
    """Return the list of users' column as a part of the reference's."""
    users, reference = number(_row(USERS, column)), number(_row("reference", column))
    return lambda printed: users(printed) / reference(printed)


def _peer_figure(peer: str, before: str) -> str:
    """Return what finds a figure in the line of a peer by what stands before it."""
    return rf"^{peer}\b.*?{before}([\d.]+)"


USERS = "console: 25 users"
P95, RATE, BYTES, GZIP = 4, 5, 6, 7
COMMANDS = number(r"([\d.]+) commands$")
_rate, _p95 = _ratio(RATE), _ratio(P95)

MEASURES: dict[str, Measure] = {
    "pages": Measure(
        ("-m", "lab.bench.pages"),
        (
            maximum("CPU of the list of users, x reference", _row(USERS, 2), 1.7, ""),
            maximum("HTML of 25 users", _row(USERS, BYTES), 44_000, " bytes"),
            maximum("the same with gzip", _row(USERS, GZIP), 7_500, " bytes"),
        ),
    ),
    "idle": Measure(
        ("-m", "lab.bench.pages", "--upstream", "50", "--rounds", "10"),
        (maximum("25 users, service of 50 ms: p95", _row(USERS, P95), 62, " ms"),),
    ),
    "load": Measure(
        (
            *("-m", "lab.bench.pages", "--upstream", "50", "--connections", "32"),
            *("--starts", "5", "--rounds", "4", "--seconds", "1.5"),
        ),
        (
            Goal("pages/s at 32 connections, x reference", "≥ 0.6",
                 lambda p: f"{_rate(p):.2f}", lambda p: _rate(p) >= 0.6),
            Goal("p95 at 32 connections, x reference", "≤ 1.7",
                 lambda p: f"{_p95(p):.2f}", lambda p: _p95(p) <= 1.7),
        ),
    ),
    "start": Measure(
        ("-m", "lab.bench.start"),
        (maximum("a worker's start, all languages loaded", r"start ([\d.]+) s", 2, " s of CPU"),),
        python=RUNTIME,
    ),
    "memory": Measure(
        ("-m", "lab.bench.memory"),
        (
            maximum("a worker's memory in all languages", r"([\d.]+) MB a worker, ", 90, " MB"),
            maximum("the first process's memory", r"they share: ([\d.]+) MB", 60, " MB"),
            maximum("growth after 1,000 requests", r"a worker, ([+-][\d.]+) %", 5, " %"),
        ),
        100_000,
        RUNTIME,
    ),
    "browser": Measure(
        ("-m", "lab.bench.browser"),
        (
            maximum("400 kbit/s, 400 ms, no cache: 25 users visible", r"^list visible\s+([\d.]+) s", 1.6, " s"),
            maximum("first key to results", r"^first key to results, page loaded\s+([\d.]+) s", 1.7, " s"),
            maximum("100 users visible", r"^100 rows visible\s+([\d.]+) s", 2.5, " s"),
        ),
    ),
    "many": Measure(
        ("-m", "lab.bench.many"),
        (
            maximum("pages with other calls for 100,000 users than for 100",
                    r"other calls on (\d+)", 0, " pages"),
            maximum("pages with other queries", r"other queries on (\d+)", 0, " pages"),
            maximum("more bytes",
                    r"at most ([+-][\d.]+) % bytes", 10, " %"),
            maximum("more CPU", r"at most ([+-][\d.]+) % CPU", 25, " %"),
        ),
    ),
    "search": Measure(
        ("-m", "lab.bench.search"),
        (
            maximum("calls of a search over 10,000 users, 20,000 labs", r"at most (\d+) calls", 5, ""),
            maximum("own work at p95, service of 50 ms", r"and ([\d.]+) ms of own", 12, " ms"),
        ),
    ),
    "activity-reads": Measure(
        ("-m", "lab.bench.activity"),
        (
            maximum("reads with other statements for 100,000 entries than for 100",
                    r"other statements on (\d+)", 0, ""),
            maximum("more bytes of the first page", r"([+-][\d.]+) % bytes", 10, " %"),
            maximum("statements for 1,000 rows of a file", r"(\d+) statements for", 15, ""),
            maximum("statements that read all rows", r"(\d+) reads of all rows", 0, ""),
        ),
    ),
    "peers": Measure(
        ("-m", "lab.bench.peers"),
        (
            minimum("CPU of Django admin, x ours", _peer_figure("Django admin", ": "), 2.2, ""),
            minimum("CPU of Wagtail, x ours", _peer_figure("Wagtail", ": "), 6, ""),
        ),
    ),
    "peers-load": Measure(
        ("-m", "lab.bench.peers", "--upstream", "50", "--connections", "32", "--rounds", "15", "--seconds", "1.5"),
        (
            minimum("our pages/s, x Django admin's", _peer_figure("Django admin", "sends "), 1, ""),
            maximum("our p95, x Django admin's", _peer_figure("Django admin", "at "), 1, ""),
            minimum("our pages/s, x Wagtail's", _peer_figure("Wagtail", "sends "), 1, ""),
            maximum("our p95, x Wagtail's", _peer_figure("Wagtail", "at "), 1, ""),
        ),
    ),
    "lighthouse": Measure(
        ("-m", "lab.bench.lighthouse"),
        tuple(
            minimum(f"{device}, lowest of four pages: {category}",
                     _row(f"lowest, {device}", column), limit, "")
            for device, limit in (("desktop", 100), ("mobile", 98))
            for column, category in enumerate(("performance", "accessibility", "best practices"))
        ),
        5,
    ),
    "observatory": Measure(
        ("-m", "lab.bench.observatory"),
        (minimum("HTTP Observatory, behind our nginx", r"^score (\d+)", 135, ""),),
    ),
    "stampede": soak("stampede", "50 requests with an expired token: one refresh"),
    "kills": soak("kills", "workers killed: no confirmed write lost or doubled"),
    "hosts": soak("hosts", "one of two hosts killed: no write lost or doubled"),
    "upgrades": soak("upgrades", "two hosts upgraded: no request fails"),
    "activity": soak("activity", "workers killed: each write has one activity entry"),
    "switches": soak("switches", "releases switched: no request fails"),
    "install": Measure(
        ("-m", "tests.e2e.install"),
        (
            Goal("a clean Debian to https pages", "≤ 10 commands",
                 lambda p: f"{COMMANDS(p):g} commands", lambda p: COMMANDS(p) <= 10),
            nothing_wrong("upgraded, gone back, killed, restored"),
        ),
    ),
    "restore": tested("backup under load, restored: nothing lost but logins",
                      "tests/e2e/test_restore.py"),
    "late": tested("sessions saved late: no refreshed token lost",
                   "tests/e2e/test_stampede.py", "-k", "saves_its_session_late"),
    "bytes": tested("scripts and styles ≤ 15 kB before use, ≤ 110 kB in all",
                    "tests/e2e/test_bytes.py"),
    "policy": tested("no screen breaks the content security policy", "tests/e2e/test_screens.py",
                     "-k", "a_problem_of_a_page or (test_every_screen and en-US)"),
    "faults": soak("faults", "random faults on every route: the right page"),
    "fuzz": soak("fuzz", "odd requests: no error of ours"),
    "slow": soak("slow", "slow clients don't slow others"),
    "logins": soak("logins", "wrong logins don't slow others"),
    "enumeration": soak("enumeration", "no answer reveals an email"),
    "forms": soak("forms", "odd form input returns, no password shows"),
    "redirects": soak("redirects", "no address leads to another site"),
    "languages": soak("languages", "every screen in 21 languages: whole, no English"),
    "translators": soak("translators", "four translators at once: nothing lost"),
}  # fmt: skip


def main() -> int:
    """Measure what is asked for, or everything, and write the page after each; 1 when one of the commands failed."""
    requested = dict(_parse_arguments(sys.argv[1:])) or {name: measure.count for name, measure in MEASURES.items()}
    if missing := [name for name in requested if not Path(MEASURES[name].python).exists()]:
        sys.exit(f"Run `make bom` before these: {', '.join(missing)}.")
    results = {name: Result(**stored) for name, stored in _stored().items() if name in MEASURES}
    for name, count in requested.items():
        sys.stdout.write(f"{name} …\n")
        sys.stdout.flush()
        results[name] = _measured(MEASURES[name], count)
        data = {name: asdict(result) for name, result in sorted(results.items())}
        STORED.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        PAGE.write_text(page(results))
    return int(any(results[name].failed for name in requested))


def _parse_arguments(arguments: list[str]) -> Iterator[tuple[str, int | None]]:
    for argument in arguments:
        name, _, count = argument.partition("=")
        if name not in MEASURES:
            sys.exit(f"Unknown: {name}. There are: {', '.join(MEASURES)}.")
        yield name, int(count) if count else MEASURES[name].count


def _measured(measure: Measure, count: int | None) -> Result:
    printed, note = _run([measure.python, *measure.command, *([str(count)] if count is not None else [])])
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return Result(
        command=measure.command_line(count),
        day=datetime.now(UTC).date().isoformat(),
        machine=_machine(),
        commit=commit.stdout.strip(),
        failed=bool(note),
        printed=[line.rstrip() for line in printed.splitlines() if line.strip()][-60:],
        note=note,
    )


def _run(command: Sequence[str | Path]) -> tuple[str, str]:
    """Run a command; return what it printed, and how it ended unless that was well.

    What is left of its processes is ended: it would disturb the next command.
    """
    variables = {**os.environ, "PYTHONUNBUFFERED": "1", "ROUNDS": "100"}  # of e2e tests that repeat something
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:  # no pipe, which such a process could keep open
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables, stdout=printed, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # behind `&` it would be ignored
        )  # fmt: skip
        try:
            code = process.wait(COMMAND_TIMEOUT_SECONDS)
            note = f"ended with {code}" if code else ""
        except subprocess.TimeoutExpired:
            note = f"stopped after {COMMAND_TIMEOUT_SECONDS} s"
        finally:
            _end(process)
        printed.seek(0)
        return printed.read(), note


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(CLEANS_UP)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _machine() -> str:
    names = re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    cpu = " ".join(names[0].split()) if names else platform.machine()
    return f"{os.cpu_count()} x {cpu}, {gigabytes:.0f} GB, Python {platform.python_version()}"


def _stored() -> dict[str, Any]:
    return dict(json.loads(STORED.read_text())) if STORED.exists() else {}


def page(results: dict[str, Result]) -> str:
    """Return the page: a section for each command, a line for each goal, also for those not measured yet."""
    machines = "; ".join(sorted({result.machine for result in results.values()}))
    lines = [
        "# Evidence",
        "",
        "What was promised, and what was measured. `make evidence` writes this page from what the commands",
        "printed (`evidence.json`). Limits are in parentheses. Times depend on the machine; ratios are of one",
        f"run. Machines: {machines}.",
    ]
    for name, measure in MEASURES.items():
        result = results.get(name)
        origin = f"{result.day}, {result.commit}" if result else "not measured"
        command = result.command if result else measure.command_line(measure.count)
        lines += ["", f"## `{command}`", "", origin, ""]
        lines += [_line(goal, result, measure) for goal in measure.goals]
    return "\n".join([*lines, ""])


def _line(goal: Goal, result: Result | None, measure: Measure) -> str:
    if result is None:
        return f"- {goal.text} ({goal.limit})"
    printed = "\n".join(result.printed)
    verdict = "" if result.command == measure.command_line(measure.count) else ", in part"
    try:
        figure, holds = goal.figure(printed), goal.holds(printed) and not result.failed
    except (ValueError, ZeroDivisionError):
        figure, holds = "no figure", False
    note = f", {result.note}" if result.note else ""
    return f"- {goal.text}: {figure} ({goal.limit}{note}{verdict if holds else ', **missed**'})"


if __name__ == "__main__":
    sys.exit(main())
