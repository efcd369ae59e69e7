"""The console without JavaScript: everything can be done, and no control does nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.pages import CLINIC_PERMISSIONS, CLINICS, SCREENS, USER_PERMISSIONS, USERS, open_filters, phone, walk

OFF = {"java_script_enabled": False}


@pytest.fixture
def page(open_browser: Callable[..., Page]) -> Page:
    return open_browser(**OFF)


def shows(page: Page, range_: str) -> None:
    expect(page.locator(".list-status")).to_have_text(range_)


@pytest.mark.req("UC-03", "ST-01", "ST-20", "RT-32")
def test_logging_in_and_out(open_browser):
    page = open_browser(logged_in=False, **OFF)
    page.goto(f"{USERS}?page=2")
    page.get_by_label("Email").fill("admin@demo.example")
    page.get_by_label("Password", exact=True).fill("Wrong123!")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(
        "Login failed. Check your ID and password again."
    )
    expect(page.get_by_label("Email")).to_have_value("admin@demo.example")
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    page.get_by_label("Password", exact=True).fill("Demo123!")
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(re.compile(rf"{USERS}\?page=2$"))
    shows(page, "26 to 40 of 40")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/login$"))
    page.goto(USERS)
    expect(page).to_have_url(re.compile("/login"))


@pytest.mark.req("RT-14", "LS-02", "LS-03", "LS-05", "CO-18", "CO-16")
def test_searching_filtering_sorting_and_paging(page):
    page.goto(USERS)
    page.get_by_role("link", name="Next page").click()
    shows(page, "26 to 40 of 40")
    page.get_by_role("searchbox").fill("hana.park@demo.example")
    open_filters(page)
    page.get_by_label("Search in").select_option("email")
    page.get_by_role("button", name="Show results").click()
    expect(page.get_by_role("rowheader")).to_have_text(["Hana Park"])
    page.get_by_role("searchbox").fill("hana.park@demo")
    page.get_by_role("searchbox").press("Enter")
    expect(page.get_by_text("Invalid email")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_attribute("aria-invalid", "true")

    page.goto(f"{USERS}?keyword=zzz")
    page.get_by_role("main").get_by_role("link", name=re.compile("Clear")).click()
    shows(page, "1 to 25 of 40")
    open_filters(page)
    page.get_by_role("checkbox", name="Doctor", exact=True).check()
    page.get_by_role("button", name="Show results").click()
    kinds = page.locator("tbody td[data-label=Type]")
    assert set(kinds.all_text_contents()) == {"Doctor"}
    page.get_by_role("link", name="Remove the filter Type: Doctor").click()
    shows(page, "1 to 25 of 40")

    page.get_by_role("link", name="10 rows per page").click()
    shows(page, "1 to 10 of 40")
    first = page.get_by_role("rowheader").first.text_content()
    page.get_by_role("columnheader", name="Name").get_by_role("link").click()
    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    assert page.get_by_role("rowheader").first.text_content() != first
    page.goto(CLINICS)
    page.goto(USERS)
    shows(page, "1 to 10 of 40")


@pytest.mark.req("PM-07", "PM-12", "PM-19")
def test_changing_the_permissions_of_a_clinic_and_a_user(page, console):
    page.goto(CLINIC_PERMISSIONS)
    page.get_by_role("group", name="Allow export").get_by_role("radio", name="Off").check()
    page.locator("form.permissions [data-primary]").click()
    expect(page.get_by_text("Allow export is off for ")).to_be_visible()
    page.goto(USER_PERMISSIONS)
    export = page.get_by_role("group", name="Allow export")
    expect(export.get_by_role("radio", name="Same as the clinic")).to_be_checked()
    expect(export).to_have_accessible_description(re.compile(r"Off \(clinic setting\)"))
    export.get_by_role("radio", name="On").check()
    page.locator("form.permissions [data-primary]").click()
    expect(page.get_by_text("Allow export is on for ")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Allow export is on for ")).to_have_count(0)
    expect(export.get_by_role("radio", name="On")).to_be_checked()
    changes = [call["body"]["permissions"] for call in console.sandbox.calls("permissions") if call["method"] == "PUT"]
    assert [change["allowExport"] for change in changes] == [False, True]


@pytest.mark.req("DM-15", "DM-19", "LS-13")
def test_an_invitation_is_sent_again_from_its_row(page, console):
    page.goto(f"{USERS}?status=INVITED&size=10")
    page.get_by_role("button", name="Actions for Mei-Ling Chen").click()
    page.locator(":popover-open").get_by_role("button", name="Resend invitation").click()
    expect(page.get_by_text(re.compile("^Invitation sent to .* It expires"))).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/user\?status=INVITED&size=10$"))
    assert len(console.sandbox.mails()) == 1
    page.reload()
    expect(page.get_by_text("Invitation sent")).to_have_count(0)


@pytest.mark.req("LN-34")
def test_choosing_a_language_keeps_the_page_and_its_query(page):
    page.goto(f"{USERS}?size=10&page=2")
    page.get_by_role("button", name="Choose a language").click()
    page.get_by_role("link", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page).to_have_url(re.compile(rf"{USERS}\?.*page=2"))
    expect(page.locator("tbody tr")).to_have_count(10)
    page.goto(CLINICS)
    expect(page.locator("html")).to_have_attribute("lang", "ar-EG")


def test_the_navigation_of_a_phone(page):
    phone(page)
    page.goto(USERS)
    menu = page.get_by_role("navigation", name="Main")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(menu).to_be_visible()
    page.get_by_role("button", name="Close the menu").click()
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu", exact=True).click()
    menu.get_by_role("link", name="Clinics").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")


def test_nothing_on_any_page_waits_for_a_script(open_browser, console):
    dead = {}
    static = [screen for screen in SCREENS if not screen.scripted]
    for screen, page in walk(static, console, open_browser, **OFF):
        dead[screen.name] = page.evaluate(
            """() => [...document.querySelectorAll("button, a, [role=button], [role=switch], [tabindex]")]
                 .filter((element) => element.checkVisibility())
                 .filter((element) => {
                   if (element.matches("a")) return !element.getAttribute("href") || element.hash === "#";
                   if (element.matches("button")) return !element.form && !element.popoverTargetElement;
                   return !element.matches(".table-wrap, .list, .decision, main, [data-focus]");
                 })
                 .map((element) => element.outerHTML.slice(0, 200))"""
        )
    assert len(dead) == len(static)
    assert {name: what for name, what in dead.items() if what} == {}


@pytest.mark.parametrize("path", [USERS, CLINIC_PERMISSIONS, USER_PERMISSIONS])
def test_no_island_is_announced_that_never_comes(page, path):
    page.goto(path)
    expect(page.locator("[data-island]")).to_be_attached()
    expect(page.locator("[aria-busy], .skeleton")).to_have_count(0)
