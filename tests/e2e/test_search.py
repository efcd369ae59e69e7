"""The search of the whole console: from any page to a person, by keyboard, and what the tab remembers of it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import CLINICS, ready
from tests.e2e.test_bytes import files
from tests.e2e.ways import Keys

DIALOG, OPTION = ".search-dialog", ".search-dialog [role=option]"
BYTES = 4_000
OTHER, OTHERS_PASSWORD = "other@demo.example", "Other123!"


def option(page: Page, text: str) -> Locator:
    return page.locator(OPTION).filter(has_text=text)


def search_for(page: Page, keyword: str) -> None:
    page.locator(f"{DIALOG} input").fill(keyword)
    expect(page.locator(f"{DIALOG} [role=status]")).not_to_be_empty()
    expect(page.locator(f"{DIALOG} [aria-busy]")).to_have_count(0)


@pytest.mark.req("DM-46")
def test_a_person_is_found_from_any_page_and_opened(way):
    way.go("/dashboard")
    if not way.has_scripts:
        way.press(way.page.locator("[data-search]"))
        way.at("/search")
        way.fill(way.page.locator("main [name=q]"), "grac")
        way.press(way.page.locator("main .search-form button"))
        way.at("/search", q="grac")
        way.press(way.page.locator(".found a").filter(has_text="Grace Kim"))
    else:
        if isinstance(way, Keys):
            way.page.keyboard.press("ControlOrMeta+k")
        else:
            way.press(way.page.locator("[data-search]"))
        expect(way.page.locator(f"{DIALOG} input")).to_be_focused()
        search_for(way.page, "grac")
        way.sees(option(way.page, "Grace Kim"))
        if isinstance(way, Keys):
            while option(way.page, "Grace Kim").get_attribute("aria-selected") != "true":
                way.page.keyboard.press("ArrowDown")
            way.page.keyboard.press("Enter")
        else:
            way.press(option(way.page, "Grace Kim"))
    expect(way.page).to_have_url(re.compile(r"/user-manage/clinic/g-1/user/u-\d+$"))
    way.sees(way.page.locator("h1").filter(has_text="Grace Kim"))


@pytest.mark.slow
@pytest.mark.req("DM-46", "ST-20", "AX-08", "SEC-107")
def test_the_keyboard_comes_back_and_what_was_opened_is_the_administrators_own(open_browser, console):
    page = open_browser(separate_login=True)
    page.goto(CLINICS)
    ready(page)
    assert [file.name for file in files(page) if file.name.startswith("search")] == [], "before it is used"
    before = {file.name for file in files(page)}
    field = page.locator("[name=keyword]")
    field.focus()
    page.keyboard.press("ControlOrMeta+k")
    expect(page.locator(OPTION).first).to_be_visible()
    # The first of all dialogs and menus loads the keys of menus, too.
    new = [file for file in files(page) if file.name not in before and not file.name.startswith("menus-")]
    scripts = [file for file in new if file.name.endswith(".js")]
    assert 0 < sum(file.bytes for file in scripts) <= BYTES, scripts
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_be_hidden()
    expect(field).to_be_focused()

    page.keyboard.press("ControlOrMeta+k")
    search_for(page, "grac")
    with page.context.expect_page() as new_tab:
        page.keyboard.press("ControlOrMeta+Enter")
    new_tab.value.close()
    page.keyboard.press("Escape")
    page.keyboard.press("ControlOrMeta+k")
    recent = page.locator(f"{DIALOG} [role=group]").first
    expect(recent).to_have_attribute("aria-label", "Recently viewed")
    expect(recent.locator("[role=option]")).to_have_count(1)
    page.keyboard.press("Escape")

    page.locator("[popovertarget=account-menu]").press("Enter")
    page.locator("form[data-logout] button").press("Enter")
    page.locator("main [name=email]").fill(OTHER)
    page.locator("main [name=password]").fill(OTHERS_PASSWORD)
    page.locator("main [name=password]").press("Enter")
    page.wait_for_url(re.compile("/user-manage"))
    page.keyboard.press("ControlOrMeta+k")
    expect(page.locator(OPTION).first).to_be_visible()
    expect(page.locator(f"{DIALOG} [role=group]")).to_have_count(1)
    assert "Grace" not in page.evaluate("JSON.stringify(sessionStorage)")


@pytest.mark.slow
@pytest.mark.req("DM-46")
def test_a_kind_that_fails_says_so_in_its_place(page, console):
    page.goto("/dashboard")
    page.keyboard.press("ControlOrMeta+k")
    console.sandbox.faults({"path": "/v1/bizScanners$", "times": 1, "status": 500})
    search_for(page, "seoul")
    failed = page.locator(f"{DIALOG} [role=group][aria-label=Scanners]")
    expect(failed).to_contain_text("Couldn't load this.")
    failed.locator("[role=option]").click()
    expect(failed).not_to_contain_text("load this")
    expect(failed.locator("[role=option]").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.req("DM-46")
def test_a_word_that_is_composed_is_looked_for_once_when_it_is_complete(page, console, script_requests):
    page.clock.install()
    page.goto("/dashboard")
    page.keyboard.press("ControlOrMeta+k")
    expect(page.locator(OPTION).first).to_be_visible()
    script_requests.clear()
    cdp = page.context.new_cdp_session(page)
    for text in ("기", "김", "김ㅁ", "김민"):
        cdp.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
        page.clock.run_for(1_000)
        assert script_requests == [], "the word is not complete"
    cdp.send("Input.insertText", {"text": "김민"})
    page.clock.run_for(1_000)
    expect(option(page, "김민준").first).to_be_visible()
    assert len(script_requests) == 1
