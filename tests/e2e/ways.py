"""The ways of using the console: by keyboard, by touch on a phone in Arabic, without JavaScript.

A flow is written once, with the methods of `Way`, and runs in all of them. It finds elements by what is the same in
every language: field names, link addresses, roles, and names that are data.
"""

import csv
import io
from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import ready

MAX_STEPS = 260
"""More than the number of focusable elements on the longest page."""
NEAR = 20
"""The distance in options up to which the arrow keys are used; further ones are reached by typing their name."""

# The focused element: whether it is visible, and whether anything covers it (WCAG 2.4.7, 2.4.11).
FOCUS = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const shown = element.matches('[type=radio]') ? element.closest('label') ?? element : element;
  const box = shown.getBoundingClientRect();
  const at = (x, y) => document.elementFromPoint(Math.min(Math.max(x, 1), innerWidth - 1), y);
  const free = [[box.left + 3, box.top + 3], [box.left + box.width / 2, box.top + Math.min(box.height / 2, 12)]]
    .every(([x, y]) => { const top = at(x, y); return top && (shown.contains(top) || top.contains(shown)); });
  const { outlineStyle, outlineWidth, borderColor } = getComputedStyle(element);
  const ring = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  const parent = getComputedStyle(shown);
  return {
    what: element.outerHTML.slice(0, 120),
    inside: box.top >= -1 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.height > 0,
    free,
    ring: ring || (parent.outlineStyle !== 'none' && parseFloat(parent.outlineWidth) >= 1)
      || element.matches('main'),
  };
}"""

# What a finger would touch at the center of a target that has been scrolled into view (WCAG 2.5.8, which
# excepts links within a sentence).
TARGET = """async (element) => {
  const shown = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') ?? element : element;
  shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // Toasts make way when the page is scrolled: in its next frame, which no finger is quicker than.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { left, top, right, bottom, width, height } = shown.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const met = document.elementFromPoint(x, y);
  // A small box may have a target of its own around it, which is what a finger meets.
  const meets = (dx, dy) => shown.contains(document.elementFromPoint(x + dx, y + dy));
  const isMetAround = () => [-11.5, 11.5].every((dx) => meets(dx, -11.5) && meets(dx, 11.5));
  const words = [...element.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const isInSentence = words && getComputedStyle(element).display === "inline";
  return {
    what: element.outerHTML.slice(0, 120),
    inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
    large: isInSentence || (width >= 24 && height >= 24) || isMetAround(),
    met: met === null || shown.contains(met) || met.contains(shown) ? '' : met.outerHTML.slice(0, 120),
  };
}"""


# Keep the focus on the target once it is there, and return about how many steps away it is.
HOLD = """(target, isBackward) => {
  const hold = (event) => {
    if (event.key !== "Tab" || document.activeElement !== target) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", hold, { capture: true });
  target.release = () => removeEventListener("keydown", hold, { capture: true });
  const current = document.activeElement;
  const [first, last] = isBackward ? [target, current] : [current, target];
  const isBetween = (element) =>
    (current === document.body || first.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
    && element.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING;
  const isReachable = (element) =>
    element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true });
  return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((element) => isBetween(element) && isReachable(element)).length;
}"""


def step_to(page: Page, target: Locator, *, keys: str = "Tab") -> None:
    """Press Tab until this has the focus; fail if it never does."""
    element = target.element_handle()
    # Asking after each step would double the time, so most of them are made without.
    steps = min(element.evaluate(HOLD, keys != "Tab"), MAX_STEPS - 1)
    for _ in range(steps):
        page.keyboard.press(keys)
    for _ in range(steps, MAX_STEPS):
        page.keyboard.press(keys)
        if element.evaluate("element => element === document.activeElement"):
            element.evaluate("element => element.release()")
            return
    raise AssertionError(f"the keyboard does not reach {target}")


class Way:
    """A way of using the console; this one points and clicks on a wide page."""

    options: ClassVar[dict[str, Any]] = {}
    """Options of the browser context."""
    has_scripts: ClassVar[bool] = True

    def __init__(self, open_browser: Callable[..., Page]) -> None:
        self.page = open_browser(**self.options)

    def go(self, path: str) -> None:
        """Open a page by its address."""
        self.page.goto(path)
        self.wait_until_ready()

    def at(self, path: str, **query: str) -> None:
        """Check that the last action led to this path, with at least these values in its query."""
        self.page.wait_for_url(lambda url: urlsplit(url).path == path and query.items() <= query_params(url).items())
        self.wait_until_ready()

    @property
    def query(self) -> dict[str, str]:
        """The query of the address, without empty values."""
        return query_params(self.page.url)

    def sees(self, what: Locator) -> None:
        """Check that the last action made this appear."""
        expect(what).to_be_visible()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until the page can be used, and check it as a whole."""
        self.page.wait_for_load_state()
        if self.has_scripts and self.page.locator("[data-island]").count():
            ready(self.page)
            expect(self.page.locator(".list[aria-busy]")).to_have_count(0)
        self.check_page()

    def check_page(self) -> None:
        """Check what must be true of every page in this way of using the console."""

    def press(self, target: Locator) -> None:
        """Follow a link or press a button.

        It is scrolled into view first: a menu moves with its button one frame after the page scrolls, and `click`
        scrolls only after it has waited for its target to stop moving.
        """
        target.scroll_into_view_if_needed()
        target.click()

    def fill(self, field: Locator, text: str) -> None:
        field.fill(text)

    def choose(self, select: Locator, value: str) -> None:
        select.select_option(value)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        """Turn a check box, radio button or switch on or off."""
        box.set_checked(on)

    def choose_row_action(self, row: str, action: str) -> None:
        """Choose the action of a row whose address ends with this, in sight or in its menu."""
        line = find_row(self.page, row, action)
        expect(line).to_be_visible()
        item = line.locator(f".row-actions {to(action)}")
        if item.is_hidden() and (opener := line.locator("[popovertarget]")).is_visible():
            self.press(opener)
            try:
                expect(item).to_be_visible(timeout=1000)
            except AssertionError:  # a press on a row that has just come under the pointer is ignored
                if item.is_hidden():  # on a busy machine it may only have come late
                    self.press(opener)
        self.press(item)

    def upload(self, field: Locator, rows: list[list[str]]) -> None:
        """Choose a CSV file; the file dialog belongs to the system, so it is the same in every way."""
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        field.set_input_files({"name": "rows.csv", "mimeType": "text/csv", "buffer": text.getvalue().encode()})

    def download(self, target: Locator) -> list[list[str]]:
        """Press a control that downloads a CSV file, and return its rows."""
        with self.page.expect_download() as download:
            self.press(target)
        return list(csv.reader(io.StringIO(download.value.path().read_text("utf-8-sig"), newline="")))


class Keys(Way):
    """The keyboard only; the focus is visible wherever it goes."""

    options: ClassVar[dict[str, Any]] = {"reduced_motion": "reduce"}

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def fill(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)

    def choose(self, select: Locator, value: str) -> None:
        values: list[str] = select.evaluate("select => [...select.options].map((option) => option.value)")
        steps = values.index(value) - values.index(select.input_value())
        if steps == 0:
            return
        option = select.locator(f"option[value='{value}']")
        self.reach(select)
        self.page.keyboard.press("Space")
        if abs(steps) > NEAR:
            self.page.keyboard.type(option.inner_text())
        else:
            for _ in range(abs(steps)):
                self.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
        expect(option).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(select).to_have_value(value)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        if box.get_attribute("type") == "radio":
            self._step_through(box)
        elif box.is_checked() is not on:
            self.reach(box)
            self.page.keyboard.press("Space")
        expect(box).to_be_checked(checked=on)

    def _step_through(self, radio: Locator) -> None:
        """Of a group only the checked one is reached by Tab."""
        group = self.page.locator(f"[type=radio][name={radio.get_attribute('name')}]")
        values = group.evaluate_all("(radios) => radios.map((radio) => radio.value)")
        checked = group.and_(self.page.locator(":checked"))
        steps = values.index(radio.get_attribute("value")) - values.index(checked.input_value())
        self.reach(checked)
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")

    def reach(self, target: Locator) -> None:
        """Move the focus there, in the shorter direction."""
        position = target.evaluate(
            """(target) => {
              const here = document.activeElement;
              if (here === target) return "here";
              const isBefore = here.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING;
              return isBefore && !here.contains(target) ? "before" : "after";
            }"""
        )
        if position != "here":
            step_to(self.page, target, keys="Shift+Tab" if position == "before" else "Tab")
        focus = self.page.evaluate(FOCUS)
        assert focus["inside"], f"the focus is out of sight: {focus}"
        assert focus["free"], f"something lies over the focus: {focus}"
        assert focus["ring"], f"the focus does not show: {focus}"


class Touch(Way):
    """Touch on a phone, in Arabic.

    Targets are large enough, visible and uncovered; no page is wider than the phone; text runs from right to left.
    """

    options: ClassVar[dict[str, Any]] = {
        "locale": "ar-EG",
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "reduced_motion": "reduce",
    }

    def check_page(self) -> None:
        expect(self.page.locator("html")).to_have_attribute("dir", "rtl")
        width = self.page.evaluate("Math.max(document.documentElement.scrollWidth, innerWidth)")
        assert width <= 390, f"{self.page.url} scrolls sideways: {width}px"

    def press(self, target: Locator) -> None:
        expect(target).to_be_visible()
        hit = target.evaluate(TARGET)
        assert hit["inside"], f"out of sight: {hit}"
        assert hit["large"], f"too small for a finger: {hit}"
        assert not hit["met"], f"covered: {hit}"
        target.tap()

    def fill(self, field: Locator, text: str) -> None:
        self.press(field)
        expect(field).to_be_focused()
        field.fill(text)

    def choose(self, select: Locator, value: str) -> None:
        if select.input_value() != value:
            self.press(select)
            self.press(select.locator(f"option[value='{value}']"))
        expect(select).to_have_value(value)

    def tick(self, box: Locator, *, on: bool = True) -> None:
        if box.is_checked() is not on:
            self.press(box)
        expect(box).to_be_checked(checked=on)


class Plain(Way):
    """A browser without JavaScript."""

    options: ClassVar[dict[str, Any]] = {"java_script_enabled": False}
    has_scripts = False


def query_params(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def find_row(page: Page, name: str, action: str = "") -> Locator:
    """Find the row with this name; if there are several, the one with an action whose address ends with this."""
    rows = page.locator("tbody tr").filter(has=page.locator("th").get_by_text(name, exact=True))
    return rows.filter(has=page.locator(f".row-actions {to(action)}")) if action else rows


def to(action: str) -> str:
    """The link or button of an action whose address ends with this."""
    return f":is(a[href$='{action}'], button[formaction$='{action}'])"
