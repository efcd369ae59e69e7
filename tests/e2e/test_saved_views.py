"""A saved view, in every way of using the console: what a list shows is saved, opened again, and deleted."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_message, narrow, submit
from tests.e2e.pages import CLINICS
from tests.e2e.running import Console, database


@pytest.fixture(autouse=True)
def _forgotten(console: Console) -> Iterator[None]:
    """The tests of a worker share their administrator, whose lists are theirs, too."""
    yield
    database(console, "DELETE FROM saved_view")


@pytest.mark.req("DM-36")
def test_what_a_list_shows_is_saved_opened_again_and_deleted(way, console):
    page = way.page
    links, view_link = page.locator(".views .view"), page.locator("a.views-act")
    way.go(CLINICS)
    whole = page.locator(".list-status").inner_text()
    expect(view_link).to_have_count(0)
    narrow(way, country_code="KR")
    way.press(view_link)
    way.fill(page.locator("[name=name]"), "In Korea")
    way.tick(page.locator("[name=is_default]"))
    submit(way)
    expect_message(way)
    expect(links).to_have_count(2)
    expect(links.last).to_have_attribute("aria-current", "page")
    way.wait_until_ready()

    way.press(links.first)  # the whole list, which the browser reads where it can
    expect(page.locator(".list-status")).to_have_text(whole)
    expect(links.first).to_have_attribute("aria-current", "page")
    expect(view_link).to_have_count(0)
    way.at(CLINICS, view="all")

    way.go(CLINICS)  # asks for nothing
    way.at(CLINICS, country_code="KR")
    expect(links.last).to_have_attribute("aria-current", "page")
    way.wait_until_ready()
    way.check_page()
    way.press(view_link)
    way.press(page.locator("a[href*='/delete']"))
    submit(way)
    expect_message(way)
    expect(links).to_have_count(0)
    way.at(CLINICS, country_code="KR")
