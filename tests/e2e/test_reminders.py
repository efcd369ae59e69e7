"""Reminders to review a user: a day is set in the panel, is due under Decisions from then on, and is completed."""

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import USERS
from tests.e2e.ways import step_to

pytestmark = pytest.mark.slow

USER = f"{USERS}/u-3"


@pytest.mark.req("DM-47", "DM-44", "AX-02")
def test_a_day_is_set_waits_under_decisions_and_is_done_with(open_browser, console):
    page = open_browser()
    page.goto("/decisions")
    badge = page.locator(".navigation a[href='/decisions'] .count")
    before = int(badge.inner_text())
    page.goto(USER)
    name = page.get_by_role("heading", level=1).inner_text()
    form = page.locator("#reminders form")
    page.get_by_role("button", name="Reminders").press("Enter")
    expect(page.locator("#reminders")).to_contain_text("won't change automatically")
    day = form.get_by_label("Reminder date")
    year, month, day_number = (day.get_attribute("min") or "").split("-")
    step_to(page, form.get_by_label("What to review"))
    page.keyboard.type("Allow exports")
    page.keyboard.press("Tab")
    expect(day).to_be_focused()
    page.keyboard.type(f"{month}{day_number}{year}")
    step_to(page, form.get_by_label("Note"))
    page.keyboard.type("Still with the university?")
    page.keyboard.press("Enter")
    details = page.locator("#reminders dl")
    page.get_by_role("button", name="Reminder on").press("Enter")
    expect(details).to_contain_text("Still with the university?")
    expect(details.locator("dt")).to_have_text("Allow exports")
    expect(badge).to_have_text(str(before + 1))

    page.goto("/decisions")
    expect(page.locator("[data-decisions=ready]")).to_be_visible()
    page.evaluate("window.isSamePage = true")
    waits = page.locator("#waits-reminders")
    row = waits.locator("tbody tr", has_text=name)
    expect(row).to_contain_text("Still with the university?")
    row.get_by_role("button", name="Done").press("Enter")
    expect(row).to_have_count(0)
    expect(badge).to_have_text(str(before))
    assert page.evaluate("window.isSamePage"), "the page was not loaded again"
    page.goto(USER)
    expect(page.get_by_role("button", name="Reminder on")).to_have_count(0)
    expect(page.locator("#activity")).to_contain_text("Set reminder")
