"""The filters of the users of all clinics: clinics found among many, and the teams of one."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import ALL_USERS, USERS, shows, visit

pytestmark = pytest.mark.slow

ONE_CLINIC = "1 to 25 of 40"


@pytest.mark.req("DM-06", "DM-07", "AX-06")
@pytest.mark.provokes("422 (Unprocessable Entity)")
def test_a_clinic_is_found_and_its_teams_can_be_chosen_then(page, script_requests):
    visit(page, ALL_USERS)
    page.get_by_role("button", name="Filters").click()
    finder = page.get_by_role("searchbox", name="Find a clinic")
    finder.press_sequentially("seoul")
    clinics = page.get_by_role("group", name="Clinic")
    expect(clinics.get_by_role("checkbox")).to_have_count(1)
    finder.press("Enter")
    expect(page.get_by_role("group", name="Team")).to_have_count(0)
    assert script_requests == []
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    shows(page, ONE_CLINIC)
    expect(page.get_by_role("link", name="Remove the “Clinic: Seoul Central Dental” filter")).to_be_visible()
    teams = page.get_by_role("group", name="Team")
    teams.get_by_role("checkbox", name="Orthodontics").check()
    expect(page.get_by_role("link", name="Remove the “Team: Orthodontics” filter")).to_be_visible()
    assert "clinic=g-1&team=" in page.url

    finder.fill("")
    clinics.get_by_role("checkbox", name="Tulip Tandartsen").check()
    expect(page.get_by_role("link", name="Remove the “Clinic: Tulip Tandartsen” filter")).to_be_visible()
    expect(teams).to_have_count(0)
    expect(page.locator("[data-notice]")).to_contain_text("choose exactly one value for the “Clinic” filter.")
    expect(page.locator(".chips > li")).to_have_count(2)

    page.go_back()
    page.go_back()
    shows(page, ONE_CLINIC)
    expect(teams.get_by_role("checkbox", checked=True)).to_have_count(0)
    page.reload()
    shows(page, ONE_CLINIC)
    page.get_by_role("button", name="Filters").click()
    expect(clinics.get_by_role("checkbox", checked=True)).to_have_count(1)
    page.get_by_role("combobox", name="Last login").select_option(label="Never")
    expect(page.get_by_role("link", name="Remove the “Last login: Never” filter")).to_be_visible()
    expect(page.locator("td[data-label='Last login']").first).to_have_text("Never")


@pytest.mark.req("DM-06", "DM-07")
def test_of_many_clinics_the_server_finds_one_by_its_name(page):
    page.goto(f"{ALL_USERS}?find_clinic=seoul")
    page.get_by_role("button", name="Filters").click()
    finder = page.get_by_role("searchbox", name="Find a clinic")
    clinics = page.get_by_role("group", name="Clinic")
    expect(clinics.get_by_role("checkbox")).to_have_count(1)
    expect(finder).to_have_value("seoul")
    finder.fill("tulip")
    expect(clinics.get_by_role("checkbox")).to_have_count(1)
    clinics.get_by_role("checkbox", name="Tulip Tandartsen").check()
    expect(page.get_by_role("link", name="Remove the “Clinic: Tulip Tandartsen” filter")).to_be_visible()


@pytest.mark.req("DM-06", "AX-02")
@pytest.mark.parametrize("height", [600, 720, 860])
def test_what_shows_the_results_is_in_the_window_however_many_there_are(open_browser, height):
    page = open_browser(viewport={"width": 1280, "height": height}, reduced_motion="reduce")
    visit(page, f"{USERS}?size=10")
    page.get_by_role("button", name="Filters").click()
    button = page.get_by_role("button", name="Show results")
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_role("combobox", name="Last login").select_option(label="Never")
    expect(page.get_by_role("link", name="Remove the “Last login: Never” filter")).to_be_visible()
    expect(button).to_be_in_viewport(ratio=1)
    for control in page.locator(".filters:popover-open").locator("input, select, button").all():
        control.focus()
        expect(control).to_be_in_viewport(ratio=1)
