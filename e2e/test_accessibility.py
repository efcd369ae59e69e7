"""axe finds nothing, on any page, in both directions of writing, in light and dark."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.pages import BY_NAME, PLACES, go, phone, raise_toasts

AXE = Path(__file__).parent.parent / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
# Trusted Types would keep axe out, and a colour on its way to another is neither of the two.
OPTIONS: dict[str, Any] = {"bypass_csp": True, "reduced_motion": "reduce"}
LANGUAGES = pytest.mark.parametrize("language", ["en-US", "ar-EG"])


def complaints(page: Page) -> list[str]:
    """What axe says against this page as it is now, in light and in dark: the rules, and what breaks them."""
    page.evaluate(AXE.read_text())
    page.emulate_media(color_scheme="light")
    found = _run(page, {"type": "tag", "values": TAGS})
    page.emulate_media(color_scheme="dark")  # nothing but the colours is another then
    return found + [f"dark: {complaint}" for complaint in _run(page, {"type": "rule", "values": COLOURS})]


def _run(page: Page, rules: dict[str, Any]) -> list[str]:
    result = page.evaluate("runOnly => axe.run({ runOnly, resultTypes: ['violations'] })", rules)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.req("AX-01", "AX-12")
@LANGUAGES
def test_every_page(open_browser, console, language):
    found = {}
    for logged_in in (False, True):
        page = open_browser(logged_in=logged_in, locale=language, **OPTIONS)
        for place in [place for place in PLACES if place.logged_in is logged_in]:
            go(page, place, console)
            expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar-EG" else "ltr")
            found[place.name] = complaints(page)
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.req("AX-01", "AX-08")
@LANGUAGES
def test_what_opens_over_a_page(open_browser, console, language):
    page = open_browser(locale=language, **OPTIONS)
    go(page, BY_NAME["clinics"], console)
    found = {}
    for menu in ("language-menu", "account-menu"):
        page.locator(f"[popovertarget={menu}]").click()
        expect(page.locator(f"#{menu}")).to_be_visible()
        found[menu] = complaints(page)
        page.keyboard.press("Escape")
    raise_toasts(page, 2)
    found["toasts"] = complaints(page)
    phone(page)
    found["a phone"] = complaints(page)
    page.locator("[popovertarget=navigation]").first.click()
    expect(page.locator("#navigation")).to_be_visible()
    found["navigation on a phone"] = complaints(page)
    assert {name: what for name, what in found.items() if what} == {}


def test_a_chosen_theme_is_drawn_by_the_server_whatever_the_system_says(open_browser, console):
    page = open_browser(color_scheme="light", **OPTIONS)
    go(page, BY_NAME["clinics"], console)
    switch = page.locator("[data-theme-switch]")
    ground = page.locator("body")
    light = ground.evaluate("body => getComputedStyle(body).backgroundColor")
    switch.click()
    expect(switch).to_have_accessible_name("Colours: light")
    expect(ground).to_have_css("background-color", light)
    switch.click()
    expect(switch).to_have_accessible_name("Colours: dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = ground.evaluate("body => getComputedStyle(body).backgroundColor")
    assert dark != light
