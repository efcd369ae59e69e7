"""Without a mouse: the main task by keyboard, the focus always visible, and returned after a popup closes."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.flows import sent
from tests.e2e.pages import BY_NAME, CLINICS, USERS, choose_row_action, go, let_go, phone, raise_toasts, ready
from tests.e2e.rendering import cut_rings
from tests.e2e.ways import FOCUS, MAX_STEPS, step_to


@pytest.mark.req("AX-02", "AX-04", "UC-01", "UC-03", "PM-02", "PM-08", "ST-01", "ST-20")
def test_the_main_job(open_browser, console):
    page = open_browser(logged_in=False)
    page.goto("/")
    expect(page).to_have_url(re.compile("/login$"))
    step_to(page, page.get_by_label("Email"))
    page.keyboard.type("admin@demo.example")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    page.keyboard.type("Demo123!")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")

    step_to(page, page.get_by_role("link", name="Seoul Central Dental", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Seoul Central Dental")
    ready(page)
    page.keyboard.press("/")
    page.keyboard.type("Hana Park")
    expect(page.get_by_role("rowheader")).to_have_count(1)
    step_to(page, page.get_by_role("button", name="Actions for Hana Park"))
    page.keyboard.press("Enter")
    step_to(page, page.locator(":popover-open").get_by_role("link", name="Permissions"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Permissions")
    ready(page)

    export = page.get_by_role("group", name="Allow exports")
    step_to(page, export.get_by_role("radio", name="Clinic setting"))
    console.sandbox.clear_calls()
    page.keyboard.press("ArrowLeft")
    expect(export.get_by_role("status")).to_contain_text("Saved.")
    expect(export.get_by_role("radio", name="Off")).to_be_checked()
    expect(export.get_by_role("radio", name="Off")).to_be_focused()
    page.reload()
    expect(export.get_by_role("radio", name="Off")).to_be_checked()
    assert sent(console, "PUT", "permissions") == [{"permissions": {"allowExport": False}}]

    page.goto(f"{CLINICS}?lng=en-US")
    step_to(page, page.get_by_role("button", name="Choose a language"))
    page.keyboard.press("Enter")
    step_to(page, page.get_by_role("link", name="العربية"))
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.goto(f"{CLINICS}?lng=en-US")
    step_to(page, page.get_by_role("button", name="Account menu"))
    page.keyboard.press("Space")
    step_to(page, page.get_by_role("button", name="Log out"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/login$"))
    page.goto(CLINICS)
    expect(page).to_have_url(re.compile("/login"))


@pytest.mark.slow
@pytest.mark.req("AX-02")
def test_the_first_step_leads_past_the_header(open_browser):
    page = open_browser()
    page.goto(USERS)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
@pytest.mark.req("AX-02")
@pytest.mark.parametrize("width", [390, 1280])
def test_step_by_step_the_focus_is_always_seen_and_never_covered(open_browser, console, width):
    """The audit of the walk moves the focus by script; here it is moved by keys."""
    page = open_browser(viewport={"width": width, "height": 600}, reduced_motion="reduce")
    go(page, BY_NAME["users, chosen"], console)
    page.evaluate("document.activeElement.blur()")
    unseen, steps = [], 0
    for keys in ("Tab", "Shift+Tab"):
        for _ in range(MAX_STEPS):
            page.keyboard.press(keys)
            focus = page.evaluate(FOCUS)
            if focus is None:
                break
            steps += 1
            if not (focus["inside"] and focus["free"] and focus["ring"]):
                unseen.append(focus)
    assert unseen == []
    assert steps > 10


@pytest.mark.slow
@pytest.mark.req("AX-02")
@pytest.mark.parametrize("width", [390, 1280])
def test_in_an_open_menu_of_the_search_no_ring_of_the_focus_is_cut_off(open_browser, console, width):
    page = open_browser(viewport={"width": width, "height": 860}, reduced_motion="reduce")
    cut = {}
    for name in ("users", "labs", "scanners"):
        go(page, BY_NAME[name], console)
        openers = page.locator(".list-search [popovertarget]:visible:not([popovertargetaction])")
        for number, opener in enumerate(openers.all()):
            opener.click()
            cut[name, number] = cut_rings(page, ":popover-open")
            page.keyboard.press("Escape")
    assert len(cut) >= 2
    assert {case: rings for case, rings in cut.items() if rings} == {}


@pytest.mark.slow
@pytest.mark.req("AX-02")
@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_of_actions_never_lies_over_what_was_ticked(open_browser, console, width):
    page = open_browser(viewport={"width": width, "height": 700}, reduced_motion="reduce")
    go(page, BY_NAME["users"], console)
    box = page.locator("tbody [name=id]").nth(8)
    at_the_edge = "box => scrollBy(0, box.getBoundingClientRect().bottom + 4 - innerHeight)"
    box.evaluate(at_the_edge)
    ticked = box.bounding_box()
    assert ticked
    page.mouse.click(ticked["x"] + 10, ticked["y"] + 10)
    expect(box).to_be_checked()
    bar = page.get_by_role("form", name="Selected rows")
    first = "Actions" if width < 1024 else "Move to a team"
    expect(bar.get_by_role("button", name=first)).to_be_in_viewport()
    ticked, over = box.bounding_box(), bar.bounding_box()
    assert ticked
    assert over
    assert ticked["y"] + ticked["height"] <= over["y"]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, over = page.locator("tbody tr").last.bounding_box(), bar.bounding_box()
    assert last
    assert over
    assert last["y"] + last["height"] <= over["y"]


@pytest.mark.slow
@pytest.mark.req("LS-07")
def test_the_page_stays_where_it_is_while_all_rows_are_selected_and_deselected(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 700}, reduced_motion="reduce")
    page.goto(USERS)
    ready(page)
    page.locator("tbody [name=id]").first.check()
    box = page.get_by_label("Select all 40")
    for is_selected in (True, False):
        at = box.bounding_box()
        assert at
        page.mouse.click(at["x"] + 10, at["y"] + 10)
        expect(box).to_be_checked(checked=is_selected)
        assert page.evaluate("scrollY") == 0


@pytest.mark.slow
@pytest.mark.req("AX-02")
@pytest.mark.parametrize(("opener", "menu"), [("Choose a language", "language-menu"), ("Account menu", "account-menu")])
def test_a_menu_gives_the_focus_back(open_browser, opener, menu):
    page = open_browser()
    page.goto(CLINICS)
    button = page.get_by_role("button", name=opener)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#{menu}")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate(f"document.activeElement.closest('#{menu}') !== null")
    page.keyboard.press("Escape")
    expect(page.locator(f"#{menu}")).to_be_hidden()
    expect(button).to_be_focused()


@pytest.mark.slow
@pytest.mark.req("AX-02")
def test_arrow_keys_go_through_an_open_menu_and_leave_the_page_where_it_is(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 500})
    page.goto(USERS)
    ready(page)
    page.get_by_role("button", name="Choose a language").focus()
    page.keyboard.press("Enter")
    items = page.locator("#language-menu :is(a, button)")
    page.wait_for_load_state("networkidle")  # the script of menus comes with the first one
    for key, item in (
        ("ArrowDown", items.nth(0)),
        ("ArrowDown", items.nth(1)),
        ("ArrowUp", items.nth(0)),
        ("ArrowUp", items.last),
        ("Home", items.first),
        ("End", items.last),
        ("ArrowDown", items.first),
    ):
        page.keyboard.press(key)
        expect(item).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Choose a language")).to_be_focused()


@pytest.mark.slow
def test_the_navigation_of_a_phone_gives_the_focus_back(open_browser):
    page = open_browser()
    phone(page)
    page.goto(CLINICS)
    button = page.get_by_role("button", name="Menu", exact=True)
    for close in ("Escape", "Enter"):
        button.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name="Close menu")).to_be_focused()
        page.keyboard.press(close)
        expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
        expect(button).to_be_focused()


@pytest.mark.slow
def test_a_slash_goes_to_the_search_and_is_typed_where_one_types(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    box = page.get_by_role("searchbox")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("")
    page.keyboard.type("a/b")
    expect(box).to_have_value("a/b")


@pytest.mark.slow
@pytest.mark.req("CO-08")
def test_escape_closes_a_menu_before_a_toast(open_browser):
    page = open_browser()
    page.clock.install()
    page.goto(CLINICS)
    raise_toasts(page, 2)
    page.get_by_role("button", name="Choose a language").press("Enter")
    menu = page.locator("#language-menu")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.locator(".toast")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".toast")).to_have_text([re.compile("Message 1")])
    page.keyboard.press("Escape")
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.req("LS-16", "AX-02", "AX-08")
def test_after_a_deletion_the_focus_is_on_the_heading_of_the_list(open_browser):
    page = open_browser()
    page.goto(f"{USERS}?size=50")
    ready(page)
    choose_row_action(page, "Chloé Martin", "Delete")
    page.locator("main form [data-primary]").press("Enter")
    expect(page.get_by_text(re.compile("Chloé Martin.* was deleted")).first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("rowheader", name="Chloé Martin")).to_have_count(0)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
@pytest.mark.req("LS-16", "AX-02")
def test_after_a_clinic_is_deleted_by_keyboard_the_focus_is_on_the_heading(open_browser):
    page = open_browser()
    page.goto(f"{CLINICS}/new")
    page.get_by_label("Name").fill("Short lived")
    page.get_by_label("Country", exact=True).select_option("KR")
    page.locator("[data-primary]").press("Enter")
    page.get_by_role("searchbox", name="Search clinics").fill("Short lived")
    page.keyboard.press("Enter")
    expect(page.locator(".list-status")).to_have_text("1 to 1 of 1")
    opener = page.get_by_role("button", name="Actions for Short lived", exact=True)
    opener.press("Enter")
    page.locator(":popover-open").get_by_role("link", name="Delete").press("Enter")
    page.locator("[name=typed_name]").fill("Short lived")
    page.get_by_role("button", name="Delete clinic").press("Enter")
    expect(page.get_by_text("was deleted.").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
@pytest.mark.req("DM-11", "AX-02")
def test_the_next_one_of_several_is_typed_at_once(open_browser):
    page = open_browser()
    page.goto(f"{CLINICS}/new")
    page.get_by_label("Name").fill("One of several")
    page.get_by_label("Country", exact=True).select_option("KR")
    page.get_by_role("button", name="Save and add another").press("Enter")
    expect(page.get_by_text("was created.").first).to_be_visible()
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("")


@pytest.mark.slow
@pytest.mark.req("AX-02", "RT-41")
def test_on_a_phone_a_list_that_moves_keeps_the_focus(open_browser):
    page = open_browser()
    phone(page)
    page.goto(f"{USERS}?status=ACTIVE&size=10")
    ready(page)
    page.get_by_role("link", name="Next page").press("Enter")
    expect(page.locator(".list-status")).to_have_text(re.compile("^11 to 20 of"))
    expect(page.locator("section.list")).to_be_focused()
    page.get_by_role("link", name="Remove the “Status: Active” filter").press("Enter")
    expect(page.locator(".list-status")).to_have_text("1 to 10 of 40")
    expect(page.locator("section.list")).to_be_focused()


@pytest.mark.slow
@pytest.mark.req("AX-02", "RT-36")
def test_the_user_panel_gets_the_focus_and_closes_when_the_list_changes(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 800})
    page.goto(f"{USERS}?user=u-1")
    ready(page)
    panel = page.get_by_role("dialog", name="Hana Park")
    expect(panel.get_by_role("heading", name="Hana Park")).to_be_focused()
    expect(panel.get_by_text("On (clinic setting)").first).to_be_visible()
    badges = page.locator("tbody .badge")
    assert badges.first.evaluate(
        "badge => { const at = badge.getBoundingClientRect();"
        " return badge.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2)); }"
    )
    page.get_by_role("link", name="Next page").click()
    expect(page.locator(".list-status")).to_have_text("26 to 40 of 40")
    expect(panel).to_be_hidden()


@pytest.mark.slow
@pytest.mark.req("AX-02", "AX-04")
def test_escape_closes_the_user_panel_and_moves_the_focus_to_the_row(open_browser):
    page = open_browser(viewport={"width": 1280, "height": 800})
    page.goto(f"{USERS}?status=ACTIVE&user=u-1")
    ready(page)
    raise_toasts(page, 1)
    expect(page.get_by_role("dialog", name="Hana Park").get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Hana Park")).to_be_hidden()
    expect(page.locator(".toast")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/user\?status=ACTIVE$"))
    expect(page.get_by_role("link", name="Hana Park")).to_be_focused()


@pytest.mark.slow
@pytest.mark.req("AX-02")
def test_a_new_row_of_an_invitation_gets_the_focus(open_browser):
    page = open_browser()
    page.goto(f"{USERS}/new")
    page.locator("[name=row-0-name]").fill("Ada")
    page.locator("[name=add_row]").click()
    people = page.locator(".person:has(> [name=row])")
    expect(people).to_have_count(2)
    expect(page.locator("[name=row-0-name]")).to_have_value("Ada")
    expect(page.locator("[name=row-1-name]")).to_be_focused()
    page.keyboard.type("Bob")
    page.get_by_role("button", name="Remove user 2").click()
    expect(people).to_have_count(1)
    expect(page.locator("[name=row-0-name]")).to_have_value("Ada")
    expect(page.locator("[name=row-0-name]")).to_be_focused()


@pytest.mark.slow
@pytest.mark.req("AX-02", "LS-14")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.provokes("net::ERR_FAILED")
def test_a_page_that_can_not_be_read_is_announced_and_tried_again_where_one_is(open_browser, width):
    page = open_browser(viewport={"width": width, "height": 600}, reduced_motion="reduce")
    page.goto(USERS)
    ready(page)
    page.route(re.compile(r"page=2"), lambda route: route.abort(), times=1)
    link = page.get_by_role("link", name="Next page")
    link.press("Enter")
    alert = page.get_by_role("main").get_by_role("alert")
    expect(alert.get_by_role("button", name="Try again")).to_be_visible()
    expect(alert).to_be_in_viewport(ratio=1)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(alert).to_have_count(0)
    expect(page.locator(".list-status")).to_have_text("26 to 40 of 40")
    assert page.evaluate("document.activeElement !== document.body")


@pytest.mark.slow
@pytest.mark.req("AX-02")
def test_a_menu_that_the_focus_leaves_covers_nothing(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    page.locator(".row-actions button").first.focus()
    page.keyboard.press("Enter")
    menu = page.locator(":popover-open")
    expect(menu).to_be_visible()
    links = menu.get_by_role("link").count()
    for _ in range(links):
        page.keyboard.press("Tab")
        expect(menu).to_be_visible()
    page.keyboard.press("Tab")
    expect(menu).to_have_count(0)
    assert not page.evaluate("document.activeElement.matches('body, .menu *')")


@pytest.mark.slow
@pytest.mark.req("AX-02", "DM-24", "LS-06")
def test_a_range_is_selected_and_acted_on_without_a_mouse(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    boxes = page.locator("tbody [name=id]")
    boxes.nth(1).focus()
    page.keyboard.press("Space")
    boxes.nth(4).focus()
    page.keyboard.press("Shift+Space")
    expect(page.locator("tbody [name=id]:checked")).to_have_count(4)
    expect(page.locator(".bulk-count")).to_have_text("4 users selected")
    expect(boxes.nth(4)).to_be_focused()
    page.keyboard.press("F8")
    bar = page.get_by_role("form", name="Selected rows")
    expect(bar.get_by_role("button", name="Move to a team")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Move users to a team")
    expect(page.get_by_text("4 users selected")).to_be_visible()


@pytest.mark.slow
@pytest.mark.req("LS-06")
def test_shift_and_a_click_select_a_range_and_no_text(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    boxes = page.locator("tbody [name=id]")
    boxes.nth(5).click()
    boxes.nth(2).click(modifiers=["Shift"])
    expect(page.locator("tbody [name=id]:checked")).to_have_count(4)
    expect(boxes.nth(2)).to_be_focused()
    assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.slow
@pytest.mark.req("AX-02", "LS-14")
@pytest.mark.provokes("net::ERR_FAILED")
def test_a_search_that_is_slow_or_fails_leaves_the_focus_where_it_is(open_browser):
    page = open_browser()
    page.goto(USERS)
    ready(page)
    box = page.get_by_role("searchbox")
    page.route(re.compile("keyword="), lambda route: route.abort(), times=1)
    box.press_sequentially("park")
    expect(page.get_by_role("main").get_by_role("alert")).to_be_visible()
    expect(box).to_be_focused()
    box.press("Enter")
    expect(page.get_by_role("main").get_by_role("alert")).to_have_count(0)
    expect(box).to_be_focused()

    page.goto(USERS)
    ready(page)
    paused: list[Route] = []
    page.route(re.compile("page=2"), lambda route: paused.append(route))
    page.get_by_role("link", name="Next page").press("Enter")
    filters = page.get_by_role("button", name="Filters")
    filters.focus()
    let_go(page, paused)
    expect(page.locator(".list-status")).to_have_text("26 to 40 of 40")
    expect(filters).to_be_focused()
