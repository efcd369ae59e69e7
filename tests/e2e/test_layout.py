"""Details of the layout: large text, forced colors, paper, phones, menus; Arabic is mirrored."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import ALL_USERS, BY_NAME, CLINIC_PERMISSIONS, CLINICS, PRESETS, USERS, go, phone, ready
from tests.e2e.rendering import broken, resize

pytestmark = pytest.mark.slow

# What is between the edges of the card and the text of a row that is as wide as can be.
INLINE_GAPS = """(row) => {
  const card = row.closest(".card").getBoundingClientRect(), { left, right } = row.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(row);
  const sides = [left - card.left + parseFloat(paddingLeft), card.right - right + parseFloat(paddingRight)];
  return sides.map(Math.round);
}"""

LINES = """(parts) => parts.map((part) => {
  const range = document.createRange();
  range.selectNodeContents(part);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""


@pytest.fixture
def doubled_text(browser, browser_type_launch_args, console):
    """A page in a browser whose default text size is doubled."""
    arguments = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    large = browser.browser_type.launch(**{**browser_type_launch_args, "args": arguments})
    context = large.new_context(base_url=console.url, locale="en-US", reduced_motion="reduce")
    context.add_cookies([{"name": "auth", "value": console.log_in(), "url": console.url}])
    yield context.new_page()
    large.close()


@pytest.mark.req("AX-10", "AX-11", "CO-14")
def test_text_of_twice_the_size(doubled_text, console):
    page = doubled_text
    faults = {}
    for name in ("clinics", "users, filtered", "user permissions", "user permissions, form", "unknown", "maintenance"):
        go(page, BY_NAME[name], console)
        expect(page.locator("html")).to_have_css("font-size", "20px")
        for width in (640, 1280):
            resize(page, width)
            faults[f"{name}, {width}px"] = broken(page)
    assert {name: what for name, what in faults.items() if what} == {}


@pytest.mark.req("DM-41")
@pytest.mark.parametrize(("width", "highest"), [(1280, 80), (800, 190), (390, 240)])
def test_pasted_people_are_one_compact_row_each(open_browser, console, width, highest):
    page = open_browser(viewport={"width": width, "height": 860})
    go(page, BY_NAME["user, invite, pasted"], console)
    expect(page.locator(".is-row")).to_have_count(3)
    row = page.locator(".is-row").first
    box, *inputs = [part.bounding_box() for part in (row, *row.locator("input:not([type=hidden]), select").all())]
    assert box
    assert box["height"] <= highest, "where nothing is wrong with it"
    lines = {round(part["y"] / 10) for part in inputs if part}
    assert len(lines) == {1280: 1, 800: 2, 390: 4}[width]


@pytest.mark.req("CO-13")
@pytest.mark.parametrize("width", [390, 1280])
def test_menus_are_at_most_twenty_rem_high(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 800})
    page.goto(USERS)
    page.get_by_role("button", name="Choose a language").click()
    menu = page.locator("#language-menu")
    expect(menu).to_have_css("max-height", "200px")
    box = menu.bounding_box()
    assert box
    assert 100 < box["height"] <= 200
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.get_by_role("link", name="Tiếng Việt").scroll_into_view_if_needed()
    expect(page.get_by_role("link", name="Tiếng Việt")).to_be_in_viewport()
    page.keyboard.press("Escape")
    limit = "select => getComputedStyle(select, '::picker(select)').maxHeight"
    assert page.locator("[name=searchField]").evaluate(limit) == "200px"


@pytest.mark.req("CO-13", "DM-01")
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_what_can_be_done_to_many_is_all_in_sight_and_what_destroys_stands_last(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 844})
    page.goto(USERS)
    page.locator("tbody [name=id]").first.check(force=True)
    bar = page.locator(".bulk-bar")
    opener = bar.locator("[popovertarget]").filter(visible=True)
    expect(opener).to_have_count(0 if width == 1920 else 1)
    for menu in opener.all():
        menu.click()
    for button in bar.locator("[formaction]").all():
        expect(button).to_be_in_viewport(ratio=1)
    assert bar.locator("[formaction]").evaluate_all("acts => acts.at(-1).formAction").endswith("/bulk/delete")
    for menu in bar.locator(":popover-open").all():
        assert menu.evaluate("menu => menu.scrollHeight <= menu.clientHeight"), "nothing is cut off"
        heights = menu.locator("[formaction]").evaluate_all("acts => acts.map((act) => act.offsetHeight)")
        assert min(heights) >= 44
    if width == 1280:
        box = bar.locator(".bulk-more").bounding_box()
        assert box
        assert box["height"] <= 200
        more = bar.locator(".bulk-more [formaction]").filter(visible=True)
        tops = more.evaluate_all("acts => acts.map((act) => act.getBoundingClientRect().top)")
        assert tops[0] < tops[1], "the arrow keys go down the columns"


