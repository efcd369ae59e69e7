"""A press draws again what it changes, and not the whole page: how long the page takes to answer depends on that."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.e2e.pages import ALL_USERS, ready
from tests.e2e.rendering import wait_until_painted

pytestmark = pytest.mark.slow


def styled(page: Page, press: Callable[[], object]) -> float:
    """Return how many times the elements of the page a press has the browser find their styles again."""
    browser = page.context.browser
    assert browser
    wait_until_painted(page)
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    press()
    wait_until_painted(page)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    counts = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert counts
    return float(sum(counts) / page.evaluate("document.getElementsByTagName('*').length"))


@pytest.mark.req("DM-12")
@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_opened_or_ticked_leaves_the_other_rows_alone(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    page.goto(f"{ALL_USERS}?size=100")
    ready(page)
    menu, box = page.locator(".filters-button"), page.locator("tbody [name=id]").nth(1)
    assert styled(page, menu.click) < 0.1
    assert styled(page, lambda: page.keyboard.press("Escape")) < 0.1
    assert styled(page, lambda: box.press(" ")) < 0.15
    assert styled(page, lambda: box.press(" ")) < 0.15


@pytest.mark.req("DM-12")
def test_all_rows_are_ticked_and_the_panel_closes_in_one_pass(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 844})
    page.goto(f"{ALL_USERS}?size=100")
    ready(page)
    head, row = page.locator("thead [data-select=page]"), page.locator("tbody tr").first
    assert styled(page, lambda: head.press(" ")) < 1
    assert styled(page, lambda: head.press(" ")) < 1
    row.click(position={"x": 120, "y": 4})
    page.locator(".panel").wait_for()
    assert styled(page, lambda: page.keyboard.press("Escape")) < 1
