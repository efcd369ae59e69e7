"""The islands in a real browser: what they request, what they keep, and what still works if they can't load."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from e2e.http_client import wait_until
from e2e.pages import act_on, phone
from e2e.ways import step_to

CLINIC = "/user-manage/clinic/g-1"
USERS = f"{CLINIC}/user"
ALL, REST = "1 to 25 of 40", "26 to 40 of 40"

DESKTOP = "Takes effect at the next desktop login"
EFFECTS = {
    "Allow order to listed labs": "the labs that are partners. Other labs can't be chosen",
    "Allow export": DESKTOP,
    "Allow case converting": DESKTOP,
    "Allow case talk": f"{DESKTOP}, and on the web immediately",
    "Allow download": "Takes effect on the web immediately",
}


@pytest.fixture
def page(open_browser: Callable[..., Page]) -> Page:
    return open_browser()


@pytest.fixture
def asked(page: Page) -> list[str]:
    """The requests that scripts make to the console, except for texts: paths with their queries."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type == "fetch" and "/i18n/" not in request.url:
            urls.append("/" + request.url.split("/", 3)[3])

    page.on("request", note)
    return urls


def visit(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")


def shows(page: Page, range_: str) -> None:
    expect(page.locator(".list-status")).to_have_text(range_)


@pytest.fixture
def hold(page: Page) -> Iterator[Callable[[str], list[Route]]]:
    """Hold the first request that matches until the test lets it continue."""
    held: list[Route] = []

    def keep(pattern: str) -> list[Route]:
        page.route(re.compile(pattern), lambda route: held.append(route), times=1)
        return held

    yield keep
    for route in held:
        route.abort()


def let_go(page: Page, held: list[Route]) -> None:
    """Let the request continue, once it has come."""
    wait_until(lambda: page.evaluate("1") and held)  # the browser's events are heard while it is asked
    held.pop().continue_()


class TestUserList:
    @pytest.mark.req("CO-18", "RT-41", "LS-02")
    def test_it_finds_while_one_types_and_the_address_restores_it(self, page, asked):
        visit(page, f"{USERS}?page=2")
        page.get_by_role("searchbox").press_sequentially("hana park")
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park"])
        expect(page.get_by_role("searchbox")).to_be_focused()
        assert len(asked) == 1
        assert "page=" not in page.url

        page.reload()
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park"])
        expect(page.get_by_role("searchbox")).to_have_value("hana park")

    @pytest.mark.req("RT-41", "LS-05")
    def test_pages_sorts_and_filters_are_steps_of_the_history(self, page, asked):
        visit(page, USERS)
        page.get_by_role("link", name="Next page").click()
        shows(page, REST)
        expect(page.get_by_role("region", name="Users")).to_be_focused()
        page.get_by_role("columnheader", name="Name").get_by_role("link").click()
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
        shows(page, ALL)
        page.get_by_role("combobox", name="Status").select_option("INVITED")
        expect(page.get_by_role("link", name="Remove the filter Status: Invited")).to_be_visible()
        assert len(asked) == 3

        page.go_back()
        shows(page, ALL)
        expect(page.get_by_role("combobox", name="Status")).to_have_value("")
        page.go_back()
        shows(page, REST)
        page.go_back()
        shows(page, ALL)
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
        page.go_forward()
        shows(page, REST)

    @pytest.mark.req("VA-21")
    def test_half_an_email_address_is_not_asked_for(self, page, asked):
        visit(page, USERS)
        page.get_by_label("Search in").select_option("email")
        box = page.get_by_role("searchbox")
        box.press_sequentially("hana.park@demo")
        expect(page.get_by_text("Enter a complete email address.")).to_be_visible()
        expect(box).not_to_have_attribute("aria-invalid", "true")
        box.press("Enter")
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("Invalid email")).to_be_visible()
        assert asked == []

        box.press_sequentially(".example")
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park"])
        assert len(asked) == 1

    @pytest.mark.req("ST-48", "ST-49", "ST-50")
    def test_it_asks_for_nothing_by_itself_but_when_the_connection_is_back(self, page, asked):
        page.clock.install()
        visit(page, USERS)
        page.evaluate("dispatchEvent(new Event('focus')); document.dispatchEvent(new Event('visibilitychange'))")
        page.clock.run_for(60_000)
        assert asked == []

        page.context.set_offline(True)
        page.get_by_role("link", name="Next page").click()
        expect(page.get_by_role("main").get_by_text("The console could not be reached.")).to_be_in_viewport()
        expect(page.get_by_role("rowheader")).to_have_count(25)
        asked.clear()
        page.context.set_offline(False)
        shows(page, REST)
        assert asked == [f"{USERS}?page=2"]

    @pytest.mark.req("ST-51", "LS-14")
    def test_a_failed_read_is_told_in_place_and_tried_again_only_on_request(self, page, asked, console):
        visit(page, USERS)
        console.sandbox.forget_calls()
        page.route("**/user?page=2", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"), times=1)
        page.get_by_role("link", name="Next page").click()
        expect(page.get_by_text("The answer of the console could not be read.")).to_be_visible()
        shows(page, ALL)
        assert len(asked) == 1
        page.get_by_role("button", name="Try again").click()
        shows(page, REST)

    @pytest.mark.req("RT-36")
    def test_another_page_and_back_reads_the_list_again(self, page, console):
        visit(page, USERS)
        page.get_by_role("link", name="Next page").click()
        shows(page, REST)
        page.get_by_role("link", name="Clinics").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
        console.sandbox.forget_calls()
        page.go_back()
        shows(page, REST)
        assert len(console.sandbox.calls("bizUsers")) == 1

    def test_a_link_with_a_modifier_is_the_browsers_own(self, page):
        visit(page, USERS)
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Next page").click(modifiers=["ControlOrMeta"])
        shows(opened.value, REST)
        shows(page, ALL)


class TestActOnARow:
    """An invitation is sent again from its row."""

    INVITED = f"{USERS}?status=INVITED"
    RESEND = re.compile("/u-5/invitation/resend$")

    def row(self, page: Page) -> Locator:
        return page.get_by_role("row").filter(has_text="Mei-Ling Chen")

    def opener(self, page: Page) -> Locator:
        return page.get_by_role("button", name="Actions for Mei-Ling Chen")

    def press(self, page: Page) -> None:
        """By keyboard only, from the menu's button on."""
        self.opener(page).focus()
        page.keyboard.press("Enter")
        step_to(page, page.locator(":popover-open").get_by_role("button", name="Resend invitation"))
        page.keyboard.press("Enter")

    @pytest.mark.req("DM-15", "DM-19", "AX-02", "AX-08")
    def test_by_keyboard_it_is_done_where_one_is_and_told_once(self, page, console, asked):
        visit(page, self.INVITED)
        before = self.row(page).inner_text()
        for presses in (1, 2):  # in the server's rows, then in those of the island
            self.press(page)
            expect(self.opener(page)).to_be_focused()
            expect(page.locator(".toast")).to_have_text(re.compile("^Invitation sent. It expires"))
            expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
            assert len(asked) == 2 * presses
            expect(self.opener(page)).to_be_focused()
            expect(page.locator(":popover-open")).to_have_count(0)
        assert self.row(page).inner_text() != before
        assert page.locator(".list > [role=status]").text_content() == "", "only the toast is announced"
        assert len(console.sandbox.mails()) == 2
        expect(page).to_have_url(re.compile(r"/user\?status=INVITED$"))
        page.reload()
        expect(page.get_by_text("Invitation sent.")).to_have_count(0)

    @pytest.mark.req("ER-20", "AX-08")
    def test_a_refusal_is_told_at_the_row(self, page, console):
        visit(page, self.INVITED)
        console.sandbox.faults({"path": "/invitation/resend", "status": 409, "code": 13009})
        self.press(page)
        told = self.row(page).get_by_role("rowheader").get_by_role("alert")
        expect(told).to_have_text("Failed to send the invitation. This user has no pending invitation.")
        expect(self.opener(page)).to_be_focused()
        expect(page.locator(".toast")).to_have_count(0)
        self.press(page)
        expect(page.locator(".toast")).to_have_count(1)
        expect(told).to_have_count(0)

    @pytest.mark.req("LS-18", "ER-05")
    def test_what_was_done_is_not_done_twice_when_its_answer_was_lost(self, page, console):
        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        visit(page, self.INVITED)
        page.route(self.RESEND, lose, times=1)
        self.press(page)
        expect(self.row(page).get_by_role("alert")).to_contain_text("The console could not be reached.")
        self.press(page)
        expect(page.locator(".toast")).to_have_count(1)
        assert len(console.sandbox.mails()) == 1

    def test_a_second_press_while_the_first_is_under_way_does_nothing(self, page, hold, asked):
        visit(page, self.INVITED)
        held = hold("/invitation/resend$")
        self.press(page)
        button = self.row(page).get_by_role("button", name="Resend invitation")
        expect(button).to_have_attribute("aria-busy", "true")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        self.press(page)
        assert len(asked) == 1
        let_go(page, held)
        expect(page.locator(".toast")).to_have_count(1)
        expect(button).to_have_count(0)

    @pytest.mark.req("DM-28")
    def test_on_a_phone_it_looks_like_the_other_actions_and_keeps_the_focus(self, page):
        phone(page)
        visit(page, self.INVITED)
        button = self.row(page).get_by_role("button", name="Resend invitation")
        looks = """(action) => {
          const { color, font, border, blockSize } = getComputedStyle(action);
          return [color, font, border, blockSize];
        }"""
        assert button.evaluate(looks) == self.row(page).get_by_role("link", name="Edit").evaluate(looks)
        button.click()
        expect(page.locator(".toast")).to_have_count(1)
        expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
        expect(button).to_be_focused()


LISTS = (
    USERS,
    "/user-manage/user",
    "/user-manage/clinic",
    f"{CLINIC}/team",
    "/user-manage/team",
    f"{USERS}/u-2/permissions/copy",
)
CODE = r"/list-\w+\.js$"


@pytest.mark.req("CO-18", "RT-41", "DM-01")
@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_searched_while_one_types_and_comes_back_as_it_was(page, asked, path):
    visit(page, path)
    before = page.get_by_role("rowheader").all_inner_texts()
    page.locator("[data-results]").evaluate("results => { results.isFirst = true; }")
    wanted = before[-1]
    page.get_by_role("columnheader").get_by_role("link").last.click()
    expect(page).to_have_url(re.compile("sort="))
    page.get_by_role("searchbox").fill(wanted)
    expect(page).to_have_url(re.compile("keyword="))
    expect(page.locator(".list:not([aria-busy])").get_by_role("rowheader").first).to_contain_text(wanted)
    assert len(asked) == 2
    page.go_back()
    expect(page.get_by_role("rowheader")).to_have_text(before)
    assert page.locator("[data-results]").evaluate("results => results.isFirst")
    assert len(asked) == 2


def hold_code(page: Page, hold: Callable[[str], list[Route]], path: str = USERS) -> Callable[[], None]:
    """Open a list whose code comes when the test says so."""
    held = hold(CODE)
    page.goto(path, wait_until="commit")
    expect(page.get_by_role("rowheader").first).to_be_visible()

    def release() -> None:
        let_go(page, held)
        expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")

    return release


class TestBeforeTheCode:
    def test_what_was_typed_is_searched_when_the_code_comes_and_the_field_is_left_alone(self, page, hold, asked):
        release = hold_code(page, hold)
        box = page.get_by_role("searchbox")
        box.press_sequentially("park")
        box.press("ArrowLeft")
        box.evaluate("box => { box.isFirst = true; }")
        release()
        expect(page).to_have_url(re.compile("keyword=park"))
        assert box.evaluate("box => [box.value, box.isFirst, box.selectionStart]") == ["park", True, 3]
        expect(box).to_be_focused()
        assert len(asked) == 1

    def test_a_word_that_is_being_composed_is_not_doubled_and_is_searched_once(self, page, hold, asked):
        page.clock.install()
        release = hold_code(page, hold)
        box = page.get_by_role("searchbox")
        box.focus()
        cdp = page.context.new_cdp_session(page)

        def compose(text: str) -> None:
            cdp.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

        for text in ("ㅎ", "하", "한", "하나"):
            compose(text)
            if text == "하":
                release()
            page.clock.run_for(1_000)
            assert asked == [], "the word is not complete"
        cdp.send("Input.insertText", {"text": "하나"})
        expect(box).to_have_value("하나")
        expect(page).to_have_url(re.compile("keyword=%ED%95%98%EB%82%98$"))
        expect(page.locator(".empty-title")).to_be_visible()
        expect(box).to_have_value("하나")
        assert len(asked) == 1

    @pytest.mark.req("AX-02")
    def test_the_first_click_on_a_row_opens_its_panel(self, page, hold):
        page.set_viewport_size({"width": 1280, "height": 800})
        hold_code(page, hold)
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Hana Park"))
        row.locator(".badge").click()
        expect(page.get_by_role("complementary", name="Hana Park")).to_be_visible()

    def test_a_link_is_a_plain_link(self, page, hold, asked):
        hold_code(page, hold)
        page.get_by_role("link", name="Next page").click()
        shows(page, REST)
        assert asked == []

    def test_what_is_open_when_the_code_comes_stays_open(self, page, hold):
        release = hold_code(page, hold)
        button = page.get_by_role("button", name="Actions for Hana Park")
        button.hover()
        page.mouse.down()
        release()
        page.mouse.up()
        expect(page.locator(":popover-open").get_by_role("link", name="Edit")).to_be_visible()

    def test_where_data_is_to_be_saved_the_code_waits_for_a_touch(self, page):
        page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        page.goto(USERS, wait_until="networkidle")
        assert page.locator("link[rel=modulepreload]").count() == 0
        expect(page.locator("[data-island]")).not_to_have_attribute("data-island-ready", "")
        page.get_by_role("searchbox").focus()
        expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")


@pytest.mark.req("LS-14", "AX-02", "AX-08")
def test_a_search_that_fails_is_announced_and_leaves_the_focus_where_one_types(page):
    visit(page, USERS)
    page.route(re.compile("keyword="), lambda route: route.abort())
    box = page.get_by_role("searchbox")
    box.press_sequentially("park")
    told = page.get_by_role("main").get_by_role("alert")
    expect(told).to_contain_text("The console could not be reached.")
    expect(box).to_be_focused()
    shows(page, ALL)
    page.unroute(re.compile("keyword="))
    told.get_by_role("button", name="Try again").click()
    expect(told).to_have_count(0)
    expect(page.get_by_role("rowheader").first).to_contain_text("Park")


class TestMounting:
    def test_a_choice_of_the_servers_form_that_is_not_saved_stays(self, page, hold):
        held = hold("/permission-toggles-")
        page.goto(f"{CLINIC}/permissions", wait_until="commit")
        export = page.get_by_role("group", name="Allow export")
        export.get_by_role("radio", name="Off").check()
        let_go(page, held)
        page.wait_for_load_state("networkidle")  # the island has everything it needs
        expect(export.get_by_role("radio", name="Off")).to_be_checked()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("switch", name="Allow export")).not_to_be_checked()

    @pytest.mark.req("AX-02")
    def test_the_focus_moves_from_a_choice_to_its_switch(self, page, hold):
        held = hold("/permission-toggles-")
        page.goto(f"{CLINIC}/permissions", wait_until="commit")
        page.get_by_role("group", name="Allow export").get_by_role("radio", name="On").focus()
        let_go(page, held)
        expect(page.get_by_role("switch", name="Allow export")).to_be_focused()

    @pytest.mark.req("RT-35", "CA-35")
    def test_a_page_loads_its_own_islands_only_and_from_the_static_path(self, page):
        scripts: list[str] = []
        page.on("request", lambda r: scripts.append(r.url) if r.resource_type in ("script", "stylesheet") else None)
        visit(page, USERS)
        assert all(re.search(r"/static/dist/[^/]+-[0-9A-Z]{8}\.(js|css)$", url) for url in scripts)
        assert any(re.search(CODE, url) for url in scripts)
        assert not any("/permission-toggles-" in url for url in scripts)
        scripts.clear()
        page.goto("/user-manage/clinic/new", wait_until="networkidle")
        assert scripts
        assert not any(re.search("/(islands|list|chunk)-", url) for url in scripts)

    @pytest.mark.req("CA-37")
    def test_an_island_that_can_not_be_loaded_leaves_the_page_and_offers_one_reload(self, page):
        page.route(re.compile(CODE), lambda route: route.abort())
        page.goto(USERS)
        again = page.get_by_role("button", name="Load the page again")
        expect(page.get_by_role("rowheader")).to_have_count(25)
        again.click()
        expect(page.get_by_text("A part of this page could not be loaded.")).to_be_visible()
        expect(again).to_have_count(0)

        page.get_by_role("searchbox").fill("hana park")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park"])

    @pytest.mark.req("CA-36")
    def test_a_chunk_that_does_not_come_is_given_up_after_120_seconds(self, page, hold):
        page.clock.install()
        hold(CODE)
        page.goto(USERS, wait_until="commit")
        expect(page.get_by_role("rowheader")).to_have_count(25)
        notice = page.get_by_text("A part of this page could not be loaded.")
        page.clock.run_for(115_000)
        expect(notice).to_have_count(0)
        page.clock.run_for(10_000)
        expect(notice).to_be_visible()


