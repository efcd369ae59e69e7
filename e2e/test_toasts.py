"""Toasts: how many, how long and where; they cover nothing important and are never the only message."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from e2e.pages import BY_NAME, CLINIC_PERMISSIONS, CLINICS, TEAMS, USERS, all_ready, go, phone, raise_toasts, ready
from e2e.tiers import alternating

SECOND = 1000
WITH_PRIMARY_ACTION = ("login", "clinic permissions, form", "unknown", "server error, logged out", "clinics, fault")


@pytest.fixture
def page(open_browser: Callable[..., Page]) -> Page:
    """A page whose clock moves only when a test moves it."""
    page = open_browser()
    page.clock.install()
    page.goto(CLINICS)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    return page


def shown(page: Page, count: int) -> None:
    expect(page.locator(".toast")).to_have_count(count)


@pytest.mark.req("CO-05")
def test_of_seven_the_newest_five_are_shown(page):
    raise_toasts(page, 7)
    expect(page.locator(".toast-title")).to_have_text([f"Message {number}" for number in range(3, 8)])


@pytest.mark.req("CO-06")
def test_one_is_gone_after_five_seconds(page):
    raise_toasts(page, 1)
    page.clock.run_for(3 * SECOND)
    raise_toasts(page, 1)
    page.clock.run_for(1900)
    shown(page, 2)
    page.clock.run_for(200)
    shown(page, 1)
    page.clock.run_for(2 * SECOND + 900)
    shown(page, 0)


@pytest.mark.req("CO-07", "CO-08", "LN-33")
@pytest.mark.parametrize(("language", "width"), alternating(["en-US", "ar-EG"], [390, 1280]))
def test_they_appear_at_the_top_of_the_inline_end(open_browser, language, width):
    page = open_browser(locale=language, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page.goto("/version")
    raise_toasts(page, 2)
    toast = page.locator(".toast").first.bounding_box()
    above = page.locator("h1" if width == 390 else ".header").bounding_box()
    assert toast
    assert above
    left, right = toast["x"], width - toast["x"] - toast["width"]
    assert (left if language == "ar-EG" else right) == 16
    assert above["y"] + above["height"] - 4 <= toast["y"] <= above["y"] + above["height"] + 16
    assert (right if language == "ar-EG" else left) >= 16


@pytest.mark.req("CO-08")
def test_the_time_stops_while_somebody_points_at_one(page):
    raise_toasts(page, 2)
    page.clock.run_for(4 * SECOND)
    page.locator(".toast").first.hover()
    page.clock.run_for(20 * SECOND)
    shown(page, 2)
    page.mouse.move(1, 700)
    page.clock.run_for(900)
    shown(page, 2)
    page.clock.run_for(200)
    shown(page, 0)


@pytest.mark.req("CO-08", "DM-27")
def test_the_time_stops_while_the_focus_is_in_one(page):
    raise_toasts(page, 2)
    page.clock.run_for(4 * SECOND)
    close = page.locator(".toast").last.get_by_role("button", name="Close")
    close.focus()
    page.clock.run_for(20 * SECOND)
    shown(page, 2)
    close.press("Enter")
    expect(page.locator(".toast-title")).to_have_text(["Message 1"])
    expect(page.locator(".toast button")).to_be_focused()  # so this one does not time out either
    page.clock.run_for(20 * SECOND)
    shown(page, 1)
    page.keyboard.press("Enter")
    shown(page, 0)
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.req("CO-08")
def test_the_time_stops_while_the_tab_is_hidden(page):
    def hide(hidden: bool) -> None:
        page.evaluate(
            """hidden => {
                 Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
                 document.dispatchEvent(new Event("visibilitychange"));
               }""",
            hidden,
        )

    raise_toasts(page, 1)
    page.clock.run_for(4 * SECOND)
    hide(True)
    raise_toasts(page, 1)
    page.clock.run_for(60 * SECOND)
    shown(page, 2)
    hide(False)
    page.clock.run_for(1100)
    shown(page, 1)
    page.clock.run_for(4 * SECOND)
    shown(page, 0)


@pytest.mark.req("CO-08", "DM-27")
def test_escape_closes_the_newest_first(page):
    raise_toasts(page, 3)
    page.keyboard.press("Escape")
    expect(page.locator(".toast-title")).to_have_text(["Message 1", "Message 2"])


@pytest.mark.req("AX-08")
def test_they_are_announced_each_in_its_way_and_take_no_focus(page):
    page.get_by_role("searchbox").focus()
    raise_toasts(page, 1, tone="success")
    raise_toasts(page, 1, tone="danger")
    region = page.get_by_role("region", name="Messages")
    expect(region.get_by_role("status")).to_contain_text("Message 1")
    expect(region.get_by_role("alert")).to_contain_text("Message 2")
    expect(page.get_by_role("searchbox")).to_be_focused()


COVERED = """(what) => [...document.querySelectorAll(what)].filter((action) => {
  const a = action.getBoundingClientRect();
  return [...document.querySelectorAll(".toast")].some((toast) => {
    const t = toast.getBoundingClientRect();
    return a.left < t.right && a.right > t.left && a.top < t.bottom && a.bottom > t.top;
  });
}).map((action) => action.outerHTML)"""


@pytest.mark.req("CO-08")
@pytest.mark.parametrize(("name", "width"), alternating(WITH_PRIMARY_ACTION, [390, 1280]))
def test_they_never_cover_the_primary_action(open_browser, console, name, width):
    screen = BY_NAME[name]
    page = open_browser(logged_in=screen.logged_in, viewport={"width": width, "height": 640}, reduced_motion="reduce")
    go(page, screen, console)
    covered = []
    for count in (1, 4):
        raise_toasts(page, count)
        for fraction in (0, 0.25, 0.5, 0.75, 1):
            page.evaluate(
                """fraction => new Promise((done) => {
                     scrollTo(0, fraction * (document.documentElement.scrollHeight - innerHeight));
                     requestAnimationFrame(() => requestAnimationFrame(done));
                   })""",
                fraction,
            )
            covered += page.evaluate(COVERED, "[data-primary]")
    expect(page.locator("[data-primary]").first).to_be_visible()
    shown(page, 5)
    assert covered == []


@pytest.mark.req("CO-07")
@pytest.mark.parametrize(("language", "width"), alternating(["en-US", "ar-EG"], [360, 390]))
def test_on_a_phone_they_stay_within_the_window(open_browser, language, width):
    page = open_browser(locale=language, viewport={"width": width, "height": 844}, reduced_motion="reduce")
    page.goto(USERS)
    all_ready(page)
    for count in (1, 1, 3):
        raise_toasts(page, count)
        boxes = page.locator(".toast").evaluate_all(
            "toasts => toasts.map((toast) => toast.getBoundingClientRect()).map(({ left, right }) => [left, right])"
        )
        assert [box for box in boxes if box[0] < 0 or box[1] > width] == []


READ_OR_PRESSED = """() => {
  const toast = document.querySelector(".toast").getBoundingClientRect();
  const boxOf = (part) => {
    if (!part.matches("h1, h2")) return part.getBoundingClientRect();
    const text = document.createRange();
    text.selectNodeContents(part);
    return text.getBoundingClientRect();
  };
  return [...document.querySelectorAll("header :is(a, button), main :is(a, button, h1, h2)")]
    .filter((part) => part.matches("h1, h2") || part.tabIndex >= 0)
    .filter((part) => !part.closest("[data-kind=number]")) // they stand in every row
    .filter((part) => {
      const box = boxOf(part);
      return box.height && box.left < toast.right && box.right > toast.left
        && box.top < toast.bottom && box.bottom > toast.top;
    })
    .map((part) => part.textContent.trim() || part.outerHTML);
}"""


@pytest.mark.req("CO-07", "CO-08")
@pytest.mark.parametrize(("language", "width"), alternating(["en-US", "ar-EG"], [390, 768, 1280]))
def test_they_come_up_beside_headings_links_and_buttons(open_browser, language, width):
    page = open_browser(locale=language, viewport={"width": width, "height": 860}, reduced_motion="reduce")
    covered = {}
    for path in (CLINICS, USERS, TEAMS, f"{CLINICS}/g-1/edit", CLINIC_PERMISSIONS, f"{USERS}/u-1", f"{USERS}/u-1/edit"):
        page.goto(path)
        all_ready(page)
        raise_toasts(page, 1)
        covered[path] = page.evaluate(READ_OR_PRESSED)
    assert {path: parts for path, parts in covered.items() if parts} == {}


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
