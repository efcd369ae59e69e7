"""A host switches between two releases again and again under load, by deploy/switch: no request fails."""

import tempfile
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import requests

from lab.soak.kills import DONE, invitation
from lab.soak.system import CLIENTS, Report
from tests.e2e.http_client import CLINICS, USERS, Visitor, logged_in
from tests.e2e.install import two_releases
from tests.e2e.machine import ConsoleHost
from tests.e2e.running import Sandbox


def run(count: int) -> Report:
    """Switch `count` times to the next release and back, on SQLite."""
    report, over = Report(), threading.Event()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="switches")))
        sandbox = stack.enter_context(Sandbox(data_dir=folder / "sandbox"))
        host = stack.enter_context(ConsoleHost(sandbox))
        releases = two_releases(folder)
        for version, root in releases.items():
            host.add_release(root, version)
        old, new = releases
        host.must_switch(old)
        visitor = logged_in(host.console)
        with ThreadPoolExecutor(CLIENTS) as pool:
            working = [pool.submit(_work, visitor, over) for _ in range(CLIENTS)]
            try:
                for version in (new, old) * count:
                    start = time.monotonic()
                    host.must_switch(version)
                    took = round(time.monotonic() - start)
                    report.counts["s, the longest switch"] = max(report.counts["s, the longest switch"], took)
            finally:
                over.set()
            answers = sum((one.result() for one in working), Counter[str]())
    report.counts.update({"switches": 2 * count, "requests answered": answers.total()})
    report.wrong = [f"{times} x {what}" for what, times in answers.items() if what not in ("200", str(DONE))]
    return report


def _work(visitor: Visitor, over: threading.Event) -> Counter[str]:
    """Read pages and send forms until it is over; count how they are answered."""
    answers: Counter[str] = Counter()
    while not over.is_set():
        form = invitation(f"soak-{uuid.uuid4().hex}@switch.example")
        for path, fields in ((CLINICS, None), (USERS, None), (form.path, form.fields)):
            try:
                answer = visitor.post(path, fields) if fields else visitor.get(path)
                answers[str(answer.status_code)] += 1
            except requests.RequestException as error:
                answers[type(error).__name__] += 1
    return answers
