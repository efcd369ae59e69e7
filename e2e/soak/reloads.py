"""The console is reloaded again and again under load, as an upgrade does it: no request fails."""

import os
import signal
import threading
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import requests

from e2e.http_client import CLINICS, USERS, Visitor, logged_in, wait_until, worker_ids
from e2e.running import Console
from e2e.soak.kills import DONE, invitation
from e2e.soak.system import CLIENTS, Report, system

WORKERS = 3
PAUSE = 5.0
"""Seconds between reloads."""
RELOAD_TIMEOUT_S = 160
"""gunicorn tries for 60 s whether the release can start, and ends the last of the previous workers 90 s later."""


def run(count: int) -> Report:
    """Reload `count` times, every five seconds, whether the workers before have gone or not."""
    report, over = Report(), threading.Event()
    with system(workers=WORKERS) as console:
        visitor = logged_in(console)
        with ThreadPoolExecutor(CLIENTS) as pool:
            working = [pool.submit(_work, visitor, over) for _ in range(CLIENTS)]
            try:
                before = set(worker_ids(console))
                for _ in range(count):
                    _send_hup(console)
                    over.wait(PAUSE)  # which nobody ends: the load goes on
                _only_new(console, before)
            finally:
                over.set()
            answers = sum((one.result() for one in working), Counter[str]())
    report.counts.update({"reloads": count, "requests answered": answers.total()})
    report.wrong = [f"{times} x {what}" for what, times in answers.items() if what not in ("200", str(DONE))]
    return report


def _work(visitor: Visitor, over: threading.Event) -> Counter[str]:
    """Read pages and send forms until it is over; count how they are answered."""
    answers: Counter[str] = Counter()
    while not over.is_set():
        form = invitation(f"soak-{uuid.uuid4().hex}@reload.example")
        for path, fields in ((CLINICS, None), (USERS, None), (form.path, form.fields)):
            try:
                answer = visitor.post(path, fields) if fields else visitor.get(path)
                answers[str(answer.status_code)] += 1
            except requests.RequestException as error:
                answers[type(error).__name__] += 1
    return answers


def reload(console: Console) -> None:
    """Do what `systemctl reload` does, and wait until only new workers serve."""
    before = set(worker_ids(console))
    _send_hup(console)
    _only_new(console, before)


def _send_hup(console: Console) -> None:
    assert console.process.process is not None
    os.kill(console.process.process.pid, signal.SIGHUP)


def _only_new(console: Console, before: set[int]) -> None:
    wait_until(
        lambda: len(now := set(worker_ids(console))) == len(before) and not now & before, seconds=RELOAD_TIMEOUT_S
    )
