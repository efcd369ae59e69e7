"""Wrong logins of one address over many connections: an administrator's page comes nearly as fast as before.

Through nginx with deploy/nginx.conf where it is installed: its limits of `/login` let only some of them pass. Else to
gunicorn alone, whose own limits are then what is proved.
"""

import http.client
import shutil
import socket
import ssl
import statistics
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from lab.soak.system import Report, system
from sandbox.process import free_ports
from tests.e2e.http_client import CLINICS, FORM_TOKEN
from tests.e2e.nginx import HOST, Nginx, any_certificate
from tests.e2e.running import EMAIL, PASSWORD

ADMINISTRATOR, STRANGER = "127.0.0.2", "127.0.0.1"
FORM = {"Cookie": f"csrf={FORM_TOKEN}", "Content-Type": "application/x-www-form-urlencoded"}
SECONDS = 6
LIMIT = 100
"""Milliseconds that an administrator's page may always take: on a fast machine twice the quiet time is still little."""
BURST, RATE = 10, 2
"""Attempts that deploy/nginx.conf allows one address at once, and then each second."""
PAUSE = 0.5
"""Seconds between the attempts of a connection: both sides run on this machine, whose speed is not the question."""


class LocalConnection(http.client.HTTPConnection):
    """A connection to this machine under the host's name, which TLS and the Host header have."""

    def __init__(self, port: int, address: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(HOST)
        self._port, self._address, self._tls = port, address, tls

    def connect(self) -> None:
        self.sock = socket.create_connection(("127.0.0.1", self._port), 40, (self._address, 0))
        if self._tls:
            self.sock = self._tls.wrap_socket(self.sock, server_hostname=HOST)


class Browser:
    """One connection from one address; it is opened again when the other side has closed it."""

    def __init__(self, port: int, address: str, tls: ssl.SSLContext | None) -> None:
        self._origin = f"{'https' if tls else 'http'}://{HOST}"
        self._connection = LocalConnection(port, address, tls)

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


def _milliseconds(browser: Browser, cookie: str, *, seconds: float) -> float:
    """The median time of the administrator's page."""
    took, ends = [], time.perf_counter() + seconds
    while (began := time.perf_counter()) < ends:
        answer = browser.send("GET", CLINICS, {"Cookie": cookie})
        assert answer.status == 200, answer.status
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def run(count: int) -> Report:
    """Try wrong logins over `count` connections."""
    report = Report()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="logins")))
        is_proxied = shutil.which("nginx") is not None
        console = stack.enter_context(
            system(ALLOWED_HOSTS=f"127.0.0.1,{HOST}", TRUSTED_PROXY="127.0.0.1/32" if is_proxied else "none")
        )
        port, tls = urlsplit(console.url).port or 0, None
        if is_proxied:
            plain, https = free_ports(2)
            stack.enter_context(Nginx(folder, console=port, http=plain, https=https))
            port, tls = https, any_certificate()
        administrator = Browser(port, ADMINISTRATOR, tls)
        answer = administrator.log_in(EMAIL, PASSWORD)
        assert answer.status == 303, answer.status
        cookie = next(c.split(";")[0] for c in answer.headers.get_all("Set-Cookie", []) if c.startswith("auth="))
        _milliseconds(administrator, cookie, seconds=1)  # warms up
        quiet = _milliseconds(administrator, cookie, seconds=SECONDS)
        console.sandbox.clear_calls()
        began, flood = time.monotonic(), Flood(port, tls, count)
        try:
            busy = _milliseconds(administrator, cookie, seconds=SECONDS)
        finally:
            flood.stop()
        passed, lasted = flood.statuses.total() - flood.statuses[429], time.monotonic() - began
        administrator.close()
    name = "through nginx" if is_proxied else "to gunicorn alone, because nginx is not installed"
    report.counts[f"connections {name}"] = count
    report.counts.update({"logins passed": passed, "refused at once": flood.statuses[429]})
    report.counts.update({"ms quiet": round(quiet), "ms under load": round(busy)})
    if busy >= max(LIMIT, 2 * quiet):
        report.wrong.append(f"an administrator's page took {busy:.0f} ms, and {quiet:.0f} before")
    if is_proxied and passed > BURST + RATE * lasted + 1:
        report.wrong.append(f"{passed} logins of one address passed in {lasted:.0f} s")
    return report
