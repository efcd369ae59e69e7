"""Wrong logins of one address over many connections, and what an administrator's page takes meanwhile.

`python -m bench.flood [--connections 120]`: through nginx with deploy/nginx.conf where nginx is installed, else to
gunicorn alone. Ends with 1 when the page takes twice its quiet time or longer.
"""

import argparse
import http.client
import shutil
import socket
import ssl
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from bench.pages import EMAIL, FORM_TOKEN, PASSWORD
from console import demo
from e2e.nginx import HOST, Nginx, any_certificate
from sandbox.process import SandboxProcess, free_ports

PAGE = "/user-manage/clinic"
ADMINISTRATOR, STRANGER = "127.0.0.2", "127.0.0.1"
FORM = {"Cookie": f"csrf={FORM_TOKEN}", "Content-Type": "application/x-www-form-urlencoded"}
PAUSE = 0.5
"""Seconds between the attempts of a connection: both sides run on this machine, whose speed is not the question."""


class Browser:
    """One connection from one address; it is opened again when the other side has closed it."""

    def __init__(self, port: int, address: str, tls: ssl.SSLContext | None) -> None:
        self._origin = f"{'https' if tls else 'http'}://{HOST}"
        self._connection = (
            http.client.HTTPSConnection(HOST, context=tls, timeout=40)
            if tls
            else http.client.HTTPConnection(HOST, timeout=40)
        )
        # The name is the host's, for TLS and the Host header; the machine is this one.
        self._connection._create_connection = lambda *_: socket.create_connection(  # type: ignore[attr-defined]
            ("127.0.0.1", port), 40, (address, 0)
        )

    def send(self, method: str, path: str, headers: dict[str, str], body: str = "") -> http.client.HTTPResponse:
        self._connection.request(method, path, body or None, headers)
        answer = self._connection.getresponse()
        answer.read()
        return answer

    def log_in(self, email: str, password: str) -> http.client.HTTPResponse:
        form = urlencode({"email": email, "password": password, "csrfmiddlewaretoken": FORM_TOKEN})
        return self.send("POST", "/login", {**FORM, "Origin": self._origin}, form)

    def close(self) -> None:
        self._connection.close()


class Flood:
    """Wrong logins, each with another email, over as many connections as are asked for."""

    def __init__(self, port: int, tls: ssl.SSLContext | None, connections: int) -> None:
        self.statuses: Counter[int] = Counter()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._go_on, args=(port, tls, n)) for n in range(connections)]
        for thread in self._threads:
            thread.start()

    def _go_on(self, port: int, tls: ssl.SSLContext | None, number: int) -> None:
        browser, tries = Browser(port, STRANGER, tls), 0
        while not self._over.is_set():
            try:
                self.statuses[browser.log_in(f"{tries}-{number}@flood.example", "wrong").status] += 1
            except (OSError, http.client.HTTPException):
                self.statuses[0] += 1
                browser.close()
            tries += 1
            self._over.wait(PAUSE)
        browser.close()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


def milliseconds(browser: Browser, cookie: str, *, seconds: float) -> float:
    """The median time of the administrator's page."""
    took, ends = [], time.perf_counter() + seconds
    while (began := time.perf_counter()) < ends:
        answer = browser.send("GET", PAGE, {"Cookie": cookie})
        assert answer.status == 200, answer.status
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def run(connections: int, *, seconds: float, proxied: bool) -> tuple[float, float, Counter[int]]:
    """Return the page's quiet time, its time under the flood, and the statuses of the wrong logins."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="flood-")))
        sandbox = stack.enter_context(SandboxProcess(data_dir=folder / "sandbox"))
        port, plain, https = free_ports(3)
        variables = demo.environment(
            port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=folder / "console"
        )
        variables |= {"ALLOWED_HOSTS": f"127.0.0.1,{HOST}", "TRUSTED_PROXY": "127.0.0.1/32" if proxied else "none"}
        demo.prepare(variables)
        stack.enter_context(demo.ConsoleProcess(variables, log=folder / "console.log"))
        tls = None
        if proxied:
            stack.enter_context(Nginx(folder, console=port, http=plain, https=https))
            port, tls = https, any_certificate()
        administrator = Browser(port, ADMINISTRATOR, tls)
        answer = administrator.log_in(EMAIL, PASSWORD)
        assert answer.status == 303, answer.status
        cookie = str(answer.headers["Set-Cookie"]).split(";")[0]
        assert cookie.startswith("auth="), cookie
        milliseconds(administrator, cookie, seconds=1)  # warms up
        quiet = milliseconds(administrator, cookie, seconds=seconds)
        flood = Flood(port, tls, connections)
        try:
            busy = milliseconds(administrator, cookie, seconds=seconds)
        finally:
            flood.stop()
        administrator.close()
    return quiet, busy, flood.statuses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--no-proxy", action="store_true", help="to gunicorn alone")
    asked = parser.parse_args()
    proxied = shutil.which("nginx") is not None and not asked.no_proxy
    quiet, busy, statuses = run(asked.connections, seconds=asked.seconds, proxied=proxied)
    print(f"through {'nginx' if proxied else 'gunicorn alone'}, {asked.connections} connections: {dict(statuses)}")
    print(f"quiet {quiet:.1f} ms, meanwhile {busy:.1f} ms, ratio {busy / quiet:.2f}")
    return 0 if busy < 2 * quiet else 1


if __name__ == "__main__":
    sys.exit(main())
