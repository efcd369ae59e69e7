"""The permissions of all clinics, in every way of using the console: what differs is found, and put right at once."""

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import choose_rows, expect_done, names, search, sent, submit
from tests.e2e.pages import ALL_PERMISSIONS


@pytest.mark.req("DM-49", "DM-17", "LS-13")
def test_what_differs_from_most_is_found_and_put_right(way, console):
    way.go(ALL_PERMISSIONS)
    search(way, "", differs="true", allow_export="off")
    way.at(ALL_PERMISSIONS, differs="true", allow_export="off")
    expect(way.page.locator(".chips li")).to_have_count(2)
    expect(way.page.locator("tbody td:has(> .badge) > small").first).to_be_visible()
    clinics = names(way).all_inner_texts()
    assert len(clinics) > 1
    choose_rows(way, "permissions")
    expect(way.page.locator(".bulk-rows li")).to_have_count(len(clinics))
    way.tick(way.page.locator("[name=allow_export][value=on]"))
    submit(way)
    expect_done(way, len(clinics))
    (change,) = sent(console, "POST", "bulkPermissions")
    assert (len(change["ids"]), change["permissions"]) == (len(clinics), {"allowExport": True})
    way.at(ALL_PERMISSIONS, differs="true", allow_export="off")
    expect(names(way)).to_have_count(0)
