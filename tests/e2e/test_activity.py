"""Activity, in every way of using the console: what was just changed is found, opened, and taken along as a file."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import expect_message, file_link, narrow, submit

USER = "/user-manage/clinic/g-1/user/u-1"


@pytest.mark.req("DM-20", "DM-45")
def test_a_change_is_found_opened_and_exported_with_both_values(way, console):
    page = way.page
    way.go(f"{USER}/edit")
    before = page.locator("[name=name]").input_value()
    way.fill(page.locator("[name=name]"), "Hana Changed")
    submit(way)
    expect_message(way)
    way.go("/activity")
    narrow(way, kind="user", outcome="done")
    row = page.locator("tbody tr").first
    expect(row).to_contain_text("Hana Changed")
    _head, line, *_others = way.download(file_link(way, "/export"))
    assert [cell for cell in line if cell in (before, "Hana Changed")][-2:] == [before, "Hana Changed"]
    way.go("/activity?kind=user")
    way.press(row.locator("th a"))
    change = page.locator("#changes-title ~ div tbody tr")
    expect(change).to_contain_text(before)
    expect(change).to_contain_text("Hana Changed")
    way.wait_until_ready()
    way.press(page.locator("dl.facts a"))
    way.sees(page.locator("#activity tbody tr").first)
    expect(page.locator("#activity tbody tr").first).to_contain_text("Hana Changed")
