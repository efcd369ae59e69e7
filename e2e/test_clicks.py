"""How many presses the daily work takes: of links and buttons, whatever is chosen or typed between them."""

import pytest
from playwright.sync_api import Page, expect

from e2e.flows import reasons, sent, submit, told
from e2e.pages import ALL_USERS, CLINICS, USERS
from e2e.ways import Way, row_of

COUNT = """addEventListener('click', (event) => {
  if (event.target.closest('a, button')) sessionStorage.presses = Number(sessionStorage.presses || 0) + 1;
}, true)"""


@pytest.fixture
def pointer(open_browser):
    """A browser that counts the presses of links and buttons."""
    way = Way(open_browser)
    way.page.add_init_script(COUNT)
    return way


def presses(page: Page) -> int:
    return int(page.evaluate("sessionStorage.presses || 0"))


@pytest.mark.req("UC-06", "DM-19")
def test_a_user_is_moved_by_three_presses(pointer, console):
    page = pointer.page
    pointer.go(f"{USERS}?keyword=hana")
    pointer.act_on("Hana Park", "/u-1/move")
    pointer.choose(page.locator("main [name=clinic_id]"), "g-2")
    expect(page.locator("main .show-teams [role=status]")).not_to_be_empty()
    pointer.choose(
        page.locator("main [name=team_id]"), page.locator("[name=team_id] option").nth(1).get_attribute("value")
    )
    submit(pointer)
    pointer.at(USERS, keyword="hana")
    expect(row_of(page, "Hana Park")).to_have_count(0)
    assert presses(page) == 3


@pytest.mark.req("UC-06", "DM-11")
def test_five_people_are_invited_by_three_presses_and_one_paste(pointer, console):
    page = pointer.page
    pointer.go(ALL_USERS)
    pointer.press(page.locator(".page-actions [data-primary]"))
    pointer.choose(page.locator("main [name=clinic_id]"), "g-2")
    page.locator("main [name=people]").focus()
    page.keyboard.insert_text("\n".join(f"Person {who} <{who}@new.example>" for who in "abcde"))
    pointer.choose(page.locator("main [name=user_type]"), "STAFF")
    pointer.press(page.locator("main [name=add_people]"))
    expect(page.locator("main [name$=-email]")).to_have_count(5)
    submit(pointer)
    pointer.at(ALL_USERS)
    told(pointer)
    assert presses(page) == 3
    assert {mail["to"] for mail in console.sandbox.mails()} == {f"{who}@new.example" for who in "abcde"}
    assert {user["mainGroupId"] for user in sent(console, "POST", "bizUsers$")} == {"g-2"}


@pytest.mark.req("DM-18", "VA-33")
def test_why_a_clinic_is_blocked_is_told_after_two_presses(pointer):
    pointer.go(CLINICS)
    pointer.act_on("Seoul Central Dental", "/delete")
    expect(reasons(pointer)).to_have_count(4)
    assert presses(pointer.page) == 2
