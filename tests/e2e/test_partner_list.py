"""Requests and partnerships, in every way of using the console: what is shown, stored and sent."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import choose_rows, expect_done, expect_message, names, sent, submit
from tests.e2e.http_client import wait_until
from tests.e2e.ways import Plain

LIST = "/partner-manage/list"
LAB, LAB_NAME = "l-13", "Nordic Dental Lab"
"""A lab of the partner list; the clinics below have nothing open with it."""


@pytest.mark.slow
@pytest.mark.req("UC-11", "RT-18", "DM-34", "DM-28")
def test_two_requests_are_accepted_together_and_lead_on_to_who_may_order(way, console):
    console.sandbox.ask(LAB, "g-5", "g-9", message="We make crowns.")
    way.go(f"{LIST}?keyword=Nordic+Dental&sort=owner_name")
    expect(names(way)).to_have_text([LAB_NAME, LAB_NAME])
    choose_rows(way, "accept")
    expect(way.page.locator(".bulk-rows li")).to_have_count(2)
    submit(way)
    expect_done(way, 2)
    way.press(way.page.locator("main a[href*='/ordering?']"))
    way.sees(way.page.locator(".ordering li").first)
    expect(way.page.locator(".ordering li")).to_have_count(2)
    way.press(way.page.locator(".ordering li a").first)
    way.sees(way.page.locator("#labs"))
    box = way.page.locator(f".labs input[name=lab][value={LAB}]")
    expect(box).to_be_checked()
    way.tick(box, on=False)
    way.press(way.page.locator(".labs [type=submit]"))
    expect_message(way)
    way.press(way.page.locator("a.back"))
    expect(way.page.locator(".ordering .badge[data-tone=warning]")).to_have_count(1)
    way.press(way.page.locator("a.back"))
    way.at(LIST, keyword="Nordic Dental", sort="owner_name")
    expect(names(way)).to_have_count(0)


@pytest.mark.req("UC-10", "DM-39", "DM-40")
def test_a_request_is_sent_with_a_few_words_canceled_and_sent_again(way, console):
    way.go(f"/partner-manage/lab/{LAB}/request?keyword=Tulip")
    way.choose_row_action("Tulip Tandartsen", "request/g-7")
    way.fill(way.page.locator("[name=message]"), "Hello, we need crowns.")
    submit(way)
    expect_message(way)
    way.go(f"{LIST}/sent?keyword=Tulip")
    way.choose_row_action(LAB_NAME, "/cancel")
    undo = way.page.locator(".toast button.button" if way.has_scripts else ".messages form [type=submit]")
    expect(undo).to_be_visible()
    expect(names(way)).to_have_count(0)
    way.press(undo)
    expect(names(way)).to_have_text([LAB_NAME])
    words = [call["body"]["message"] for call in console.sandbox.calls("/bizPartnerships$") if call["method"] == "POST"]
    assert words == ["Hello, we need crowns."] * 2


@pytest.mark.slow
@pytest.mark.req("UC-12", "VA-32", "ER-28", "DM-18")
def test_a_partnership_is_not_ended_while_an_order_is_ongoing_and_ended_after(way, console):
    (id,) = console.sandbox.ask(LAB, "g-5")
    way.go(f"{LIST}?keyword=Nordic+Dental")
    way.choose_row_action(LAB_NAME, "/accept")
    if isinstance(way, Plain):
        submit(way)
    way.go(LIST)  # an answer that waits in its row is sent when the page is left
    wait_until(lambda: sent(console, "PUT", f"/{id}/accept$"))
    console.sandbox.order("g-5", LAB)
    way.go(f"{LIST}/partners?clinic=g-5")
    way.choose_row_action(LAB_NAME, f"/{id}/end")
    way.sees(way.page.locator(".blockers").first)
    expect(way.page.locator("[name=typed_name]")).to_have_count(0)
    console.sandbox.order("g-5", LAB, "CLOSED")
    way.go(f"/partner-manage/partnership/{id}/end")
    name_field = way.page.locator("[name=typed_name]")
    way.fill(name_field, "Nordic")
    submit(way)
    expect(name_field).to_have_attribute("aria-invalid", "true")
    way.fill(name_field, LAB_NAME)
    submit(way)
    expect_message(way)
    way.go(f"{LIST}/history?clinic=g-5")
    expect(names(way)).to_have_text([LAB_NAME])
