"""The purchase list of scanners, in every way of using the console: pasted, checked, worked off, deleted."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_done, expect_message, names, page_action, results, submit, tick_all
from tests.e2e.http_client import logged_in
from tests.e2e.pages import SCANNERS, bulk_action
from tests.e2e.ways import Way, find_row

LIST = "/scanner-manage/expected"
LINES = "EA1-50097, Seoul Central Dental, Room 4\nnew 1\nNEW-1, , again\nNEW-2, Nowhere"


@pytest.fixture(autouse=True)
def nothing_listed(console):
    """The list is the console's own: no reset of the sandbox empties it."""
    visitor = logged_in(console)
    rows = visitor.get(LIST, json=True).json()["item"]["list"]["rows"]
    if rows:
        emptied = visitor.post(f"{LIST}/clear", visitor.change(f"{LIST}/clear", {"typed": str(len(rows))}))
        assert emptied.status_code == 303, emptied.text


def delete_all(way: Way, count: str) -> None:
    """Empty the list, which the console keeps beyond the test."""
    way.press(way.page.locator(f"a[href='{LIST}/clear']"))
    way.fill(way.page.locator("[name=typed]"), count)
    way.press(way.page.locator("main form [data-variant=danger]"))
    way.at(LIST)
    way.sees(way.page.locator(".empty"))


@pytest.mark.req("DM-43")
def test_a_purchase_list_is_pasted_checked_and_worked_off(way, console):
    page = way.page
    way.go(f"{LIST}/new")
    way.fill(page.locator("[name=pasted]"), LINES)
    submit(way)
    expect(results(way, "danger")).to_have_count(2)
    submit(way)
    expect_message(way)
    expect(page.locator("[name=pasted]")).to_have_value("NEW-1\t\tagain\nNEW-2\tNowhere\t")
    way.fill(page.locator("[name=pasted]"), "NEW-2")
    submit(way)
    expect(results(way, "info")).to_have_count(1)
    submit(way)
    way.at(LIST)
    expect(names(way)).to_have_text(["NEW-2", "EA1-50097", "new 1"])
    expect(find_row(page, "EA1-50097").locator(".badge")).to_have_attribute("data-tone", "success")

    console.sandbox.connect("NEW-1")
    way.press(page_action(way, "[type=submit]"))
    way.sees(find_row(page, "new 1").locator(".badge[data-tone=success]"))  # the page before has the same address
    way.at(LIST)
    expect_message(way)

    way.choose_row_action("new 1", "/edit")
    way.fill(page.locator("[name=note]"), "Room 5")
    submit(way)
    way.at(LIST)
    expect(find_row(page, "new 1")).to_contain_text("Room 5")
    way.choose_row_action("new 1", "/delete")
    way.press(page.locator("main form [data-variant=danger]"))
    way.at(LIST)
    expect(names(way)).to_have_text(["NEW-2", "EA1-50097"])

    delete_all(way, "2")


@pytest.mark.req("DM-43", "DM-35")
def test_the_expected_ones_are_selected_by_one_press_and_only_they_are_approved(way, console):
    page = way.page
    way.go(f"{LIST}/new")
    way.fill(page.locator("[name=pasted]"), "NEW-1\nNEW-3")
    submit(way)
    expect(results(way, "info")).to_have_count(2)
    submit(way)
    way.at(LIST)
    for number in (1, 2, 3):
        console.sandbox.connect(f"NEW-{number}")
    way.go(f"{SCANNERS}?keyword=NEW&status=PENDING")
    expect(names(way)).to_have_count(3)
    way.press(page.locator("[data-expected]"))
    if way.has_scripts:
        expect(page.locator("tbody [name=id]:checked")).to_have_count(2)
    else:
        expect(names(way)).to_have_count(2)
        tick_all(way)
    way.press(bulk_action(page, "approve", way.press))
    expect(page.locator(".bulk-rows li")).to_have_count(2)
    submit(way)
    expect_done(way, 2)
    way.go(f"{SCANNERS}?keyword=NEW&status=PENDING")
    expect(names(way)).to_have_text(["NEW-2"])
    way.go(LIST)
    delete_all(way, "2")
