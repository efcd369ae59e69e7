"""axe on a page as it is, under the policy that the console sends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Preloading would fetch styles, and a page may fetch from the console only. The name of a control contains its visible
# text; axe looks for whole words, which Korean and Japanese don't separate: “10행” is a name of “10” (WCAG 2.5.3).
_RUN = """async (values) => {
  const { violations } = await axe.run({
    runOnly: { type: "tag", values }, resultTypes: ["violations"], preload: false,
  });
  const isInName = ({ target }) => {
    const element = document.querySelector(target[0]);
    return element.ariaLabel?.includes(element.innerText.trim());
  };
  for (const violation of violations)
    if (violation.id === "label-content-name-mismatch")
      violation.nodes = violation.nodes.filter((node) => !isInName(node));
  return violations;
}"""


def violations(page: Page) -> list[str]:
    """Return the rules that a page breaks, each with the element that breaks it."""
    # DevTools may evaluate what the policy keeps from a page's own scripts.
    session = page.context.new_cdp_session(page)
    result = session.send("Runtime.evaluate", {"expression": SOURCE.read_text()})
    session.detach()
    assert "exceptionDetails" not in result, result["exceptionDetails"]
    with _all_in_view(page):
        rules = page.evaluate(_RUN, TAGS)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in rules
        for node in violation["nodes"]
    ]


@contextmanager
def _all_in_view(page: Page) -> Iterator[None]:
    """Make the window as tall as the page if the action bar covers a row: users can scroll it clear of the bar."""
    window = page.viewport_size
    if window is None or not page.locator(".bulk-bar").is_visible():
        yield
        return
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": window["width"], "height": height})
    try:
        yield
    finally:
        page.set_viewport_size(window)
