"""The main task from start to finish: log in, find a clinic's user, change a permission, log out."""

import re

import pytest
from playwright.sync_api import expect

from e2e.pages import act_on


@pytest.mark.req("UC-01", "UC-03", "PM-02", "PM-08", "ST-01", "ST-20")
def test_a_new_administrator_switches_export_off_and_finds_it_off(console, open_browser):
    page = open_browser(logged_in=False)
    page.goto("/")
    expect(page).to_have_url(re.compile("/login$"))
    page.get_by_label("Email").fill("admin@demo.example")
    page.get_by_label("Password", exact=True).fill("Demo123!")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")

    page.get_by_role("link", name="Seoul Central Dental", exact=True).click()
    expect(page.locator(".list-status")).to_have_text("1 to 25 of 40")
    page.get_by_role("searchbox").press_sequentially("Hana Park")
    expect(page.get_by_role("rowheader")).to_have_count(1)
    act_on(page, "Hana Park", "Permissions")

    export = page.get_by_role("group", name="Allow export")
    expect(export.get_by_role("radio", name="Same as the clinic")).to_be_checked()
    console.sandbox.forget_calls()
    export.get_by_role("radio", name="Off").check()
    expect(page.get_by_text("Allow export is off for ").first).to_be_visible()
    page.reload()
    expect(export.get_by_role("radio", name="Off")).to_be_checked()
    (change,) = [c for c in console.sandbox.calls("permissions") if c["method"] == "PUT"]
    assert change["body"] == {"permissions": {"allowExport": False}}

    page.get_by_role("button", name="Choose a language").click()
    page.get_by_role("link", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")

    page.goto("/user-manage/clinic?lng=en-US")
    page.get_by_role("button", name="Account").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/login$"))
    page.goto("/user-manage/clinic")
    expect(page).to_have_url(re.compile("/login"))
