"""Positions: lists below tabs, tabs that don't move, and a panel and action bar that stay visible.

The audits of the walk over all screens check the place of the first row, of tabs and of toasts.
"""

import re

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.e2e.list_audits import LIST_AUDITS, wide_list
from tests.e2e.pages import (
    ALL_USERS,
    CLINIC_PERMISSIONS,
    CLINICS,
    ROW,
    SCANNERS,
    TEAMS,
    USERS,
    Screen,
    all_ready,
    visit,
)

pytestmark = pytest.mark.slow

WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
MAX_BAR_HEIGHT = 64
"""The height of a bar of one line."""
PARTNERS = [f"/partner-manage/list{part}" for part in ("", "/partners", "/sent", "/mine", "/history")]
TABS = [USERS, TEAMS, CLINIC_PERMISSIONS, *(f"{CLINICS}/g-1/{tab}" for tab in ("scanner", "partner", "edit"))]


def box(part: Locator) -> FloatRect:
    rect = part.bounding_box()
    assert rect
    return rect


@pytest.mark.req("DM-32", "AX-10")
@pytest.mark.parametrize("language", ["en-US", "ar-EG", "de-DE", "th-TH"])
def test_the_lists_of_partners_are_near_the_top_and_their_tabs_in_sight(open_browser, language):
    """The audits of lists, on lists that are no screens of the walk."""
    page = open_browser(locale=language, viewport=WIDE, reduced_motion="reduce")
    faults = {}
    for path in PARTNERS:
        page.goto(path)
        all_ready(page)
        expect(page.locator(".tabs [aria-current]")).to_be_visible()
        expect(page.locator("section.list tbody tr").first).to_be_visible()
        faults[path] = [fault for audit in LIST_AUDITS for fault in audit(page, Screen(path, path, ROW))]
    assert len(faults) == 5
    assert {path: result for path, result in faults.items() if result} == {}


def test_the_tabs_of_a_clinic_do_not_move(open_browser):
    page = open_browser()
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        positions = []
        for path in TABS:
            page.goto(path)
            boxes = [box(part) for part in [page.locator("h1"), *page.locator(".tabs a").all()]]
            scrolled = page.locator(".tabs").evaluate("(tabs) => tabs.scrollLeft")  # to the current one, on a phone
            positions.append([boxes[0], *({**tab, "x": tab["x"] + scrolled} for tab in boxes[1:])])
        assert len(positions[0]) == 1 + len(TABS)
        # The heading may be as wide as its line; nothing else differs.
        assert [[(p["x"], p["y"]) for p in position] for position in positions[1:]] == [
            [(p["x"], p["y"]) for p in positions[0]] for _ in positions[1:]
        ]
        assert [{p["y"] + p["height"] for p in position[1:]} for position in positions] == [
            {positions[0][1]["y"] + positions[0][1]["height"]}
        ] * len(TABS)


@pytest.mark.req("DM-04")
def test_each_row_of_a_long_list_is_one_line(open_browser):
    page = open_browser(viewport=WIDE)
    faults = {}
    for path in (USERS, CLINICS, SCANNERS, ALL_USERS):
        visit(page, f"{path}?size=100")
        assert page.locator("tbody tr").count() > 20
        faults[path] = wide_list(page, Screen(path, path, ROW))
    assert faults == {USERS: [], CLINICS: [], SCANNERS: [], ALL_USERS: []}
    clinic = page.locator("td").filter(has_text="The United Practices").first
    clinic.hover()
    expect(clinic).to_have_attribute("title", clinic.inner_text())


def test_what_all_clinics_share_is_shown_once_and_follows_the_list(open_browser):
    page = open_browser(viewport=WIDE)
    visit(page, CLINICS)
    fact = page.locator(".page-head").get_by_text("Server location")
    expect(fact).to_have_text(re.compile("South Korea"))
    expect(page.locator("thead").get_by_text("Server location")).to_have_count(0)
    page.get_by_role("searchbox").fill("Seoul Central")
    expect(page.locator(".list-status")).to_have_text("1 to 1 of 1")
    expect(fact).to_have_count(0)
    expect(page.locator("thead").get_by_text("Server location")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(fact).to_have_count(1)


def test_search_filters_chips_and_count_are_one_line(open_browser):
    page = open_browser(viewport=WIDE)
    page.goto(f"{USERS}?status=ACTIVE")
    parts = [
        page.get_by_role("searchbox"),
        page.get_by_role("button", name="Filters"),
        page.locator(".chips"),
        page.locator(".list-count"),
    ]
    boxes = [box(part) for part in parts]
    middles = [b["y"] + b["height"] / 2 for b in boxes]
    assert max(middles) - min(middles) < 4
    assert [b["x"] for b in boxes] == sorted(b["x"] for b in boxes)


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_the_value_of_a_filter_is_read_in_its_chip(open_browser, locale):
    page = open_browser(viewport=WIDE, locale=locale)
    page.goto(f"{USERS}?last_login=90")
    is_whole = "chip => chip.scrollWidth <= chip.clientWidth"
    assert page.locator(".chips span").evaluate(is_whole)


@pytest.mark.req("AX-02", "DM-28")
@pytest.mark.parametrize("width", [1440, 1280, 900, 390])
def test_the_panel_opens_where_one_is_and_the_list_keeps_its_place(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 600}, reduced_motion="reduce")
    visit(page, USERS)
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Jonas Weber"))
    row.locator(".badge").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0
    row.locator(".badge").click()
    panel = page.get_by_role("dialog", name="Jonas Weber")
    heading = panel.get_by_role("heading", name="Jonas Weber")
    expect(heading).to_be_in_viewport(ratio=1)
    expect(heading).to_be_focused()
    assert page.evaluate("scrollY") == before
    assert panel.evaluate("panel => panel.scrollHeight > panel.clientHeight"), "it has its own scroll"
    panel.get_by_role("link", name="Delete").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") == before
    if width >= 1280:
        for head in ("Email", "Last login"):
            expect(page.locator("thead").get_by_text(head)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert page.evaluate("scrollY") == before
    expect(page.get_by_role("link", name="Jonas Weber")).to_be_focused()


@pytest.mark.req("DM-28")
def test_next_to_the_panel_the_list_has_its_heads_and_nothing_is_cut_off(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 600}, reduced_motion="reduce")
    visit(page, ALL_USERS)
    page.locator("tbody tr").nth(12).locator(".badge").scroll_into_view_if_needed()
    page.locator("tbody tr").nth(12).locator(".badge").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(".table-wrap")).to_have_attribute("tabindex", "-1")
    for head in ("Name", "Email", "Last login"):
        expect(page.locator("thead").get_by_text(head)).to_be_in_viewport(ratio=1)


