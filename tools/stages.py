"""Run targets of the Makefile one after another, and print their times and every failed test at the end.

`python -m tools.stages check test-unit` continues after a stage that fails; the exit status is 1 then.
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tools.repeats import MAX_REPEATS

MAX_FAILURE_LINES = 15
"""With times, repeats and headings, the summary fits into the last 40 lines of the output."""
PYTEST_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$")
VITEST_FAILURE = re.compile(r"^\s*FAIL\s+(.+)")
COLOR = re.compile(r"\x1b\[[\d;]*m")
REPEAT = re.compile(r"^PASSED ON REPEAT (.+)")
TOTAL = re.compile(r"^=* ?(\d+ (?:passed|failed).* in [\d.]+s.*?) ?=*$")


@dataclass
class Stage:
    """The outcome of one target."""

    name: str
    seconds: float = 0.0
    code: int = 0
    failures: list[str] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Collect the test results in a line of the output."""
        line = COLOR.sub("", line)
        for pattern, results in (
            (PYTEST_FAILURE, self.failures),
            (VITEST_FAILURE, self.failures),
            (REPEAT, self.repeats),
            (TOTAL, self.totals),
        ):
            if (match := pattern.match(line)) and match[1] not in results:
                results.append(match[1])


def run(name: str) -> Stage:
    """Run one target, and print its output line by line."""
    stage, start = Stage(name), time.monotonic()
    sys.stdout.write(f"\n===== {name} =====\n")
    sys.stdout.flush()
    with subprocess.Popen(
        ["make", "--no-print-directory", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout  # noqa: S101 - for the type
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            stage.read(line.rstrip("\n"))
    stage.code, stage.seconds = process.returncode, time.monotonic() - start
    return stage


def summary(stages: Iterable[Stage]) -> Iterator[str]:
    """Return the lines of the summary: a line for each stage, then the tests to look at."""
    stages = list(stages)
    yield "===== summary ====="
    for stage in stages:
        result = "ok" if stage.code == 0 else "FAILED"
        yield f"{stage.name:<20}{_minutes(stage.seconds):>8}  {result:<7} {', '.join(stage.totals)}".rstrip()
    yield f"{'all':<20}{_minutes(sum(stage.seconds for stage in stages)):>8}"
    repeats = _repeats(stages)
    too_many = " (too many: the run fails)" if len(repeats) > MAX_REPEATS else ""
    for title, names, lines in (
        (f"Passed only on repeat{too_many}:", repeats, MAX_REPEATS),
        ("Failed tests:", [name for stage in stages for name in stage.failures], MAX_FAILURE_LINES),
        ("Failed stages:", [stage.name for stage in stages if stage.code], 1),
    ):
        if names:
            yield title
            yield from _lines(names, lines)


def _repeats(stages: Iterable[Stage]) -> list[str]:
    return [name for stage in stages for name in stage.repeats]


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _lines(names: list[str], max_lines: int) -> Iterator[str]:
    """Return one name per line; several if there are more than `max_lines`."""
    per_line = -(-len(names) // max_lines)
    for start in range(0, len(names), per_line):
        yield "  " + "  ".join(names[start : start + per_line])


def main(names: list[str]) -> int:
    stages = [run(name) for name in names]
    sys.stdout.write("\n" + "\n".join(summary(stages)) + "\n")
    return 1 if len(_repeats(stages)) > MAX_REPEATS or any(stage.code for stage in stages) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
