"""Two hosts on one PostgreSQL share all state, and no user loses anything when one of them dies.

The clock of the second one is 2 s ahead. First what they share: a session with its messages, one refresh for all, the
count of wrong logins, a form that reaches both. Then one of them is killed, again and again, while administrators work
on both. A write that was acknowledged is there, once; one without an answer is sent again to the other host. A session
goes on, except one whose tokens the service had replaced when the host died that had asked for it: who has that reads
that the session has expired, and logs in again.
"""

import itertools
import random
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

import requests
from urllib3.exceptions import NewConnectionError

from lab.soak.kills import CLIENTS, DONE, SERVICE_DELAY_SECONDS, WRITES, Form, invitation
from lab.soak.stampede import stampedes
from lab.soak.system import Report
from lab.soak.two_hosts import TwoHosts, kill, two_hosts
from tests.e2e.http_client import CLINICS, USERS, Visitor, at_once, logged_in, refreshes, wait_until
from tests.e2e.running import Console, Sandbox

AHEAD = 2
"""Seconds by which the clock of the second host is ahead; a header tells whole ones."""
STAMPEDES = 5
REFRESH = "/v2/oauth/requestToken"
DEADLINES = "refresh=2"
"""Short, because a session whose refresh dies with its host waits for this and 4 s more."""
MEANWHILE = 4
"""The rounds of each client between one kill and the next, when both hosts serve again."""
WRONG = {"email": "third@demo.example", "password": "Wrong123!"}
TRIES = 5
"""Wrong logins of one person at one address before the first pause."""
LOGINS = 10
"""The logins made at the same time, as a multiple of the allowed tries."""
EXPIRED = "Your session has expired"


def run(count: int) -> Report:
    """Look at what the hosts share, and kill one of them `count` times."""
    report = Report()
    with two_hosts(UPSTREAM_DEADLINES=DEADLINES) as hosts:
        _clocks(report, hosts)
        _one_session(report, hosts)
        stampedes(report, "two hosts", STAMPEDES, hosts.consoles, hosts.end_access)
        _shared_login_throttle(report, hosts)
        _logins_at_once(report, hosts)
        _one_submission(report, hosts)
        _one_dies_while_it_refreshes(report, hosts)
        _kills(report, hosts, count)
    return report


def _clocks(report: Report, hosts: TwoHosts) -> None:
    dates = [Visitor(host).get("/healthz").headers["Date"] for host in hosts.consoles]
    first, second = map(parsedate_to_datetime, dates)
    report.counts["s between their clocks"] = difference = round((second - first).total_seconds())
    if abs(difference - AHEAD) > 1:
        report.wrong.append(f"the clocks are {difference} s apart")


def _one_session(report: Report, hosts: TwoHosts) -> None:
    """Check that one host shows the session data that the other one stored, and that the session ends on both."""
    first, second = hosts.consoles
    first_visitor = logged_in(first)
    second_visitor = Visitor(second, first_visitor.auth)
    form = invitation(f"soak-{uuid.uuid4().hex}@hosts.example")
    answer = first_visitor.post(form.path, form.fields)
    page = second_visitor.get(answer.headers.get("Location", "/"))
    if (answer.status_code, page.status_code) != (DONE, 200) or form.email not in page.text:
        report.wrong.append(f"a message of the first host: {answer.status_code}, then {page.status_code} by the second")
    second_visitor.post("/logout")
    if not _has_ended(first_visitor.get(CLINICS)):
        report.wrong.append("who logged out of the second host is still in at the first")


def _shared_login_throttle(report: Report, hosts: TwoHosts) -> None:
    first, second = map(Visitor, hosts.consoles)
    answers = [first.post("/login", WRONG).status_code for _ in range(TRIES)] + [
        visitor.post("/login", WRONG).status_code for visitor in (second, first)
    ]
    if answers != [*[422] * TRIES, 429, 429]:
        report.wrong.append(f"wrong logins were answered {answers}")
    report.counts["wrong logins at one host before the other refuses"] = TRIES
    hosts.reset_attempts()


def _logins_at_once(report: Report, hosts: TwoHosts) -> None:
    """Log the same person in a few times at once: the counts of attempts are changed by all of them."""
    visitors = itertools.cycle(map(Visitor, hosts.consoles))
    for _ in range(LOGINS):
        statuses = Counter(at_once(TRIES - 1, lambda: next(visitors).log_in().status_code))
        report.counts["logins at once"] += statuses.total()
        if statuses != {DONE: TRIES - 1}:
            report.wrong.append(f"logins at once were answered {dict(statuses)}")


