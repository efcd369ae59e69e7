"""Backup under load and restore, by the commands of the guide: everybody logs in once, all else is as in the backup."""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from lab.soak.system import system
from lab.soak.translators import NAMES, PASSWORD, Text, Translator
from tests.e2e import guide
from tests.e2e.http_client import CLINICS, FORM_TOKEN, Visitor, logged_in, received_tokens, wait_until
from tests.e2e.running import Console
from tools import postgres

pytestmark = pytest.mark.slow
NEW_CLINIC = f"{CLINICS}/new"
SERIALS = "/scanner-manage/expected"


@dataclass
class Host:
    """The host of the commands of the guide: a console, its database, and a folder for backups."""

    console: Console
    backups: Path
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, title: str) -> None:
        """Carry out commands of the guide, each as it is written, with this machine's paths."""
        text = "\n".join(guide.section(title))
        for written, actual in at(self.console.data_dir, self.backups).items():
            text = text.replace(written, actual)
        script: list[str] = []
        for command in text.splitlines():
            match command.split():
                case ["systemctl", "stop", _]:
                    self.console.process.stop()
                case ["systemctl", "start", *_]:
                    self.console.process.start()
                case ["manage.py", *arguments]:
                    self.console.process.manage(*arguments)
                case _:
                    script.append(command)
        subprocess.run(["sh", "-euc", "\n".join(script)], env={**os.environ, **self.variables}, check=True)


def at(data: Path, backups: Path) -> dict[str, str]:
    """Return what the guide's places are on this machine."""
    return {
        "/srv/console/deploy/manage": "manage.py",
        "/srv/console/.venv/bin/python": sys.executable,
        "/var/lib/console": str(data),
        "/var/backups": str(backups),
        "runuser -u postgres -- ": "",
        "install -o console -g console": "install",
    }


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database(request) -> str:
    return str(request.param)


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    with ExitStack() as stack:
        backups = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="backups")))
        variables: dict[str, str] = {}
        if database == "PostgreSQL":
            variables = _separate_database(stack)
        yield Host(stack.enter_context(system(workers=2, **variables)), backups, variables)


