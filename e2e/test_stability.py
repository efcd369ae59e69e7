"""Nothing moves while a page loads, nor when its code comes."""

import pytest
from playwright.sync_api import expect

from e2e.pages import BY_NAME, Screen, go

PAGES = ("users", "clinics", "teams", "clinic permissions", "user permissions", "clinic, new", "login")
WINDOWS = {"wide": (1280, 800), "phone": (390, 844)}
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
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


@pytest.mark.req("AX-10")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_moves(open_browser, name, window):
    screen: Screen = BY_NAME[name]
    width, height = WINDOWS[window]
    page = open_browser(logged_in=screen.logged_in, viewport={"width": width, "height": height})
    page.goto(screen.path, wait_until="networkidle")
    for island in page.locator("[data-island]").all():
        expect(island).to_have_attribute("data-island-ready", "")
    page.evaluate(WATCH)
    page.evaluate(PAINTED)
    shifts = page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) <= LIMIT, "\n".join(map(str, shifts))


@pytest.mark.req("AX-10")
@pytest.mark.parametrize("locale", ["en-US", "de-DE", "ar-EG"])
@pytest.mark.parametrize("name", ["clinic permissions", "user permissions"])
def test_switches_stand_where_the_form_stood(open_browser, console, name, locale):
    """At more widths than layout shifts are measured at, and where a user has settings of their own."""
    with_form, with_switches = open_browser(locale=locale), open_browser(locale=locale)
    go(with_form, BY_NAME[f"{name}, form"], console)
    if name == "user permissions":
        with_form.locator("[name=allow_export][value=off]").check(force=True)
        with_form.locator("main form [data-primary]").first.click()
        expect(with_form.locator(".messages")).to_be_visible()
        with_form.goto(BY_NAME[name].path)
    go(with_switches, BY_NAME[name], console)
    for width in (1280, 800, 390):
        boxes = []
        for page in (with_form, with_switches):
            page.set_viewport_size({"width": width, "height": 800})
            boxes.append(page.locator(".permissions, .permission, .permissions > .card-foot").evaluate_all(BOXES))
        assert boxes[0] == boxes[1], width


BOXES = """(parts) => parts.map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""
