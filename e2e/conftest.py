"""What browser tests are given: the sandbox and the console as processes, browsers, and the ways of using them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from e2e import chromium
from e2e.running import MAINTENANCE, Console, start
from e2e.ways import Arabic, Keys, Plain, Touch, Way
from sandbox.process import SandboxProcess


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    path = chromium.find()
    if not path:
        pytest.exit(chromium.MISSING, returncode=1)
    return {"executable_path": path, "args": chromium.ARGUMENTS}


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


@pytest.fixture(
    params=[
        pytest.param(Keys, id="keys", marks=pytest.mark.req("AX-02", "DM-24")),
        pytest.param(Touch, id="touch", marks=pytest.mark.req("AX-03", "AX-04", "DM-28")),
        pytest.param(Plain, id="plain"),
        pytest.param(Arabic, id="arabic", marks=pytest.mark.req("LN-17")),
    ]
)
def way(request: pytest.FixtureRequest, open_browser: Callable[..., Page]) -> Way:
    """Each way of using the console, one after the other."""
    chosen: Way = request.param(open_browser)
    return chosen
