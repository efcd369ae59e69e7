"""The access review, in every way of using the console: people are found, decided about, and the list is signed off."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.flows import choose_rows, expect_done, expect_message, file_link, names, page_action, sent, submit
from tests.e2e.pages import ALL_USERS, REVIEW
from tests.e2e.ways import find_row


@pytest.mark.req("DM-47", "LS-09")
def test_people_are_reviewed_and_the_list_is_signed_off(way, console):
    page = way.page
    way.go(ALL_USERS)
    way.press(page_action(way, f"a[href='{REVIEW}']"))
    way.at(REVIEW)
    undecided = page.locator("tbody tr", has=page.locator("[formaction$='/keep']"))
    # Rows by email, as names are not unique; the signed-off list has only the names.
    confirmed, *locked = undecided.locator("th small").all_inner_texts()[:3]
    people = [undecided.locator("th bdi:not(small *)").nth(index).inner_text() for index in (0, 1)]
    progress = page.locator("[data-list-progress] progress")
    before = int(progress.get_attribute("value") or 0)
    way.fill(page.locator("[name=keep_reason]"), "On leave")
    way.choose_row_action(confirmed, "/keep")
    expect(find_row(page, confirmed).locator(".badge")).to_have_count(2)
    expect(progress).to_have_attribute("value", str(before + 1))
    assert sent(console, "POST", "bizUsers") == []
    choose_rows(way, "lock", *locked)
    submit(way)
    expect_done(way, 2)
    way.press(page.locator("nav.tabs a[href*='group=own']"))
    way.at(REVIEW, group="own")
    expect(page.locator("nav.tabs [aria-current=page] .count")).not_to_be_empty()
    reduced = page.locator("tbody th small").first.inner_text()
    people.append(names(way).first.inner_text())
    choose_rows(way, "reduce", reduced)
    way.choose(page.locator("[name=to]"), "off")
    submit(way)
    expect_done(way, 1)
    assert set(sent(console, "POST", "bulkPermissions")[-1]["permissions"].values()) == {False}
    way.go(f"{REVIEW}/sign-off")
    way.fill(page.locator("[name=note]"), "Autumn review")
    submit(way)
    expect_message(way)
    way.press(page.locator("tbody tr th a").first)
    expect(page).to_have_url(re.compile(r"/signed/\d+"))
    texts = "[...document.querySelectorAll('tbody bdi')]"
    assert not page.evaluate(f"{texts}.some((text) => text.scrollHeight > text.clientHeight + 1)"), "nothing is cut off"
    _head, *lines = way.download(file_link(way, "/export"))
    decided = {line[0]: line for line in lines if line[5]}
    assert "On leave" in decided[people[0]]
    assert all("Autumn review" in line for line in lines)
    assert len({decided[name][3] for name in people}) == 3, "each with its decision"
