"""Fixtures of the browser tests: the sandbox and the console as processes, browsers, and the ways of using them."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from tests.e2e import browsers
from tests.e2e.http_client import REFRESH_TIMEOUT_S, Visitor, at_once
from tests.e2e.problems import PageProblems
from tests.e2e.running import MAINTENANCE, Console, Sandbox, database, prepared_folder, start
from tests.e2e.ways import Keys, Plain, Touch, Way

# A busy machine takes its time to load an island; what is so is seen at once.
expect.set_options(timeout=15_000)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "provokes(*texts): the messages that a test makes browsers log, on purpose")


@pytest.hookimpl(trylast=True)  # after pytest-randomly
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the parts of the walk, the longest tests, so that none of them runs alone at the end."""
    items.sort(key=lambda item: item.path.name != "test_screens.py")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    path = browsers.find()
    if not path:
        pytest.fail(browsers.MISSING, pytrace=False)
    return {"executable_path": path, "args": browsers.ARGUMENTS}


@pytest.fixture(scope="session", autouse=True)
def prepare_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let all consoles of the run, those of other workers, too, begin with one prepared folder."""
    base = tmp_path_factory.getbasetemp()
    prepared_folder.home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "prepared"


@pytest.fixture(scope="session")
def sandbox_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(data_dir=tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture
def sandbox(sandbox_process: Sandbox) -> Sandbox:
    """The sandbox in its initial state: demo data, no faults, no recorded calls."""
    sandbox_process.renew()
    return sandbox_process


@pytest.fixture(scope="session")
def console_process(tmp_path_factory: pytest.TempPathFactory, sandbox_process: Sandbox) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("console")
    console, process = start(folder, sandbox_process, MAINTENANCE_FILE=str(folder / MAINTENANCE))
    yield console
    process.stop()


@pytest.fixture(scope="session")
def three_workers(tmp_path_factory: pytest.TempPathFactory, sandbox_process: Sandbox) -> Iterator[Console]:
    """A console of three workers with a short deadline for a refresh."""
    console, process = start(
        tmp_path_factory.mktemp("three"), sandbox_process, workers=3, UPSTREAM_DEADLINES=f"refresh={REFRESH_TIMEOUT_S}"
    )
    at_once(50, lambda: Visitor(console).get("/login"))  # workers that just started take longer
    yield console
    process.stop()


@pytest.fixture
def console(console_process: Console, sandbox: Sandbox) -> Console:
    """The console with two workers and the usual deadlines, talking to a sandbox in its initial state."""
    console_process.maintenance.unlink(missing_ok=True)
    database(console_process, "DELETE FROM import_file")  # whose answers the next file with the same header would get
    return console_process


@pytest.fixture
def page_problems(request: pytest.FixtureRequest) -> PageProblems:
    """The problems that the browsers of a test report. Any that is left at its end fails it."""
    problems = PageProblems()
    for marker in request.node.iter_markers("provokes"):
        problems.allow(*marker.args)
    return problems


@pytest.fixture
def open_browser(browser: Browser, console: Console, page_problems: PageProblems) -> Iterator[Callable[..., Page]]:
    """Open a page in a browser context of its own: `open_browser(locale="ar-EG", java_script_enabled=False)`.

    Everybody who is logged in shares one session, unless a test asks for `own_login=True`.
    """
    contexts: list[BrowserContext] = []
    shared: list[str] = []

    def cookie(separate_login: bool) -> str:
        if separate_login:
            return console.log_in()
        if not shared:
            shared.append(console.shared_login())
        return shared[0]

    def open_one(
        *, logged_in: bool = True, separate_login: bool = False, locale: str = "en-US", **options: Any
    ) -> Page:
        context = browser.new_context(base_url=console.url, locale=locale, **options)
        context.set_default_navigation_timeout(60_000)  # the machine may stand still for half a minute
        contexts.append(context)
        page_problems.watch(context, console.url)
        if logged_in:
            context.add_cookies([{"name": "auth", "value": cookie(separate_login), "url": console.url}])
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()
    assert page_problems.take() == []


WAYS = [
    pytest.param(Keys, id="keys", marks=[pytest.mark.req("AX-02", "DM-24")]),
    pytest.param(Touch, id="touch", marks=[pytest.mark.slow, pytest.mark.req("AX-03", "AX-04", "DM-28", "LN-17")]),
    pytest.param(Plain, id="plain", marks=[pytest.mark.slow]),
]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, open_browser: Callable[..., Page]) -> Way:
    """One way of using the console. `make test` goes by keyboard, which proves the most; `make test-all` the others."""
    chosen: Way = request.param(open_browser)
    return chosen


@pytest.fixture
def page(open_browser: Callable[..., Page]) -> Page:
    return open_browser()


@pytest.fixture
def script_requests(page: Page) -> list[str]:
    """The requests that scripts make to the console, except for texts: paths with their queries."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type == "fetch" and "/i18n/" not in request.url:
            urls.append("/" + request.url.split("/", 3)[3])

    page.on("request", note)
    return urls


@pytest.fixture
def hold(page: Page, page_problems: PageProblems) -> Iterator[Callable[[str], list[Route]]]:
    """Hold the first request that matches until the test lets it continue."""
    paused: list[Route] = []

    def keep(pattern: str) -> list[Route]:
        page.route(re.compile(pattern), lambda route: paused.append(route), times=1)
        return paused

    yield keep
    page_problems.allow("net::ERR_FAILED")  # what is still held
    for route in paused:
        route.abort()