class TestPermissions:
    @pytest.mark.req("PM-07", "PM-08", "PM-09", "PM-10", "PM-11", "PM-13", "PM-14", "PM-15", "PM-16", "PM-17", "PM-18")
    @pytest.mark.parametrize("label", EFFECTS)
    def test_a_switch_says_what_it_does_and_keeps_what_was_chosen(self, page, label):
        visit(page, f"{CLINIC}/permissions")
        switch = page.get_by_role("switch", name=label)
        expect(switch).to_have_accessible_description(re.compile(re.escape(EFFECTS[label])))
        before = switch.is_checked()
        switch.click()
        expect(page.get_by_role("main").get_by_text("Permissions updated.")).to_be_visible()
        page.reload()
        expect(switch).to_be_checked(checked=not before)

    @pytest.mark.req("PM-12", "PM-19")
    def test_a_users_own_setting_can_be_put_back_to_the_clinics(self, page):
        visit(page, USERS)
        act_on(page, "Hana Park", "Permissions")
        export = page.get_by_role("switch", name="Allow export")
        expect(export).to_have_accessible_description(re.compile(r"On \(clinic setting\)"))
        export.click()
        expect(export).to_have_accessible_description(re.compile(r"Off \(this user only\)"))
        page.get_by_role("button", name="Reset to clinic setting").click()
        expect(export).to_have_accessible_description(re.compile(r"On \(clinic setting\)"))
        expect(export).to_be_checked()
        expect(export).to_be_focused()

    @pytest.mark.req("CO-08")
    def test_a_refused_change_is_taken_back_and_told_in_place(self, page):
        visit(page, f"{CLINIC}/permissions")
        page.route(f"**{CLINIC}/permissions", lambda route: route.abort() if route.request.method == "POST" else None)
        export = page.get_by_role("switch", name="Allow export")
        export.click()
        expect(page.get_by_role("main").get_by_text("The console could not be reached.")).to_be_visible()
        expect(export).to_be_checked()
        expect(page.locator(".toast")).to_have_count(1)

    def test_changes_made_quickly_are_all_kept(self, page):
        visit(page, f"{CLINIC}/permissions")
        switches = page.get_by_role("switch").all()
        before = [switch.is_checked() for switch in switches]
        for switch in switches:
            switch.click()
        expect(page.locator("[role=switch][aria-busy]")).to_have_count(0)
        page.reload()
        expect(page.locator("[data-island-ready]")).to_have_count(1)
        assert [switch.is_checked() for switch in page.get_by_role("switch").all()] == [not on for on in before]