def test_the_summary_of_errors_is_as_wide_as_its_form(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 844})
    page.goto(f"{CLINICS}/new")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".error-summary")).to_be_visible()
    widths = "(parts) => parts.map((part) => part.offsetWidth)"
    summary, form = page.locator(".main > .error-summary, .main > .form").evaluate_all(widths)
    assert summary == form


@pytest.mark.req("CO-13", "DM-01", "LN-32")
@pytest.mark.parametrize("lng", ["en-US", "de-DE", "ar-EG"])
def test_what_destroys_is_at_the_end_of_the_bar_in_long_languages_too(open_browser, lng):
    page = open_browser(viewport={"width": 1280, "height": 844})
    page.goto(f"{USERS}?lng={lng}")
    page.locator("tbody [name=id]").first.check(force=True)
    bar, delete = page.locator(".bulk-actions, .bulk-last").evaluate_all(
        """(parts) => parts.map((part) => {
             const { left, right } = part.getBoundingClientRect();
             return Math.round(document.dir === "rtl" ? left : right);
           })"""
    )
    assert delete == bar


def test_the_dot_of_what_is_unread_is_in_the_first_line_of_its_text_on_phones(open_browser):
    page = open_browser(viewport={"width": 390, "height": 844})
    page.goto("/notifications?filter=unread")
    heads = page.locator("th:has(> .row-mark):has(.row-open)")
    expect(heads).not_to_have_count(0)
    more = "(heads) => heads.map((head) => head.offsetHeight - head.querySelector('.row-open').offsetHeight)"
    assert max(heads.evaluate_all(more)) < 20


@pytest.mark.req("AX-12")
def test_forced_colors_keep_shapes_and_states(open_browser, console):
    page = open_browser(forced_colors="active", reduced_motion="reduce")
    for name in ("clinics", "users", "clinic permissions", "clinic permissions, form"):
        go(page, BY_NAME[name], console)
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        assert broken(page) == [], name
        framed = page.locator(".button:visible, .input:visible, .select:visible").all()
        assert framed, name
        for control in framed:
            expect(control).not_to_have_css("border-top-width", "0px")
    go(page, BY_NAME["clinic permissions"], console)
    switch = page.get_by_role("switch", name="Allow exports")
    on = switch.screenshot()
    switch.click()
    expect(switch).not_to_be_checked()
    expect(page.locator("[role=switch][aria-busy]")).to_have_count(0)
    page.mouse.move(1, 1)
    assert switch.screenshot() != on
    switch.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(switch).to_be_focused()
    expect(switch).not_to_have_css("outline-style", "none")


@pytest.mark.req("AX-13")
def test_nothing_moves_for_who_asked_for_rest(open_browser):
    moving = """() => [...document.querySelectorAll("*")].flatMap((element) => {
      const style = getComputedStyle(element);
      const longest = (durations) => Math.max(...durations.split(",").map((text) => parseFloat(text)));
      const moves = longest(style.transitionDuration) > 0 || longest(style.animationDuration) > 0.001;
      return moves || style.scrollBehavior === "smooth" ? [element.outerHTML.slice(0, 100)] : [];
    })"""
    page = open_browser(reduced_motion="reduce")
    for path in (USERS, CLINIC_PERMISSIONS):
        page.goto(path)
        ready(page)
        page.evaluate(
            "document.dispatchEvent(new CustomEvent('console:toast', { detail: { tone: 'info', title: 'x' } }))"
        )
        assert page.evaluate(moving) == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) != [], "otherwise the check above proves nothing"