def _separate_database(stack: ExitStack) -> dict[str, str]:
    """Start PostgreSQL with a database and a user `console`, as the guide has them; return the variables."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg")))
    name = re.findall(r"//(\w+)@", stack.enter_context(postgres.cluster(folder)))[0]
    server = {"PGHOST": str(folder), "PGUSER": name}
    for command in (["createuser", "console"], ["createdb", "--owner=console", "console"]):
        subprocess.run(command, env={**os.environ, **server}, check=True)
    return {**server, "DATABASE_URL": f"postgres://console@/console?host={folder}"}


class Load:
    """Translators and administrators who go on working while a backup is made; what was acknowledged is counted."""

    def __init__(self, console: Console) -> None:
        console.process.manage("translator", "add", NAMES[0], stdin=PASSWORD + "\n")
        self.translator = Translator(console, NAMES[0])
        self.texts = [text for page in range(1, 4) for text in self.translator.texts(f"?page={page}")]
        self.visitor = logged_in(console)
        self.edits: list[tuple[Text, str]] = []
        self.serials: list[str] = []
        self.wrong: list[int] = []
        self._over = threading.Event()
        self._pool = ThreadPoolExecutor(3)
        self._working = [self._pool.submit(self._edit), *(self._pool.submit(self._expect) for _ in range(2))]

    def acknowledged(self) -> tuple[int, int]:
        return len(self.edits), len(self.serials)

    def stop(self) -> None:
        self._over.set()
        for one in self._working:
            one.result()
        assert self.wrong == []

    def _edit(self) -> None:
        for text in self.texts:
            word = f"w{uuid.uuid4().hex}"
            if len(text.forms) == 1 and not self._over.is_set():
                status = self.translator.save(text.edited(word))
                if status == 303:
                    self.edits.append((text, word))
                else:
                    self.wrong.append(status)

    def _expect(self) -> None:
        while not self._over.is_set():
            number = f"S-{uuid.uuid4().hex[:12]}"
            status = add_serial(self.visitor, number)
            if status == 303:
                self.serials.append(number)
            else:
                self.wrong.append(status)


def add_serial(visitor: Visitor, number: str) -> int:
    """Add a serial number that is expected; return the status of the answer."""
    form = {"pasted": number}
    match = re.search(r'name="checked" value="([^"]+)"', visitor.post(f"{SERIALS}/new", form).text)
    return visitor.post(f"{SERIALS}/new", {**form, "checked": match[1] if match else ""}).status_code


def leave_a_draft(console: Console) -> str:
    """Type into a form whose session has ended; return the cookie that leads back to it."""
    visitor = logged_in(console)
    sender = re.findall(r'name="sender" value="([^"]+)"', visitor.get(NEW_CLINIC).text)[0]
    visitor.post("/logout")
    with requests.Session() as session:
        session.trust_env = False
        form = {"csrfmiddlewaretoken": FORM_TOKEN, "sender": sender, "name": "Typed before the backup"}
        headers = {"Cookie": f"csrf={FORM_TOKEN}", "Referer": console.url + NEW_CLINIC}
        answer = session.post(console.url + NEW_CLINIC, form, headers=headers, allow_redirects=False, timeout=30)
    return f"draft={answer.cookies['draft']}"


@pytest.mark.req("SEC-63")
def test_after_a_restore_everybody_logs_in_once_and_all_else_is_as_in_the_backup(host, database):
    console: Console = host.console
    load, visitor = Load(console), logged_in(console, keep=True)
    clinic = {"form_id": str(uuid.uuid4()), "name": "A clinic of the backup", "country_code": "DE"}
    assert visitor.post(NEW_CLINIC, clinic).status_code == 303
    draft = leave_a_draft(console)
    wait_until(lambda: min(load.acknowledged()) >= 3)
    edits, serials = load.acknowledged()
    host.run(f"Back up {database}")
    made = load.acknowledged()
    wait_until(lambda: all(now > then for now, then in zip(load.acknowledged(), made, strict=True)))
    load.stop()
    assert add_serial(visitor, "AFTER-1") == 303
    console.sandbox.tokens(expire="access")
    assert visitor.get(CLINICS).status_code == 200  # with new tokens: those of the backup are used from now on
    used = received_tokens(console.sandbox)
    console.sandbox.clear_calls()

    host.run("Stop every host")
    host.run(f"Restore {database}")
    host.run("Start again")

    assert visitor.get(CLINICS).headers["Location"].startswith("/login?")
    assert load.translator.texts("") == [], "translators log in once, too"
    assert received_tokens(console.sandbox) == set(), "no token of the backup is sent"
    assert visitor.log_in().status_code == 303
    assert visitor.get(CLINICS).status_code == 200

    expected = visitor.get(f"{SERIALS}/export").text
    assert [number for number in load.serials[:serials] if number not in expected] == []
    assert "AFTER-1" not in expected
    translator = Translator(console, NAMES[0])
    assert [word for text, word in load.edits[:edits] if word not in translator.history(text)] == []
    cookies = f"csrf={FORM_TOKEN}; auth={visitor.auth}; {draft}"
    assert "Typed before the backup" in visitor.get(NEW_CLINIC, cookie=cookies).text
    assert visitor.post(NEW_CLINIC, clinic).status_code == 303, "it was carried out a moment ago"
    assert [call for call in console.sandbox.calls("^/v1/bizMainGroups$") if call["method"] == "POST"] == []

    console.sandbox.tokens(expire="access")
    assert visitor.get(CLINICS).status_code == 200
    assert not received_tokens(console.sandbox) & used


def test_a_damaged_backup_is_refused_before_anything_is_deleted(tmp_path):
    data, backups = tmp_path / "data", tmp_path / "backups"
    data.mkdir()
    backups.mkdir()
    with closing(sqlite3.connect(backups / "console.sqlite3")) as whole:
        whole.executescript("CREATE TABLE told (text); INSERT INTO told VALUES (hex(zeroblob(50000)))")
    for name in ("console.sqlite3", "console.sqlite3-wal", "console.sqlite3-shm"):
        (data / name).write_text("what serves")

    def restore() -> int:
        script = "\n".join(guide.section("Restore SQLite"))
        for written, actual in at(data, backups).items():
            script = script.replace(written, actual)
        return subprocess.run(["sh", "-c", script], capture_output=True).returncode

    backup = backups / "console.sqlite3"
    content = backup.read_bytes()
    backup.write_bytes(content[: len(content) // 2])
    assert restore() != 0
    assert {file.read_text() for file in data.iterdir()} == {"what serves"}
    assert len(list(data.iterdir())) == 3
    backup.write_bytes(content)
    assert restore() == 0
    assert {file.name: file.read_bytes() for file in data.iterdir()} == {"console.sqlite3": content}
