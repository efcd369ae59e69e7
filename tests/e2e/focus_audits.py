"""Audits of the focus and of toasts for the walk over all screens: what is used or read is in sight, in its place.

An audit returns the faults of a page as sentences.
"""

from playwright.sync_api import Page

from tests.e2e.pages import Screen
from tests.e2e.rendering import cut_rings
from tests.e2e.ways import FOCUS

WITHOUT_HEADER = {"/maintenance"}
"""Paths of pages that are nothing but a message."""

# Go through all controls in both directions, because those above the window are scrolled to its other edge.
_FOCUS = f"""() => {{
  const look = {FOCUS};
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const stops = [...(document.querySelector(":modal") ?? document).querySelectorAll(controls)].filter((each) =>
    each.tabIndex >= 0 && !each.matches(":disabled, [type=radio]:not(:checked)")
      && each.checkVisibility({{ visibilityProperty: true }}));
  // In right-to-left pages the show-password button is at the point that FOCUS tests.
  const hasButton = (stop) => document.dir === "rtl" && stop.matches(".password > input");
  const faults = new Set(), scrolled = scrollY;
  for (const stop of [...stops, ...stops.toReversed()]) {{
    stop.focus({{ focusVisible: true }});
    const focus = look();
    if (document.activeElement !== stop) faults.add(`a control refuses the focus: ${{stop.outerHTML.slice(0, 120)}}`);
    else if (!focus.inside) faults.add(`the focus is out of sight: ${{focus.what}}`);
    else if (!focus.free && !hasButton(stop)) faults.add(`the focus is covered: ${{focus.what}}`);
    else if (!focus.ring) faults.add(`the focus does not show: ${{focus.what}}`);
  }}
  document.activeElement.blur();
  scrollTo(0, scrolled);
  return [...faults];
}}"""

# The next Tab goes to the first control of the page, unless a dialog keeps the focus.
_START = """() => {
  if (document.querySelector(":modal")) return false;
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  return true;
}"""
_SKIP_LINK = """() => {
  const link = document.activeElement, { left, right, top, bottom } = link.getBoundingClientRect();
  if (!link.matches(".skip-link")) return [`the first stop is no skip link: ${link.outerHTML.slice(0, 120)}`];
  const isInSight = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right - left > 1;
  const faults = isInSight ? [] : ["the skip link is out of sight"], { href } = location;
  link.click();
  const target = document.activeElement;
  if (!target.matches("main")) faults.push(`the skip link leads to ${target.outerHTML.slice(0, 120)}`);
  history.replaceState(history.state, "", href);
  target.blur();
  return faults;
}"""

_TOASTS = """async () => {
  const faults = new Set(), region = document.getElementById("toasts");
  const raise = (title) => {
    const detail = { tone: "success", title, text: "Something was done.", action: { label: "Undo", run: () => {} } };
    document.dispatchEvent(new CustomEvent("console:toast", { detail }));
  };
  document.activeElement.blur();
  raise("Message 1");
  // The first one loads their script and their sheet.
  for (let frames = 0; frames < 600 && !document.querySelector(".toast"); frames += 1)
    await new Promise((drawn) => requestAnimationFrame(drawn));
  if (!document.querySelector(".toast")) return ["no toast appears"];
  const head = [...document.querySelectorAll(".page-actions, .tabs a")].map((part) => part.getBoundingClientRect());
  const covers = ({ left, right, top, bottom }, box) =>
    left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  if (head.some((part) => covers(region.getBoundingClientRect(), part)))
    faults.add("a toast covers the buttons or tabs of the page");
  for (const number of [2, 3, 4, 5]) raise(`Message ${number}`);
  const isMirrored = getComputedStyle(region).direction === "rtl";
  const heights = [".ribbon", ".header"].map((part) => document.querySelector(part)?.offsetHeight ?? 0);
  const header = heights[0] + heights[1];
  const { left, right, top } = region.getBoundingClientRect(), width = document.documentElement.clientWidth;
  const end = isMirrored ? left : width - right;
  const tops = [header + 16, ...head.map(({ bottom }) => bottom + 12)];
  if (Math.abs(end - 16) > 1 || !tops.some((each) => Math.abs(top - each) <= 2))
    faults.add(`toasts are at ${top}, ${end} px from the end`);
  const shown = [...document.querySelectorAll(".toast")].filter((toast) => toast.checkVisibility());
  if (shown.length !== (innerWidth < 640 ? 1 : 5)) faults.add(`${shown.length} toasts are shown`);
  for (const toast of shown) {
    const text = toast.querySelector(".toast-text"), action = toast.querySelector(".button");
    const box = toast.getBoundingClientRect();
    if (box.left < 0 || box.right > width) faults.add("a toast leaves the window");
    if (text.clientWidth < Math.min(width, 400) * 0.6) faults.add(`a text has ${text.clientWidth} px`);
    const words = text.querySelector(".muted").getBoundingClientRect();
    if (action.getBoundingClientRect().top < words.bottom) faults.add("an action is not below its text");
  }
  for (const close of document.querySelectorAll(".toast .icon-button")) close.click();
  return [...faults];
}"""


def focus(page: Page, _screen: Screen) -> list[str]:
    """Return the controls whose focus is out of sight, covered or without a ring."""
    faults: list[str] = page.evaluate(_FOCUS)
    return faults


def focus_rings(page: Page, _screen: Screen) -> list[str]:
    """Return the controls whose ring of the focus is cut off."""
    faults = cut_rings(page, "body")
    # Tabs have the ring inside; a tab that was scrolled to may be a fraction of a pixel outside of their box.
    return [f"the ring of the focus is cut off by {fault}" for fault in faults if not fault.startswith("NAV tabs:")]


def skip_link(page: Page, screen: Screen) -> list[str]:
    """Return the faults of the link to the content, which is the first stop of each page with a header."""
    if screen.path in WITHOUT_HEADER or not page.evaluate(_START):
        return []
    page.keyboard.press("Tab")
    faults: list[str] = page.evaluate(_SKIP_LINK)
    return faults


def toasts(page: Page, screen: Screen) -> list[str]:
    """Return what is wrong with the place of toasts, which is the same everywhere, and with their texts."""
    if screen.path in WITHOUT_HEADER:
        return []
    if not page.locator("#toasts").count():
        return ["the page has no region for toasts"]
    faults: list[str] = page.evaluate(_TOASTS)
    return faults


FOCUS_AUDITS = (toasts, skip_link, focus, focus_rings)
