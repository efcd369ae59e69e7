"""Lists on the running system: pages, totals and columns."""

import re

import pytest
from playwright.sync_api import expect

from e2e.http_client import Visitor
from e2e.pages import ALL_USERS, BY_NAME, CLINICS, SCANNERS, TEAMS, USERS, go, ready
from e2e.running import EMAIL, PASSWORD
from e2e.tiers import alternating

RANGE = re.compile(r"(\d+) to (\d+) of (\d+)")


def pages(console, query: str, *, size: int) -> tuple[list[str], set[int]]:
    """Return the ids of all rows, page by page, and all totals that were shown."""
    visitor, number = Visitor(console, console.log_in()), 1
    found: list[str] = []
    totals: set[int] = set()
    while True:
        view = visitor.get(f"{query}&size={size}&page={number}", json=True).json()["item"]["list"]
        ((first, last, total),) = (map(int, numbers) for numbers in RANGE.findall(view["pager"]["range"]))
        assert (first, last - first + 1, total) == (len(found) + 1, len(view["rows"]), view["total"])
        found += [row["id"] for row in view["rows"]]
        totals.add(total)
        number += 1
        if not view["pager"]["next_href"]:
            return found, totals


@pytest.mark.req("DM-09", "LS-05")
@pytest.mark.parametrize(
    "query",
    [
        f"{USERS}?status=ACTIVE",
        f"{USERS}?user_type=STAFF&status=ACTIVE&status=INVITED",
        f"{USERS}?keyword=an&user_type=DOCTOR",
        f"{CLINICS}?country_code=KR&country_code=US",
        f"{CLINICS}?has_partner=false",
    ],
)
def test_under_filters_the_pages_hold_what_their_total_tells(console, query):
    found, totals = pages(console, query, size=10)
    assert totals == {len(found)}
    assert len(set(found)) == len(found), "no row twice"
    at_once, _ = pages(console, query, size=100)
    assert found == at_once
    everything, _ = pages(console, query.partition("?")[0] + "?", size=100)
    assert set(found) < set(everything), "a filter leaves out some rows"


@pytest.mark.req("DM-04", "AX-10")
@pytest.mark.parametrize(
    ("path", "language"),
    alternating([CLINICS, USERS, TEAMS, ALL_USERS, SCANNERS], ["en-US", "ar-EG", "de-DE", "th-TH", "pl-PL"]),
)
def test_all_columns_fit_a_window_of_1280(open_browser, path, language):
    page = open_browser(locale=language, viewport={"width": 1280, "height": 800})
    page.goto(path)
    expect(page.locator("tbody th").first).to_be_visible()
    assert page.locator(".table-wrap").evaluate("box => box.scrollWidth - box.clientWidth") == 0


# Words of the heads that are broken in two, and the ends of the numbers of each column.
BROKEN_HEADS = """() => [...document.querySelectorAll("thead th")].flatMap((head) => {
  const text = document.createTreeWalker(head, NodeFilter.SHOW_TEXT).nextNode(), range = document.createRange();
  return [...(text?.data ?? "").matchAll(/[^\\s/]+/g)].filter((word) => {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(String);
})"""
# Words that are wider than the place of the labels that stand before the values of cards.
BROKEN_LABELS = """() => [...document.querySelectorAll("td[data-label]")].flatMap((cell) => {
  const { content, font } = getComputedStyle(cell, "::before");
  const text = document.createElement("canvas").getContext("2d");
  if (content === "none") return [];
  const width = parseFloat(getComputedStyle(cell).gridTemplateColumns);
  text.font = font;
  return cell.dataset.label.split(/[ /]/).filter((word) => text.measureText(word).width > width);
})"""
ENDS = """() => [...document.querySelectorAll("tbody td[data-kind=number]")].map((cell) => {
  const range = document.createRange(), box = cell.getBoundingClientRect();
  range.selectNodeContents(cell.querySelector("bdi") ?? cell);
  const { left, right } = range.getBoundingClientRect();
  return Math.round(document.dir === "rtl" ? left - box.left : box.right - right);
})"""


