"""Workers are killed every second under load: each acknowledged write has its entry, with the right outcome, once.

Each write invites a user. A form without an answer is sent again in the end, as reloading the page does, and
completes the entry that its worker left behind.
"""

import os
import random
import signal
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import requests

from lab.soak.kills import DONE, SERVICE_DELAY_SECONDS, WRITES, Form, invitation
from lab.soak.system import Report, system
from tests.e2e.http_client import Visitor, logged_in, worker_ids
from tests.e2e.running import Console, database

CLIENTS = 6
WORKERS = 3
PAUSE = 1.0
"""Seconds between two kills."""
OUTCOMES = "SELECT outcome, COUNT(*), COUNT(DISTINCT target) FROM activity GROUP BY outcome"


def run(count: int) -> Report:
    """Make `count` writes that are acknowledged."""
    report, over, lock = Report(), threading.Event(), threading.Lock()
    done: list[Form] = []
    lost: list[Form] = []

    def work(visitor: Visitor) -> None:
        while len(done) < count:
            form = invitation(f"soak-{uuid.uuid4().hex}@kill.example")
            try:
                status = visitor.post(form.path, form.fields).status_code
            except requests.RequestException:
                status = 0
            with lock:
                (done if status == DONE else lost).append(form)

    with system(workers=WORKERS) as console:
        visitor = logged_in(console)
        console.sandbox.faults({"method": "POST", "path": WRITES, "delay": SERVICE_DELAY_SECONDS, "times": -1})
        with ThreadPoolExecutor(CLIENTS + 1) as pool:
            killing = pool.submit(_kill, console, over)
            working = [pool.submit(work, visitor) for _ in range(CLIENTS)]
            try:
                for one in working:
                    one.result()
            finally:
                over.set()
            kills = killing.result()
        entries = {outcome: (rows, targets) for outcome, rows, targets in database(console, OUTCOMES)}
        known, unknown = entries.pop("done", (0, 0)), entries.pop("unknown", (0, 0))
        if not len(done) <= known[0] == known[1] <= len(done) + len(lost):
            report.wrong.append(f"{len(done)} writes acknowledged, {known[0]} entries say so, of {known[1]} people")
        if unknown[0] > len(lost) or entries:
            report.wrong.append(f"{len(lost)} answers lost, {unknown[0]} entries are unknown, others: {entries}")
        # As if the time had passed after which no worker can still be running them.
        database(console, "UPDATE submission SET created_at = datetime(created_at, '-1 minute') WHERE answer = ''")
        for form in lost:
            answer = visitor.post(form.path, form.fields)
            if answer.status_code != DONE:
                report.wrong.append(f"a repeat was answered {answer.status_code}")
        forms = len(done) + len(lost)
        if (now := database(console, OUTCOMES)) != [("done", forms, forms)]:
            report.wrong.append(f"{forms} forms, entries: {now}")
    report.counts.update({"kills": kills, "writes acknowledged": len(done), "answers lost": len(lost)})
    return report


def _kill(console: Console, over: threading.Event) -> int:
    """Kill a worker again and again; return how many were."""
    killed = 0
    while not over.wait(PAUSE):
        if workers := worker_ids(console):
            os.kill(random.choice(workers), signal.SIGKILL)
            killed += 1
    return killed
