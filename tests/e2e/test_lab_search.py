"""Labs are found, put on the partner list and taken off it, in every way of using the console."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_message, narrow, sent
from tests.e2e.pages import visit

SEARCH = "/partner-manage/search"
LIST = "bizPartnerLists"


@pytest.mark.req("UC-08", "UC-09", "RT-19", "DM-40")
def test_a_lab_is_found_by_what_it_does_added_and_taken_back(way, console):
    way.go(SEARCH)
    narrow(way, service="CLEAR_ALIGNERS", language="ko", served_country="KR")
    row = way.page.locator("tbody tr").filter(has=way.page.locator("[formaction$='/add']")).first
    id = row.locator("[name=id]").input_value()
    row = way.page.locator("tbody tr").filter(has=way.page.locator(f"[name=id][value={id}]"))
    way.press(row.locator("[formaction$='/add']"))
    way.sees(row.locator("[href$='/request']"))
    assert sent(console, "POST", f"{LIST}$") == [{"organizationId": "o-1", "labId": id}]
    expect(way.page.locator(".chips > li")).to_have_count(3)

    way.press(row.locator("[formaction$='/remove']"))
    way.sees(row.locator("[formaction$='/add']"))
    assert len(console.sandbox.calls(f"{LIST}/{id}$")) == 1

    way.press(row.locator("th a"))
    way.at(f"/partner-manage/lab/{id}")
    way.press(way.page.locator(".page-actions [data-primary]"))
    expect(way.page.locator(".page-actions [action$='/remove']")).to_be_visible()
    expect_message(way)
    way.press(way.page.locator(".messages form button"))
    expect(way.page.locator(".page-actions [action$='/add']")).to_be_visible()
    expect_message(way)
    way.at(f"/partner-manage/lab/{id}")


@pytest.mark.slow
@pytest.mark.req("UC-09", "DM-40", "AX-08")
def test_what_was_added_is_taken_back_where_one_is(page, console):
    visit(page, f"{SEARCH}?in_list=false")
    row = page.get_by_role("row").nth(1)
    name = row.get_by_role("rowheader").inner_text()
    row.get_by_role("button", name=f"Add to my list: {name}").press("Enter")
    expect(page.get_by_role("row").filter(has_text=name)).to_have_count(0)  # it is on the list now
    expect(page.get_by_role("row").nth(1).get_by_role("button")).to_be_focused()
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("row").nth(1).get_by_role("rowheader")).to_have_text(name)
    expect(page.locator(".toast").last).to_have_text(re.compile("was removed from your partner list"))
    expect(page).to_have_url(re.compile(r"in_list=false$"))
    assert [call["method"] for call in console.sandbox.calls(LIST) if call["method"] != "GET"] == ["POST", "DELETE"]


@pytest.mark.slow
@pytest.mark.req("UC-08", "DM-32")
def test_the_counts_follow_the_filters_and_slash_leads_to_the_search(page, console):
    visit(page, SEARCH)
    services = page.get_by_role("group", name="Services")
    before = services.get_by_role("checkbox", name=re.compile("^Implants")).locator("xpath=..").inner_text()
    page.get_by_role("checkbox", name=re.compile("^South Korea")).first.check()
    expect(page.locator(".chips > li")).to_have_count(1)
    expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
    after = services.get_by_role("checkbox", name=re.compile("^Implants")).locator("xpath=..").inner_text()
    assert int(after.split()[-1]) < int(before.split()[-1])
    page.go_back()
    expect(page.locator(".chips > li")).to_have_count(0)
    expect(services.get_by_role("checkbox", name=re.compile("^Implants")).locator("xpath=..")).to_have_text(before)
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox").first).to_be_focused()


@pytest.mark.slow
@pytest.mark.req("UC-08")
def test_where_the_service_counts_nothing_a_country_is_found_by_its_name(page, console):
    console.sandbox.control("POST", "facets", {"on": False})
    visit(page, SEARCH)
    expect(page.locator(".filters small")).to_have_count(0)
    country = page.get_by_role("group", name="Country")
    page.get_by_role("searchbox", name="Find a country", exact=True).fill("fran")
    country.get_by_role("checkbox", name="France").check()
    expect(page.locator(".chips > li")).to_have_text(["Country: France"])
    expect(page.locator("tbody tr").first).to_contain_text("France")


@pytest.mark.slow
@pytest.mark.req("UC-08")
def test_cards_are_sorted_by_a_select_which_follows_the_way_back(page):
    visit(page, SEARCH)
    select, first = page.get_by_label("Sort by"), page.locator("tbody tr").first
    name = first.get_by_role("heading").inner_text()
    select.select_option("Name, descending")
    expect(first).not_to_contain_text(name)
    page.go_back()
    expect(first).to_contain_text(name)
    expect(select).to_have_value("")


@pytest.mark.slow
@pytest.mark.req("UC-08", "AX-10")
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_the_box_of_a_card_begins_where_its_lines_do(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 900})
    visit(page, SEARCH)
    card = page.locator("tbody tr").first

    def start(selector):
        return card.locator(selector).first.evaluate("e => e.getBoundingClientRect().left")

    assert abs(start("[name=id]") - start("td[data-label]:has(bdi)")) < 1
    assert start("th a") > card.locator("[name=id]").evaluate("e => e.getBoundingClientRect().right")


@pytest.mark.slow
@pytest.mark.req("UC-08")
def test_a_search_moves_no_card_and_the_box_for_all_has_words(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 900})
    visit(page, SEARCH)
    expect(page.locator("thead").get_by_text("Select all on this page")).to_be_visible()
    card = page.locator("tbody tr").first
    top = card.evaluate("e => e.getBoundingClientRect().top")
    page.locator("[name=keyword]").fill("a")
    expect(page.locator("a.views-act")).to_be_visible()
    assert card.evaluate("e => e.getBoundingClientRect().top") == top


@pytest.mark.slow
@pytest.mark.req("UC-08")
@pytest.mark.parametrize("width", [390, 1280])
def test_without_scripts_the_search_button_is_next_to_its_box_and_nothing_frames_the_actions(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 900}, java_script_enabled=False)
    page.goto(SEARCH)
    box, button = page.locator(".list .search-box").bounding_box(), page.locator(".search-submit").bounding_box()
    assert abs(box["y"] - button["y"]) < 2
    assert button["x"] >= box["x"] + box["width"]
    assert button["width"] < 200
    actions = page.locator("tbody .row-actions").first
    expect(actions).to_have_css("box-shadow", "none")
