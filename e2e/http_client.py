"""An administrator without a browser, for tests that count calls and seconds; and what they may do to a console."""

import os
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import requests

from console import demo
from e2e.running import EMAIL, PASSWORD, Console
from sandbox.process import SandboxProcess, free_ports

T = TypeVar("T")

ROUNDS = int(os.environ.get("ROUNDS", "5"))
"""How often a race is run; `make soak` raises it."""
FORM_TOKEN = "a" * 32
"""Cookie and field of a form agree, which is all that the check of forms asks for without https."""
CLINICS = "/user-manage/clinic"
USERS = CLINICS + "/g-1/user"
CLINIC_PERMISSIONS = CLINICS + "/g-1/permissions"
USER_PERMISSIONS = USERS + "/u-1/permissions"


class Visitor:
    """The requests of one `auth` cookie; redirects are not followed. May be used by several threads."""

    def __init__(self, console: Console, auth: str = "") -> None:
        self.console = console
        self.auth = auth

    def get(self, path: str, *, json: bool = False, cookie: str = "") -> requests.Response:
        return self._send("GET", path, None, json, cookie)

    def post(self, path: str, form: dict[str, str] | None = None, *, json: bool = False) -> requests.Response:
        return self._send("POST", path, {"csrfmiddlewaretoken": FORM_TOKEN, **(form or {})}, json, "")

    def log_in(self, email: str = EMAIL, password: str = PASSWORD, *, keep: bool = False) -> requests.Response:
        """Send the form of /login and take the cookie that it gives, if any."""
        form = {"email": email, "password": password, **({"keep": "on"} if keep else {})}
        response = self.post("/login", form)
        self.auth = response.cookies.get("auth") or ""
        return response

    def _send(self, method: str, path: str, form: dict[str, str] | None, json: bool, cookie: str) -> requests.Response:
        cookies = cookie or "; ".join([f"csrf={FORM_TOKEN}", *([f"auth={self.auth}"] if self.auth else [])])
        headers = {"Accept": "application/json" if json else "text/html", "Cookie": cookies}
        with requests.Session() as session:
            session.trust_env = False
            return session.request(
                method, self.console.url + path, data=form, headers=headers, allow_redirects=False, timeout=60
            )


def logged_in(console: Console, **form: Any) -> Visitor:
    """A visitor who has just logged in."""
    visitor = Visitor(console)
    response = visitor.log_in(**form)
    assert response.status_code == 303, (response.status_code, response.text[:500])
    return visitor


@contextmanager
def another_console(
    first: Console, *, workers: int, sandbox: SandboxProcess | None = None, **variables: str
) -> Iterator[Console]:
    """One more console of the same installation: same data, same keys, other variables, a log of its own."""
    (port,) = free_ports(1)
    sandbox = sandbox or first.sandbox
    settings = demo.environment(
        port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=first.data_dir
    )
    log = first.data_dir / f"console-{port}.log"
    with demo.ConsoleProcess({**settings, **variables}, workers=workers, log=log) as process:
        yield Console(process.url, first.data_dir, log, sandbox, process)


def at_once(count: int, act: Callable[[], T]) -> list[T]:
    """Do this in so many threads, released together."""
    barrier = threading.Barrier(count)

    def one() -> T:
        barrier.wait()
        return act()

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(one) for _ in range(count)]]


def wait_until(happened: Callable[[], object], *, seconds: float = 15) -> None:
    """Return as soon as something has happened in another process."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def database(console: Console, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run one statement in the console's own database."""
    with closing(sqlite3.connect(console.data_dir / "console.sqlite3", timeout=20)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def end_access(console: Console) -> None:
    """End all access tokens, and let the time pass for which a refreshed one would be used as it is."""
    console.sandbox.tokens(expire="access")
    for column in ("refreshed_at", "lease_until"):
        moved = f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-1 hour')"
        database(console, f'UPDATE "grant" SET {column} = {moved}')  # noqa: S608 - no value from outside


def forget_attempts(console: Console) -> None:
    """Nobody has tried to log in too often."""
    database(console, "DELETE FROM attempt")


def grants(console: Console) -> int:
    """How many logins there are."""
    return int(database(console, 'SELECT count(*) FROM "grant"')[0][0])


def refreshes(sandbox: SandboxProcess) -> list[dict[str, Any]]:
    """The refresh calls that the service got."""
    return [call for call in sandbox.calls("/requestToken") if call["body"].get("grantType") == "refresh_token"]


def secrets_seen(sandbox: SandboxProcess) -> set[str]:
    """All tokens that the service was shown."""
    found = set()
    for call in sandbox.calls():
        found.add(call["headers"].get("authorization", "").removeprefix("Bearer "))
        if isinstance(call["body"], dict):
            found.add(call["body"].get("refreshToken") or "")
    return found - {""}


def worker_ids(console: Console) -> list[int]:
    """The processes that gunicorn has for requests."""
    main = console.process.process
    assert main is not None
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in listing.splitlines()]
    return [int(pid) for pid, parent in pairs if int(parent) == main.pid]