def test_on_paper_there_are_the_rows_and_no_navigation(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    hidden_parts = (".header", "#navigation", ".footer", ".list-search", ".pager", ".skip-link", ".row-actions")
    for part in hidden_parts:
        expect(page.locator(part).first).to_be_visible()
    page.emulate_media(media="print")
    for part in hidden_parts:
        expect(page.locator(part).first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("tbody th").first).to_be_visible()
    assert broken(page) == []


@pytest.mark.parametrize(("height", "moves"), [(500, True), (860, False)])
def test_the_side_menu_scrolls_with_the_page_in_a_low_window_only(open_browser, height, moves):
    page = open_browser(viewport={"width": 1280, "height": height})
    page.goto(USERS)
    entry = page.locator("#navigation a").last
    before = entry.bounding_box()
    page.evaluate("scrollTo(0, 300)")
    after = entry.bounding_box()
    assert before
    assert after
    assert (after["y"] < before["y"] - 200) is moves


@pytest.mark.req("LN-33", "DM-30")
def test_arabic_is_mirrored_and_addresses_are_not(open_browser):
    def middle(page: Page, selector: str) -> float:
        box = page.locator(selector).first.bounding_box()
        assert box
        return box["x"] + box["width"] / 2

    middles = {}
    for language in ("en-US", "ar-EG"):
        page = open_browser(locale=language)
        page.goto(USERS)
        ready(page)
        parts = (
            ".brand",
            ".header-tools",
            "#navigation li a",
            "h1",
            "tbody th",
            ".row-actions button",
            ".list-status",
            ".pager",
        )
        middles[language] = {part: middle(page, part) for part in parts}
        email = page.locator("tbody bdi[dir=ltr]").first
        expect(email).to_have_css("direction", "ltr")
        expect(email).to_have_text(re.compile("@demo.example$"))
        expect(page.locator("h1")).to_have_css("direction", "rtl" if language == "ar-EG" else "ltr")
    english, arabic = middles["en-US"], middles["ar-EG"]
    assert english["#navigation li a"] < english["h1"]
    wrong = [part for part in english if (english[part] < 640) is (arabic[part] < 640)]
    assert wrong == []


def test_on_a_phone_rows_are_cards_with_state_and_actions_in_sight(open_browser):
    page = open_browser()
    phone(page)
    page.goto(USERS)
    ready(page)
    card = page.locator("tbody tr").first
    box, name, badge = (part.bounding_box() for part in (card, card.locator("th a"), card.locator(".badge").first))
    assert box
    assert name
    assert badge
    assert box["width"] > 300
    assert abs((badge["y"] + badge["height"] / 2) - (name["y"] + name["height"] / 2)) < 12, (
        "the status is next to the name"
    )
    actions = card.get_by_role("button").bounding_box()
    assert actions
    assert abs((actions["y"] + actions["height"] / 2) - (name["y"] + name["height"] / 2)) < 12, "so are the actions"
    assert box["x"] <= actions["x"] <= box["x"] + box["width"] - actions["width"]
    page.goto(f"{CLINICS}?size=10")
    assert page.locator("tbody tr").first.evaluate("row => getComputedStyle(row).display") == "flex"


def test_on_a_phone_the_cards_of_24_clinics_are_compact(open_browser):
    page = open_browser()
    phone(page)
    page.goto(CLINICS)
    ready(page)
    expect(page.locator("tbody tr")).to_have_count(24)
    assert page.evaluate("document.documentElement.scrollHeight") <= 2600


@pytest.mark.req("DM-12", "AX-01")
@pytest.mark.parametrize("width", [390, 1280])
def test_the_heads_of_a_list_stand_on_one_line(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 860})
    page.goto(CLINICS)
    lines = page.locator("thead th a").evaluate_all(
        """(links) => links.map((link) => {
          const words = document.createRange();
          words.selectNodeContents(link.firstChild);
          const { top, bottom } = words.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        })"""
    )
    assert len(lines) == 5
    assert len(set(lines)) == 1


