"""Lighthouse scores of some pages, on a desktop and on a phone; started by `python -m lab.bench.lighthouse`.

Lighthouse itself, with the browser of the tests, and its own ways of slowing down: on a machine that is busy with
something else its figures of performance are lower. Prints of each page the median of the rounds, and the audits that
were not passed; the last lines are the lowest of all pages.
"""

import argparse
import json
import os
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.bench.browser import served
from lab.bench.pages import USERS, cookies, log_in
from tests.e2e import browsers
from tests.support import throwaway

EDITION = "12.8.2"
"""The newest that runs on Node 20."""
CATEGORIES = ("performance", "accessibility", "best-practices")
PAGES = {"login": "/login", "users": USERS, "a form": f"{USERS}/new", "dashboard": "/dashboard"}
UNTRACED = "(NO_NAVSTART)"
"""The error of Lighthouse when the browser sent it no trace of the page; its own advice is to run it again."""
DEVICES = {"desktop": ["--preset=desktop"], "mobile": []}


@dataclass(frozen=True)
class Report:
    """The scores of 100, by category, and of each audit that lowered one what it shows."""

    scores: dict[str, float]
    lowered: dict[str, str]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.bench.lighthouse", description="What Lighthouse says of pages."
    )
    parser.add_argument("rounds", type=int, nargs="?", default=5)
    rounds = parser.parse_args().rounds
    package = throwaway.npm("lighthouse", EDITION)
    print(f"{'page':<12}{'device':<10}" + "".join(f"{category:>16}" for category in CATEGORIES))
    results: dict[tuple[str, str], list[Report]] = {}
    with served() as (direct, url):
        headers = {"Cookie": cookies(log_in(direct))}
        for name, path in PAGES.items():
            sent = {} if path == "/login" else headers  # who is logged in is led on
            for device, options in DEVICES.items():
                reports = [_report(package, url + path, sent, options) for _ in range(rounds)]
                results[name, device] = reports
                for line in _lines(name, device, reports):
                    print(line, flush=True)
    for device in DEVICES:
        lowest = [
            min(
                _median(reports, category) for (_, tested_device), reports in results.items() if tested_device == device
            )
            for category in CATEGORIES
        ]
        print(f"{f'lowest, {device}':<22}" + "".join(f"{score:>16.0f}" for score in lowest))


def _lines(name: str, device: str, reports: list[Report]) -> Iterator[str]:
    yield f"{name:<12}{device:<10}" + "".join(f"{_median(reports, category):>16.0f}" for category in CATEGORIES)
    for audit in sorted({audit for report in reports for audit in report.lowered}):
        yield f"    {audit}: {', '.join(report.lowered.get(audit, '-') for report in reports)}"


def _median(reports: list[Report], category: str) -> float:
    return statistics.median_low(report.scores[category] for report in reports)


def _report(package: Path, url: str, headers: dict[str, str], options: list[str]) -> Report:
    browser = browsers.find_whole()
    if not browser:
        raise SystemExit(browsers.MISSING)
    command = [
        *("node", str(package / "cli" / "index.js"), url, "--output=json", "--quiet", "--no-enable-error-reporting"),
        f"--only-categories={','.join(CATEGORIES)}",
        f"--extra-headers={json.dumps(headers)}",
        f"--chrome-flags={' '.join(['--headless=new', *browsers.ARGUMENTS])}",
        *options,
    ]
    for is_last in (False, False, True):
        done = subprocess.run(command, env={**os.environ, "CHROME_PATH": browser}, capture_output=True, text=True)
        if UNTRACED not in done.stderr or is_last:
            break
    if done.returncode:
        raise SystemExit(done.stderr)
    read: dict[str, Any] = json.loads(done.stdout)
    assert read["finalDisplayedUrl"] == url, f"led on to {read['finalDisplayedUrl']}"
    lowered = {
        reference["id"]: str(audit.get("displayValue") or audit["title"])
        for category in read["categories"].values()
        for reference in category["auditRefs"]
        if (audit := read["audits"][reference["id"]])["score"] not in (None, 1) and reference["weight"]
    }
    return Report({name: 100 * read["categories"][name]["score"] for name in CATEGORIES}, lowered)


if __name__ == "__main__":
    main()
