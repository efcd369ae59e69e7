"""axe finds nothing on any screen, in both writing directions, in light and dark."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.pages import BY_NAME, SCREENS, go, phone, raise_toasts, walk
from e2e.tiers import alternating, named, parts

AXE = Path(__file__).parent.parent / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Trusted Types would keep axe out, and a color in transition has neither of its two values.
OPTIONS: dict[str, Any] = {"bypass_csp": True, "reduced_motion": "reduce"}
VARIANTS = [(language, theme) for language in ("en-US", "ar-EG") for theme in ("light", "dark")]


def _open_menu(name: str) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        page.locator(f"[popovertarget={name}]").first.click()
        expect(page.locator(f"#{name}")).to_be_visible()

    return open_it


def _open_navigation_on_a_phone(page: Page) -> None:
    phone(page)
    _open_menu("navigation")(page)


def _show_toasts_on_a_phone(page: Page) -> None:
    phone(page)
    raise_toasts(page, 2)


def _search(page: Page) -> None:
    page.locator("[data-search]").click()
    page.locator(".search-dialog input").fill("seoul")
    expect(page.locator(".search-dialog small").first).to_be_visible()


def _search_on_a_phone(page: Page) -> None:
    phone(page)
    _search(page)


OPENED: dict[str, Callable[[Page], object]] = {
    "language menu": _open_menu("language-menu"),
    "account menu": _open_menu("account-menu"),
    "toasts": lambda page: raise_toasts(page, 2),
    "toasts on a phone": _show_toasts_on_a_phone,
    "navigation on a phone": _open_navigation_on_a_phone,
    "search": _search,
    "search on a phone": _search_on_a_phone,
}


@contextmanager
def _all_in_view(page: Page) -> Iterator[None]:
    """Make the window as tall as the page where the bar of actions lies over a row, which people scroll clear of it."""
    window = page.viewport_size
    if window is None or not page.locator(".bulk-bar").is_visible():
        yield
        return
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": window["width"], "height": height})
    yield
    page.set_viewport_size(window)


def complaints(page: Page) -> list[str]:
    """Return what axe finds on the page as it is now: the rules, and the elements that break them."""
    page.evaluate(AXE.read_text())
    result = page.evaluate("values => axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] })", TAGS)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.req("AX-01", "AX-12")
@pytest.mark.parametrize(("screens", "variant"), alternating(parts(SCREENS, len(VARIANTS)), VARIANTS), ids=named)
def test_every_screen(open_browser, console, screens, variant):
    language, theme = variant
    found = {}
    for screen, page in walk(screens, console, open_browser, locale=language, color_scheme=theme, **OPTIONS):
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar-EG" else "ltr")
        with _all_in_view(page):
            found[screen.name] = complaints(page)
    assert len(found) == len(screens)
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.req("AX-01", "AX-08")
@pytest.mark.parametrize(("opened", "variant"), alternating(OPENED, VARIANTS), ids=named)
def test_what_opens_over_a_screen(open_browser, console, opened, variant):
    language, theme = variant
    page = open_browser(locale=language, color_scheme=theme, **OPTIONS)
    go(page, BY_NAME["clinics"], console)
    OPENED[opened](page)
    assert complaints(page) == []


@pytest.mark.req("DM-29")
def test_a_chosen_theme_is_drawn_by_the_server_whatever_the_system_says(open_browser, console):
    page = open_browser(color_scheme="light", **OPTIONS)
    go(page, BY_NAME["clinics"], console)
    switch = page.locator("[data-theme-switch]")
    ground = page.locator("body")
    light = ground.evaluate("body => getComputedStyle(body).backgroundColor")
    switch.click()
    expect(switch).to_have_accessible_name("Theme: light")
    expect(ground).to_have_css("background-color", light)
    switch.click()
    expect(switch).to_have_accessible_name("Theme: dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = ground.evaluate("body => getComputedStyle(body).backgroundColor")
    assert dark != light
