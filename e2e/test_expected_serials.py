"""The purchase list of scanners, in every way of using the console: pasted, checked, worked off, deleted."""

import pytest
from playwright.sync_api import expect

from e2e.flows import names, results, submit, told
from e2e.http_client import logged_in
from e2e.ways import row_of

LIST = "/scanner-manage/expected"
LINES = "EA1-50097, Seoul Central Dental, Room 4\nnew 1\nNEW-1, , again\nNEW-2, Nowhere"


@pytest.fixture(autouse=True)
def nothing_listed(console):
    """The list is the console's own: no reset of the sandbox empties it."""
    visitor = logged_in(console)
    rows = visitor.get(LIST, json=True).json()["item"]["list"]["rows"]
    if rows:
        visitor.post(f"{LIST}/clear", {"typed": str(len(rows))})


@pytest.mark.req("DM-43")
def test_a_purchase_list_is_pasted_checked_and_worked_off(way, console):
    page = way.page
    way.go(f"{LIST}/new")
    way.fill(page.locator("[name=pasted]"), LINES)
    submit(way)
    expect(results(way, "danger")).to_have_count(2)
    submit(way)
    told(way)
    expect(page.locator("[name=pasted]")).to_have_value("NEW-1\t\tagain\nNEW-2\tNowhere\t")
    way.fill(page.locator("[name=pasted]"), "NEW-2")
    submit(way)
    expect(results(way, "info")).to_have_count(1)
    submit(way)
    way.at(LIST)
    expect(names(way)).to_have_text(["NEW-2", "EA1-50097", "new 1"])
    expect(row_of(page, "EA1-50097").locator(".badge")).to_have_attribute("data-tone", "success")

    console.sandbox.connect("NEW-1")
    way.press(page.locator(".page-actions form [type=submit]"))
    way.at(LIST)
    told(way)
    expect(row_of(page, "new 1").locator(".badge")).to_have_attribute("data-tone", "success")

    way.act_on("new 1", "/edit")
    way.fill(page.locator("[name=note]"), "Room 5")
    submit(way)
    way.at(LIST)
    expect(row_of(page, "new 1")).to_contain_text("Room 5")
    way.act_on("new 1", "/delete")
    way.press(page.locator("main form [data-variant=danger]"))
    way.at(LIST)
    expect(names(way)).to_have_text(["NEW-2", "EA1-50097"])

    way.press(page.locator(f"a[href='{LIST}/clear']"))
    way.fill(page.locator("[name=typed]"), "2")
    way.press(page.locator("main form [data-variant=danger]"))
    way.at(LIST)
    way.sees(page.locator(".empty"))
