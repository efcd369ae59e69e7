"""The guide's commands on a clean Debian, as they stand there: install, watch, upgrade and go back under load,
pull the plug, and restore a backup.

    .venv/bin/python -m tests.e2e.install           # minutes; it prints each command and its seconds

The Debian is made by debootstrap, once, and started for each run with systemd as its first process, in memory above
that folder; it shares this machine's network, so ports 80, 443 and 5432 have to be free. Needs root, openssl and
Debian's packages debootstrap and systemd-container.
"""

import io
import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

import urllib3

from console.ops import demo
from sandbox.process import SandboxProcess
from tests.e2e import guide
from tests.e2e.http_client import CLINICS, FORM_TOKEN, USERS, wait_until
from tests.e2e.running import EMAIL, PASSWORD
from tests.support import debian
from tools import release

DEBIAN = Path("/var/tmp/console-debian")  # noqa: S108 - kept between runs; only root writes it
HOST = "console.example"
WITHIN = "/srv/incoming"
"""The folder of the machine with the files of the releases."""
TOKEN, WORKERS = "a-token-of-this-test", "2.0"
PORTS = (80, 443, 5432)
NEXT = "99.0.0"
SAYING = ("static_src/components/Pager.tsx", "templates/components/pager.html", "console/i18n/island_messages.json")
TEXTS = ("Previous page", "The page before")
"""A text of these, and what the next release says instead; it is translated as before."""
LOAD = 2
PAUSE = 0.1
"""Seconds between the requests of one client: light load, because the machine also installs at the same time."""


class Machine:
    """A Debian with nothing on it, its systemd started; what is done to it is gone afterwards."""

    def __init__(self, releases: Path) -> None:
        self._command = ["systemd-nspawn", "--quiet", f"--directory={DEBIAN}", "--volatile=overlay", "--boot"]
        self._command += ["--register=no", "--keep-unit", "--console=pipe", f"--bind-ro={releases}:{WITHIN}"]
        self._variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        if index := os.environ.get("PIP_INDEX_URL"):  # where this machine gets packages from
            self._variables["PIP_INDEX_URL"] = index
        if roots := os.environ.get("PIP_CERT"):  # and whom it trusts for them
            self._variables["PIP_CERT"] = f"{WITHIN}.crt"
            self._command.append(f"--bind-ro={Path(roots).resolve()}:{WITHIN}.crt")

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile()
        self._nspawn = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        try:
            wait_until(lambda: self.get_output("systemctl is-system-running") in ("running", "degraded"), seconds=120)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._nspawn.terminate()  # which shuts it down
        self._nspawn.wait(120)
        self._log.close()

    def run(self, script: str, *, folder: str = "/root") -> str:
        """Run a script of root's; return what it printed, or raise RuntimeError with that."""
        done = self._enter(f"cd {shlex.quote(folder)}\n{script}")
        if done.returncode:
            raise RuntimeError(f"{script}\nended with {done.returncode}:\n{done.stdout[-4000:]}")
        return done.stdout

    def get_output(self, command: str) -> str:
        """Return what a command says, whether it succeeds or not."""
        return self._enter(command).stdout.strip()

    def _enter(self, script: str) -> subprocess.CompletedProcess[str]:
        enter = ["nsenter", f"--target={self._first()}", "--all", "env", "-i"]
        variables = [f"{name}={value}" for name, value in self._variables.items()]
        return subprocess.run(
            [*enter, *variables, "bash", "-euo", "pipefail", "-c", script],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def _first(self) -> str:
        """Return the id of the machine's first process; while it starts there are others before it."""
        pid = self._nspawn.pid
        if self._nspawn.poll() is not None:
            self._log.seek(0)
            raise RuntimeError(f"systemd-nspawn ended: {self._log.read().decode()}")
        return (Path(f"/proc/{pid}/task/{pid}/children").read_text().split() or ["0"])[0]


class Administrator:
    """A client of the console over https through nginx that trusts the test certificate only."""

    def __init__(self, certificate: Path) -> None:
        self._pool = urllib3.HTTPSConnectionPool(
            "127.0.0.1", 443, maxsize=LOAD + 1, retries=False, timeout=60,
            ca_certs=str(certificate), server_hostname=HOST, assert_hostname=HOST,
        )  # fmt: skip
        self._cookies = {"__Host-csrf": FORM_TOKEN}

    def get(self, path: str) -> urllib3.BaseHTTPResponse:
        return self._pool.request("GET", path, headers=self._headers(), redirect=False)

    def post(self, path: str, **form: str) -> urllib3.BaseHTTPResponse:
        fields = {"csrfmiddlewaretoken": FORM_TOKEN, **form}
        body, headers = urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"}
        return self._pool.request("POST", path, body=body, headers={**self._headers(), **headers}, redirect=False)

    def log_in(self) -> None:
        answer = self.post("/login", email=EMAIL, password=PASSWORD)
        match = re.search(r"\bauth=([^;]+)", answer.headers.get("Set-Cookie", ""))
        if answer.status != 303 or not match:
            raise RuntimeError(f"the login was answered with {answer.status}")
        self._cookies["auth"] = match[1]

    def version(self) -> str:
        match = re.search(r"\b\d+\.\d+\.\d+\b", self.get("/version").data.decode())
        return match[0] if match else ""

    def files(self) -> list[str]:
        """Return the addresses of the files that the list asks for."""
        return re.findall(r'(?:src|href)="(/static/[^"#]+)', self.get(CLINICS).data.decode())

    def metrics(self) -> str:
        headers = {"Host": HOST, "Authorization": f"Bearer {TOKEN}"}
        return self._pool.request("GET", "/metrics", headers=headers).data.decode()

    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"Host": HOST, "Origin": f"https://{HOST}", "Cookie": cookies}


