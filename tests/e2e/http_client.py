"""An administrator without a browser, for tests that count calls and seconds, and ways to manipulate a console."""

import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import requests

from tests.e2e.running import EMAIL, PASSWORD, Console, Sandbox, database

T = TypeVar("T")

ROUNDS = int(os.environ.get("ROUNDS", "5"))
"""Runs of a race; `make soak` raises it."""
KILLS = max(1, ROUNDS // 10)
"""Kills of all workers."""
REFRESH_TIMEOUT_S = 4.0
"""Seconds that a refresh may take at the console of three workers."""
FORM_TOKEN = "a" * 32
"""The same token in the cookie and in the form, which is all that the CSRF check needs without https."""
CLINICS = "/user-manage/clinic"
USERS = CLINICS + "/g-1/user"
CLINIC_PERMISSIONS = CLINICS + "/g-1/permissions"
USER_PERMISSIONS = USERS + "/u-1/permissions"


class Visitor:
    """Sends requests with one `auth` cookie and follows no redirects. Several threads may share it."""

    def __init__(self, console: Console, auth: str = "") -> None:
        self.console = console
        self.auth = auth

    def get(self, path: str, *, json: bool = False, cookie: str = "") -> requests.Response:
        return self._send("GET", path, None, json, cookie)

    def post(self, path: str, form: dict[str, str] | None = None, *, json: bool = False) -> requests.Response:
        return self._send("POST", path, {"csrfmiddlewaretoken": FORM_TOKEN, **(form or {})}, json, "")

    def change(self, path: str, form: dict[str, str]) -> dict[str, str]:
        """Return what the form of a page sends: this, and the version that the page was drawn with."""
        match = re.search(r'name="version" value="(\d+)"', self.get(path).text)
        assert match, path
        return {**form, "version": match[1]}

    def log_in(self, email: str = EMAIL, password: str = PASSWORD, *, keep: bool = False) -> requests.Response:
        """Submit the login form and keep the cookie that it sets, if any."""
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
    """Return a visitor who has just logged in."""
    visitor = Visitor(console)
    response = visitor.log_in(**form)
    assert response.status_code == 303, (response.status_code, response.text[:500])
    return visitor


def at_once(count: int, call: Callable[[], T]) -> list[T]:
    """Do this in `count` threads that start at the same moment."""
    barrier = threading.Barrier(count)

    def one() -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(one) for _ in range(count)]]


def wait_until(happened: Callable[[], object], *, seconds: float = 15) -> None:
    """Wait until something has happened in another process."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def end_access(console: Console) -> None:
    """Expire all access tokens, and skip the time during which a refreshed one would not be refreshed again."""
    console.sandbox.tokens(expire="access")
    for column in ("refreshed_at", "lease_until"):
        moved = f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-1 hour')"
        database(console, f'UPDATE "grant" SET {column} = {moved}')  # noqa: S608 - no value from outside


def reset_attempts(console: Console) -> None:
    """Reset the count of failed logins."""
    database(console, "DELETE FROM attempt")


def grants(console: Console) -> int:
    """Count the logins."""
    return int(database(console, 'SELECT count(*) FROM "grant"')[0][0])


def refreshes(sandbox: Sandbox) -> list[dict[str, Any]]:
    """Return the refresh calls that the service received."""
    return [call for call in sandbox.calls("/requestToken") if call["body"].get("grantType") == "refresh_token"]


def received_tokens(sandbox: Sandbox) -> set[str]:
    """Return all tokens that the service received."""
    tokens = set()
    for call in sandbox.calls():
        tokens.add(call["headers"].get("authorization", "").removeprefix("Bearer "))
        if isinstance(call["body"], dict):
            tokens.add(call["body"].get("refreshToken") or "")
    return tokens - {""}


def worker_ids(console: Console) -> list[int]:
    """Return the process ids of gunicorn's workers, the oldest first."""
    main = console.process.process
    assert main is not None
    return [int(child) for child in Path(f"/proc/{main.pid}/task/{main.pid}/children").read_text().split()]


def read_metrics(console: Console, token: str) -> dict[str, float]:
    """Return the console's metrics, of all workers together."""
    answer = requests.get(console.url + "/metrics", headers={"Authorization": f"Bearer {token}"}, timeout=5)
    answer.raise_for_status()
    return {name: float(value) for name, value in re.findall(r"^(console_.*) (\S+)$", answer.text, re.MULTILINE)}
