"""Bulk actions on the running system: sixty deletions, five of them blocked and one failing."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.pages import USERS, bulk_action, ready

pytestmark = pytest.mark.slow


@pytest.mark.req("LS-06", "LS-08", "LS-09", "LS-15", "DM-01", "DM-02", "DM-03")
@pytest.mark.parametrize("scripts", [True, False])
def test_sixty_deletions_with_five_blocked_and_one_failing_show_exactly_that(console, open_browser, scripts):
    sandbox = console.sandbox
    sandbox.seed("g-1", 60, blocked=5)
    page = open_browser(java_script_enabled=scripts)
    page.goto(f"{USERS}?keyword=seed&size=100")
    names = page.get_by_role("rowheader")
    expect(names).to_have_count(60)
    failing = page.locator("tbody [name=id]").nth(30).get_attribute("value")
    if scripts:  # the bar comes with the first tick
        page.locator("tbody [name=id]").first.check()
    page.get_by_label("Select all 60").check()
    bulk_action(page, "delete", Locator.click).click()

    expect(page.get_by_text("60 users selected")).to_be_visible()
    expect(page.get_by_text("5 users can't be deleted.")).to_be_visible()
    sandbox.faults({"path": f"bulkDelete/{failing}$", "code": 10000, "times": 1})
    page.get_by_label("Type “55” to confirm").fill("55")
    page.get_by_role("button", name="Delete 55 users").click()

    expect(page.get_by_text("54 users deleted.")).to_be_visible()
    expect(page.get_by_text("6 users weren't deleted.")).to_be_visible()
    expect(page.get_by_text(re.compile("ordered cases? (is|are) still in progress"))).to_have_count(5)
    expect(page.get_by_text("Failed to delete the user.")).to_have_count(1)
    sandbox.clear_calls()
    page.get_by_role("button", name="Retry failed items").click()
    expect(page.get_by_text("1 user deleted.")).to_be_visible()
    expect(page.get_by_text("5 users weren't deleted.")).to_be_visible()
    expect(page.get_by_role("button", name="Retry failed items")).to_have_count(0)
    (retry,) = [call for call in sandbox.calls("bulkDelete") if call["method"] == "POST"]
    assert len(retry["body"]["ids"]) == 1
    page.get_by_role("button", name="Check blocked items again").click()
    expect(page.get_by_text("5 users can't be deleted.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Back to list").click()
    expect(names).to_have_count(5)


def test_the_way_back_after_an_action_leads_to_the_list_instead_of_asking_to_send_the_plan_again(open_browser):
    page = open_browser()
    page.goto(f"{USERS}?keyword=an")
    ready(page)
    page.locator("tbody").get_by_role("checkbox").first.check()
    bulk_action(page, "type", Locator.click).click()
    page.get_by_label("Type").wait_for()
    page.wait_for_url(f"**{USERS}?keyword=an")  # the script that replaces the plan in the history has arrived
    page.reload()
    ready(page)
    expect(page.get_by_text("1 user selected")).to_be_visible()
    bulk_action(page, "type", Locator.click).click()
    page.get_by_label("Type").select_option("STAFF")
    page.wait_for_url(f"**{USERS}?keyword=an")
    page.get_by_role("button", name="Change type for 1 user").click()
    expect(page.get_by_text("Type changed for 1 user.")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-list=users]")).to_be_visible()
    assert page.url.endswith(f"{USERS}?keyword=an")


@pytest.mark.req("RT-44")
def test_a_result_is_shown_again_by_reload_and_on_the_way_back(console, open_browser):
    console.sandbox.seed("g-1", 2, blocked=0)
    page = open_browser()
    page.goto(f"{USERS}?keyword=seed")
    ready(page)
    failing = page.locator("tbody [name=id]").first.get_attribute("value")
    page.get_by_role("checkbox", name="Select all on this page").check()
    bulk_action(page, "delete", Locator.click).click()
    console.sandbox.faults({"path": f"bulkDelete/{failing}$", "code": 10000, "times": 1})
    page.get_by_role("button", name="Delete 2 users").click()
    result = page.get_by_text("1 user wasn't deleted.")
    expect(result).to_be_visible()
    page.reload()
    expect(result).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Back to list").click()
    expect(page.get_by_role("rowheader")).to_have_count(1)
    page.go_back()
    expect(result).to_be_visible()
    expect(page).to_have_url(re.compile(r"/bulk/delete\?result=\d+$"))
    assert len([call for call in console.sandbox.calls("bulkDelete") if call["method"] == "POST"]) == 1


@pytest.mark.req("LS-06", "LS-07", "CO-17")
def test_a_selection_is_kept_over_pages_and_two_hundred_go_by_the_hundred(console, open_browser):
    console.sandbox.seed("g-1", 240)
    page = open_browser()
    page.goto(f"{USERS}?keyword=seed&size=10")
    ready(page)  # the list moves under the pointer while its island takes over
    page.locator("tbody").get_by_role("checkbox").first.check()
    expect(page.get_by_text("1 user selected")).to_be_visible()
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_role("link", name="Page 2", exact=True)).to_have_attribute("aria-current", "page")
    expect(page.locator(".table-wrap")).to_be_focused()  # the page has come to rest
    page.get_by_role("checkbox", name="Select all on this page").check()
    expect(page.get_by_text("11 users selected")).to_be_visible()
    page.get_by_role("link", name="Previous page").click()
    expect(page.get_by_role("link", name="Page 1", exact=True)).to_have_attribute("aria-current", "page")
    expect(page.locator(".table-wrap")).to_be_focused()
    expect(page.locator("tbody").get_by_role("checkbox").first).to_be_checked()

    page.get_by_role("button", name="Clear selection").click()
    expect(page.locator(".bulk-bar")).to_be_hidden()
    page.get_by_role("checkbox", name="Select all on this page").check()
    page.get_by_label("Select all 240").check()
    expect(page.get_by_text("240 users selected")).to_be_visible()
    bulk_action(page, "type", Locator.click).click()
    expect(page.locator(".bulk-plan")).to_be_visible()
    expect(page.get_by_text("240 users selected")).to_be_visible()
    page.get_by_label("Type").select_option("STAFF")
    page.get_by_role("button", name="Change type for 240 users").click()
    expect(page.get_by_role("main").get_by_text("Type changed for 240 users.")).to_be_visible(timeout=15_000)
    expect(page.locator(".toast")).to_have_count(0)
    sizes = [len(c["body"]["ids"]) for c in console.sandbox.calls("bulkUpdate") if c["method"] == "POST"]
    assert sizes == [100, 100, 40]


@pytest.mark.req("LS-06", "LS-07")
def test_on_a_phone_the_menu_of_actions_closes_when_all_rows_are_selected(console, open_browser):
    page = open_browser(viewport={"width": 390, "height": 844})
    page.goto(USERS)
    ready(page)
    page.locator("tbody [name=id]").first.check()
    page.get_by_role("button", name="Actions", exact=True).click()
    page.get_by_role("button", name="Select all on this page").click()
    expect(page.locator(".bulk-actions:popover-open")).to_have_count(0)
    assert checked(page) == (25, 0, "all")
    # The space of a row's actions is larger than the line they are in.
    background = "actions => getComputedStyle(actions).backgroundColor"
    assert page.locator("tbody .row-actions").first.evaluate(background) == "rgba(0, 0, 0, 0)"


def checked(page: Page) -> tuple[int, int, str]:
    """Return the numbers of ticked and unticked rows of the page, and the state of the box in the head."""
    ticks = page.locator("tbody [name=id]").evaluate_all("boxes => boxes.map(box => box.checked)")
    head = page.locator("thead [data-select=page]").evaluate(
        "box => box.indeterminate ? 'some' : box.checked ? 'all' : 'none'"
    )
    return sum(ticks), len(ticks) - sum(ticks), head


@pytest.mark.req("LS-06", "LS-07", "LS-08", "LS-18", "DM-03", "CO-17")
def test_five_thousand_but_one_are_selected_planned_paused_and_done_each_once(console, open_browser):
    console.sandbox.seed("g-1", 5001)
    page = open_browser()
    page.goto(f"{USERS}?keyword=seed&size=100")
    ready(page)
    page.locator("thead [data-select=page]").check()
    page.get_by_label("Select all 5,001").check()
    for number in (2, 3):
        page.get_by_role("link", name="Next page").click()
        page_link = page.get_by_role("link", name=f"Page {number}", exact=True)
        expect(page_link).to_have_attribute("aria-current", "page")  # the sandbox sorts 5,001 for each
        expect(page.locator(".table-wrap")).to_be_focused()
    assert checked(page) == (100, 0, "all")
    page.locator("tbody [name=id]").nth(5).uncheck()
    excluded = page.locator("tbody [name=id]").nth(5).get_attribute("value")
    for come_back in (page.reload, page.reload, lambda: page.get_by_role("link", name="Previous page").click()):
        expect(page.get_by_text("5,000 users selected")).to_be_visible()
        assert checked(page) == (99, 1, "some")
        come_back()
        ready(page)
    expect(page.get_by_role("link", name="Page 2", exact=True)).to_have_attribute("aria-current", "page")
    expect(page.get_by_text("5,000 users selected")).to_be_visible()
    assert checked(page) == (100, 0, "all")
    page.locator("thead").get_by_role("link", name="Email").click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Email")
    expect(page.get_by_text("5,000 users selected")).to_be_visible()
    assert page.get_by_label("Select all 5,001").evaluate("box => [box.checked, box.indeterminate]") == [True, True]

    bulk_action(page, "type", Locator.click).click()
    expect(page.get_by_text("5,000 users selected")).to_be_visible()
    expect(page.locator(".bulk-plan .bulk-rows > li")).to_have_count(5000)
    page.get_by_role("searchbox", name="Find in these rows").fill("anna")
    matches = page.locator(".bulk-plan .bulk-rows > li:visible")
    expect(page.get_by_text(f"{matches.count()} of 5,000")).to_be_visible()
    page.get_by_label("Type").select_option("STAFF")
    page.get_by_role("button", name="Change type for 5,000 users").click()
    page.get_by_role("button", name="Pause").click()
    go_on = page.get_by_role("button", name="Continue with the next 100 rows")
    expect(page.locator("main .alert")).to_have_text(re.compile(r"Type changed for \d+00 users\."))
    expect(go_on).to_be_visible()
    before = page.locator("progress").get_attribute("value")
    page.reload()
    expect(page.locator("progress")).to_have_attribute("value", before or "")
    go_on.click()
    expect(page.get_by_role("main").get_by_text("Type changed for 5,000 users.")).to_be_visible(timeout=90_000)
    calls = [call for call in console.sandbox.calls("bulkUpdate") if call["method"] == "POST"]
    ids = [id for call in calls for id in call["body"]["ids"]]
    assert (len(calls), len(ids), len(set(ids)), excluded in ids) == (50, 5000, 5000, False)