@pytest.mark.req("AX-02")
def test_a_user_stands_beside_the_list_as_long_as_the_address_says_so(page, asked):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, f"{USERS}?size=25")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Hana Park"))
    row.locator(".badge").click()
    panel = page.get_by_role("complementary", name="Hana Park")
    expect(panel).to_be_visible()
    expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")
    expect(page.locator("tr[aria-current]")).to_contain_text("Hana Park")
    wide = page.locator("th", has_text="Email")
    expect(wide).to_be_hidden()

    page.get_by_role("link", name="Next page").click()
    shows(page, REST)
    expect(panel).to_be_hidden()
    expect(wide).to_be_visible()
    assert "user=" not in page.url
    page.go_back()
    shows(page, ALL)
    expect(panel).to_be_visible()
    expect(page.locator("tr[aria-current]")).to_contain_text("Hana Park")

    before = len(asked)
    panel.get_by_role("link", name="Close").click()
    expect(panel).to_be_hidden()
    assert "user=" not in page.url
    assert len(asked) == before, "it closes without a request"
    page.get_by_role("searchbox").fill("Hana")
    shows(page, "1 to 1 of 1")
    expect(panel).to_be_hidden()


def test_a_click_on_a_row_opens_nothing_where_there_is_no_space_beside_or_where_it_means_something_else(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, USERS)
    left: list[str] = []
    page.on("request", lambda request: left.append(request.url) if request.is_navigation_request() else None)
    page.locator("td:has(> [name=id])").first.click(position={"x": 2, "y": 2})
    page.locator("tbody [type=checkbox]").first.check()
    page.locator("td.row-actions").first.click(position={"x": 2, "y": 2})
    page.locator("tbody td [dir=ltr]").first.dblclick()
    page.set_viewport_size({"width": 900, "height": 800})
    page.locator("tbody .badge").first.click()
    page.get_by_role("link", name="Next page").click()
    shows(page, REST)
    assert left == []


def test_a_session_that_ended_leads_to_the_login_and_back(page, console):
    visit(page, USERS)
    page.context.clear_cookies(name="auth")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("dialog", name="Your session has expired").get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile(r"/login\?next=.*page%3D2"))


def test_no_island_breaks_the_content_security_policy(page):
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    visit(page, USERS)
    page.get_by_role("link", name="Next page").click()
    shows(page, REST)
    visit(page, f"{CLINIC}/permissions")
    page.get_by_role("switch", name="Allow export").click()
    expect(page.get_by_role("main").get_by_text("Permissions updated.")).to_be_visible()
    assert heard == []
