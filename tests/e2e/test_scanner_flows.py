"""Scanners, in every way of using the console: what is shown, stored and sent, in any language."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import choose_rows, expect_done, expect_message, names, refused, sent, submit
from tests.e2e.pages import SCANNERS
from tests.e2e.ways import find_row

CALL = "bizScanners"


@pytest.mark.req("UC-07", "RT-15", "LS-13", "EN-47")
def test_what_waits_is_decided_one_by_one(way, console):
    for number in (1, 2, 3):
        console.sandbox.connect(f"NEW-{number}", user="u-1")
    way.go(f"{SCANNERS}?keyword=NEW")
    way.press(way.page.locator(".tabs a[href*='status=PENDING']"))
    way.at(SCANNERS, keyword="NEW", status="PENDING")
    expect(names(way)).to_have_count(3)
    way.choose_row_action("NEW-1", "/approve")
    expect(find_row(way.page, "NEW-1")).to_have_count(0)
    way.at(SCANNERS, keyword="NEW", status="PENDING")
    # Not the next row, which has just come under the pointer: a press there is ignored for half a second.
    way.choose_row_action("NEW-3", "/disapprove")
    assert sent(console, "PUT", "/disapprove$") == []
    submit(way)
    way.at(SCANNERS, keyword="NEW", status="PENDING")
    expect_message(way)
    expect(names(way)).to_have_text(["NEW-2"])
    assert len(sent(console, "PUT", "/disapprove$")) == 1
    way.press(way.page.locator(".tabs a[href*='status=APPROVED']"))
    way.at(SCANNERS, keyword="NEW", status="APPROVED")
    way.press(find_row(way.page, "NEW-1").locator("th a"))
    way.sees(way.page.locator("#history"))
    way.press(way.page.locator(".page-actions a[href*='cancel-approval']"))
    submit(way)
    expect_message(way)
    expect(way.page.locator("#history tbody tr")).to_have_count(3)
    way.press(way.page.locator("main a.back"))
    way.at(SCANNERS, keyword="NEW", status="APPROVED")
    expect(names(way)).to_have_count(0)


@pytest.mark.req("DM-35", "LS-09", "LS-15")
def test_many_are_approved_and_their_approval_is_canceled_by_their_number(way, console):
    console.sandbox.seed_scanners("g-16", 7)
    way.go(f"{SCANNERS}?clinic=g-16&keyword=seed")
    choose_rows(way, "approve")
    submit(way)
    expect_done(way, 7)
    way.at(SCANNERS, clinic="g-16", keyword="seed")
    choose_rows(way, "cancel-approval")
    number = way.page.locator("[name=typed]")
    way.fill(number, "6")
    submit(way)
    refused(way, number)
    assert sent(console, "POST", "bulkCancelApproval") == []
    way.fill(number, "7")
    submit(way)
    expect_done(way, 7)
    assert [len(body["ids"]) for body in sent(console, "POST", f"{CALL}/bulk")] == [7, 7]
