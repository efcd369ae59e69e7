"""What a person waits for on a slow connection; started by `python -m bench.browser`.

A cold cache, 400 kbit/s and 400 ms as Chromium emulates them, and the list of users as a reverse proxy sends it, which
compresses pages. Prints the median of the rounds, the shortest and the longest.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.compressing import compressing
from bench.pages import USERS, log_in
from console import demo
from e2e import chromium
from sandbox.process import SandboxProcess, free_ports

ROUNDS = 5
BYTES_PER_SECOND, MILLISECONDS = 400_000 / 8, 400
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName("first-contentful-paint");
    if (paint) done([paint.startTime / 1000, document.querySelectorAll("tbody tr").length]);
}).observe({ type: "paint", buffered: true }))"""
"""When the page is painted first, which is only once it is complete; and its rows."""
RESULTS = """() => {
    const status = () => document.querySelector(".list-status").textContent;
    const before = status();
    window.results = new Promise((done) => addEventListener("input", () => {
        const typed = performance.now();
        const look = () => status() === before ? requestAnimationFrame(look) : done((performance.now() - typed) / 1000);
        look();
    }, { once: true }));
}"""


def main() -> None:
    """Measure each wait, and print it."""
    waits: dict[str, list[float]] = {}
    with _console() as (direct, url), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        auth = log_in(direct)
        for _ in range(ROUNDS):
            with _page(browser, url, auth, USERS) as page:
                waits.setdefault("list visible", []).append(_painted(page, rows=25))
                page.wait_for_selector("[data-island-ready]")
                page.evaluate(RESULTS)
                page.get_by_role("searchbox").press("h")
                waits.setdefault("first key to results, page loaded", []).append(page.evaluate("results"))
            with _page(browser, url, auth, USERS) as page:
                _painted(page, rows=25)
                started = time.monotonic()
                page.locator("thead a").first.click(no_wait_after=True)
                page.wait_for_selector("th[aria-sort=descending]")
                waits.setdefault("sort at once", []).append(time.monotonic() - started)
            with _page(browser, url, auth, f"{USERS}?size=100") as page:
                waits.setdefault("100 rows visible", []).append(_painted(page, rows=100))
        browser.close()
    for name, found in waits.items():
        print(f"{name:<36}{statistics.median(found):>6.2f} s  ({min(found):.2f} to {max(found):.2f})")


def _painted(page: Page, *, rows: int) -> float:
    seconds, found = page.evaluate(PAINTED)
    assert found == rows, f"painted with {found} rows"
    return float(seconds)


@contextmanager
def _page(browser: Browser, url: str, auth: str, path: str) -> Iterator[Page]:
    """Open a path with nothing in the cache, on the slow connection."""
    context = browser.new_context(base_url=url)
    context.add_cookies([{"name": "auth", "value": auth, "url": url}])
    page = context.new_page()
    page.set_default_timeout(30_000)
    speed = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
    context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions", {"offline": False, "latency": MILLISECONDS, **speed}
    )
    page.goto(path, wait_until="commit")
    yield page
    context.close()


@contextmanager
def _console() -> Iterator[tuple[str, str]]:
    """Start the console with the sandbox, with a clinic of 200 users, and stop both at the end."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, SandboxProcess(data_dir=Path(folder) / "s") as sandbox:
        (port,) = free_ports(1)
        variables = demo.environment(
            port=port, handler_port=sandbox.handler_port, api_port=sandbox.api_port, data_dir=Path(folder) / "console"
        )
        demo.prepare(variables)
        sandbox.seed("g-1", 160)
        log = Path(folder) / "console.log"
        with demo.ConsoleProcess(variables, workers=2, log=log) as console, compressing(console.url) as url:
            yield console.url, url


if __name__ == "__main__":
    main()
