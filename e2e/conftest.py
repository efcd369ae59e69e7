"""The whole system for tests: the sandbox and the console as processes, and a real browser."""

import http.cookiejar
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from console import demo
from e2e import chromium
from sandbox.process import SandboxProcess, free_ports

EMAIL, PASSWORD = "admin@demo.example", "Demo123!"
MAINTENANCE = "maintenance.json"


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    path = chromium.find()
    if not path:
        pytest.exit(chromium.MISSING, returncode=1)
    return {"executable_path": path, "args": chromium.ARGUMENTS}


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


@pytest.fixture(scope="session")
def sandbox_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    with SandboxProcess(data_dir=tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture
def sandbox(sandbox_process: SandboxProcess) -> SandboxProcess:
    """The sandbox as new: demo data, no faults, no calls."""
    sandbox_process.reset()
    sandbox_process.no_faults()
    sandbox_process.forget_calls()
    return sandbox_process


@pytest.fixture(scope="session")
def console_process(tmp_path_factory: pytest.TempPathFactory, sandbox_process: SandboxProcess) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("console")
    console, process = start(folder, sandbox_process, MAINTENANCE_FILE=str(folder / MAINTENANCE))
    yield console
    process.stop()


@pytest.fixture
def console(console_process: Console, sandbox: SandboxProcess) -> Console:
    """The console with two workers and the usual deadlines, before a sandbox that is as new."""
    console_process.maintenance.unlink(missing_ok=True)
    return console_process


@pytest.fixture
def open_browser(browser: Browser, console: Console) -> Iterator[Callable[..., Page]]:
    """Open a browser of its own: `open_browser(locale="ar-EG", logged_in=True, java_script_enabled=False)`."""
    contexts: list[BrowserContext] = []

    def open_one(*, logged_in: bool = True, locale: str = "en-US", **options: Any) -> Page:
        context = browser.new_context(base_url=console.url, locale=locale, **options)
        contexts.append(context)
        if logged_in:
            context.add_cookies([{"name": "auth", "value": console.log_in(), "url": console.url}])
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()
