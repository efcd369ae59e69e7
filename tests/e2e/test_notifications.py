"""Notifications, the dashboard and decisions, in every way of using the console."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_done, expect_message, page_action, submit

LIST = "/notifications"


@pytest.mark.req("UC-13", "RT-27", "DM-33")
def test_a_notification_is_opened_and_another_one_marked(way, console):
    way.go(f"{LIST}?filter=unread")
    bell = way.page.locator("[data-bell] .count")
    expect(bell).to_have_text("7")
    way.press(way.page.locator("button.row-open[formaction*='n-3/']"))
    way.page.wait_for_url("**/user-manage/clinic/**")
    expect(bell).to_have_text("6")
    way.go(f"{LIST}?filter=unread")
    way.page.locator("tbody tr:not(.row-heading)").first.wait_for()
    row = way.page.locator("tr", has=way.page.locator("[popovertarget='menu-n-5']"))
    way.press(row.locator("[popovertarget]"))
    way.press(row.locator("[popover] button[formaction$='n-5/read']"))
    way.at(LIST, filter="unread")
    expect(way.page.locator("[popovertarget='menu-n-5']")).to_have_count(0)


@pytest.mark.req("DM-33", "DM-50")
def test_all_of_a_kind_are_marked(way):
    way.go(f"{LIST}?filter=unread&kind=SCANNER_PENDING")
    way.press(page_action(way, "[type=submit]"))
    expect_message(way)
    way.at(LIST, filter="unread", kind="SCANNER_PENDING")
    expect(way.page.locator("tbody tr")).to_have_count(0)
    expect(way.page.locator("[data-bell] .count")).to_have_text("5")


@pytest.mark.req("DM-33")
def test_all_can_be_marked_as_read_only_while_one_is_unread(way):
    way.go(LIST)
    actions = way.page.locator(".page-actions")
    way.press(page_action(way, "[type=submit]"))
    expect_message(way)
    expect(actions).to_be_hidden()
    for mark in ("unread", "read"):
        way.go(LIST)
        way.press(way.page.locator("[popovertarget='menu-n-5']"))
        way.press(way.page.locator(f"[popover] button[formaction$='n-5/{mark}']"))
        expect(actions).to_be_visible(visible=mark == "unread")


@pytest.mark.req("UC-14", "RT-17")
def test_a_number_of_the_dashboard_leads_to_its_list(way):
    way.go("/dashboard")
    expect(way.page.locator(".usage a[rel~=noopener]")).to_have_attribute(
        "href", "https://dashboard.demo.example/usage/o-1"
    )
    way.press(way.page.locator("main a[href='/user-manage/user?status=INVITED']"))
    way.at("/user-manage/user", status="INVITED")


@pytest.mark.slow
@pytest.mark.req("DM-44")
def test_invitations_that_ended_are_decided_where_they_are_counted(way):
    way.go("/decisions")
    section = way.page.locator("section.decision", has=way.page.locator("[data-list=invitations]"))
    before = int(section.locator("h2 .count").inner_text())
    boxes = section.locator("tbody [name=id]")
    for index in (0, 1):
        way.tick(boxes.nth(index))
    way.press(section.locator("[formaction$='/bulk/resend']"))
    way.sees(way.page.locator(".bulk-plan"))
    submit(way)
    expect_done(way, 2)
    way.at("/decisions")
    expect(section.locator("h2 .count")).to_have_text(str(before - 2))
