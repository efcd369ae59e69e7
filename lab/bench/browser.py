"""Measure how long a user waits on a slow connection; started by `python -m lab.bench.browser`.

A cold cache, 400 kbit/s and 400 ms as Chromium emulates them, and the pages as a reverse proxy sends them, which
compresses them. Prints of some waits the median of the rounds, the shortest and the longest; and of each page how much
it moves, where its first row stands, when it is complete, and how long the slowest answer to a press takes.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from console.ops import demo
from lab.bench.compressing import compressing
from lab.bench.pages import USERS, log_in
from sandbox.process import SandboxProcess, free_ports
from tests.e2e import browsers
from tests.e2e.pages import ALL_USERS, CLINIC_PERMISSIONS, CLINICS, TEAMS, USER_PERMISSIONS, bulk_action

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
WATCH = """
  window.seen = { shift: 0, complete: 0, slowest: 0 };
  const watch = (type, look, more) => new PerformanceObserver((list) => list.getEntries().forEach(look))
    .observe({ type, buffered: true, ...more });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("largest-contentful-paint", (entry) => { seen.complete = entry.startTime / 1000; });
  watch("event", (entry) => {
    if (entry.interactionId) seen.slowest = Math.max(seen.slowest, entry.duration);
  }, { durationThreshold: 16 });
"""
READY = "() => !document.querySelector('[data-island]:not([data-island-ready])')"
FIRST_ROW = "tbody tr, .bulk-rows > li, main .field, main [role=switch], main dl.facts, main fieldset"
"""The first element of the content of a page: the first row of a list, the first field of a form."""
WIDE, PHONE = (1280, 860), (390, 844)


def _plan(page: Page) -> None:
    boxes = page.locator("tbody [name=id]")
    boxes.first.check()
    boxes.last.click(modifiers=["Shift"])
    bulk_action(page, "type", Locator.click).click()
    page.wait_for_selector(".bulk-plan")


def _result(page: Page) -> None:
    _plan(page)
    page.locator(".bulk-plan select").select_option("STAFF")
    page.locator(".bulk-plan [data-primary]").click()
    page.wait_for_selector(".bulk-done")


PAGES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "clinics": (CLINICS, lambda page: None),
    "users": (USERS, lambda page: None),
    "users, 100 rows": (f"{USERS}?size=100", lambda page: None),
    "users of all clinics": (ALL_USERS, lambda page: None),
    "users, one beside": (f"{USERS}?user=u-1", lambda page: None),
    "teams": (TEAMS, lambda page: None),
    "teams of all clinics": ("/user-manage/team", lambda page: None),
    "a clinic": (f"{CLINICS}/g-1/edit", lambda page: None),
    "a person": (f"{USERS}/u-1", lambda page: None),
    "edit a person": (f"{USERS}/u-1/edit", lambda page: None),
    "move a person": (f"{USERS}/u-4/move", lambda page: None),
    "invite": (f"{USERS}/new", lambda page: None),
    "import": (f"{USERS}/import", lambda page: None),
    "permissions of a clinic": (CLINIC_PERMISSIONS, lambda page: None),
    "permissions of a person": (USER_PERMISSIONS, lambda page: None),
    "bulk, plan of 100": (f"{USERS}?size=100", _plan),
    "bulk, result of 100": (f"{USERS}?size=100", _result),
}
"""The pages, and how one comes to them from the address."""


class Measured(NamedTuple):
    """A page in one window: the sum of its shifts, where its first row begins, seconds to its largest paint, and the
    milliseconds of the slowest interaction."""

    shift: float
    first_row: float
    complete: float
    slowest: float


def _measured(browser: Browser, url: str, auth: str, name: str, size: tuple[int, int]) -> Measured:
    path, interact = PAGES[name]
    with _page(browser, url, auth, path, size) as page:
        page.wait_for_load_state("networkidle")
        page.wait_for_function(READY)
        interact(page)
        page.wait_for_load_state("networkidle")
        first = page.locator(FIRST_ROW).filter(visible=True).first.bounding_box()
        metrics: dict[str, Any] = page.evaluate("seen")
        _use(page)
        page.wait_for_timeout(500)  # the browser tells of events some time after they were answered
        slowest = page.evaluate("seen.slowest")
        return Measured(metrics["shift"], first["y"] if first else 0, metrics["complete"], slowest)


def _use(page: Page) -> None:
    """Use the controls that the page has: tick all rows, open menus and the side panel, type into fields."""
    main, panel = page.locator("main"), page.locator("dialog[open]")
    if panel.count():  # on a phone it lies over the page
        page.keyboard.press("Escape")
        panel.wait_for(state="hidden")
    for box in main.locator("[data-select=page], [role=switch]").filter(visible=True).all()[:2]:
        box.press(" ")
    for menu in page.locator("main [popovertarget], header [popovertarget]").filter(visible=True).all()[:3]:
        menu.click()
        page.keyboard.press("Escape")
    row = page.locator("[data-list=users] tbody tr").filter(visible=True).first
    if row.count():
        row.click(position={"x": 120, "y": 4})
        page.wait_for_load_state("networkidle")
        page.keyboard.press("Escape")
    for field in main.locator("input[type=search], input[type=text], input[type=email]").filter(visible=True).all()[:2]:
        field.press_sequentially("kim", delay=60)
        field.press("Backspace")


def _table(browser: Browser, url: str, auth: str, pages: Iterable[str]) -> Iterator[str]:
    yield f"{'page':<26}{'CLS':>7}{'row':>6}{'phone':>7}{'LCP s':>7}{'press ms':>10}"
    for name in pages:
        wide, phone = (_measured(browser, url, auth, name, size) for size in (WIDE, PHONE))
        yield (
            f"{name:<26}{max(wide.shift, phone.shift):>7.3f}{wide.first_row:>6.0f}{phone.first_row:>7.0f}"
            f"{max(wide.complete, phone.complete):>7.2f}{max(wide.slowest, phone.slowest):>10.0f}"
        )


def main() -> None:
    """Measure each wait and each page, or only some pages, and print them."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.browser", description="What a person waits for.")
    parser.add_argument("--pages", nargs="+", choices=PAGES, metavar="PAGE", help="only these, and no waits")
    only = parser.parse_args().pages
    waits: dict[str, list[float]] = {}
    with served() as (direct, url), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browsers.find(), args=browsers.ARGUMENTS)
        auth = log_in(direct)
        for _ in range(0 if only else ROUNDS):
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
        for name, seconds in waits.items():
            print(f"{name:<36}{statistics.median(seconds):>6.2f} s  ({min(seconds):.2f} to {max(seconds):.2f})")
        for line in _table(browser, url, auth, only or PAGES):
            print(line, flush=True)
        browser.close()


def _painted(page: Page, *, rows: int) -> float:
    seconds, row_count = page.evaluate(PAINTED)
    assert row_count == rows, f"painted with {row_count} rows"
    return float(seconds)


@contextmanager
def _page(browser: Browser, url: str, auth: str, path: str, size: tuple[int, int] = (1280, 720)) -> Iterator[Page]:
    """Open a path with nothing in the cache, on the slow connection."""
    context = browser.new_context(base_url=url, viewport={"width": size[0], "height": size[1]})
    context.add_init_script(WATCH)
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
def served() -> Iterator[tuple[str, str]]:
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
