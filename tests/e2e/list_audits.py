"""Audits of lists for the walk over all screens: the position of rows and tabs, and the fit of columns and labels.

An audit returns the faults of a page as sentences. It returns none if the page has no list.
"""

from playwright.sync_api import Page

from tests.e2e.pages import Screen
from tests.e2e.rendering import window_width

WIDE, PHONE = 1280, 390

INTRODUCED = {
    "access review",
    "access review, own settings",
    "user permissions, whom to copy",
    "user permissions, which preset",
    "who can order",
}
"""Screens that explain what to do above the first row."""

_RULES = """
const faults = [], range = document.createRange();
const check = (isRight, fault) => { if (!isRight) faults.push(fault); };
const all = (selector) =>
  [...document.querySelectorAll(`section.list ${selector}`)].filter((each) => each.clientWidth > 1);
const rows = all("tbody > tr:not(.row-heading)");

// Filters and views that are in use are above the rows, and a panel beside them makes the head of the page higher. The
// distance is without the line of what waits, which is there only if something does.
function checkFirstRow(limit) {
  const [first] = all("tbody > tr"), waiting = document.querySelector(".waiting");
  if (!first || document.querySelector(".chips, .views, .views-act, .panel")) return;
  const line = waiting ? waiting.offsetHeight + parseFloat(getComputedStyle(waiting).marginBottom) : 0;
  const top = Math.round(first.getBoundingClientRect().top + scrollY - line);
  check(top <= limit, `the first row is ${top}px from the top`);
}
// Cards have several lines, and some notifications a button, which is higher than a line.
function checkRowHeights(height) {
  const isLine = (row) => getComputedStyle(row).display === "table-row" && !row.closest("[data-list=notifications]");
  // A cell of several links is as high as they need.
  const lines = rows.filter((row) => isLine(row) && !row.querySelector(".cell-links > :nth-child(2)"));
  const heights = lines.map((row) => row.getBoundingClientRect().height);
  // People have a second line with their email.
  const least = document.querySelector("section.list tbody th[data-initial]") ? height + 8 : height;
  const wrong = heights.filter((each) => each < least || each > least + 1);
  check(!wrong.length, `${wrong.length} of ${heights.length} rows are ${wrong[0]}px high instead of ${least}`);
}
// The log of what was done has more columns than fit.
function checkColumns() {
  for (const box of all(".table-wrap").filter((each) => !each.closest("[data-list=activity]")))
    check(box.scrollWidth <= box.clientWidth, `the columns are ${box.scrollWidth - box.clientWidth}px too wide`);
}
function checkHeads() {
  for (const head of all("thead th")) {
    const text = document.createTreeWalker(head, NodeFilter.SHOW_TEXT).nextNode();
    for (const word of (text?.data ?? "").matchAll(/[^\\s/]+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => top));
      check(lines.size <= 1, `the head of a column is broken within a word: ${word}`);
    }
  }
}
function checkNumbers() {
  const columns = {};
  for (const cell of all("tbody td[data-kind=number]")) {
    const box = cell.getBoundingClientRect();
    range.selectNodeContents(cell.querySelector("bdi") ?? cell);
    const { left, right } = range.getBoundingClientRect();
    const end = Math.round(document.dir === "rtl" ? left - box.left : box.right - right);
    (columns[cell.dataset.label] ??= new Set()).add(end);
  }
  for (const [label, ends] of Object.entries(columns))
    check(ends.size === 1, `the numbers of a column do not end at the same place: ${label}`);
}
// Some languages have no spaces between words.
function checkLabels() {
  if (/^(ja|th|zh)/.test(document.documentElement.lang)) return;
  const canvas = document.createElement("canvas").getContext("2d");
  for (const cell of all("td[data-label]")) {
    const { content, font } = getComputedStyle(cell, "::before");
    if (content === "none") continue;
    // A label has a column of its own, or begins a text that is as wide as the card at most.
    const { display, gridTemplateColumns } = getComputedStyle(cell), row = getComputedStyle(cell.parentNode);
    const inner = cell.parentNode.clientWidth - parseFloat(row.paddingLeft) - parseFloat(row.paddingRight);
    const width = display === "grid" ? parseFloat(gridTemplateColumns) : inner;
    canvas.font = font;
    for (const word of cell.dataset.label.split(/[ /]/))
      check(canvas.measureText(word).width <= width, `the label of a card is broken within a word: ${word}`);
  }
}
"""
_WIDE_RULES = f"""({{ firstRow, rowHeight }}) => {{
  {_RULES}
  if (firstRow) checkFirstRow(firstRow);
  checkRowHeights(rowHeight);
  checkColumns();
  checkHeads();
  checkNumbers();
  checkLabels();
  return faults;
}}"""
_PHONE_RULES = f"""({{ firstRow }}) => {{
  {_RULES}
  if (firstRow) checkFirstRow(firstRow);
  checkLabels();
  return faults;
}}"""

_TABS = """async () => {
  // In a window that has just become narrow, tabs snap to the current one for a moment (styles/components/card.css).
  for (const { finished } of document.querySelector(".tabs").getAnimations()) await finished;
  const faults = [], scrolled = scrollY, current = document.querySelector(".tabs [aria-current]");
  const part = (from, to, size) => Math.min(to, size) - Math.max(from, 0);
  const isInSight = (tab) => {
    const { left, right, top, bottom, width, height } = tab.getBoundingClientRect();
    return part(left, right, innerWidth) >= 0.95 * width && part(top, bottom, innerHeight) >= 0.95 * height;
  };
  scrollTo(0, 0);
  if (current && !isInSight(current)) faults.push(`the current tab is out of sight: ${current.textContent}`);
  for (const tab of document.querySelectorAll(".tabs a")) {
    tab.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    if (!isInSight(tab)) faults.push(`a tab cannot be scrolled into sight: ${tab.textContent}`);
  }
  current?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
  scrollTo(0, scrolled);
  return faults;
}"""


def wide_list(page: Page, screen: Screen) -> list[str]:
    """Return the faults of a list on a wide page: its rows, columns, heads, numbers and labels."""
    return _faults(page, "section.list", WIDE, _WIDE_RULES, _limits(screen))


def phone_list(page: Page, screen: Screen) -> list[str]:
    """Return the faults of a list on a phone: its first row and the labels of its cards."""
    return _faults(page, "section.list", PHONE, _PHONE_RULES, _limits(screen))


def tabs(page: Page, _screen: Screen) -> list[str]:
    """Return the tabs that are out of sight: the current one at first, and the others even after scrolling to them."""
    return [fault for width in (WIDE, PHONE) for fault in _faults(page, ".tabs", width, _TABS)]


LIST_AUDITS = (wide_list, phone_list, tabs)


def _limits(screen: Screen) -> dict[str, int]:
    """In pixels: the distance of the first row from the top, 0 for any, and the height of a line without its border."""
    return {"firstRow": 0 if screen.name in INTRODUCED else 316, "rowHeight": 44}


def _faults(page: Page, subject: str, width: int, rules: str, limits: dict[str, int] | None = None) -> list[str]:
    if not page.locator(subject).count():
        return []
    with window_width(page, width):
        faults: list[str] = page.evaluate(rules, limits)
    return [f"{fault} ({width}px)" for fault in faults]