def _one_submission(report: Report, hosts: TwoHosts) -> None:
    """Send a form to both hosts at once, and once more when it is done."""
    auth = logged_in(hosts.consoles[0]).auth
    visitors = itertools.cycle([Visitor(host, auth) for host in hosts.consoles])
    form = invitation(f"soak-{uuid.uuid4().hex}@hosts.example")
    for _ in range(2):
        answers = at_once(2, lambda: next(visitors).post(form.path, form.fields))
        if Counter(answer.status_code for answer in answers) != {DONE: 2}:
            report.wrong.append(f"one form at two hosts: {[answer.status_code for answer in answers]}")
    if (sent := _mails(hosts)[form.email]) != 1:
        report.wrong.append(f"one form at two hosts: {sent} mails")


def _one_dies_while_it_refreshes(report: Report, hosts: TwoHosts) -> None:
    """Of two sessions the one whose tokens were not replaced goes on at the other host; the other one's has expired."""
    doomed, other = hosts.consoles
    surviving, lost = logged_in(doomed), logged_in(doomed)
    hosts.end_access()
    hosts.sandbox.clear_calls()
    with ThreadPoolExecutor(2) as pool:
        for number, (visitor, rule) in enumerate([(surviving, {"status": 500, "delay": 8}), (lost, {"delay": 1})], 1):
            hosts.sandbox.faults({"path": REFRESH, **rule})
            pool.submit(visitor.get, CLINICS)
            wait_until(partial(_has_refreshed, hosts.sandbox, number))
        kill(doomed)
    wait_until(lambda: refreshes(hosts.sandbox)[1]["status"] == 200)
    began = time.monotonic()
    if (status := Visitor(other, surviving.auth).get(CLINICS).status_code) != 200:
        report.wrong.append(f"the session whose refresh was not carried out: {status}")
    report.counts["s until it goes on at the other host"] = round(time.monotonic() - began)
    answer = Visitor(other, lost.auth).get(CLINICS)
    if not _has_ended(answer) or EXPIRED not in Visitor(other).get(answer.headers["Location"]).text:
        report.wrong.append(f"the session whose tokens were lost: {answer.status_code}")
    doomed.process.start()


@dataclass
class Client:
    """An administrator with a session of their own, whose requests go to either host."""

    hosts: list[Console]
    auth: str
    email: str
    resend: str
    """The path at which this client's own person is mailed again."""
    done: list[Form] = field(default_factory=list)
    lost: list[Form] = field(default_factory=list)
    rounds: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def work(self, over: threading.Event) -> None:
        while not over.is_set():
            for form in (invitation(f"soak-{uuid.uuid4().hex}@kill.example"), self._another_mail()):
                self.send(form)
            self._read()
            self.rounds += 1

    def send(self, form: Form) -> None:
        """Send a form, and note what became of it."""
        answer = self._ask(form)
        if answer is None:
            self.lost.append(form)
        elif answer.status_code == DONE and not _has_ended(answer):
            self.done.append(form)
        else:
            self.wrong.append(f"{form.path}: {answer.status_code}")

    def _another_mail(self) -> Form:
        return Form(self.email, self.resend, {"form_id": str(uuid.uuid4())})

    def _read(self) -> None:
        answer = self._ask(None)
        if answer is None or answer.status_code != 200:
            self.wrong.append(f"a page was answered {answer.status_code if answer is not None else 'by neither host'}")
        self.counts["pages read"] += 1

    def _ask(self, form: Form | None) -> requests.Response | None:
        """Ask one host, as the guide's proxy does: the other one if the first is gone, but no form twice.

        When the session has ended, log in again and repeat it.
        """
        for host in random.sample(self.hosts, len(self.hosts)):
            try:
                answer = self._ask_one(host, form)
                if not _has_ended(answer):
                    return answer
                self.counts["sessions that ended"] += 1
                page = Visitor(host).get(answer.headers["Location"])
                if EXPIRED not in page.text:
                    self.wrong.append("a session that ended is not told as expired")
                self.auth = logged_in(host).auth
                return self._ask_one(host, form)
            except requests.RequestException as error:
                if form and not isinstance(getattr(error.args[0], "reason", None), NewConnectionError):
                    return None
        return None

    def _ask_one(self, host: Console, form: Form | None) -> requests.Response:
        visitor = Visitor(host, self.auth)
        return visitor.post(form.path, form.fields) if form else visitor.get(USERS)


