"""Nothing moves while a page loads, nor when its code comes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from e2e.pages import ALL_USERS, BY_NAME, SCREENS, USERS, all_ready, bulk_action, go

CODE = re.compile(r"/static/.+/(?!lng-boot)[\w-]+\.js$")
WINDOWS = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
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
PARTS = """() => Object.fromEntries(
  [...document.querySelectorAll("main > *, .list > *, .bulk-bar > *, footer, footer li")]
    .filter((part) => part.checkVisibility({ visibilityProperty: true }))
    .map((part) => [part.outerHTML.replace('"ready"', '""').slice(0, 60), part.getBoundingClientRect()])
    .map(([name, { x, y, width, height }]) => [name, [x, y + scrollY, width, height].map(Math.round)])
)"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


@pytest.mark.req("AX-10")
@pytest.mark.parametrize(
    ("window", "motion"),
    [
        ("wide", "reduce"),
        pytest.param("phone", "reduce", marks=pytest.mark.slow),
        pytest.param("wide", None, marks=pytest.mark.slow),
    ],
)
def test_nothing_moves(open_browser, console, window, motion):
    """On no screen, neither while it loads nor when its code comes, which is held back until the page is painted.

    Layout shifts count what is seen; boxes are compared to the end of the page.
    """
    moved, seen = {}, set()
    options = {"viewport": WINDOWS[window], "reduced_motion": motion}
    browsers = {logged_in: Held(open_browser(logged_in=logged_in, **options)) for logged_in in (True, False)}
    for screen in SCREENS:
        if (at := (screen.path, screen.given)) in seen:
            continue  # what differs was done by hand
        seen.add(at)
        console.sandbox.no_faults()
        console.maintenance.unlink(missing_ok=True)
        screen.given(console)
        shifts, boxes = browsers[screen.logged_in].load(screen.path)
        if sum(shift["value"] for shift in shifts) > LIMIT or boxes:
            moved[screen.name] = shifts, boxes
    assert moved == {}


class Held:
    """A page whose code is held back until it is painted.

    It is for all that it loads: where a browser stops being watched while it still loads, requests get no answer.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._held = page, list[Route]()
        self._is_painted = True
        page.route(CODE, lambda route: route.continue_() if self._is_painted else self._held.append(route))

    def load(self, path: str) -> tuple[list[dict[str, Any]], list[Any]]:
        """Return the layout shifts, and the parts whose boxes changed."""
        page = self._page
        self._is_painted = False
        page.goto(path, wait_until="commit")
        expect(page.locator("h1").first).to_be_visible()
        page.evaluate(WATCH)
        page.evaluate(PAINTED)
        before = page.evaluate(PARTS)
        self._is_painted = True
        while self._held:
            self._held.pop(0).continue_()
        page.wait_for_load_state("networkidle")
        all_ready(page)
        page.evaluate(PAINTED)
        after = page.evaluate(PARTS)
        shifts: list[dict[str, Any]] = page.evaluate("window.shifts")
        return shifts, [(name, box, after.get(name)) for name, box in before.items() if after.get(name) != box]


@pytest.mark.req("AX-10")
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("path", [f"{USERS}/u-1/move", f"{USERS}/u-1/edit", f"{ALL_USERS}/new"])
def test_nothing_moves_when_a_clinic_is_chosen(open_browser, window, path):
    page = open_browser(viewport=WINDOWS[window])
    page.goto(path)
    all_ready(page)
    page.evaluate(WATCH)
    before = page.evaluate(FIELDS)
    page.locator("main [name=clinic_id]").select_option("g-2")
    expect(page.locator("main .show-teams [role=status]")).to_contain_text("Smile Atelier Paris")
    page.evaluate(PAINTED)
    assert sum(shift["value"] for shift in page.evaluate("window.shifts")) <= LIMIT
    assert page.evaluate(FIELDS) == before


FIELDS = """() => [...document.querySelectorAll("main .field, main .form-actions")].map((part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""


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


@pytest.mark.req("AX-10")
def test_nothing_moves_on_the_pages_of_many_rows(open_browser):
    """Without scripts the search of their rows has a button, which may not leave a gap behind."""
    page = open_browser(viewport=WINDOWS["phone"], reduced_motion="reduce")
    page.goto(f"{USERS}?size=100")
    all_ready(page)
    boxes = page.locator("tbody [name=id]")
    boxes.first.check()
    boxes.last.click(modifiers=["Shift"])
    bulk_action(page, "type", Locator.click).click()
    _has_not_moved(page, ".bulk-plan")
    page.locator(".bulk-plan select").select_option("STAFF")
    page.locator(".bulk-plan [data-primary]").click()
    _has_not_moved(page, ".bulk-done")


def _has_not_moved(page: Page, part: str) -> None:
    expect(page.locator(part).first).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.evaluate(WATCH)
    page.evaluate(PAINTED)
    assert sum(shift["value"] for shift in page.evaluate("shifts")) <= LIMIT
