"""The whole system, running: a console as a process, before the sandbox, and who logs in to it."""

import http.cookiejar
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from console import demo
from sandbox.process import SandboxProcess, free_ports

EMAIL, PASSWORD = "admin@demo.example", "Demo123!"
MAINTENANCE = "maintenance.json"


@dataclass
class Console:
    """A running console, the sandbox behind it, and what a test needs of both."""

    url: str
    data_dir: Path
    log: Path
    sandbox: SandboxProcess
    process: demo.ConsoleProcess

    @property
    def maintenance(self) -> Path:
        """The operator's own notice, which counts at once; the service is asked every 30 seconds only."""
        return self.data_dir / MAINTENANCE

    def log_in(self, email: str = EMAIL, password: str = PASSWORD) -> str:
        """Log in over HTTP; the value of the `auth` cookie."""
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        opener.open(self.url + "/login", timeout=10).close()
        # The name of the CSRF cookie without https; its value is a token that forms may send as it is.
        token = next(c.value for c in jar if c.name == "csrf")
        form = {"email": email, "password": password, "csrfmiddlewaretoken": token}
        opener.open(self.url + "/login", urllib.parse.urlencode(form).encode(), timeout=15).close()
        return next(str(c.value) for c in jar if c.name == "auth")


def start(
    folder: Path, sandbox: SandboxProcess, *, workers: int = 2, **variables: str
) -> tuple[Console, demo.ConsoleProcess]:
    """Prepare and start a console before this sandbox, with variables of its own; the caller stops it."""
    (port,) = free_ports(1)
    settings = {
        **demo.environment(port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=folder),
        **variables,
    }
    demo.prepare(settings)
    log = folder / "console.log"
    process = demo.ConsoleProcess(settings, workers=workers, log=log)
    process.start()
    return Console(process.url, folder, log, sandbox, process), process
