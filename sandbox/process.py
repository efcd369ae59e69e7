"""The sandbox as a separate process, for tests: start, stop and controls. Uses the standard library only."""

import json
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 20
STOP_SECONDS = 10
# Bypasses proxies from the environment.
_opener = build_opener(ProxyHandler({}))


def free_ports(count: int) -> list[int]:
    """Return different unused loopback ports, by opening them together.

    They are below the range for outgoing connections, one of which could otherwise take a port before the server opens
    it.
    """
    sockets: list[socket.socket] = []
    try:
        while len(sockets) < count:
            one = socket.socket()
            try:
                one.bind(("127.0.0.1", random.randrange(10_000, 32_000)))
            except OSError:
                one.close()
            else:
                sockets.append(one)
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class SandboxProcess:
    """A running sandbox; `with SandboxProcess(data_dir=tmp_path) as sandbox:` starts and stops it."""

    def __init__(
        self, handler_port: int = 0, api_port: int = 0, data_dir: Path | str = "data/sandbox", console_url: str = ""
    ) -> None:
        """Set the ports (0: any free one), the data folder, and the console's address for links in mails."""
        free = free_ports(2)
        self.handler_port = handler_port or free[0]
        self.api_port = api_port or free[1]
        self.data_dir = Path(data_dir).resolve()
        self.console_url = console_url
        self.handler_url = f"http://127.0.0.1:{self.handler_port}"
        self.api_url = f"http://127.0.0.1:{self.api_port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, *, reset: bool = True) -> Self:
        """Start it and wait until it responds; `reset=False` keeps the data of an earlier run."""
        command = [sys.executable, "-m", "sandbox", "--data", str(self.data_dir)]
        command += ["--handler-port", str(self.handler_port), "--api-port", str(self.api_port)]
        command += ["--console-url", self.console_url] if self.console_url else []
        command += ["--reset"] if reset else []
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)  # noqa: S603 -- our own command
        deadline = time.monotonic() + START_SECONDS
        while not self.ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the sandbox did not start:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.05)
        return self

    @property
    def _log(self) -> Path:
        return self.data_dir / "sandbox.log"

    def ready(self) -> bool:
        """Return True if it responds."""
        try:
            self.mails()
        except (URLError, ConnectionError, TimeoutError):
            return False
        return True

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Stop it with a signal and return how many seconds that took; do nothing if it is not running."""
        process, self._process = self._process, None
        if process is None:
            return 0
        started = time.monotonic()
        process.send_signal(number)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        while self.ready() and time.monotonic() < started + STOP_SECONDS:
            time.sleep(0.05)  # after a kill the worker takes up to a second to notice that its parent is gone
        return time.monotonic() - started

    def control(self, method: str, name: str, body: Any = None, query: Mapping[str, str] | None = None) -> Any:
        """Call one of the controls, for example `control("POST", "clock", {"advance": 60})`."""
        url = f"{self.handler_url}/__{name}{'?' + urlencode(query) if query else ''}"
        data = json.dumps(body).encode() if method == "POST" else None
        request = Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310 -- loopback http
        try:
            with _opener.open(request, timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            with error:
                raise ValueError(f"{method} /__{name}: {error.code} {error.read().decode()}") from None

    def calls(self, path: str = "") -> list[dict[str, Any]]:
        """Return the calls received whose path matches a regular expression, oldest first."""
        rows: list[dict[str, Any]] = self.control("GET", "calls", query={"path": path})
        return rows

    def clear_calls(self) -> None:
        """Delete the recorded calls."""
        self.control("DELETE", "calls")

    def faults(self, *rules: Mapping[str, Any]) -> None:
        """Add faults, for example `{"path": "/bizUsers", "status": 520, "times": 1}`."""
        for rule in rules:
            self.control("POST", "faults", dict(rule))

    def no_faults(self) -> None:
        self.control("DELETE", "faults")

    def advance(self, seconds: float) -> str:
        """Advance its clock, and return the new time."""
        now: str = self.control("POST", "clock", {"advance": seconds})["now"]
        return now

    def tokens(self, **settings: Any) -> None:
        """Set access_seconds or refresh_seconds for new tokens; expire="access" expires all access tokens now."""
        self.control("POST", "tokens", settings)

    def mails(self) -> list[dict[str, str]]:
        """Return the mails "sent", newest first."""
        rows: list[dict[str, str]] = self.control("GET", "mail")
        return rows

    def seed(self, clinic: str, users: int, blocked: int = 0) -> dict[str, Any]:
        """Add users to a clinic, the first `blocked` with an ongoing case; return the first and the last id."""
        made: dict[str, Any] = self.control("POST", "seed", {"clinic": clinic, "users": users, "blocked": blocked})
        return made

    def seed_scanners(self, clinic: str, count: int) -> dict[str, Any]:
        """Add pending scanners to a clinic; return the first and the last id."""
        made: dict[str, Any] = self.control("POST", "seed", {"clinic": clinic, "scanners": count})
        return made

    def seed_labs(self, labs: int) -> None:
        """Add labs until this number of labs exists."""
        self.control("POST", "labs", {"labs": labs})

    def connect(self, serial: str, clinic: str = "g-1", **more: str) -> dict[str, Any]:
        """Connect a scanner in a clinic, with `model` and `user` if given; return its id and status, or `refused`."""
        made: dict[str, Any] = self.control("POST", "connect", {"serial": serial, "clinic": clinic, **more})
        return made

    def approve_elsewhere(self, serial: str) -> dict[str, Any]:
        """Have another organization connect and approve a scanner, unless one has approved it already."""
        made: dict[str, Any] = self.control("POST", "elsewhere", {"serial": serial})
        return made

    def accept(self, email: str) -> None:
        """Accept the newest invitation sent to an address, as its owner would by opening the link."""
        link = next(mail["link"] for mail in self.mails() if (mail["to"], mail["kind"]) == (email, "INVITATION"))
        self.control("GET", "accept", query={"link": link.rpartition("=")[2]})

    def ask(self, lab: str, *clinics: str, message: str | None = None) -> list[str]:
        """Let a lab ask clinics for a partnership; return the ids of the requests."""
        ids: list[str] = self.control("POST", "ask", {"lab": lab, "clinics": clinics, "message": message})["ids"]
        return ids

    def answer(self, partnership: str, *, accept: bool) -> None:
        """Let a lab accept or reject a request of an organization."""
        self.control("POST", "answer", {"partnership": partnership, "accept": accept})

    def order(self, clinic: str, lab: str, status: str = "ONGOING") -> None:
        """Let a clinic have an order with a lab, ONGOING or PENDING; CLOSED completes all of its orders there."""
        self.control("POST", "order", {"clinic": clinic, "lab": lab, "status": status})

    def leave(self, lab: str) -> None:
        """Let a lab leave the service."""
        self.control("POST", "leave", {"lab": lab})

    def careless(self, on: bool = True) -> None:
        """Turn the checks of the organization off, or on again."""
        self.control("POST", "careless", {"on": on})

    def maintenance(self, notice: Mapping[str, Any] | None) -> None:
        """Set the maintenance notice; None removes it."""
        self.control("POST", "maintenance", notice)

    def reset(self) -> None:
        """Restore the demo data, the real time and all defaults."""
        self.control("POST", "reset")
