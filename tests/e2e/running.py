"""The whole system as processes: the sandbox, a console that talks to it, and logins to the console."""

import atexit
import fcntl
import http.cookiejar
import shutil
import sqlite3
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.ops import demo
from sandbox.process import SandboxProcess, free_ports

EMAIL, PASSWORD = "admin@demo.example", "Demo123!"
MAINTENANCE = "maintenance.json"
LOGIN_TABLES = ("session", "grant")
KEY = "secret-key"
"""The file with the key of a console; each console makes its own."""


class Sandbox(SandboxProcess):
    """The sandbox that the tests of a worker share. It is reset before a test only if an earlier one changed it."""

    resets = 0
    _changed = False

    def calls(self, path: str = "") -> list[dict[str, Any]]:
        """Return the calls received whose path matches a regular expression, oldest first.

        A console asks for maintenance every 30 seconds, whatever it is used for: without a path, those are left out.
        """
        return [call for call in super().calls(path) if path or call["path"] != "/v1/maintenance"]

    def control(self, method: str, name: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        if (method, name) == ("DELETE", "calls"):
            self._note_changes()  # while the calls are still known
        elif name == "accept" or (method == "POST" and name != "faults"):
            self._changed = True
        return super().control(method, name, body, query)

    def renew(self) -> None:
        """Bring back the initial state: demo data, no faults, no recorded calls."""
        self.no_faults()
        self.clear_calls()
        if self._changed:
            self.reset()
            self.resets += 1
            self._changed = False

    def _note_changes(self) -> None:
        self._changed = self._changed or not all(map(_only_reads, self.calls()))


def _only_reads(call: dict[str, Any]) -> bool:
    """Return whether a call changed none of the service's data; a login is such a call, it only adds a session."""
    method: str = call["method"]
    path: str = call["path"]
    logs_in = path.endswith("/requestToken") and call["body"].get("grantType") == "password"
    return method == "GET" or path.endswith("/accounts/search") or logs_in


@dataclass
class SharedLogin:
    """A login that tests share: its cookie, and its rows in the console's database."""

    cookie: str
    rows: dict[str, set[tuple[Any, ...]]]
    resets: int
    """The resets of the sandbox so far; a reset ends the login."""


@dataclass
class Console:
    """A running console, the sandbox behind it, and what tests need of both."""

    url: str
    data_dir: Path
    log: Path
    sandbox: Sandbox
    process: demo.ConsoleProcess
    _shared: SharedLogin | None = field(default=None, repr=False)

    @property
    def maintenance(self) -> Path:
        """The operator's own notice, which takes effect at once; the service is asked only every 30 seconds."""
        return self.data_dir / MAINTENANCE

    def log_in(self, email: str = EMAIL, password: str = PASSWORD) -> str:
        """Log in over HTTP and return the value of the `auth` cookie."""
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        opener.open(self.url + "/login", timeout=10).close()
        # The name of the CSRF cookie without https; its value is a token that forms may send as it is.
        token = next(c.value for c in jar if c.name == "csrf")
        form = {"email": email, "password": password, "csrfmiddlewaretoken": token}
        opener.open(self.url + "/login", urllib.parse.urlencode(form).encode(), timeout=15).close()
        return next(str(c.value) for c in jar if c.name == "auth")

    def shared_login(self) -> str:
        """Return the `auth` cookie of a session that is as it was right after its login, whatever tests did to it."""
        with connected(self) as connection:
            if self._shared is None or self._shared.resets != self.sandbox.resets:
                before = _logins(connection)
                cookie = self.log_in()
                rows = {table: after - before[table] for table, after in _logins(connection).items()}
                self._shared = SharedLogin(cookie, rows, self.sandbox.resets)
            current = _logins(connection)
            for table, shared_rows in self._shared.rows.items():
                for row in shared_rows - current[table]:
                    values = ", ".join("?" * len(row))
                    connection.execute(f'INSERT OR REPLACE INTO "{table}" VALUES ({values})', row)  # noqa: S608 - our own names
        return self._shared.cookie


def _logins(connection: sqlite3.Connection) -> dict[str, set[tuple[Any, ...]]]:
    return {table: set(connection.execute(f'SELECT * FROM "{table}"')) for table in LOGIN_TABLES}  # noqa: S608 - our own names


@contextmanager
def connected(console: Console) -> Iterator[sqlite3.Connection]:
    """Connect to the console's own database; what is written is committed at the end."""
    with closing(sqlite3.connect(console.data_dir / "console.sqlite3", timeout=20)) as connection, connection:
        yield connection


def database(console: Console, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run one statement in the console's own database."""
    with connected(console) as connection:
        return connection.execute(statement, values).fetchall()


class PreparedFolder:
    """A data folder after `manage.py prepare`, made once and copied for each console.

    The processes of a test run share one below `home`; any other process has its own until it ends.
    """

    def __init__(self) -> None:
        self.home: Path | None = None

    def copy_to(self, folder: Path) -> None:
        """Copy everything but the key."""
        if self.home is None:
            self.home = Path(tempfile.mkdtemp(prefix="prepared"))
            atexit.register(shutil.rmtree, self.home, ignore_errors=True)
        data = self.home / "data"
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not data.exists():
                unfinished = self.home / "unfinished"
                port, handler, api = free_ports(3)
                demo.prepare(demo.environment(port=port, handler_port=handler, api_port=api, data_dir=unfinished))
                unfinished.rename(data)
        shutil.copytree(data, folder, ignore=shutil.ignore_patterns(KEY), dirs_exist_ok=True)


prepared_folder = PreparedFolder()


def start(
    folder: Path, sandbox: Sandbox, /, *, workers: int = 2, **variables: str
) -> tuple[Console, demo.ConsoleProcess]:
    """Start a console for this sandbox on a prepared folder, with extra settings as variables; the caller stops it.

    A database other than SQLite is prepared itself.
    """
    (port,) = free_ports(1)
    settings = {
        **demo.environment(port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=folder),
        **variables,
    }
    prepared_folder.copy_to(folder)
    if "DATABASE_URL" in variables:
        demo.prepare(settings)
    log = folder / "console.log"
    process = demo.ConsoleProcess(settings, workers=workers, log=log)
    process.start()
    return Console(process.url, folder, log, sandbox, process), process
