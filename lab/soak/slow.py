"""Slow clients of four kinds hold connections through the shipped nginx: an administrator's page comes as fast as ever.

Slow headers, a slow body, slow reading, and connections that send nothing. Without nginx the console is asked
directly: then the figures are reported, but prove nothing, because gunicorn's threads wait for their clients.
"""

import shutil
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import requests

from lab.soak.system import Report, system
from sandbox.process import free_ports
from tests.e2e.http_client import USERS, logged_in
from tests.e2e.nginx import HOST, Nginx, any_certificate

PAGES = 40
LIMIT = 0.1
"""Seconds for an administrator's page."""
SLOW_CLIENT = "127.0.0.2"
"""Another address than the administrator's: limits of one address must not protect the test."""
PAUSE = 1.0
HEAD = f"GET {USERS} HTTP/1.1\r\nHost: {HOST}\r\nCookie: auth={{auth}}\r\n"
KINDS = {
    "slow headers": (HEAD, b"X-A: b\r\n"),
    "slow body": (HEAD.replace("GET", "POST") + "Content-Length: 1000000\r\n\r\n", b"a"),
    "slow reading": (HEAD + "\r\n", b""),
    "idle": ("", b""),
}
"""The bytes that each kind sends first, and those that it repeats."""


@dataclass(frozen=True)
class Front:
    """The port that clients connect to."""

    port: int
    is_tls: bool

    def connect(self) -> socket.socket:
        with ExitStack() as closed:
            line = closed.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            line.settimeout(20)
            line.bind((SLOW_CLIENT, 0))
            line.connect(("127.0.0.1", self.port))
            if self.is_tls:
                line = any_certificate().wrap_socket(line, server_hostname=HOST)
            closed.pop_all()
        return line


def run(count: int) -> Report:
    """Hold `count` slow connections, as many of each kind."""
    report = Report()
    with ExitStack() as stack:
        console = stack.enter_context(system(TRUSTED_PROXY="127.0.0.1", ALLOWED_HOSTS=f"127.0.0.1,{HOST}"))
        front = Front(urlsplit(console.url).port or 0, is_tls=False)
        nginx = shutil.which("nginx")
        if nginx:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nginx")))
            plain, tls = free_ports(2)
            stack.enter_context(Nginx(folder, console=front.port, http=plain, https=tls))
            front = Front(tls, is_tls=True)
        cookie = logged_in(console).auth
        before = _pages(front, cookie)
        over = threading.Event()
        connections = [_Slow(front, kind, cookie, over) for kind, _ in zip(_cycle_kinds(), range(count), strict=False)]
        during = _pages(front, cookie)
        over.set()
        for slow in connections:
            slow.end()
    for name, times in (("before", before), ("during", during)):
        report.counts[f"ms {name} (median)"] = round(statistics.median(times) * 1000)
        report.counts[f"ms {name} (slowest)"] = round(max(times) * 1000)
    report.counts["slow connections" if nginx else "slow connections without nginx, which is not installed"] = count
    # A busy machine may be slower than that without any slow connection.
    if nginx and statistics.median(during) >= max(LIMIT, 1.5 * statistics.median(before)):
        report.wrong.append(f"a page took {statistics.median(during):.2f} s")
    return report


def _cycle_kinds() -> Iterator[str]:
    while True:
        yield from KINDS


def _pages(front: Front, cookie: str) -> list[float]:
    """Ask for an administrator's page again and again; return the seconds of each, or of waiting in vain."""
    scheme = "https" if front.is_tls else "http"
    headers = {"Cookie": f"auth={cookie}", "Host": HOST, "Accept": "text/html"}
    times = []
    for _ in range(PAGES):
        started = time.monotonic()
        with suppress(requests.RequestException), requests.Session() as session:
            session.trust_env, session.verify = False, False
            answer = session.get(f"{scheme}://127.0.0.1:{front.port}{USERS}", headers=headers, timeout=5)
            assert answer.status_code == 200, (answer.status_code, answer.text[:300])
        times.append(time.monotonic() - started)
    return times


class _Slow:
    """One slow connection, which is kept slow; one that was closed is opened again."""

    def __init__(self, front: Front, kind: str, cookie: str, over: threading.Event) -> None:
        self._front, self._over = front, over
        self._first, self._repeated = KINDS[kind][0].format(auth=cookie).encode(), KINDS[kind][1]
        self._reads = kind == "slow reading"
        self._line = front.connect()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Close it even while it waits; set the event `over` first."""
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._line.close()

    def _go_on(self) -> None:
        while not self._over.is_set():
            try:
                self._line.sendall(self._first)
                while not self._over.wait(PAUSE):
                    if self._repeated:
                        self._line.sendall(self._repeated)
                    elif self._reads:
                        self._line.recv(1)
            except OSError:
                self._line.close()
                with suppress(OSError):
                    self._line = self._front.connect()