def _kills(report: Report, hosts: TwoHosts, count: int) -> None:
    over, sandbox = threading.Event(), hosts.sandbox
    clients = list(_clients(hosts))
    sandbox.faults(
        {"method": "POST", "path": WRITES, "delay": SERVICE_DELAY_SECONDS, "times": -1},
        {"method": "PUT", "path": WRITES, "delay": SERVICE_DELAY_SECONDS, "times": -1},
        {"path": REFRESH, "delay": SERVICE_DELAY_SECONDS, "times": -1},
    )
    sandbox.clear_calls()
    refresh_calls: list[dict[str, Any]] = []
    with ThreadPoolExecutor(CLIENTS) as pool:
        working = [pool.submit(client.work, over) for client in clients]
        try:
            for number in range(count):
                refresh_calls += _kill_in_the_middle(hosts, clients, number)
        finally:
            over.set()
        for one in working:
            one.result()
    for client in clients:
        client.counts["answers lost"] = len(client.lost)
    # As if the time had passed after which no worker can still be running them.
    hosts.change("UPDATE submission SET created_at = created_at - interval '2 minutes' WHERE answer = ''")
    for client in clients:
        unanswered, client.lost = client.lost, []
        for form in unanswered:
            client.send(form)
        report.wrong += [*client.wrong, *(f"{form.path}: no answer again" for form in client.lost)]
    refresh_calls += refreshes(sandbox)
    done = [form for client in clients for form in client.done]
    report.counts.update({"kills": count, "writes acknowledged": len(done)})
    report.counts.update(sum((client.counts for client in clients), Counter[str]()))
    _judge_mails(report, hosts, clients, done)
    _judge_sessions(report, refresh_calls)


def _judge_mails(report: Report, hosts: TwoHosts, clients: list[Client], done: list[Form]) -> None:
    """Each person must have got as many mails as forms were acknowledged."""
    expected = Counter(form.email for form in done) + Counter(client.email for client in clients)
    sent = _mails(hosts)
    worked_with = {email for email in sent if email.startswith("soak-") and email.endswith("kill.example")}
    for email in expected.keys() | worked_with:
        if expected[email] != sent[email]:
            report.wrong.append(f"{email}: {expected[email]} forms, {sent[email]} mails")


def _judge_sessions(report: Report, refresh_calls: list[dict[str, Any]]) -> None:
    """Sessions may end only whose tokens were replaced before: then the service has seen the same token again."""
    answers: dict[str, list[int]] = {}
    for call in refresh_calls:
        answers.setdefault(call["body"]["refreshToken"], []).append(call["status"])
    reused = sum(len(statuses) > 1 for statuses in answers.values())
    report.counts["refreshes that died with their host"] = reused
    report.counts["refreshes during the run"] = len(refresh_calls)
    if any(statuses.count(200) > 1 or statuses[0] != 200 for statuses in answers.values()):
        report.wrong.append(f"refreshes were answered {sorted(map(tuple, answers.values()))}")
    if report.counts["sessions that ended"] != reused:
        report.wrong.append(f"{report.counts['sessions that ended']} sessions ended, {reused} tokens were lost")


def _clients(hosts: TwoHosts) -> Iterator[Client]:
    """Each client has a session, and a person who has not accepted the invitation yet."""
    for number in range(CLIENTS):
        visitor = logged_in(hosts.consoles[number % 2])
        form = invitation(f"soak-{number}@kill.example")
        assert visitor.post(form.path, form.fields).status_code == DONE
        listing = visitor.get(f"{USERS}?searchField=email&keyword={form.email}", json=True).text
        user = re.findall(r"/user/(u-\d+)", listing)[0]
        yield Client(hosts.consoles, visitor.auth, form.email, f"{USERS}/{user}/invitation/resend")


def _kill_in_the_middle(hosts: TwoHosts, clients: list[Client], number: int) -> list[dict[str, Any]]:
    """Kill one host while tokens are refreshed and the service holds writes; return the refreshes before."""
    sandbox, doomed = hosts.sandbox, hosts.consoles[number % 2]
    before = refreshes(sandbox)
    sandbox.clear_calls()
    hosts.end_access()
    wait_until(lambda: any(call["status"] is None for call in refreshes(sandbox)))
    kill(doomed)
    doomed.process.start()
    # Each session has new tokens then, and none is younger than the seconds in which it would not be renewed.
    goals = [client.rounds + MEANWHILE for client in clients]
    wait_until(lambda: all(client.rounds >= least for client, least in zip(clients, goals, strict=True)), seconds=120)
    return before


def _has_refreshed(sandbox: Sandbox, times: int) -> bool:
    return len(refreshes(sandbox)) == times


def _has_ended(answer: requests.Response) -> bool:
    return answer.status_code in (302, 303) and answer.headers.get("Location", "").startswith("/login")


def _mails(hosts: TwoHosts) -> Counter[str]:
    return Counter(mail["to"] for mail in hosts.sandbox.mails())
