"""Lists in the browser: columns, sorting, keys and selection."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.list_audits import phone_list, wide_list
from tests.e2e.pages import ALL_USERS, BY_NAME, CLINICS, TEAMS, USERS, go, ready
from tests.e2e.running import EMAIL, PASSWORD

pytestmark = pytest.mark.slow


@pytest.mark.req("DM-04", "AX-10", "LN-33")
@pytest.mark.parametrize("language", ["ar-EG", "de-DE", "el-GR", "ja-JP", "ko-KR", "pl-PL", "ru-RU", "zh-TW"])
def test_columns_heads_and_labels_fit_in_languages_that_are_long_or_have_no_spaces(open_browser, console, language):
    page = open_browser(locale=language, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    faults = {}
    for name in ("clinics", "labs"):
        go(page, BY_NAME[name], console)
        faults[name] = wide_list(page, BY_NAME[name]) + phone_list(page, BY_NAME[name])
    assert faults == {"clinics": [], "labs": []}


@pytest.mark.req("DM-04", "DM-28")
def test_a_finger_can_sort_on_a_phone(open_browser, console):
    page = open_browser(viewport={"width": 390, "height": 800}, has_touch=True)
    for name, last in (("clinics", "Partners"), ("users", "Last login")):
        go(page, BY_NAME[name], console)
        link = page.locator("thead").get_by_role("link", name=last)
        link.scroll_into_view_if_needed()
        link.tap()
        expect(page).to_have_url(re.compile("sort=(partner_count|last_login_date)"))
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.req("DM-04")
def test_the_search_keeps_its_width_on_a_phone_while_one_searches(open_browser):
    page = open_browser(viewport={"width": 390, "height": 800}, has_touch=True)
    page.goto(CLINICS)
    search = page.get_by_role("searchbox")
    width = search.bounding_box()["width"]
    search.fill("Seoul Central")
    expect(page.get_by_role("link", name="Save view")).to_be_visible()
    assert search.bounding_box()["width"] == width >= 200


@pytest.mark.req("DM-32")
def test_the_keys_are_listed_and_can_be_switched_off(open_browser):
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


@pytest.mark.req("AX-08", "LS-05")
def test_a_new_order_is_announced_and_the_rows_are_named(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    status = page.locator(".list > [role=status]")
    expect(status).to_have_text("")
    link = page.locator("thead").get_by_role("link", name="Name")
    for order in ("descending", "ascending"):
        link.press("Enter")
        expect(status).to_have_text(f"1 to 25 of 40. Users. Sorted by Name, {order}")
        expect(link).to_be_focused()


@pytest.mark.req("VA-21", "AX-08")
def test_half_an_email_leaves_the_search_box_as_wide_as_it_was(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 800})
    page.goto(f"{USERS}?searchField=email")
    ready(page)
    box = page.get_by_role("searchbox")
    before = box.bounding_box()
    box.press_sequentially("hana@")
    hint = page.get_by_role("search").get_by_role("status")
    expect(hint).to_have_text("Enter a complete email address.")
    expect(box).to_have_accessible_description("Enter a complete email address.")
    assert box.bounding_box() == before


@pytest.mark.req("AX-02", "DM-28")
def test_a_table_is_a_stop_and_has_an_edge_only_where_it_scrolls(open_browser):
    page = open_browser()
    for path in (CLINICS, USERS):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(path)
        table, corner = page.locator(".table-wrap"), page.locator("thead .row-actions")
        expect(table).to_have_attribute("tabindex", "-1")
        expect(corner).to_have_css("box-shadow", "none")
        page.set_viewport_size({"width": 660, "height": 800})
        expect(table).to_have_attribute("tabindex", "0")
        expect(corner).not_to_have_css("box-shadow", "none")
        expect(corner).to_be_in_viewport(ratio=1)


@pytest.mark.req("LS-07")
def test_the_box_in_the_head_selects_the_page(open_browser):
    page = open_browser()
    page.goto(USERS)
    head = page.locator("thead").get_by_role("checkbox", name="Select all on this page")
    ready(page)
    head.check()
    expect(page.locator("tbody [name=id]:checked")).to_have_count(25)
    page.get_by_role("link", name="Next page").click()
    expect(page.locator(".list-status")).to_have_text("26 to 40 of 40")
    expect(head).not_to_be_checked()


@pytest.mark.req("DM-07", "ST-20")
def test_the_side_menu_leads_back_to_a_list_as_it_was_left_until_the_logout(open_browser):
    page = open_browser()
    page.goto(ALL_USERS)
    ready(page)
    page.get_by_role("searchbox").fill("park")
    expect(page).to_have_url(re.compile(r"/user\?keyword=park$"))
    menu = page.get_by_role("navigation", name="Main")
    menu.get_by_role("link", name="Clinics").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
    menu.get_by_role("link", name="Users").press("Enter")
    expect(page).to_have_url(re.compile(r"/user\?keyword=park$"))
    expect(page.get_by_role("searchbox")).to_have_value("park")
    menu.get_by_role("link", name="Users").click()
    expect(page).to_have_url(re.compile(r"/user$"))

    ready(page)
    page.get_by_role("searchbox").fill("park")
    expect(page).to_have_url(re.compile(r"/user\?keyword=park$"))
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
    menu.get_by_role("link", name="Users").click()
    expect(page).to_have_url(re.compile(r"/user$"))


@pytest.mark.req("DM-12")
def test_columns_are_hidden_in_this_list_and_stay_hidden(open_browser):
    page = open_browser()
    page.goto(f"{USERS}?status=ACTIVE")
    ready(page)
    page.get_by_role("button", name="Columns").press("Enter")
    form = page.locator("[data-columns]")
    form.get_by_label("Email").press("Space")
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
    expect(form.get_by_label("Email")).to_be_focused()
    form.get_by_role("button", name="Apply").press("Enter")
    expect(form).to_be_hidden()
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Team")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/user\?status=ACTIVE$"))
    page.get_by_role("link", name="Remove the “Status: Active” filter").click()
    expect(page.locator(".list-status")).to_have_text("1 to 25 of 40")
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
    page.goto(CLINICS)
    page.goto(USERS)
    expect(page.get_by_role("columnheader", name="Last login")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
