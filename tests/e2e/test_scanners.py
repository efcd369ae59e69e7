"""Scanners and the service: the state table cell by cell, decisions in place, and two administrators at once."""

import itertools
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.http_client import Visitor, at_once, logged_in
from tests.e2e.pages import SCANNERS, let_go, visit
from tests.e2e.ways import find_row, step_to

pytestmark = pytest.mark.slow

PENDING = f"{SCANNERS}?status=PENDING"
STATES = ("PENDING", "APPROVED", "DISAPPROVED", "APPROVAL_CANCELLED")
DECISIONS = ("approve", "disapprove", "cancel-approval")
NEXT_STATES = {
    ("PENDING", "approve"): "APPROVED",
    ("PENDING", "disapprove"): "DISAPPROVED",
    ("APPROVED", "cancel-approval"): "APPROVAL_CANCELLED",
    ("DISAPPROVED", "approve"): "APPROVED",
    ("APPROVAL_CANCELLED", "approve"): "APPROVED",
}


def rows(visitor: Visitor, query: str) -> dict[str, Any]:
    """The list as JSON."""
    item: dict[str, Any] = visitor.get(f"{SCANNERS}?{query}", json=True).json()["item"]["list"]
    return item


def stored(console: Any, scanner_id: str) -> str:
    """The status that the service has, as its own list says it."""
    visitor = logged_in(console)
    states = [state for state in STATES if scanner_id in ids(rows(visitor, f"status={state}&size=100"))]
    (state,) = states
    return state


def ids(view: dict[str, Any]) -> list[str]:
    return [row["id"] for row in view["rows"]]


@pytest.mark.req("UC-07", "ST-27", "ST-28", "ST-29", "ST-30", "ST-31", "ST-32", "ST-33", "ST-34", "ST-35")
def test_each_cell_of_the_state_table(console, sandbox):
    cells = list(itertools.product(STATES, DECISIONS))
    faults = {}
    for state, decision in cells:
        sandbox.renew()
        visitor, target = logged_in(console), NEXT_STATES.get((state, decision))
        view = rows(visitor, f"status={state}")
        row = view["rows"][0]
        path = f"{SCANNERS}/{row['id']}/{decision}"
        is_offered = [
            f"/{decision}" in [view["actions"][index]["path"] for index in row["actions"]],
            path in visitor.get(f"{SCANNERS}/{row['id']}").text,
        ]
        answer = visitor.post(path, {"confirmed": "1"})
        is_explained = "Failed to" in answer.text and " now " in answer.text
        outcome = (is_offered, answer.status_code, stored(console, row["id"]), is_explained)
        if outcome != (([True] * 2, 303, target, False) if target else ([False] * 2, 409, state, True)):
            faults[state, decision] = outcome
    assert faults == {}
    assert len(cells) == 12


@pytest.mark.req("DM-35", "LS-17", "ER-21")
@pytest.mark.parametrize("is_bulk", [True, False], ids=["in one call", "one by one"])
def test_two_administrators_decide_the_same_fifty_at_once_and_each_is_decided_once(console, sandbox, is_bulk):
    sandbox.seed_scanners("g-16", 50)
    if not is_bulk:
        sandbox.faults({"path": "/bulkApprove$", "status": 501, "times": -1})
    chosen = " ".join(ids(rows(logged_in(console), "keyword=seed&size=100")))
    assert len(chosen.split()) == 50
    visitors = iter([logged_in(console), logged_in(console)])
    address = f"{SCANNERS}/bulk/approve"
    plans = [(v, v.post(address, {"ids": chosen}, json=True).json()["item"]["job"]) for v in visitors]
    remaining = iter(plans)

    def decide() -> Any:
        visitor, job = next(remaining)
        return visitor.post(address, {"job": job}, json=True).json()

    answers = at_once(2, decide)
    outcomes = [{row["id"]: row["outcome"] for row in answer["item"]["rows"]} for answer in answers]
    done = [id for result in outcomes for id, outcome in result.items() if outcome == "done"]
    assert sorted(done) == sorted(chosen.split()), "each is decided exactly once, and none is lost"
    refused = [row for answer in answers for row in answer["item"]["rows"] if row["outcome"] == "blocked"]
    assert len(refused) == 50
    assert {*itertools.chain(*(row["reasons"] for row in refused))} == {"It's now approved."}
    assert rows(logged_in(console), "keyword=seed&status=PENDING")["total"] == 0


def count(page: Page, name: str) -> int:
    """Return the count of a tab."""
    return int(page.locator("[data-list-tabs] a").filter(has_text=name).locator(".count").inner_text())


WIDE, NARROW = 1280, 1024


def first_control(page: Page, serial: str, width: int) -> Locator:
    """Return the control of a pending row that gets the focus: the visible button, or the button of its menu."""
    name = f"Approve: {serial}" if width == WIDE else f"Actions for {serial}"
    return page.get_by_role("button", name=re.compile(name))


def approve(page: Page, serial: str, width: int = NARROW) -> None:
    """By keyboard only, once the rows of the last decision are drawn."""
    expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
    first_control(page, serial, width).focus()
    page.keyboard.press("Enter")
    if width == NARROW:
        step_to(page, page.locator(":popover-open").get_by_role("button", name="Approve"))
        page.keyboard.press("Enter")


def waiting(page: Page) -> int:
    """Return the count of scanners in the navigation."""
    return int(page.locator(f".navigation a[href='{SCANNERS}'] .count").inner_text())


