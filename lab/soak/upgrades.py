"""Two hosts get the next release one after the other, by the guide's commands and under load, and go back: none fails.

The clients have the worst proxy: the files and texts of each page are requested from the host that did not render it,
and its form is sent there. While the releases serve side by side, a page of either finds its own files at both hosts,
and the texts that its islands know.
"""

import itertools
import json
import re
import secrets
import tempfile
import threading
import uuid
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import requests

from lab.soak.kills import DONE, invitation
from lab.soak.system import Report
from tests.e2e import guide
from tests.e2e.http_client import CLINICS, Visitor, logged_in, wait_until
from tests.e2e.install import NEXT, TEXTS, two_releases
from tests.e2e.machine import ConsoleHost
from tests.e2e.running import Sandbox
from tools.postgres import cluster

CLIENTS = 2
PAGES = 10
"""The minimum of pages read while the releases serve side by side."""
LANGUAGE = "?lng=de-DE"


@dataclass
class Host:
    """A host, and the release that it serves; none while it changes."""

    machine: ConsoleHost
    version: str

    def change(self, version: str, *commands: str, serves: str = "") -> None:
        """Carry out commands of the guide; packages are the same, and the archive is unpacked already."""
        self.version = serves
        for command in commands:
            if not command.startswith(("sha256sum", "python3 -m venv")):
                self.machine.run(f"V={version}\n{command}")
        self.version = serves or version

    def addresses(self) -> list[str]:
        """Return the addresses of all files that the build made for either release."""
        manifests = self.machine.folder.glob("srv/console-*.*/build/manifest.json")
        return sorted({f"/static/{name}" for path in manifests for name in json.loads(path.read_bytes()).values()})


class Load:
    """Clients who read pages, ask the other host for what these need, and invite people there; for a `with`."""

    def __init__(self, hosts: list[Host]) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self._hosts = hosts
        self._auth = logged_in(hosts[0].machine.console).auth
        self._files = _files(self._visitor(hosts[0]).get(CLINICS).text)
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(number,)) for number in range(CLIENTS)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def wait_for_pages(self) -> None:
        """Wait until both hosts have been asked for pages of the other one a few times."""
        before = self.counts["pages"]
        wait_until(lambda: self.counts["pages"] > before + PAGES, seconds=120)

    def _work(self, number: int) -> None:
        for iteration in itertools.count(number):
            if self._over.is_set():
                return
            page_host, other = (self._hosts[(iteration + step) % 2] for step in (0, 1))
            if page := self._ask(page_host, CLINICS + LANGUAGE):
                self._ask_for_all_it_needs(page.text, other)
            form = invitation(f"soak-{uuid.uuid4().hex}@upgrade.example")
            self._ask(other, form.path, form.fields)

    def _ask_for_all_it_needs(self, page: str, other: Host) -> None:
        before = other.version
        files, (texts,) = _files(page), re.findall(r'data-i18n="([^"]+)"', page)
        is_old = set(files) == set(self._files)
        for file in files:
            self._ask(other, file)
        if (answer := self._ask(other, texts)) and TEXTS[not is_old] not in answer.json():
            self.wrong[f"{'old' if is_old else 'new'} text at {before or other.version or 'a changing host'}"] += 1
        self.counts["pages"] += 1
        if before and before == other.version and is_old == (before == NEXT):
            self.counts[f"{'old' if is_old else 'new'} pages served by a host of the other release"] += 1

    def _ask(self, host: Host, path: str, form: dict[str, str] | None = None) -> requests.Response | None:
        visitor, expected = self._visitor(host), DONE if form else 200
        self.counts["requests"] += 1
        try:
            answer = visitor.post(path, form) if form else visitor.get(path)
        except requests.RequestException as error:
            self.wrong[f"{type(error).__name__} for {path}"] += 1
            return None
        if answer.status_code == expected:
            return answer
        self.wrong[f"{answer.status_code} for {path}"] += 1
        return None

    def _visitor(self, host: Host) -> Visitor:
        return Visitor(host.machine.console, self._auth)


def run(count: int) -> Report:
    """Upgrade and go back `count` times."""
    report = Report()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="upgrades")))
        sandbox = stack.enter_context(Sandbox(data_dir=folder / "sandbox"))
        database = stack.enter_context(cluster(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg")))))
        shared = {"DATABASE_URL": database, "SECRET_KEY": secrets.token_urlsafe(50)}
        machines = [stack.enter_context(ConsoleHost(sandbox, **shared)) for _ in range(2)]
        releases = two_releases(folder)
        old, _new = releases
        for machine in machines:
            for version, root in releases.items():
                machine.add_release(root, version)
            machine.must_switch(old)
        hosts = [Host(machine, old) for machine in machines]
        with Load(hosts) as load:
            for _ in range(count):
                _upgrade(report, hosts, old, load)
                _go_back(report, hosts, old, load)
                report.counts["upgrades, and as many times back"] += 1
        _judge(report, sandbox, load)
    return report


def _upgrade(report: Report, hosts: list[Host], old: str, load: Load) -> None:
    _, *commands, switch = guide.section("Upgrading")
    for host in hosts:
        host.change(NEXT, *commands, *guide.section("Upgrading several hosts")[1:], serves=old)
    for host in hosts:
        host.change(NEXT, switch)
        load.wait_for_pages()
        _find_all_files(report, hosts)


def _go_back(report: Report, hosts: list[Host], old: str, load: Load) -> None:
    for host in hosts:
        host.change(old, *guide.section("Going back")[1:])
        load.wait_for_pages()
        _find_all_files(report, hosts)


def _find_all_files(report: Report, hosts: list[Host]) -> None:
    for host in hosts:
        for address in host.addresses():
            report.counts["files looked for"] += 1
            if (status := Visitor(host.machine.console).get(address).status_code) != 200:
                report.wrong.append(f"{address} at a host with {host.version}: {status}")


def _judge(report: Report, sandbox: Sandbox, load: Load) -> None:
    report.counts.update(load.counts)
    report.wrong += [f"{times} x {what}" for what, times in load.wrong.items()]
    for page_release in ("old", "new"):
        if not load.counts[f"{page_release} pages served by a host of the other release"]:
            report.wrong.append(f"no page of the {page_release} release met the other one, so nothing is proved")
    mails = Counter(mail["to"] for mail in sandbox.mails() if mail["to"].endswith("@upgrade.example"))
    report.counts["people invited"] = len(mails)
    report.wrong += [f"{times} mails for one form" for times in mails.values() if times > 1]


def _files(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="(/static/[^"#]+)', page)
