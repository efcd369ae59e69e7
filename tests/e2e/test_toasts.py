"""The place of toasts, the way to them by keyboard, and that they are never the only message.

Their number, time and order are tested in static_src/behaviors/toasts.test.ts; their place also by the audits of the
walk over all screens.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.focus_audits import toasts
from tests.e2e.pages import BY_NAME, CLINIC_PERMISSIONS, go, phone, ready

pytestmark = pytest.mark.slow


def expect_toasts(page: Page, count: int) -> None:
    expect(page.locator(".toast")).to_have_count(count)


COVERED = """(what) => [...document.querySelectorAll(what)].filter((action) => {
  const a = action.getBoundingClientRect();
  return [...document.querySelectorAll(".toast")].some((toast) => {
    const t = toast.getBoundingClientRect();
    return a.left < t.right && a.right > t.left && a.top < t.bottom && a.bottom > t.top;
  });
}).map((action) => action.outerHTML)"""


@pytest.mark.req("CO-07", "CO-08", "LN-33")
@pytest.mark.parametrize("language", ["en-US", "ar-EG"])
def test_they_stand_in_one_place_at_the_top_of_the_inline_end(open_browser, console, language):
    page = open_browser(locale=language, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    faults = {}
    for name in ("version", "clinics", "clinic permissions, form", "user"):
        go(page, BY_NAME[name], console)
        for width in (1280, 768, 390, 360):
            page.set_viewport_size({"width": width, "height": 800})
            for fraction in (0, 1):
                page.evaluate("part => scrollTo(0, part * document.documentElement.scrollHeight)", fraction)
                faults[name, width, fraction] = toasts(page, BY_NAME[name])
    assert {case: fault for case, fault in faults.items() if fault} == {}


@pytest.mark.req("CO-06", "CO-08", "DM-27", "AX-02")
def test_by_f8_one_gets_to_the_action_and_back(open_browser, console):
    page = open_browser()
    page.goto("/partner-manage/search?keyword=Nordic")
    page.locator("[name=keyword]").focus()
    ready(page)
    add = page.get_by_role("button", name=re.compile("^Add to my list")).first
    add.press("Enter")
    expect(page.locator(".toast")).to_be_visible()
    page.locator("[name=keyword]").focus()
    page.keyboard.press("F8")
    undo = page.locator(".toast").get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.press("Escape")
    expect_toasts(page, 0)
    expect(page.locator("[name=keyword]")).to_be_focused()


@pytest.mark.req("CO-08", "DM-27")
def test_the_message_of_a_form_appears_once_and_stays_in_the_page(open_browser, console):
    page = open_browser()
    phone(page)
    go(page, BY_NAME["permissions, saved"], console)
    expect(page.get_by_text("“Allow exports” is off for")).to_have_count(1)
    expect(page.get_by_role("main").get_by_text("“Allow exports” is off for")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_have_accessible_description(
        re.compile("“Allow exports” is off for")
    )


@pytest.mark.req("CO-08", "DM-27", "AX-02")
def test_by_f8_one_gets_to_the_message_of_a_form(open_browser, console):
    page = open_browser()
    go(page, BY_NAME["permissions, saved"], console)
    page.keyboard.press("F8")
    expect(page.locator("#messages .alert")).to_be_focused()
    page.goto(CLINIC_PERMISSIONS)
    labs = page.locator(".labs")
    labs.get_by_role("checkbox").first.click()
    labs.get_by_role("button", name="Save labs").click()
    message = labs.locator(".alert")
    expect(message).to_have_text("Labs saved.")
    page.wait_for_load_state()
    expect(page.locator("#labs")).to_be_focused()
    page.keyboard.press("F8")
    expect(message).to_be_focused()


@pytest.mark.req("CO-08")
def test_what_a_form_did_moves_no_tab(open_browser, console):
    page, positions = open_browser(), []
    for name in ("clinic permissions, form", "permissions, saved"):
        go(page, BY_NAME[name], console)
        positions.append(page.locator(".tabs").bounding_box())
    expect(page.locator(".tabs ~ .messages")).to_be_visible()
    assert positions[0] == positions[1]


@pytest.mark.req("CO-08")
def test_the_message_of_a_switch_appears_once_and_stays_in_the_page(open_browser, console):
    page = open_browser()
    page.goto(CLINIC_PERMISSIONS)
    ready(page)
    page.get_by_role("switch", name="Allow exports").click()
    message = page.get_by_text("“Allow exports” is off for 38 users in")
    expect(message).to_have_count(1)
    expect(message).to_be_visible()
    expect(message).to_have_role("status")
    expect_toasts(page, 0)


@pytest.mark.req("CO-08", "AX-02")
@pytest.mark.provokes("net::ERR_FAILED")
def test_the_same_failure_again_is_one_toast_and_never_covers_the_switch(open_browser, console):
    page = open_browser(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.clock.install()
    page.goto(CLINIC_PERMISSIONS)
    ready(page)
    page.route(f"**{CLINIC_PERMISSIONS}", lambda route: route.abort() if route.request.method == "POST" else None)
    switch = page.get_by_role("switch").first
    switch.focus()
    for _ in range(3):
        with page.expect_event("requestfailed"):
            page.keyboard.press("Space")
        expect(page.locator(".toast")).to_have_count(1)
        expect(switch).not_to_have_attribute("aria-busy", "true")
    expect(switch).to_be_focused()
    assert page.evaluate(COVERED, ":focus") == []
