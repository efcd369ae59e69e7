"""Audits of the focus and of toasts for the walk over all screens: what is used or read is in sight and not covered.

An audit returns the faults of a page as sentences.
"""

from playwright.sync_api import Page

from e2e.looks import cut_rings
from e2e.pages import Screen
from e2e.ways import FOCUS

ROOMY_ON_A_PHONE = {"clinics", "users", "teams", "clinic, edit", "clinic permissions", "user", "user, edit"}
"""Screens where, even on a phone, a toast covers no heading or link."""
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

_TOASTS = """async (isRoomy) => {
  const faults = new Set(), scrolled = scrollY;
  const boxOf = (part) => {
    if (!part.matches("h1, h2")) return part.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(part);
    return text.getBoundingClientRect();
  };
  const checkCovered = (selector, number) => {
    const toasts = [...document.querySelectorAll(".toast")].map((toast) => toast.getBoundingClientRect());
    for (const part of document.querySelectorAll(selector)) {
      if (!part.matches("h1, h2") && part.tabIndex < 0) continue;
      const { height, left, right, top, bottom } = boxOf(part);
      if (height && toasts.some((toast) =>
        left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top))
        faults.add(`${number} toasts cover ${part.textContent.trim() || part.outerHTML.slice(0, 120)}`);
    }
    if (toasts.some(({ left, right }) => left < 0 || right > innerWidth)) faults.add("a toast leaves the window");
  };
  let raised = 0;
  const raise = (count) => {
    for (const all = raised + count; raised < all; raised += 1) {
      const detail = { tone: "success", title: `Message ${raised}`, text: "Something was done." };
      document.dispatchEvent(new CustomEvent("console:toast", { detail }));
    }
  };
  raise(1);
  // The first one loads their script.
  for (let frames = 0; frames < 600 && !document.querySelector(".toast"); frames += 1)
    await new Promise((drawn) => requestAnimationFrame(drawn));
  if (!document.querySelector(".toast")) return ["no toast appears"];
  checkCovered("main .button", 1);
  if (isRoomy) checkCovered("header :is(a, button), main :is(a, button, h1, h2):not([data-kind=number] *)", 1);
  raise(1);
  checkCovered("main .button", 2);
  raise(3);
  for (const fraction of [0, 0.25, 0.5, 0.75, 1]) {
    scrollTo(0, fraction * (document.documentElement.scrollHeight - innerHeight));
    window.dispatchEvent(new Event("scroll")); // the browser's own comes with the next frame
    checkCovered("[data-primary]", 5);
  }
  scrollTo(0, scrolled);
  for (const close of document.querySelectorAll(".toast button")) close.click();
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
    """Return what toasts cover: buttons, the primary action and, where there is space, headings and links."""
    if screen.path in WITHOUT_HEADER:
        return []
    if not page.locator("#toasts").count():
        return ["the page has no region for toasts"]
    size = page.viewport_size
    assert size
    is_roomy = screen.name in ROOMY_ON_A_PHONE or (size["width"] >= 1280 and not page.locator(".panel").count())
    faults: list[str] = page.evaluate(_TOASTS, is_roomy)
    return faults


FOCUS_AUDITS = (toasts, skip_link, focus, focus_rings)
