"""Clinics changed by two people at once and by double clicks; row actions by keyboard and on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import CLINICS, phone
from tests.e2e.running import Console

pytestmark = pytest.mark.slow

NEW = f"{CLINICS}/new"
EMPTY_CLINIC = "한강 어린이치과"
"""A clinic in the demo data without users or partners."""


def writes(console: Console, method: str) -> list[dict[str, Any]]:
    return [call for call in console.sandbox.calls("bizMainGroups") if call["method"] == method]


@pytest.mark.req("LS-17")
def test_of_two_administrators_the_slower_one_is_asked(console, open_browser):
    mine, other = open_browser(), open_browser(separate_login=True)
    for page, name in ((mine, "My name"), (other, "Their name")):
        page.goto(f"{CLINICS}/g-1/edit")
        page.get_by_label("Name").fill(name)
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_text("was updated.").first).to_be_visible()
    mine.get_by_role("button", name="Save").click()
    question = mine.get_by_role("alert").filter(has_text="Someone else changed this in the meantime.")
    expect(question).to_be_focused()
    expect(question).to_contain_text("My name")
    expect(question).to_contain_text("Their name")
    mine.get_by_role("button", name="Save").click()
    expect(mine.get_by_text("was updated.").first).to_be_visible()
    expect(mine.get_by_role("table").get_by_role("link", name="My name", exact=True)).to_be_visible()


@pytest.mark.req("UC-04", "AX-02")
def test_the_country_of_a_clinic_is_found_by_typing(page):
    page.goto(NEW)
    page.get_by_label("Find a country").fill("fran")
    country = page.get_by_label("Country", exact=True)
    expect(country.locator("option")).to_have_text(["France"])
    page.keyboard.press("Enter")
    expect(country).to_have_value("FR")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Number of dentists")).to_be_focused()


@pytest.mark.req("LS-18")
def test_a_double_click_adds_one_clinic(console, page):
    console.sandbox.faults({"path": "/v1/bizMainGroups$", "method": "POST", "delay": 0.3})
    page.goto(NEW)
    page.get_by_label("Name").fill("Twice")
    page.get_by_label("Country", exact=True).select_option("FR")
    page.get_by_role("button", name="Save", exact=True).dblclick()
    expect(page.get_by_role("table").get_by_role("link", name="Twice", exact=True)).to_have_count(1)
    assert len(writes(console, "POST")) == 1


@pytest.mark.req("UC-04", "LS-15", "DM-24")
def test_the_actions_of_a_row_need_no_pointer(open_browser):
    page = open_browser()
    page.goto(CLINICS)
    button = page.get_by_role("button", name=f"Actions for {EMPTY_CLINIC}")
    button.focus()
    page.keyboard.press("Enter")
    edit = page.locator(":popover-open").get_by_role("link", name="Edit", exact=True)
    expect(edit).to_be_visible()
    page.keyboard.press("Escape")
    expect(edit).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(edit).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_have_value(EMPTY_CLINIC)


@pytest.mark.req("UC-04")
@pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
def test_on_a_phone_all_actions_are_under_one_button(open_browser, locale):
    page = open_browser(locale=locale, has_touch=True)
    phone(page)
    page.goto(CLINICS)
    row = page.locator("tbody tr").first
    row.locator(".row-actions > button").tap()
    actions = row.locator(".row-actions a")
    expect(actions).to_have_count(3)
    for number in range(3):
        box = actions.nth(number).bounding_box()
        assert box
        assert box["height"] >= 32
        assert 0 <= box["x"] <= 390 - box["width"]
    actions.nth(1).tap()
    expect(page).to_have_url(re.compile("/edit$"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
