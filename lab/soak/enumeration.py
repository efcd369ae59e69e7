"""Known and unknown emails at the login and at the password reset: the same bytes, and medians that reveal nothing.

Both look up the region first, which only a known email has; the console evens out that difference.
"""

import re
import statistics
import time
from collections.abc import Callable

import requests

from lab.soak.system import Report, system
from tests.e2e.http_client import Visitor, reset_attempts
from tests.e2e.running import EMAIL, Console

UNKNOWN = "nimda@demo.example"
"""As long as the known one: what travels encrypted is as long as what it was."""
MAX_DIFFERENCE_MS = 20.0
"""Milliseconds that the medians may be apart."""
CHANGES = re.compile(
    r'name="(?:csrfmiddlewaretoken|form_id)" value="[^"]*"|[0-9a-f]{32}|for=[\w%-]+|[an][a-z]+@demo\.example'
)
"""The parts that differ between any two pages, and the entered email."""


def _log_in(visitor: Visitor, email: str) -> requests.Response:
    return visitor.post("/login", {"email": email, "password": "Wrong123!"})


def _send_password_reset(visitor: Visitor, email: str) -> requests.Response:
    return visitor.post("/confirm-password", {"email": email})


def _body(visitor: Visitor, answer: requests.Response) -> str:
    """Return the page that the sender of the form sees."""
    page = visitor.get(answer.headers["Location"]) if answer.status_code == 303 else answer
    return CHANGES.sub("", f"{answer.status_code} {answer.headers.get('Location', '')} {page.status_code} {page.text}")


def _measure(
    console: Console, name: str, send: Callable[[Visitor, str], requests.Response], count: int, report: Report
) -> None:
    visitor, took = Visitor(console), dict[str, list[float]]()
    bodies = set()
    for number in range(count):
        # Each is the first one as often as the other.
        for email in sorted((EMAIL, UNKNOWN), reverse=bool(number % 2)):
            reset_attempts(console)
            began = time.perf_counter()
            answer = send(visitor, email)
            took.setdefault(email, []).append((time.perf_counter() - began) * 1000)
            bodies.add(_body(visitor, answer))
    known, unknown = statistics.median(took[EMAIL]), statistics.median(took[UNKNOWN])
    report.counts.update({f"ms {name} known": round(known, 1), f"ms {name} unknown": round(unknown, 1)})
    if abs(known - unknown) >= MAX_DIFFERENCE_MS:
        report.wrong.append(f"{name}: {known:.1f} ms for a known email, {unknown:.1f} for an unknown one")
    if len(bodies) != 1:
        report.wrong.append(f"{name}: {len(bodies)} different answers")


def run(count: int) -> Report:
    """Send each form `count` times with a known and with an unknown email."""
    report = Report()
    report.counts["tries"] = count
    with system() as console:
        for email in (EMAIL, UNKNOWN):
            reset_attempts(console)
            _log_in(Visitor(console), email)  # warms up
        _measure(console, "login", _log_in, count, report)
        _measure(console, "forgot", _send_password_reset, count, report)
    return report