class Load:
    """Clients who read pages and files and add clinics until it is over; use it in a `with` statement."""

    def __init__(self, administrator: Administrator) -> None:
        self.answers: Counter[str] = Counter()
        self.slowest = 0.0
        self._administrator = administrator
        self._files = administrator.files()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._work) for _ in range(LOAD)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    @property
    def failed(self) -> dict[str, int]:
        return {what: times for what, times in self.answers.items() if not what.endswith((" 200", "POST 303"))}

    def _work(self) -> None:
        while not self._over.is_set():
            form = {"form_id": str(uuid.uuid4()), "name": f"Clinic {secrets.token_hex(6)}", "country_code": "DE"}
            for path in (CLINICS, USERS, *self._files):
                self._count("GET", path, {})
            self._count("POST", f"{CLINICS}/new", form)

    def _count(self, method: str, path: str, form: dict[str, str]) -> None:
        start = time.monotonic()
        try:
            answer = self._administrator.post(path, **form) if form else self._administrator.get(path)
            self.answers[f"{method} {answer.status}"] += 1
        except urllib3.exceptions.HTTPError as error:
            self.answers[f"{method} {type(error).__name__}"] += 1
        self.slowest = max(self.slowest, time.monotonic() - start)
        self._over.wait(PAUSE)


