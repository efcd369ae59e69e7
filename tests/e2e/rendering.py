"""Checks of the rendering of a page: texts that are cut off, too wide or still English."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from playwright.sync_api import Page

from console.i18n import po
from console.i18n.languages import CODES
from sandbox.names import TEAM_TYPES

# Elements wider than the window, texts that overflow their containers, and texts that are cut off without a hint.
BROKEN = """() => {
  const name = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 140);
  const page = document.documentElement;
  const found = [];
  if (page.scrollWidth > page.clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width && (right > page.clientWidth + 1 || left < -1) && !element.closest(".table-wrap, .visually-hidden");
    });
    found.push(`the page scrolls sideways: ${page.scrollWidth}px ${wide.slice(0, 3).map(name)}`);
  }
  const texts = "button, .button, label, legend, th, td, .badge, .menu-item, nav a, .chips li, .alert, h1, h2, p, dd";
  for (const element of document.querySelectorAll(texts)) {
    if (!element.checkVisibility() || !element.clientWidth || element.closest(".visually-hidden")) continue;
    if (element.closest(".table thead")?.clientWidth === 1) continue; // headers of columns that are shown as cards
    if (element.querySelector(":scope > [type=checkbox]")) continue; // no text; the target is larger than the box
    if (element.scrollWidth > element.clientWidth + 1) found.push(`too narrow: ${name(element)}`);
    const hides = getComputedStyle(element).overflowY !== "visible";
    if (hides && element.scrollHeight > element.clientHeight + 1) found.push(`too low: ${name(element)}`);
  }
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cuts = ["hidden", "clip"];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (parent.closest(".visually-hidden, option") || parent.closest(".table thead")?.clientWidth === 1) continue;
    range.selectNodeContents(text);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    if (!width) continue;
    for (let box = parent; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box);
      const sides = box.getBoundingClientRect();
      if (sides.width <= 1) break; // for screen readers only
      if (overflowX === "auto" && box.scrollWidth > box.clientWidth) break; // can be scrolled to
      const isCut = (cuts.includes(overflowX) && (left < sides.left - 1 || right > sides.right + 1))
        || (cuts.includes(overflowY) && (top < sides.top - 3 || bottom > sides.bottom + 3));
      if (isCut) {
        parent.dispatchEvent(new MouseEvent("mouseover", { bubbles: true })); // who points there is told the whole
        if (!parent.closest("[title]")) found.push(`cut off: ${text.data.trim().slice(0, 60)} in ${name(box)}`);
        break;
      }
      if (position === "fixed") break;
    }
  }
  return found;
}"""

# The texts of a page, each as one line: those of its blocks, and those of attributes. Data that is marked is left out.
TEXTS = """() => {
  const data = "bdi, code, script, noscript, style, template, textarea, .document, [lang]:not(html)";
  const texts = new Map();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (!text.data.trim() || text.parentElement.closest(data)) continue;
    let block = text.parentElement;
    while (block.parentElement && getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    texts.set(block, (texts.get(block) ?? "") + text.data);
  }
  const told = [...texts.values()];
  for (const name of ["aria-label", "title", "placeholder", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const isData = element.closest(data) || (name === "title" && element.querySelector("bdi"));
      if (!isData) told.push(element.getAttribute(name));
    }
  }
  return [...new Set(told.map((text) => text.replace(/\\s+/g, " ").trim()))];
}"""


# Controls whose ring of the focus is cut off by a box around them that scrolls no further that way.
CUT_RINGS = """(within) => {
  const found = [];
  const scrolls = (box, left, top) => {
    const { scrollLeft, scrollTop } = box;
    box.scrollBy({ left, top, behavior: "instant" });
    const moves = box.scrollLeft !== scrollLeft || box.scrollTop !== scrollTop;
    box.scrollTo({ left: scrollLeft, top: scrollTop, behavior: "instant" });
    return moves;
  };
  const controls = "a[href], button, input:not([type=hidden]), select, textarea";
  for (const each of document.querySelector(within).querySelectorAll(controls)) {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.matches(":disabled")) continue;
    each.focus({ focusVisible: true });
    if (!each.matches(":focus-visible")) continue;
    const { outlineWidth, outlineOffset } = getComputedStyle(each), ring = each.getBoundingClientRect();
    const out = Math.max(0, parseFloat(outlineWidth) + parseFloat(outlineOffset));
    for (let box = each.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box), { left, top } = box.getBoundingClientRect();
      const [x, y, width, height] = [left + box.clientLeft, top + box.clientTop, box.clientWidth, box.clientHeight];
      const sides = overflowX !== "visible" && width > 1, ends = overflowY !== "visible" && height > 1;
      if ((sides && ring.left - out < x - 0.5 && !scrolls(box, -1, 0))
        || (sides && ring.right + out > x + width + 0.5 && !scrolls(box, 1, 0))
        || (ends && ring.top - out < y - 0.5 && !scrolls(box, 0, -1))
        || (ends && ring.bottom + out > y + height + 0.5 && !scrolls(box, 0, 1)))
        found.push(`${box.tagName} ${box.className}: ${each.outerHTML.slice(0, 140)}`);
      if (box.matches(":popover-open, dialog")) break;
    }
  }
  return found;
}"""


# Targets that are too small (WCAG 2.5.8), except for links within a sentence.
SMALL = """() => {
  const found = [];
  for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select")) {
    if (!element.checkVisibility() || element.matches(".skip-link, [aria-hidden=true]")) continue;
    if (element.closest(".table thead")?.clientWidth === 1) continue;
    const { display } = getComputedStyle(element);
    const target = element.matches("[type=radio], [type=checkbox]") ? element.closest("label") ?? element : element;
    const box = target.getBoundingClientRect(), around = getComputedStyle(target, "::after");
    const [width, height] = ["width", "height"].map((side) => Math.max(box[side], parseFloat(around[side]) || 0));
    const words = [...element.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const least = element.closest(".row-actions") ? 40 : 24;
    if ((display === "inline" && words) || (width >= least && height >= least)) continue;
    found.push(`${width.toFixed(1)} x ${height.toFixed(1)}: ${element.outerHTML.slice(0, 140)}`);
  }
  return found;
}"""

# Controls that do nothing without a script, and what waits for one.
DEAD = """() => {
  const controls = "button, a, [role=button], [role=switch], [tabindex], [aria-busy], .skeleton";
  const isDead = (element) => {
    if (element.matches("a")) return !element.getAttribute("href") || element.href.endsWith("#");
    if (element.matches("button")) return !element.form && !element.popoverTargetElement;
    return !element.matches(".table-wrap, .bulk-rows, .list, .decision, main, .alert, [data-focus]");
  };
  return [...document.querySelectorAll(controls)]
    .filter((element) => element.checkVisibility() && isDead(element))
    .map((element) => element.outerHTML.slice(0, 200));
}"""

# Text spacing that readers may choose (WCAG 1.4.12).
SPACED = """
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-block-end: 2em !important; }
"""
# A constructed style is one that the policy allows.
ADD_STYLE = """(text) => {
  const style = new CSSStyleSheet();
  style.replaceSync(text);
  document.adoptedStyleSheets.push(style);
}"""
REMOVE_STYLE = "() => document.adoptedStyleSheets.pop()"
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def resize(page: Page, width: int) -> None:
    """Give the window another width."""
    page.set_viewport_size({"width": width, "height": 800})


@contextmanager
def window_width(page: Page, width: int) -> Iterator[None]:
    """Set the window width within the block."""
    size = page.viewport_size
    assert size
    if size["width"] == width:
        yield
        return
    try:
        page.set_viewport_size({"width": width, "height": size["height"]})
        wait_until_painted(page)
        yield
    finally:
        page.set_viewport_size(size)
        wait_until_painted(page)


def wait_until_painted(page: Page) -> None:
    """Wait until the page is painted as it is now."""
    page.evaluate(PAINTED)


def broken(page: Page) -> list[str]:
    """Return what is wrong with the layout of a page, once it is drawn in the size that it has now."""
    wait_until_painted(page)
    faults: list[str] = page.evaluate(BROKEN)
    if any(text.startswith("cut off") for text in faults):
        page.wait_for_load_state("networkidle")  # the full texts load when the pointer is over them
        faults = page.evaluate(BROKEN)
    return faults


def small_targets(page: Page) -> list[str]:
    """Return the controls that are too small to be hit."""
    targets: list[str] = page.evaluate(SMALL)
    return targets


def dead_controls(page: Page) -> list[str]:
    """Return the controls of a page that do nothing without a script."""
    controls: list[str] = page.evaluate(DEAD)
    return controls


@contextmanager
def spaced(page: Page) -> Iterator[None]:
    """Apply the text spacing of WCAG 1.4.12 within the block."""
    page.evaluate(ADD_STYLE, SPACED)
    try:
        yield
    finally:
        page.evaluate(REMOVE_STYLE)


_PLACEHOLDER = re.compile(r"%\\\(\w+\\\)s")


def untranslated_texts(page: Page, tag: str) -> list[str]:
    """Return the texts of a page that are English though they are translated into its language."""
    exact, patterns = _english(CODES[tag])
    faults = []
    for text in page.evaluate(TEXTS):
        if text in exact or any(pattern.fullmatch(text) for first, pattern in patterns if text.startswith(first)):
            faults.append(f"English: {text}")
    return faults


@cache
def _english(code: str) -> tuple[set[str], list[tuple[str, re.Pattern[str]]]]:
    """The English texts that a language has translations of; those with placeholders as patterns with beginnings."""
    exact, right, patterns = set(), set(), []
    for entry in po.read(po.catalog_path(po.SHIPPED, code)):
        if entry.fuzzy:
            continue
        translations = {entry.msgstr, *entry.msgstr_plural.values()} - {""}
        right |= translations  # a word may be the same in one of its meanings, such as the French “Services”
        for text in filter(None, (entry.msgid, entry.msgid_plural)):
            if not translations or text in translations:
                continue
            start, is_filled, _suffix = text.partition("%(")
            if is_filled:
                words = re.findall(r"[A-Za-z]{2,}", _PLACEHOLDER.sub("", re.escape(text)))
                # “%(seen)s of %(total)s” would also be the Isle of Man.
                if len(words) > 1 or (words and start):
                    patterns.append((start, re.compile(_PLACEHOLDER.sub(".+", re.escape(text)))))
            else:
                exact.add(text)
    return exact - right - set(TEAM_TYPES.values()), patterns  # the service names the types of teams


def cut_rings(page: Page, within: str) -> list[str]:
    """Return the controls whose ring would not be seen whole if they had the focus."""
    faults: list[str] = page.evaluate(CUT_RINGS, within)
    return faults
