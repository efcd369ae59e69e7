"""Lists against the whole system: pages, totals and columns."""

import re

import pytest
from playwright.sync_api import expect

from e2e.http_client import Visitor
from e2e.pages import CLINICS, TEAMS, USERS

RANGE = re.compile(r"(\d+) to (\d+) of (\d+)")


def pages(console, query: str, *, size: int) -> tuple[list[str], set[int]]:
    """The names of all rows, page after page, and the totals that were told on the way."""
    visitor, number = Visitor(console, console.log_in()), 1
    found: list[str] = []
    totals: set[int] = set()
    while True:
        view = visitor.get(f"{query}&size={size}&page={number}", json=True).json()["item"]["list"]
        ((first, last, total),) = (map(int, numbers) for numbers in RANGE.findall(view["pager"]["range"]))
        assert (first, last - first + 1, total) == (len(found) + 1, len(view["rows"]), view["total"])
        found += [row["id"] for row in view["rows"]]
        totals.add(total)
        number += 1
        if not view["pager"]["next_href"]:
            return found, totals


@pytest.mark.req("DM-09", "LS-05")
@pytest.mark.parametrize(
    "query",
    [
        f"{USERS}?status=ACTIVE",
        f"{USERS}?user_type=STAFF&status=ACTIVE&status=INVITED",
        f"{USERS}?keyword=an&user_type=DOCTOR",
        f"{CLINICS}?country_code=KR&country_code=US",
        f"{CLINICS}?has_partner=false",
    ],
)
def test_under_filters_the_pages_hold_what_their_total_tells(console, query):
    found, totals = pages(console, query, size=10)
    assert totals == {len(found)}
    assert len(set(found)) == len(found), "no row twice"
    at_once, _ = pages(console, query, size=100)
    assert found == at_once
    everything, _ = pages(console, query.partition("?")[0] + "?", size=100)
    assert set(found) < set(everything), "a filter leaves some out"


@pytest.mark.req("DM-04", "AX-10")
@pytest.mark.parametrize("language", ["en-US", "ar-EG", "de-DE", "th-TH"])
def test_all_columns_fit_a_window_of_1280(open_browser, language):
    page = open_browser(locale=language, viewport={"width": 1280, "height": 800})
    for path in (CLINICS, USERS, TEAMS):
        page.goto(path)
        hidden = page.locator(".table-wrap").evaluate("box => box.scrollWidth - box.clientWidth")
        assert hidden == 0, path


@pytest.mark.req("DM-04", "DM-28")
def test_a_finger_can_sort_on_a_phone(open_browser):
    page = open_browser(viewport={"width": 390, "height": 800}, has_touch=True)
    for path, last in ((CLINICS, "Partners"), (USERS, "Last login")):
        page.goto(path)
        link = page.locator("thead").get_by_role("link", name=last)
        link.scroll_into_view_if_needed()
        link.tap()
        expect(page).to_have_url(re.compile("sort=(partner_count|last_login_date)"))
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.req("DM-32")
def test_the_keys_are_told_and_can_be_switched_off(open_browser):
    page = open_browser()
    page.goto(CLINICS)
    keys, search = page.get_by_role("dialog", name="Keyboard shortcuts"), page.get_by_role("searchbox")
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("/?")
    expect(search).to_have_value("/?")
    expect(keys).to_be_hidden()

    page.get_by_role("button", name="Keyboard shortcuts").click()
    keys.get_by_role("checkbox", name="Single-key shortcuts").uncheck()
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()
    page.goto(TEAMS)
    page.locator("h1").click()
    for key in ("/", "?"):
        page.keyboard.press(key)
    expect(keys).to_be_hidden()
    expect(search).not_to_be_focused()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(keys.get_by_role("checkbox")).not_to_be_checked()