@pytest.mark.req("UC-07", "DM-35", "AX-02", "DM-44")
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_decision_in_place_changes_row_and_counts_and_the_focus_goes_on_to_the_next_one_that_waits(
    open_browser, console, width
):
    page = open_browser(viewport={"width": width, "height": 800})
    for number in (1, 2):
        console.sandbox.connect(f"NEW-{number}")
    visit(page, f"{SCANNERS}?keyword=NEW")
    before = waiting(page)
    approve(page, "NEW-1")
    expect(find_row(page, "NEW-1").locator(".badge")).to_have_text("Approved")
    assert (count(page, "Pending"), count(page, "Approved"), waiting(page)) == (1, 1, before - 1)
    expect(first_control(page, "NEW-2", NARROW)).to_be_focused()
    visit(page, PENDING)
    approve(page, "NEW-2", width)
    expect(find_row(page, "NEW-2")).to_have_count(0)
    expect(first_control(page, "", width).first).to_be_focused()
    assert (count(page, "Pending"), waiting(page)) == (before - 2, before - 2)


@pytest.mark.req("UC-07", "DM-35", "AX-01")
@pytest.mark.parametrize("scripts", [True, False])
def test_the_decisions_about_a_scanner_that_waits_are_in_sight_where_there_is_space(open_browser, console, scripts):
    page = open_browser(java_script_enabled=scripts, viewport={"width": WIDE, "height": 800})
    console.sandbox.connect("NEW-1")
    page.goto(PENDING)
    row = find_row(page, "NEW-1")
    expect(row.get_by_role("button", name="Approve: NEW-1")).to_be_visible()
    expect(row.get_by_role("link", name="Disapprove: NEW-1")).to_be_visible()
    expect(row.get_by_role("button", name="Actions for NEW-1")).to_be_hidden()
    page.set_viewport_size({"width": NARROW, "height": 800})
    expect(row.get_by_role("button", name="Approve: NEW-1")).to_be_hidden()
    expect(row.get_by_role("button", name="Actions for NEW-1")).to_be_visible()


@pytest.mark.req("DM-35", "LS-06")
def test_the_bar_offers_what_the_ticked_rows_allow(page, console):
    console.sandbox.connect("NEW-1")
    visit(page, SCANNERS)
    offered = page.locator(".bulk-bar [data-of-row]:visible")
    find_row(page, "NEW-1").locator("[name=id]").check()
    expect(offered).to_have_text(["Approve", "Disapprove"])
    approve(page, "NEW-1")
    expect(offered).to_have_text(["Cancel approval"])


@pytest.mark.req("UC-07", "DM-35", "AX-02")
def test_an_open_menu_and_its_focus_stay_while_the_rows_are_drawn_again(page, console, hold):
    for number in (1, 2):
        console.sandbox.connect(f"NEW-{number}")
    visit(page, SCANNERS)
    paused = hold(rf"{SCANNERS}\?counts=1$")
    approve(page, "NEW-1")
    first_control(page, "NEW-2", NARROW).press("Enter")
    item = page.locator(":popover-open").get_by_role("button", name="Approve")
    step_to(page, item)
    let_go(page, paused)
    expect(find_row(page, "NEW-1").locator(".badge")).to_have_text("Approved")
    expect(item).to_be_focused()
    item.press("Enter")
    expect(find_row(page, "NEW-2").locator(".badge")).to_have_text("Approved")


@pytest.mark.req("ER-21", "LS-17", "ST-35")
@pytest.mark.provokes("status of 409")
def test_a_late_decision_shows_a_message_at_the_row_which_is_read_again(page, console):
    made = console.sandbox.connect("NEW-1")
    visit(page, SCANNERS)
    assert logged_in(console).post(f"{SCANNERS}/{made['id']}/approve").status_code == 303
    approve(page, "NEW-1")
    row = find_row(page, "NEW-1")
    expect(row.locator(".field-error")).to_have_text("Failed to approve the scanner. It's now approved.")
    expect(row.locator(".badge")).to_have_text("Approved")
    expect(row.get_by_role("button", name="Approve", include_hidden=True)).to_have_count(0)


@pytest.mark.req("ER-21")
@pytest.mark.provokes("status of 409")
def test_the_approval_of_another_organization_is_shown_at_the_row_and_in_the_history(page, console):
    console.sandbox.connect("SHARED-1")
    console.sandbox.approve_elsewhere("SHARED-1")
    scanner = console.sandbox.connect("OURS-1")
    visit(page, SCANNERS)
    approve(page, "SHARED-1")
    error = find_row(page, "SHARED-1").locator(".field-error")
    expect(error).to_have_text("Failed to approve the scanner. Another organization has approved this scanner.")
    approve(page, "OURS-1")
    expect(find_row(page, "OURS-1").locator(".badge")).to_have_text("Approved")
    assert console.sandbox.approve_elsewhere("OURS-1") == {"refused": True}
    page.goto(f"{SCANNERS}/{scanner['id']}")
    events = page.locator("#history tbody th")
    expect(events).to_have_text(["Connection from another organization blocked", "Approved", "Connected"])


@pytest.mark.req("DM-31")
def test_a_serial_number_is_found_however_it_is_typed(page, console):
    console.sandbox.connect("Q7-123-456")
    visit(page, SCANNERS)
    for keyword in ("q7123456", "Q7 123 456", "q7-123-4"):
        page.get_by_role("searchbox").fill(keyword)
        expect(page.get_by_role("rowheader")).to_have_text(["Q7-123-456"])
