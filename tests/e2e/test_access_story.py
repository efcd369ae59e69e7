"""A review of forgotten permissions by keyboard: from four letters of a name to the files that an auditor gets."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.flows import choose_rows, expect_done, expect_message, file_link, granted, names, permit, sent, submit
from tests.e2e.pages import REVIEW
from tests.e2e.running import Console, database
from tests.e2e.ways import Keys

pytestmark = pytest.mark.slow
PERSON = "Grace Kim"
SETTING = "allow_export"
REMOVED = ("Lukas Brandt", "Özge Vogel")
"""Users who have been away for 180 days, and with whom nothing stands in the way."""


@pytest.fixture(autouse=True)
def _forgotten(console: Console) -> Iterator[None]:
    """The tests of a worker share their administrator, whose lists are theirs, too: also what a test before left."""
    delete_views_and_reminders(console)
    yield
    delete_views_and_reminders(console)


def delete_views_and_reminders(console: Console) -> None:
    database(console, "DELETE FROM saved_view")
    database(console, "DELETE FROM reminder")


@pytest.fixture
def way(open_browser):
    return Keys(open_browser)


@pytest.mark.req("DM-20", "DM-36", "DM-45", "DM-46", "DM-47", "AX-02")
def test_forgotten_permissions_are_reviewed_by_keyboard(way, console):
    given_a_permission_that_was_switched_on(way)
    person = opened_by_four_letters(way)
    put_back_to_what_the_clinic_has(way, console)
    reminded_in_a_month(way, person)
    reduced, removed = reviewed_and_decided(way, console)
    saved_as_a_view(way)
    reminded_a_month_later(way, console, person)
    the_auditor_gets_two_files(way, reduced, removed)


def given_a_permission_that_was_switched_on(way: Keys) -> None:
    way.go("/user-manage/user?keyword=grac")
    way.press(way.page.locator("tbody th a").filter(has_text=PERSON).first)
    way.press(way.page.locator(".panel [data-page]"))
    way.sees(way.page.locator("h1").filter(has_text=PERSON))
    way.press(way.page.locator("main .form-actions a[href*='permissions']").first)
    way.sees(way.page.locator("h2").filter(has_text=PERSON))
    for value in ("off", "on"):
        permit(way, SETTING, value)


def opened_by_four_letters(way: Keys) -> str:
    page = way.page
    way.go("/scanner-manage")
    page.keyboard.press("ControlOrMeta+k")
    expect(page.locator(".search-dialog input")).to_be_focused()
    page.keyboard.type("grac")
    option = page.locator(".search-dialog [role=option]").filter(has_text=PERSON).first
    expect(option).to_be_visible()
    while option.get_attribute("aria-selected") != "true":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    way.sees(page.locator("h1").filter(has_text=PERSON))
    return page.url


def put_back_to_what_the_clinic_has(way: Keys, console: Console) -> None:
    page = way.page
    switched: Locator = page.locator("main a").filter(has_text=re.compile("^Turned on by .Demo Administrator. on"))
    expect(switched).to_have_count(1)
    expect(page.locator("#activity tbody tr").first).to_contain_text("Demo Administrator")
    way.press(page.get_by_role("button", name="Reset to clinic settings"))
    expect_message(way)
    assert granted(console, "allowExport")[-1] is None
    expect(switched).to_have_count(0)
    expect(page.locator("main a").filter(has_text="Reset to the clinic setting by")).to_have_count(1)


def reminded_in_a_month(way: Keys, person: str) -> None:
    way.go(person)
    form = way.page.locator("#reminders form")
    day = (datetime.now(UTC) + timedelta(days=30)).date()
    way.press(way.page.get_by_role("button", name="Reminders"))
    way.reach(form.get_by_label("Reminder date"))
    way.page.keyboard.type(day.strftime("%m%d%Y"))
    way.fill(form.get_by_label("Note"), "Still in the export project?")
    way.press(way.page.locator("#reminders [type=submit]"))
    expect(way.page.locator("#reminders dl")).to_contain_text("Still in the export project?")
    way.go("/decisions")
    expect(way.page.locator("#waits-reminders tbody tr")).to_have_count(0)


def reviewed_and_decided(way: Keys, console: Console) -> tuple[list[str], list[str]]:
    way.go(REVIEW)
    every = names(way).all_inner_texts()
    unique = [name for name in every if every.count(name) == 1]
    reduced, removed = unique[:4], list(REMOVED)
    choose_rows(way, "reduce", *reduced)
    way.choose(way.page.locator("[name=to]"), "inherit")
    way.fill(way.page.locator("[name=reason]"), "Away for half a year")
    submit(way)
    expect_done(way, 4)
    assert set(sent(console, "POST", "bulkPermissions")[-1]["permissions"].values()) == {None}
    choose_rows(way, "delete", *removed)
    way.fill(way.page.locator("[name=reason]"), "Left")
    submit(way)
    expect_done(way, 2)
    assert len(sent(console, "POST", "bulkDelete")[-1]["ids"]) == 2
    for name in removed:
        expect(names(way).filter(has_text=re.compile(f"^{re.escape(name)}$"))).to_have_count(0)
    return reduced, removed


def saved_as_a_view(way: Keys) -> None:
    way.press(way.page.locator("a.views-act"))
    way.fill(way.page.locator("[name=name]"), "Away for half a year")
    submit(way)
    expect_message(way)
    expect(way.page.locator(".views [aria-current=page]")).to_have_text("Away for half a year")
    way.go(f"{REVIEW}/sign-off")
    way.fill(way.page.locator("[name=note]"), "Half-yearly review")
    submit(way)
    expect_message(way)


def reminded_a_month_later(way: Keys, console: Console, person: str) -> None:
    database(console, "UPDATE reminder SET day = date('now')")
    way.go("/decisions")
    row = way.page.locator("#waits-reminders tbody tr", has_text=PERSON)
    expect(row).to_contain_text("Still in the export project?")
    row.locator("th a").press("Enter")  # below more rows than the keyboard is walked through here
    way.sees(way.page.locator("h1").filter(has_text=PERSON))
    assert way.page.url.partition("?")[0] == person.partition("?")[0]


def the_auditor_gets_two_files(way: Keys, reduced: list[str], removed: list[str]) -> None:
    way.go(f"{REVIEW}/signed")
    way.press(way.page.locator("tbody tr th a").first)
    expect(way.page).to_have_url(re.compile(r"/signed/\d+"))
    way.wait_until_ready()
    head, *lines = way.download(file_link(way, "/export"))
    decisions = {line[0]: line for line in lines}
    assert {"Name", "Decision", "Reason"} <= set(head)
    assert all("Away for half a year" in decisions[name] for name in reduced)
    assert all("Left" in decisions[name] for name in removed)
    way.go("/activity")
    _head, *changes = way.download(file_link(way, "/export"))
    assert any(PERSON in cell for line in changes for cell in line)
    assert any(removed[0] in cell for line in changes for cell in line)
