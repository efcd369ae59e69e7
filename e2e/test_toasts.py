"""The place of toasts; they cover nothing important and are never the only message.

Their number, time and order are tested in static_src/behaviors/toasts.test.ts, and what they cover by the audits of the
walk over all screens.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.focus_audits import ROOMY_ON_A_PHONE, toasts
from e2e.looks import wait_until_painted
from e2e.pages import BY_NAME, CLINIC_PERMISSIONS, go, phone, raise_toasts, ready

pytestmark = pytest.mark.slow


def shown(page: Page, count: int) -> None:
    expect(page.locator(".toast")).to_have_count(count)


COVERED = """(what) => [...document.querySelectorAll(what)].filter((action) => {
  const a = action.getBoundingClientRect();
  return [...document.querySelectorAll(".toast")].some((toast) => {
    const t = toast.getBoundingClientRect();
    return a.left < t.right && a.right > t.left && a.top < t.bottom && a.bottom > t.top;
  });
}).map((action) => action.outerHTML)"""


@pytest.mark.req("CO-07", "CO-08", "LN-33")
def test_they_appear_at_the_top_of_the_inline_end(open_browser):
    for language in ("en-US", "ar-EG"):
        page = open_browser(locale=language, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto("/version")
            raise_toasts(page, 2)
            toast = page.locator(".toast").first.bounding_box()
            above = page.locator("h1" if width == 390 else ".header").bounding_box()
            assert toast
            assert above
            left, right = toast["x"], width - toast["x"] - toast["width"]
            start, end = (right, left) if language == "ar-EG" else (left, right)
            assert end == 16
            assert start >= 16
            assert above["y"] + above["height"] - 4 <= toast["y"] <= above["y"] + above["height"] + 16


@pytest.mark.req("CO-07", "CO-08")
@pytest.mark.parametrize("language", ["en-US", "ar-EG"])
def test_on_a_tablet_and_on_a_phone_they_cover_no_heading_link_or_button(open_browser, console, language):
    page = open_browser(locale=language, viewport={"width": 768, "height": 860}, reduced_motion="reduce")
    faults = {}
    for name in sorted(ROOMY_ON_A_PHONE):
        go(page, BY_NAME[name], console)
        for width in (768, 390, 360):
            page.set_viewport_size({"width": width, "height": 860})
            faults[name, width] = toasts(page, BY_NAME[name])
    assert len(faults) == 7 * 3
    assert {case: found for case, found in faults.items() if found} == {}


@pytest.mark.req("CO-08")
def test_they_make_way_for_the_primary_action_while_a_page_scrolls(open_browser, console):
    page = open_browser(viewport={"width": 390, "height": 640}, reduced_motion="reduce")
    go(page, BY_NAME["clinic permissions, form"], console)
    expect(page.locator("[data-primary]")).to_have_count(1)
    raise_toasts(page, 5)
    for fraction in (0, 0.25, 0.5, 0.75, 1):
        page.evaluate("(part) => scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight))", fraction)
        wait_until_painted(page)
        assert page.evaluate(COVERED, "[data-primary]") == []
    shown(page, 5)


@pytest.mark.req("CO-08", "DM-27")
def test_what_a_form_did_is_told_once_and_stays_in_the_page(open_browser, console):
    page = open_browser()
    phone(page)
    go(page, BY_NAME["permissions, saved"], console)
    expect(page.get_by_text("Allow export is off for")).to_have_count(1)
    expect(page.get_by_role("main").get_by_text("Allow export is off for")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_have_accessible_description(re.compile("Allow export is off for"))


@pytest.mark.req("CO-08")
def test_what_a_form_did_moves_no_tab(open_browser, console):
    page, places = open_browser(), []
    for name in ("clinic permissions, form", "permissions, saved"):
        go(page, BY_NAME[name], console)
        places.append(page.locator(".tabs").bounding_box())
    expect(page.locator(".tabs ~ .messages")).to_be_visible()
    assert places[0] == places[1]


@pytest.mark.req("CO-08")
def test_what_a_switch_did_is_told_once_and_stays_in_the_page(open_browser, console):
    page = open_browser()
    page.goto(CLINIC_PERMISSIONS)
    ready(page)
    page.get_by_role("switch", name="Allow export").click()
    told = page.get_by_text("Allow export is off for 38 users of")
    expect(told).to_have_count(1)
    expect(told).to_be_visible()
    expect(told).to_have_role("status")
    shown(page, 0)


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