@pytest.mark.parametrize(("path", "toolbar"), [(PRESETS, False), (CLINICS, True)])
def test_an_empty_list_has_a_toolbar_only_for_its_controls(open_browser, path, toolbar):
    page = open_browser()
    page.goto(path)
    page.locator("[data-results]").evaluate(
        """(results) => {
          const empty = document.createElement("div");
          empty.className = "empty";
          results.replaceChildren(empty);
        }"""
    )
    gap, line = page.locator(".empty").evaluate(
        """(empty) => [
          empty.getBoundingClientRect().top - empty.closest(".list").getBoundingClientRect().top,
          parseFloat(getComputedStyle(empty).borderTopWidth),
        ]"""
    )
    assert (gap > 40, line) == (toolbar, int(toolbar))
    assert toolbar or gap <= 1, "the border of the card"


@pytest.mark.req("AX-01", "LS-11")
@pytest.mark.parametrize("language", ["en-US", "ar-EG"])
def test_on_a_phone_rows_stand_in_the_middle_of_a_card_that_is_no_list(open_browser, language):
    page = open_browser(locale=language)
    phone(page)
    page.goto("/scanner-manage/s-1")
    rows = [page.locator(".table tbody tr").first.evaluate(INLINE_GAPS)]
    page.goto(f"{USERS}/import")
    text = b"Name,Type,Email\nAda New,Doctor,ada.new@clinic.example\n"
    page.locator("main [type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": text})
    page.locator("main [data-primary]").click()
    rows.append(page.locator(".table tbody tr").evaluate(INLINE_GAPS))
    assert [before for before, _after in rows] == [after for _before, after in rows]
    assert min(rows)[0] >= 16


@pytest.mark.req("DM-42")
def test_the_heads_and_types_of_the_rows_of_a_file_are_not_broken(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 860})
    page.goto(f"{ALL_USERS}/import")
    person = "Anna Katharina Schmidt,Doctor,anna.katharina.schmidt@kieferorthopaedie.example,,Seoul Central Dental"
    text = f"Name,Type,Email,Team,Clinic\n{person}\n".encode()
    page.locator("main [type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": text})
    page.locator("main [data-primary]").click()
    parts = page.locator(".csv-import :is(thead th, [data-label=Type] bdi)")
    expect(parts).to_have_count(9)
    assert parts.evaluate_all(LINES) == [1] * 9
    assert page.locator(".table-wrap").evaluate("(box) => box.scrollWidth <= box.clientWidth")


@pytest.mark.req("AX-02", "CO-13")
@pytest.mark.parametrize("width", [390, 1280])
def test_a_form_that_has_the_focus_leaves_its_heading_in_sight(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 844})
    for path in (
        f"{CLINICS}/new",
        f"{CLINICS}/g-1/team/new",
        f"{USERS}/new",
        f"{ALL_USERS}/new",
        f"{ALL_USERS}/new?several=1",
        f"{ALL_USERS}/import",
        f"{PRESETS}/new",
        "/scanner-manage/expected/new",
        "/my-account/email",
        "/my-account/password",
    ):
        page.goto(path)
        expect(page.locator("main form.form :focus")).to_have_count(1)
        expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0, path


@pytest.mark.parametrize("unknown", ["", ":popover-open", "light-dark("])
def test_a_browser_that_is_too_old_is_reported_on_public_pages(open_browser, unknown):
    page = open_browser(logged_in=False)

    def without(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(unknown, ":none" if unknown[0] == ":" else "none("))

    if unknown:
        page.route(re.compile(r"\.css$"), without)
    page.goto("/login")
    notice = page.get_by_text("Your browser is out of date.")
    expect(notice).to_be_visible(visible=bool(unknown))
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
