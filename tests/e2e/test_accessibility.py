"""axe finds nothing on what opens over a screen, and the chosen theme stays."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.pages import BY_NAME, go, phone, raise_toasts

pytestmark = pytest.mark.slow


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


@pytest.mark.req("AX-01", "AX-08")
@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize(("locale", "theme"), [("en-US", "light"), ("ar-EG", "dark")])
def test_what_opens_over_a_screen(open_browser, console, opened, locale, theme):
    page = open_browser(locale=locale, color_scheme=theme, reduced_motion="reduce")
    go(page, BY_NAME["clinics"], console)
    OPENED[opened](page)
    assert violations(page) == []


@pytest.mark.req("DM-29")
def test_a_chosen_theme_is_drawn_by_the_server_whatever_the_system_says(open_browser, console):
    page = open_browser(color_scheme="light", reduced_motion="reduce")
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