@pytest.mark.req("DM-04", "AX-10", "LN-33")
@pytest.mark.parametrize("language", ["ko-KR", "ja-JP", "zh-TW", "ar-EG"])
def test_heads_are_not_broken_within_a_word_and_numbers_stand_under_one_another(open_browser, language):
    page = open_browser(locale=language, viewport={"width": 1280, "height": 800})
    page.goto(CLINICS)
    expect(page.locator("tbody td[data-kind=number] a").first).to_be_visible()
    assert page.evaluate(BROKEN_HEADS) == []
    assert len(set(page.evaluate(ENDS))) == 1


@pytest.mark.req("AX-10", "LN-33")
@pytest.mark.parametrize("language", ["de-DE", "ru-RU", "el-GR", "pl-PL"])
def test_labels_of_cards_are_not_broken_within_a_word(open_browser, language):
    for path, width in (("/partner-manage/search", 1280), ("/partner-manage/search", 390), (CLINICS, 390)):
        page = open_browser(locale=language, viewport={"width": width, "height": 800})
        page.goto(path)
        expect(page.locator("td[data-label]").first).to_be_visible()
        assert page.evaluate(BROKEN_LABELS) == []


@pytest.mark.req("DM-04", "DM-28")
def test_a_finger_can_sort_on_a_phone(open_browser, console):
    page = open_browser(viewport={"width": 390, "height": 800}, has_touch=True)
    for name, last in (("clinics", "Partners"), ("users", "Last login")):
        go(page, BY_NAME[name], console)
        link = page.locator("thead").get_by_role("link", name=last)
        link.scroll_into_view_if_needed()
        link.tap()
        expect(page).to_have_url(re.compile("sort=(partner_count|last_login_date)"))
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.req("DM-32")
def test_the_keys_are_told_and_can_be_switched_off(open_browser):
    page = open_browser()
    page.goto(CLINICS)
    keys, search = page.get_by_role("dialog", name="Keyboard shortcuts"), page.get_by_role("searchbox")
    page.keyboard.press("?")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("/?")
    expect(search).to_have_value("/?")
    expect(keys).to_be_hidden()

    page.get_by_role("button", name="Keyboard shortcuts").click()
    keys.get_by_role("checkbox", name="Single-key shortcuts").uncheck()
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()
    page.goto(TEAMS)
    page.locator("h1").click()
    for key in ("/", "?"):
        page.keyboard.press(key)
    expect(keys).to_be_hidden()
    expect(search).not_to_be_focused()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(keys.get_by_role("checkbox")).not_to_be_checked()


@pytest.mark.req("AX-08", "LS-05")
def test_a_new_order_is_told_and_the_rows_are_named(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    told = page.locator(".list > [role=status]")
    expect(told).to_have_text("")
    link = page.locator("thead").get_by_role("link", name="Name")
    for order in ("descending", "ascending"):
        link.press("Enter")
        expect(told).to_have_text(f"1 to 25 of 40. Users. Sorting: Name, {order}")
        expect(link).to_be_focused()


@pytest.mark.req("VA-21", "AX-08")
def test_half_an_email_leaves_the_search_box_as_wide_as_it_was(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 800})
    page.goto(f"{USERS}?searchField=email")
    ready(page)
    box = page.get_by_role("searchbox")
    before = box.bounding_box()
    box.press_sequentially("hana@")
    hint = page.get_by_role("search").get_by_role("status")
    expect(hint).to_have_text("Enter a complete email address.")
    expect(box).to_have_accessible_description("Enter a complete email address.")
    assert box.bounding_box() == before