class Rehearsal:
    """Carries out the sections of the guide on a machine, and prints what each command took."""

    def __init__(self, machine: Machine, sandbox: SandboxProcess, administrator: Administrator) -> None:
        self._machine, self._administrator = machine, administrator
        self.added = 0
        self.maybe_added = 0
        self.wrong: list[str] = []
        self._filled_in = {
            "DOMAIN_HANDLER_URL=https://handler.example": f"DOMAIN_HANDLER_URL={sandbox.handler_url}",
            "ALLOWED_UPSTREAM_HOSTS=api.example": "UPSTREAM_INSECURE_LOOPBACK=true",
            "CONSOLE_ENV=prod": "CONSOLE_ENV=stage",
        }

    def run_section(self, title: str, version: str) -> None:
        """Run a section, each command as it is written except for the values that an operator fills in."""
        report(f"{title} ({version})")
        first, *commands = guide.section(title)
        values, began = re.sub(r"\bV=\S+", f"V={version}", first), time.monotonic()
        for command in commands:
            script = command
            for placeholder, replacement in self._filled_in.items():
                script = script.replace(placeholder, replacement)
            start = time.monotonic()
            self._machine.run(f"{values}\n{script}", folder=f"{WITHIN}/{version}")
            report(f"{time.monotonic() - start:7.1f} s  {command.splitlines()[0]}")
        report(f"{time.monotonic() - began:7.1f} s  {len(commands)} commands")

    def install(self, version: str) -> None:
        self.run_section("Installing", version)
        report(self._machine.run("/srv/console/deploy/manage check_upstream").strip())
        self._administrator.log_in()
        self._check_release(version)
        report(self._machine.get_output("systemd-analyze security --no-pager console@blue | tail -1"))

    def change(self, title: str, version: str) -> None:
        """Change the release that serves, under load; pages that are open keep their files."""
        files = self._administrator.files()
        with Load(self._administrator) as load:
            self.run_section(title, version)
            wait_until(lambda: self._administrator.version() == version, seconds=60)
            before = load.answers.total()
            wait_until(lambda: load.answers.total() > before + 50, seconds=60)
        self.added += load.answers["POST 303"]
        self.wrong += [f"{times} x {what}" for what, times in load.failed.items()]
        self.wrong += [f"gone: {file}" for file in files if self._administrator.get(file).status != 200]
        if set(self._administrator.files()) <= set(files):
            self.wrong.append("the releases have the same files, so nothing is proved")
        failed = sum(load.failed.values())
        report(f"{load.answers.total()} requests meanwhile, failed: {failed}; slowest {load.slowest:.1f} s")
        self._check_release(version)

    def watch(self, version: str) -> None:
        """Turn the metrics on as the guide says, and read them."""
        self._machine.run(f"echo METRICS_TOKEN={TOKEN} >> /etc/console.env && /srv/console/deploy/switch {version}")
        wait_until(lambda: f"console_workers {WORKERS}" in self._administrator.metrics(), seconds=60)
        names = {line.split("{")[0].split()[0] for line in self._administrator.metrics().splitlines() if line[0] != "#"}
        report(f"{len(names)} metrics at https://{HOST}/metrics")

    def pull_the_plug(self, version: str) -> None:
        """Kill everything at once under load, as a power cut does, and start it again as a boot does."""
        with Load(self._administrator) as load:
            wait_until(lambda: load.answers["POST 303"] >= 5, seconds=60)
            self._machine.run("systemctl kill --kill-whom=all --signal=KILL 'console@*' nginx 'postgresql@*'")
            self._machine.run("systemctl restart postgresql nginx 'console@*'")
            before = load.answers["POST 303"]
            wait_until(lambda: load.answers["POST 303"] >= before + 5, seconds=60)
        self.added += load.answers["POST 303"]
        self.maybe_added += sum(times for what, times in load.failed.items() if what.startswith("POST"))
        report(
            f"everything killed and started again: {load.answers.total()} requests, {sum(load.failed.values())} failed"
        )
        self._check_release(version)

    def restore(self, version: str) -> None:
        """Back up and restore as the guide says: who was logged in logs in again, and then all is as before."""
        for title in ("Back up PostgreSQL", "Stop every host", "Restore PostgreSQL", "Start again"):
            start = time.monotonic()
            self._machine.run("\n".join(guide.section(title)))
            report(f"{time.monotonic() - start:7.1f} s  {title}")
        if (status := self._administrator.get(CLINICS).status) != 302:
            self.wrong.append(f"a login of the backup was answered with {status}")
        self._administrator.log_in()
        self._check_release(version)

    def _check_release(self, version: str) -> None:
        """Look at what a release answers to who has logged in once."""
        shows = self._administrator.version()
        answers = {path: self._administrator.get(path).status for path in (CLINICS, "/readyz")}
        report(f"https://{HOST}: version {shows}, {answers}")
        if shows != version or set(answers.values()) != {200}:
            self.wrong.append(f"{shows} instead of {version}: {answers}")


