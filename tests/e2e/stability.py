"""Load a page and measure whether anything on it moves: while it loads, and when its code arrives."""

import re
from typing import Any

from playwright.sync_api import Page, Request, expect

from tests.e2e.http_client import wait_until
from tests.e2e.pages import Screen, all_ready
from tests.e2e.rendering import wait_until_painted

CODE = re.compile(r"/static/.+/(?!lng-boot)[\w-]+\.js$")
LIMIT = 0.01
"""A tenth of what counts as good; the sum of all layout shifts, whatever caused them."""

WATCH = """() => {
  window.shifts = [];
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  const name = ({ node, previousRect, currentRect }) =>
    `${node?.outerHTML?.slice(0, 80).replace(/\\s+/g, " ")}: ${box(previousRect)} -> ${box(currentRect)}`;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.shifts.push({ value: entry.value, sources: entry.sources.map(name) });
  }).observe({ type: "layout-shift", buffered: true });
}"""
_PARTS = """() => {
  const tables = [...document.querySelectorAll(".table-wrap")];
  const name = (part) => part.matches(".table-wrap")
    // A table's tabindex depends on its script, so its HTML differs before and after.
    ? `${part.className} ${tables.indexOf(part)}`
    : part.outerHTML.replace('"ready"', '""').slice(0, 60);
  const box = ({ x, y, width, height }) => [x, y + scrollY, width, height].map(Math.round);
  return Object.fromEntries(
    [...document.querySelectorAll("main > *, .list > *, .bulk-bar > *, footer, footer li")]
      .filter((part) => part.checkVisibility({ visibilityProperty: true }))
      .map((part) => [name(part), box(part.getBoundingClientRect())])
  );
}"""


def load(page: Page, screen: Screen) -> list[str]:
    """Load a page whose code arrives after it is painted; return its layout shifts, and the parts that moved.

    Layout shifts count what is in the window; the boxes of parts are compared down to the end of the page.
    """
    session = page.context.new_cdp_session(page)
    paused: list[str] = []
    pending: set[Request] = set()
    is_painted = False

    def resume(request_id: str) -> None:
        session.send("Fetch.continueRequest", {"requestId": request_id})

    def pause(event: dict[str, Any]) -> None:
        if CODE.search(event["request"]["url"]) and not is_painted:
            paused.append(event["requestId"])
        else:
            resume(event["requestId"])

    def start(request: Request) -> None:
        pending.add(request)

    def finish(request: Request) -> None:
        pending.discard(request)

    def is_idle() -> bool:
        wait_until_painted(page)
        return not pending

    page.on("request", start)
    page.on("requestfinished", finish)
    page.on("requestfailed", finish)
    # Scripts in the memory cache make no request and couldn't be held back; toggling this clears that cache.
    for is_disabled in (True, False):
        session.send("Network.setCacheDisabled", {"cacheDisabled": is_disabled})
    # Unlike `page.route`, this leaves the cache of answers on.
    session.on("Fetch.requestPaused", pause)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": "*/static/*.js"}]})

    page.goto(screen.path, wait_until="commit")
    expect(page.locator("h1").first).to_be_visible()
    page.evaluate(WATCH)
    wait_until_painted(page)
    before = page.evaluate(_PARTS)
    is_painted = True
    faults = [] if paused else ["no code was held back"]
    for request_id in paused:
        resume(request_id)
    page.wait_for_load_state()
    if not screen.server_form:
        all_ready(page)
    wait_until(is_idle)
    session.detach()
    page.remove_listener("request", start)
    page.remove_listener("requestfinished", finish)
    page.remove_listener("requestfailed", finish)

    after = page.evaluate(_PARTS)
    shifts = page.evaluate("window.shifts")
    if sum(shift["value"] for shift in shifts) > LIMIT:
        faults += [f"shifted by {shift['value']:.3f}: {shift['sources']}" for shift in shifts]
    return faults + [f"{name}: {box} -> {after.get(name)}" for name, box in before.items() if after.get(name) != box]
