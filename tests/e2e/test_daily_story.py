"""A day of an administrator, by keyboard: scanners, requests of labs, a lab that is asked, and one that leaves."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.flows import choose_rows, expect_done, expect_message, names, narrow, results, sent, submit
from tests.e2e.ways import Keys, find_row

pytestmark = pytest.mark.slow
WAITING, EXPECTED, DECISIONS, SEARCH, PARTNERS = (
    "/scanner-manage?status=PENDING",
    "/scanner-manage/expected",
    "/decisions",
    "/partner-manage/search",
    "/partner-manage/list",
)
LAB, LAB_NAME = "l-13", "Nordic Dental Lab"
"""A lab that asks two clinics with which it has nothing open."""
CLINICS = ("g-5", "g-9")


@pytest.fixture
def way(open_browser):
    return Keys(open_browser)


def counted(element: Locator) -> int:
    """Return the number that a count shows; an absent count is 0."""
    text = element.inner_text() if element.count() else ""
    return int(text or 0)


def bell(way: Keys) -> Locator:
    return way.page.locator("[data-bell] .count")


def kind(way: Keys, name: str) -> Locator:
    """One kind of what waits for a decision."""
    return way.page.locator(f"section[aria-labelledby=decision-{name}]")


@pytest.mark.req("UC-07", "UC-08", "UC-09", "UC-10", "UC-11", "UC-12", "UC-13", "DM-34", "DM-43", "DM-44", "AX-02")
def test_a_day_of_scanners_labs_and_partners(way, console):
    scanners_come_and_are_decided(way, console)
    a_lab_requests_two_clinics_and_may_be_ordered_from(way, console)
    another_lab_is_added_and_receives_a_request(way, console)
    a_partnership_ends_once_nothing_is_ordered(way, console)


def scanners_come_and_are_decided(way: Keys, console) -> None:
    page = way.page
    way.go(f"{EXPECTED}/new")
    way.fill(page.locator("[name=pasted]"), "DAY-2, , Room 4")
    submit(way)
    expect(results(way, "info")).to_have_count(1)
    submit(way)
    way.at(EXPECTED)
    way.go(WAITING)
    choose_rows(way, "approve")  # of the days before
    submit(way)
    way.sees(page.locator("#messages"))
    before = counted(bell(way))
    for number in (1, 2, 3):
        console.sandbox.connect(f"DAY-{number}")

    way.go(WAITING)
    expect(bell(way)).to_have_text(str(before + 3))
    expect(page.locator("tbody .badge[data-tone=info]")).to_have_count(1)
    expect(find_row(page, "DAY-2").locator(".badge[data-tone=info]")).to_have_count(1)

    way.press(page.locator(f".navigation a[href='{DECISIONS}']"))
    way.at(DECISIONS)
    expect(kind(way, "scanners").locator("h2 .count")).to_have_text("3")
    expect(kind(way, "scanners").locator("tbody .badge[data-tone=info]")).to_have_count(1)
    for serial in ("DAY-1", "DAY-2"):
        way.tick(find_row(page, serial).locator("[name=id]"))
    way.press(kind(way, "scanners").locator("[formaction$='/bulk/approve']"))
    expect(page.locator(".bulk-rows li")).to_have_count(2)
    submit(way)
    expect_done(way, 2)
    way.at(DECISIONS)
    way.choose_row_action("DAY-3", "/disapprove")
    submit(way)
    way.at(DECISIONS)
    expect_message(way)
    expect(kind(way, "scanners").locator("tbody tr")).to_have_count(0)
    way.go("/scanner-manage?keyword=DAY-&sort=serial_number&order=asc")
    expect(names(way)).to_have_text(["DAY-1", "DAY-2", "DAY-3"])
    expect(page.locator("tbody .badge[data-tone=success]")).to_have_count(2)
    expect(find_row(page, "DAY-3").locator(".badge[data-tone=danger]")).to_have_count(1)


def a_lab_requests_two_clinics_and_may_be_ordered_from(way: Keys, console) -> None:
    page = way.page
    console.sandbox.ask(LAB, *CLINICS, message="We make crowns.")
    way.go(DECISIONS)
    asking = kind(way, "requests").locator("tbody tr").filter(has_text=LAB_NAME)
    expect(asking).to_have_count(2)
    expect(asking.first).to_contain_text("We make crowns.")
    for index in (0, 1):
        way.press(asking.nth(index).locator("th a"))
        way.sees(page.locator("main a[href*='/accept']").first)
        way.press(page.locator(f"main a[href='{DECISIONS}']").first)
        way.at(DECISIONS)
    for index in (0, 1):
        way.tick(asking.nth(index).locator("[name=id]"))
    way.press(kind(way, "requests").locator("[formaction$='/bulk/accept']"))
    expect(page.locator(".bulk-rows li")).to_have_count(2)
    submit(way)
    expect_done(way, 2)

    way.press(page.locator("main a[href*='/ordering?']"))
    way.sees(page.locator(".ordering li").first)
    expect(page.locator(".ordering li")).to_have_count(2)
    for index in (0, 1):
        way.press(page.locator(".ordering li a").nth(index))
        way.sees(page.locator("#labs"))
        box = page.locator(f".labs input[name=lab][value={LAB}]")
        expect(box).to_be_checked()  # an accepted lab may be ordered from until this is changed
        way.press(page.locator(".labs [type=submit]"))
        expect_message(way, "info")
        expect(box).to_be_checked()
        way.press(page.locator("a.back"))
        way.sees(page.locator(".ordering li").first)
    expect(page.locator(".ordering .badge[data-tone=success]")).to_have_count(2)
    way.press(page.locator("a.back"))
    way.at(DECISIONS)
    expect(asking).to_have_count(0)


def another_lab_is_added_and_receives_a_request(way: Keys, console) -> None:
    page = way.page
    way.go(SEARCH)
    narrow(way, service="CLEAR_ALIGNERS", language="ko", served_country="KR")
    row = page.locator("tbody tr").filter(has=page.locator("[formaction$='/add']")).first
    id = row.locator("[name=id]").input_value()
    row = page.locator("tbody tr").filter(has=page.locator(f"[name=id][value={id}]"))
    name = row.locator("th").inner_text()
    way.press(row.locator("[formaction$='/add']"))
    way.sees(row.locator("[href$='/request']"))
    way.press(row.locator("[href$='/request']"))
    way.at(f"/partner-manage/lab/{id}/request")
    clinic = page.locator("tbody tr").filter(has=page.locator("[popover] a[href*='request/g-']")).first
    way.press(clinic.locator("[popovertarget]"))
    way.press(clinic.locator("[popover] a[href*='request/g-']"))
    way.fill(page.locator("[name=message]"), "Hello, we need clear aligners.")
    submit(way)
    expect_message(way)
    assert [body["message"] for body in sent(console, "POST", "/bizPartnerships$")] == [
        "Hello, we need clear aligners."
    ]
    way.go(f"{PARTNERS}/sent")
    expect(names(way).filter(has_text=re.compile(f"^{re.escape(name)}$"))).to_have_count(1)


def a_partnership_ends_once_nothing_is_ordered(way: Keys, console) -> None:
    page, clinic = way.page, CLINICS[0]
    console.sandbox.order(clinic, LAB)
    way.go(f"{PARTNERS}/partners?clinic={clinic}")
    way.choose_row_action(LAB_NAME, "/end")
    way.sees(page.locator(".card.blockers").first)
    expect(page.locator("[name=typed_name]")).to_have_count(0)
    console.sandbox.order(clinic, LAB, "CLOSED")
    way.press(page.locator("main .form-actions a, main .form-actions button").first)
    way.fill(page.locator("[name=typed_name]"), LAB_NAME)
    submit(way)
    expect_message(way)
    way.at(f"{PARTNERS}/partners", clinic=clinic)
    expect(names(way).filter(has_text=LAB_NAME)).to_have_count(0)
    way.go(f"{PARTNERS}/history?clinic={clinic}")
    expect(names(way)).to_have_text([LAB_NAME])