def rehearse() -> list[str]:
    """Install, watch, upgrade, go back, pull the plug and restore; return what was wrong."""
    with tempfile.TemporaryDirectory(prefix="install") as temporary:
        folder = Path(temporary)
        version, certificate = release.read_version(release.ROOT), folder / "console.crt"
        _certificate(certificate)
        following = next_release(folder / "next")
        shutil.copytree(release.ROOT / "build/bom", following / "build/bom")
        for name, root in ((version, release.ROOT), (NEXT, following)):
            release.write(root, folder / "releases" / name, draft=True)
            for file in (certificate, certificate.with_suffix(".key")):
                shutil.copy(file, folder / "releases" / name)
        with SandboxProcess(data_dir=folder / "sandbox") as sandbox, Machine(folder / "releases") as machine:
            report(machine.run('. /etc/os-release; echo "$PRETTY_NAME, $(systemctl --version | head -1)"').strip())
            rehearsal = Rehearsal(machine, sandbox, Administrator(certificate))
            rehearsal.install(version)
            rehearsal.watch(version)
            rehearsal.change("Upgrading", NEXT)
            rehearsal.change("Going back", version)
            rehearsal.pull_the_plug(version)
            rehearsal.restore(version)
            additions = [call for call in sandbox.calls("^/v1/bizMainGroups$") if call["method"] == "POST"]
            if not rehearsal.added <= len(additions) <= rehearsal.added + rehearsal.maybe_added:
                rehearsal.wrong.append(
                    f"{rehearsal.added} clinics were added, the service was asked for {len(additions)}"
                )
            wrong, added = rehearsal.wrong, rehearsal.added
            report(f"install: upgraded, went back, killed, restored, {added} clinics added; wrong: {len(wrong)}")
            return wrong


def next_release(root: Path) -> Path:
    """Make another release of the same files: another version, style sheet, table, and text of an island."""
    release.copy_to(root)
    version = release.read_version(root)
    for name in ("console/__init__.py", *release.VERSION_PATTERNS):
        _replace(root / name, f'"{version}"', f'"{NEXT}"')
    _replace(root / "CHANGELOG.md", f"## {version} - ", f"## {NEXT} - 2026-01-31\n\n## {version} - ")
    with (root / "static_src/styles/app.css").open("a") as sheet:
        sheet.write("\n.next { color: canvastext }\n")
    last = max(path.stem for path in (root / "console/migrations").glob("0*.py"))
    migration = MIGRATION.format(last=last)
    (root / "console/migrations/9999_next.py").write_text(migration)
    subprocess.run(["git", "-C", str(root), "add", "--all", "--", "console", "CHANGELOG.md"], check=True)
    old, new = TEXTS
    for path in (*(root / name for name in SAYING), *(root / "locale").glob("*/LC_MESSAGES/django.po")):
        _replace(path, f'"{old}"', f'"{new}"')
    release.build(root)
    return root


def two_releases(folder: Path) -> dict[str, Path]:
    """Return the folders of this release and of the next one, each with what its archive has."""
    version = release.read_version(release.ROOT)
    for name, root in ((version, release.ROOT), (NEXT, next_release(folder / "next"))):
        with tarfile.open(fileobj=io.BytesIO(release.archive(root, name, release.Commit.read(root)))) as archive:
            archive.extractall(folder, filter="data")
    return {name: folder / f"console-{name}" for name in (version, NEXT)}


MIGRATION = """from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("console", "{last}")]
    operations = [migrations.RunSQL("CREATE TABLE next_release (id integer)", "DROP TABLE next_release")]
"""


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new, 1), "utf-8")


def _certificate(path: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}",
         "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", str(path.with_suffix(".key")), "-out", str(path)],
        check=True, capture_output=True,
    )  # fmt: skip


def report(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def missing() -> Iterator[str]:
    """Say what keeps this machine from rehearsing; install what may be installed."""
    if os.geteuid():
        yield "This needs root."
        return
    tools = {"debootstrap": "debootstrap", "systemd-nspawn": "systemd-container"}
    if wanted := [package for program, package in tools.items() if not shutil.which(program)]:
        debian.install(*wanted)
    yield from (f"There is no {program}." for program in (*tools, "nsenter", "openssl") if not shutil.which(program))
    yield from (f"Port {port} is in use." for port in PORTS if demo.is_port_in_use(port))


def make_debian() -> None:
    """Make the Debian, if it is not there; half of one is not kept."""
    if not DEBIAN.exists():
        start, half = time.monotonic(), DEBIAN.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        subprocess.run(["debootstrap", "--include=dbus", "bookworm", str(half)], check=True, stdout=subprocess.DEVNULL)
        half.rename(DEBIAN)
        report(f"debootstrap bookworm: {time.monotonic() - start:.0f} s")


def main() -> int:
    if wrong := list(missing()):
        sys.stderr.write("\n".join(wrong) + "\n")
        return 1
    if not all((release.ROOT / "build/bom" / bill).exists() for bill in release.BILLS):
        subprocess.run(["make", "bom"], cwd=release.ROOT, check=True)
    make_debian()
    wrong = rehearse()
    sys.stderr.write("".join(f"{text}\n" for text in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
