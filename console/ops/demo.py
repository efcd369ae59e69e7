"""The console and the sandbox together on this machine, for the demo and the whole-system tests."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
START_TAKES = 40.0
STOP_TAKES = 35.0


def environment(*, port: int, handler_port: int, api_port: int, data_dir: Path) -> dict[str, str]:
    """Return the variables to run the console against the sandbox: plain http on loopback, never for production."""
    return {
        "CONSOLE_ENV": "dev",
        "CONSOLE_HTTPS": "false",
        "DEBUG": "false",
        "SECRET_KEY": _secret(data_dir),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "DATA_DIR": str(data_dir),
        "DOMAIN_HANDLER_URL": f"http://127.0.0.1:{handler_port}",
        "API_URL": f"http://127.0.0.1:{api_port}",
        "SERVER_LOCATIONS": json.dumps(
            [{"code": code, "api_url": f"http://127.0.0.1:{api_port}"} for code in ("EU", "KR", "US")]
        ),
        "UPSTREAM_INSECURE_LOOPBACK": "true",
        "SUPPORT_EMAIL": "support@demo.example",
        "DASHBOARD_MODE": "link",  # the sandbox serves no dashboard
        "BIND": f"127.0.0.1:{port}",
        "DJANGO_SETTINGS_MODULE": "console.settings",
    }


class ConsoleProcess:
    """gunicorn with the console, in a process of its own; use it in a `with` statement."""

    def __init__(self, variables: dict[str, str], *, workers: int = 2, log: Path | None = None) -> None:
        self.url = "http://" + variables["BIND"]
        self._variables = {**_outside(), **variables, "WEB_CONCURRENCY": str(workers)}
        self._log = log
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start, and wait until it responds; raises RuntimeError if it does not."""
        output = self._log.open("ab") if self._log else None
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "console.wsgi"],
                cwd=ROOT,
                env=self._variables,
                stdout=output,
                stderr=subprocess.STDOUT if output else None,
            )
        finally:
            if output:
                output.close()
        end = time.monotonic() + START_TAKES
        while time.monotonic() < end and self.process.poll() is None:
            if _answers(self.url + "/healthz"):
                return
            time.sleep(0.1)
        self.stop()
        raise RuntimeError("the console did not start")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=STOP_TAKES)

    def manage(self, *arguments: str, stdin: str = "") -> None:
        """Run a command of `manage.py` while the console is running, with this input."""
        _manage(self._variables, *arguments, stdin=stdin)


def prepare(variables: dict[str, str]) -> None:
    """Run `manage.py prepare` with these variables."""
    _manage({**_outside(), **variables}, "prepare")


def _manage(variables: dict[str, str], *arguments: str, stdin: str = "") -> None:
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=ROOT, env=variables, input=stdin, text=True, check=True)  # noqa: S603 - our own command


def is_port_in_use(port: int) -> bool:
    """Return True if a process listens on this port of the loopback address."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _outside() -> dict[str, str]:
    """Return the environment variables that a process needs; other variables could change its behavior."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as response:  # noqa: S310 - our own loopback address
            return bool(response.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _secret(data_dir: Path) -> str:
    """Return the demo's key, which is created once and stored with its data."""
    path = data_dir / "secret-key"
    if not path.exists():
        if any(data_dir.glob("*.sqlite3")):
            raise SystemExit(f"{data_dir} holds other data than a demo's. Set DATA_DIR to another folder.")
        data_dir.mkdir(parents=True, exist_ok=True)
        path.write_text(secrets.token_urlsafe(50))
        path.chmod(0o600)
    return path.read_text()
