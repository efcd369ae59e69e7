"""Decisions are made in place: the row goes, the counts follow, and the keyboard stays where the next one is."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.http_client import logged_in
from tests.e2e.pages import BY_NAME

pytestmark = pytest.mark.slow

DECISIONS = BY_NAME["decisions"].path


@pytest.fixture
def decisions(page: Page, console) -> Page:
    console.sandbox.ask("l-13", "g-5", "g-9")
    page.clock.install()
    page.goto(DECISIONS)
    expect(page.locator("[data-decisions=ready]")).to_be_visible()
    page.evaluate("window.isSamePage = true")
    return page


def section(page: Page, kind: str) -> Locator:
    return page.locator(f"#waits-{kind}")


def first(page: Page, kind: str) -> str:
    """The name of the oldest one."""
    return section(page, kind).locator("tbody th").first.inner_text()


def press_first(page: Page, kind: str, action: str) -> None:
    """By keyboard, from the menu of the oldest one if its actions are not in sight."""
    row = section(page, kind).locator("tbody tr").first
    if (opener := row.locator("[popovertarget]")).is_visible():
        opener.press("Enter")
    row.locator(f"button[formaction$='/{action}']").press("Enter")


@pytest.mark.req("DM-44", "AX-08", "DM-15")
@pytest.mark.parametrize(("kind", "action", "counted"), [("scanners", "approve", 1), ("invitations", "resend", 0)])
def test_a_decision_takes_its_row_away_and_the_focus_goes_on_to_the_next_of_its_kind(decisions, kind, action, counted):
    part = section(decisions, kind)
    waiting, badge = part.locator("h2 .count"), decisions.locator(f".navigation a[href='{DECISIONS}'] .count")
    before, in_all = int(waiting.inner_text()), int(badge.inner_text())
    part.locator("tbody [name=id]").nth(1).check()
    ticked = part.locator("tbody [name=id]").nth(1).input_value()
    press_first(decisions, kind, action)
    expect(waiting).to_have_text(str(before - 1))
    expect(badge).to_have_text(str(in_all - counted))
    expect(decisions.locator(".toast[data-tone=success]").first).to_be_visible()
    rows = part.locator("tbody tr")
    expect(rows).to_have_count(min(before - 1, 10))
    expect(rows.first.locator(".row-actions :is(a, button):focus")).to_have_count(1)
    expect(rows.first.locator("[name=id]")).to_have_value(ticked)
    expect(rows.first.locator("[name=id]")).to_be_checked()
    assert decisions.evaluate("window.isSamePage"), "the page was not loaded again"


@pytest.mark.req("DM-44", "UC-11")
def test_an_answer_to_a_request_can_be_undone_for_ten_seconds_and_then_takes_its_row_away(decisions, console):
    part = section(decisions, "requests")
    before = part.locator("tbody tr").count()
    press_first(decisions, "requests", "reject")
    expect(part.get_by_text("Rejecting…")).to_be_focused()
    decisions.keyboard.press("Tab")
    expect(part.get_by_role("button", name="Undo")).to_be_focused()
    decisions.clock.run_for(60_000)  # the user moved the focus there
    decisions.keyboard.press("Enter")
    expect(part.locator("tbody tr").first.locator(".row-actions :focus")).to_have_count(1)
    decisions.clock.run_for(600)  # the second press of a double one is ignored
    press_first(decisions, "requests", "accept")
    decisions.clock.run_for(10_500)
    expect(part.locator("tbody tr")).to_have_count(before - 1)
    expect(decisions.locator(".toast[data-tone=success]")).to_be_visible()
    (call,) = [call for call in console.sandbox.calls("/bizPartnerships/") if call["method"] == "PUT"]
    assert call["path"].endswith("/accept")


def leave_row(page: Page, part: Locator) -> None:
    """Move the focus out of the row that waits, and let its time pass."""
    part.locator("tbody [name=id]").last.focus()
    page.clock.run_for(10_500)


@pytest.mark.req("DM-44")
def test_after_the_last_of_a_kind_the_focus_stays_with_the_kind_which_says_that_nothing_waits(decisions):
    part = section(decisions, "requests")
    for remaining in range(part.locator("tbody tr").count() - 1, -1, -1):
        press_first(decisions, "requests", "accept")
        leave_row(decisions, part)
        expect(part.locator("tbody tr")).to_have_count(remaining)
    expect(part).to_be_focused()
    expect(part).to_contain_text("No requests from labs.")
    press_first(decisions, "scanners", "approve")
    expect(section(decisions, "scanners").locator(".row-actions :focus")).to_have_count(1)


@pytest.mark.req("DM-44", "ER-21", "LS-17")
@pytest.mark.provokes("status of 409")
def test_a_late_decision_shows_a_message_and_the_row_goes(decisions, console):
    serial = first(decisions, "scanners")
    id = section(decisions, "scanners").locator("tbody [name=id]").first.input_value()
    logged_in(console).post(f"/scanner-manage/{id}/approve")
    press_first(decisions, "scanners", "approve")
    expect(decisions.locator(".toast[data-tone=danger]")).to_contain_text(serial)
    expect(section(decisions, "scanners").locator(f"[name=id][value='{id}']")).to_have_count(0)
    assert decisions.evaluate("window.isSamePage")


@pytest.mark.req("AX-02")
def test_f8_goes_to_the_buttons_for_the_selected_rows(decisions):
    for kind in ("scanners", "invitations"):
        part = section(decisions, kind)
        box = part.locator("tbody [name=id]").first
        box.check()
        box.press("F8")
        expect(part.locator(".decision-foot button").first).to_be_focused()
        box.uncheck()