@pytest.mark.req("AX-02", "DM-28")
@pytest.mark.parametrize("path", [CLINICS, USERS])
def test_a_table_is_a_stop_and_has_an_edge_only_where_it_scrolls(open_browser, path):
    page = open_browser(viewport={"width": 1280, "height": 800})
    page.goto(path)
    table, corner = page.locator(".table-wrap"), page.locator("thead .row-actions")
    expect(table).to_have_attribute("tabindex", "-1")
    expect(corner).to_have_css("box-shadow", "none")
    page.set_viewport_size({"width": 660, "height": 800})
    expect(table).to_have_attribute("tabindex", "0")
    expect(corner).not_to_have_css("box-shadow", "none")
    expect(corner).to_be_in_viewport(ratio=1)


@pytest.mark.req("LS-07")
@pytest.mark.parametrize("scripts", [True, False])
def test_the_box_in_the_head_waits_for_its_script(open_browser, scripts):
    page = open_browser(java_script_enabled=scripts)
    page.goto(USERS)
    head = page.locator("thead").get_by_role("checkbox", name="Select this page")
    if not scripts:
        expect(page.locator("thead .row-select")).to_be_visible()
        expect(head).to_have_count(0)
        return
    ready(page)
    head.check()
    expect(page.locator("tbody [name=id]:checked")).to_have_count(25)
    page.get_by_role("link", name="Next page").click()
    expect(page.locator(".list-status")).to_have_text("26 to 40 of 40")
    expect(head).not_to_be_checked()


@pytest.mark.parametrize("scripts", [True, False])
def test_where_nothing_matches_there_is_nothing_to_select(open_browser, scripts):
    page = open_browser(java_script_enabled=scripts)
    page.goto(f"{ALL_USERS}?keyword=zzz")
    expect(page.locator(".empty-title")).to_have_text("Nothing matches.")
    expect(page.locator(".bulk-bar")).to_be_hidden()


@pytest.mark.req("DM-07", "ST-20")
def test_the_side_menu_leads_back_to_a_list_as_it_was_left_until_the_logout(open_browser):
    page = open_browser()
    page.goto(ALL_USERS)
    ready(page)
    page.get_by_role("searchbox").fill("park")
    expect(page).to_have_url(re.compile(r"/user\?keyword=park$"))
    menu = page.get_by_role("navigation", name="Main")
    menu.get_by_role("link", name="Clinics").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
    menu.get_by_role("link", name="Users").press("Enter")
    expect(page).to_have_url(re.compile(r"/user\?keyword=park$"))
    expect(page.get_by_role("searchbox")).to_have_value("park")
    menu.get_by_role("link", name="Users").click()
    expect(page).to_have_url(re.compile(r"/user$"))

    page.goto(f"{ALL_USERS}?keyword=park")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
    menu.get_by_role("link", name="Users").click()
    expect(page).to_have_url(re.compile(r"/user$"))


@pytest.mark.req("DM-12")
@pytest.mark.parametrize("scripts", [True, False])
def test_columns_are_hidden_in_this_list_and_stay_hidden(open_browser, scripts):
    page = open_browser(java_script_enabled=scripts)
    page.goto(f"{USERS}?status=ACTIVE")
    if scripts:
        ready(page)
    page.get_by_role("button", name="Columns").press("Enter")
    form = page.locator("[data-columns]")
    form.get_by_label("Email").press("Space")
    if scripts:
        expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
        expect(form.get_by_label("Email")).to_be_focused()
    form.get_by_role("button", name="Show columns").press("Enter")
    expect(form).to_be_hidden()
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
    expect(page.get_by_role("columnheader", name="Type")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/user\?status=ACTIVE$"))
    page.get_by_role("link", name="Remove the filter Status: Active").click()
    expect(page.locator(".list-status")).to_have_text("1 to 25 of 40")
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
    page.goto(CLINICS)
    page.goto(USERS)
    expect(page.get_by_role("columnheader", name="Last login")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Email")).to_have_count(0)
