"""An answer to a request of a lab by pointer: it waits in its row for ten seconds, and is neither lost nor doubled."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.http_client import wait_until
from tests.e2e.pages import ready

LIST, LAB, NAME = "/partner-manage/list", "l-13", "Nordic Dental Lab"


@pytest.fixture
def requests(page: Page, console) -> Page:
    """Two requests of a lab, the older one for clinic g-5."""
    console.sandbox.ask(LAB, "g-5", "g-9")
    page.clock.install()
    page.goto(f"{LIST}?keyword=Nordic+Dental")
    page.locator("[name=keyword]").focus()
    ready(page)
    return page


def row(page: Page, index: int) -> Locator:
    return page.locator("tbody tr").nth(index)


def answers(console) -> list[str]:
    return [
        call["path"].rpartition("/")[2]
        for call in console.sandbox.calls("/bizPartnerships/")
        if call["method"] == "PUT"
    ]


@pytest.mark.req("UC-11", "DM-40")
def test_a_double_click_decides_one_request_which_can_be_undone(requests, console):
    page = requests
    row(page, 0).get_by_role("button", name="Reject").dblclick()
    expect(row(page, 0)).to_contain_text("Rejecting…")
    page.clock.run_for(9_000)
    row(page, 0).get_by_role("button", name="Undo").click()
    page.mouse.move(0, 0)
    page.clock.run_for(60_000)
    expect(row(page, 0).get_by_role("button", name="Reject")).to_be_visible()
    assert answers(console) == []

    counts = page.locator(".tabs [aria-current] .count, .navigation [aria-current] .count")
    before = int(counts.first.inner_text())
    row(page, 0).get_by_role("button", name="Reject").click()
    page.clock.run_for(10_500)  # the pointer is still there
    expect(page.locator(".toast")).to_contain_text("rejected")
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(counts).to_have_text([str(before - 1)] * 2)
    assert answers(console) == ["reject"]


@pytest.mark.req("UC-11")
def test_what_waits_is_done_before_the_next_page_and_when_the_page_is_closed(requests, console):
    page = requests
    row(page, 0).get_by_role("button", name="Accept").click()
    page.locator(".tabs a[href$='/partners']").click()
    page.wait_for_url("**/partners")
    page.goto(f"{LIST}/partners?keyword=Nordic+Dental")
    expect(page.locator("tbody tr").first).to_contain_text(NAME)
    page.goto(f"{LIST}?keyword=Nordic+Dental")
    page.locator("[name=keyword]").focus()
    ready(page)
    row(page, 0).get_by_role("button", name="Reject").click()
    page.goto("about:blank")
    wait_until(lambda: answers(console) == ["accept", "reject"])
