"""Workers are killed under load: no acknowledged write is lost, and none is made twice.

Each write makes the service send one mail: people are invited, and some of them are mailed again and again. A form
without an answer is sent again as it was, as reloading the page does. In the end each person must have got as many
mails as forms were sent for them.
"""

import os
import random
import re
import signal
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import requests

from lab.soak.system import Report, system
from tests.e2e.http_client import USERS, Visitor, logged_in, wait_until, worker_ids
from tests.e2e.running import Console, database

CLIENTS = 6
WORKERS = 3
SERVICE_DELAY_SECONDS = 0.1
"""Seconds that the service takes for each write, so that kills meet it in the middle."""
WRITES = r"^/v1/bizUsers$|/invitation/resend$"
DONE = 303


@dataclass(frozen=True)
class Form:
    """A form for one person, and where it is sent."""

    email: str
    path: str
    fields: dict[str, str]


@dataclass
class Client:
    """Sends one form after the other."""

    visitor: Visitor
    email: str
    resend: str
    """The path at which this client's own person is mailed again."""
    done: list[Form] = field(default_factory=list)
    lost: list[Form] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def work(self, over: threading.Event) -> None:
        while not over.is_set():
            for form in (invitation(f"soak-{uuid.uuid4().hex}@kill.example"), self._another_mail()):
                self._send(form)

    def _another_mail(self) -> Form:
        return Form(self.email, self.resend, {"form_id": str(uuid.uuid4())})

    def _send(self, form: Form) -> None:
        try:
            answer = self.visitor.post(form.path, form.fields)
        except requests.RequestException:
            self.lost.append(form)
            return
        if answer.status_code == DONE:
            self.done.append(form)
        else:
            self.wrong.append(f"{form.path}: {answer.status_code}")


def invitation(email: str) -> Form:
    person = {"row-0-name": email.partition("@")[0], "row-0-email": email, "row-0-user_type": "STAFF"}
    return Form(email, f"{USERS}/new", {"form_id": str(uuid.uuid4()), "row": "0", **person})


def run(count: int) -> Report:
    """Kill a worker `count` times."""
    report, over = Report(), threading.Event()
    with system(workers=WORKERS) as console:
        visitor = logged_in(console)
        clients = list(_clients(visitor))
        console.sandbox.faults(
            {"method": "POST", "path": WRITES, "delay": SERVICE_DELAY_SECONDS, "times": -1},
            {"method": "PUT", "path": WRITES, "delay": SERVICE_DELAY_SECONDS, "times": -1},
        )
        with ThreadPoolExecutor(CLIENTS) as pool:
            working = [pool.submit(client.work, over) for client in clients]
            try:
                for _ in range(count):
                    _kill_in_the_middle(console)
            finally:
                over.set()
            for one in working:
                one.result()
        lost = [form for client in clients for form in client.lost]
        done = [form for client in clients for form in client.done]
        report.wrong = [text for client in clients for text in client.wrong]
        # As if the time had passed after which no worker can still be running them.
        database(console, "UPDATE submission SET created_at = datetime(created_at, '-1 minute') WHERE answer = ''")
        for form in lost:
            answer = visitor.post(form.path, form.fields)
            if answer.status_code != DONE:
                report.wrong.append(f"{form.path}: a repeat was answered {answer.status_code}")
        expected = Counter(form.email for form in (*done, *lost)) + Counter(client.email for client in clients)
        sent = Counter(mail["to"] for mail in console.sandbox.mails() if mail["to"].startswith("soak-"))
        for email in expected.keys() | sent.keys():
            if expected[email] != sent[email]:
                report.wrong.append(f"{email}: {expected[email]} forms, {sent[email]} mails")
    report.counts.update({"kills": count, "writes acknowledged": len(done), "answers lost": len(lost)})
    return report


def _clients(visitor: Visitor) -> Iterator[Client]:
    """Each client has a person who has not accepted the invitation yet."""
    for number in range(CLIENTS):
        form = invitation(f"soak-{number}@kill.example")
        assert visitor.post(form.path, form.fields).status_code == DONE
        listing = visitor.get(f"{USERS}?searchField=email&keyword={form.email}", json=True).text
        user = re.findall(r"/user/(u-\d+)", listing)[0]
        yield Client(visitor, form.email, f"{USERS}/{user}/invitation/resend")


def _kill_in_the_middle(console: Console) -> None:
    """Kill one worker while the service holds writes."""
    console.sandbox.clear_calls()
    wait_until(lambda: any(call["status"] is None for call in console.sandbox.calls(WRITES)))
    killed = random.choice(worker_ids(console))
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: len(set(worker_ids(console)) - {killed}) == WORKERS)