STARTS = """names => names.map((name) => {
  const text = document.createRange();
  text.selectNodeContents(name);
  const { left, right } = text.getBoundingClientRect();
  return document.dir === "rtl" ? right : left;
})"""
SPACE = 12
"""A line that wraps may end with one."""


@pytest.mark.req("DM-30", "LN-17")
@pytest.mark.parametrize("language", ["en-US", "ar-EG"])
def test_the_names_of_a_plan_begin_where_the_page_does_whichever_way_they_read(open_browser, language):
    page = open_browser(locale=language, viewport=WIDE, reduced_motion="reduce")
    visit(page, f"{CLINICS}?size=100")
    for row in page.locator("tbody [name=id]").all()[-12:]:
        row.check(force=True)
    for opener in page.locator(".bulk-open:visible").all():
        opener.click()
    page.locator(".bulk-bar [formaction$='/permissions']").click()
    names = page.locator(".bulk-rows > li > :first-child > bdi")
    expect(names).to_have_count(12)
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        starts = names.evaluate_all(STARTS)
        assert max(starts) - min(starts) < SPACE


@pytest.mark.req("AX-02", "DM-28")
def test_the_head_of_the_panel_is_seen_where_the_page_ends(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    visit(page, USERS)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator("tbody tr").last.locator(".badge").click()
    heading = page.get_by_role("dialog").get_by_role("heading", level=2)
    expect(heading).to_be_focused()
    is_visible = """(heading) => {
      const { x, y, height } = heading.getBoundingClientRect();
      return heading.contains(document.elementFromPoint(x + 4, y + height / 2));
    }"""
    assert heading.evaluate(is_visible)


@pytest.mark.req("AX-10", "LS-07")
@pytest.mark.parametrize("size", [(1280, 860), (640, 430), (320, 215)], ids=["100", "200", "400"])
def test_the_bar_is_one_line_in_sight_at_any_zoom(open_browser, size):
    """A window of 1280 x 860, at 100, 200 and 400 percent."""
    width, height = size
    page = open_browser(viewport={"width": width, "height": height}, reduced_motion="reduce")
    visit(page, USERS)
    bar = page.get_by_role("form", name="Selected rows")
    expect(bar).to_be_hidden()
    page.locator("tbody [name=id]").first.check()
    expect(bar).to_be_in_viewport(ratio=1)
    assert box(bar)["height"] <= MAX_BAR_HEIGHT
    page.locator("tbody [name=id]").nth(6).check()
    expect(bar).to_be_in_viewport(ratio=1)
    opener = bar.get_by_role("button", name="Actions" if width < 1024 else "More")
    opener.click()
    bar.get_by_role("button", name="Delete").scroll_into_view_if_needed()
    expect(bar.get_by_role("button", name="Delete")).to_be_in_viewport()
    page.keyboard.press("Escape")
    for number in (0, 6):
        page.locator("tbody [name=id]").nth(number).uncheck()
    expect(bar).to_be_hidden()


@pytest.mark.req("DM-28")
def test_on_a_phone_files_are_in_the_menu_of_the_page_and_a_card_has_one_button(open_browser):
    page = open_browser(viewport=PHONE, has_touch=True)
    visit(page, USERS)
    card = page.locator("tbody tr").first
    expect(card.get_by_role("button")).to_have_count(1)
    menu = page.locator("#page-menu")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="More").tap()
    for name in ("Export XLSX", "Import", "Export CSV"):
        expect(menu.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    with page.expect_download():
        menu.get_by_role("link", name="Export CSV").tap()
    expect(menu).to_be_hidden()
    expect(page.locator(".toast")).to_contain_text("Export started.")


@pytest.mark.req("RT-43")
def test_on_a_phone_a_clinic_can_be_deleted_from_the_menu_of_its_page(open_browser):
    page = open_browser(viewport=PHONE, has_touch=True)
    visit(page, USERS)
    page.get_by_role("button", name="More").tap()
    link = page.locator("#page-menu").get_by_role("link", name="Delete clinic")
    expect(link).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(link).to_be_hidden()


def test_a_label_and_its_value_are_one_glance(open_browser):
    page = open_browser()
    page.goto(f"{USERS}/u-1")
    facts = page.locator("dl.facts").first.locator("> div").all()
    assert facts
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for fact in facts:
            label, value = box(fact.locator("dt")), box(fact.locator("dd > *").first)
            assert 0 < value["x"] - label["x"] <= 180
            assert abs(label["y"] + label["height"] / 2 - value["y"] - value["height"] / 2) < 24
