"""The islands in a real browser: what works before their code comes, and if it can't be loaded."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.pages import let_go, shows, visit

pytestmark = pytest.mark.slow

CLINIC = "/user-manage/clinic/g-1"
USERS = f"{CLINIC}/user"
ALL, LAST_PAGE = "1 to 25 of 40", "26 to 40 of 40"
CODE = r"/list-\w+\.js$"


def hold_code(page: Page, hold: Callable[[str], list[Route]], path: str = USERS) -> Callable[[], None]:
    """Open a list whose code comes when the test says so."""
    paused = hold(CODE)
    page.goto(path, wait_until="commit")
    expect(page.get_by_role("rowheader").first).to_be_visible()

    def release() -> None:
        let_go(page, paused)
        expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")

    return release


class TestBeforeTheCode:
    def test_what_was_typed_is_searched_when_the_code_comes_and_the_field_is_left_alone(
        self, page, hold, script_requests
    ):
        release = hold_code(page, hold)
        box = page.get_by_role("searchbox")
        box.press_sequentially("park")
        box.press("ArrowLeft")
        box.evaluate("box => { box.isFirst = true; }")
        release()
        expect(page).to_have_url(re.compile("keyword=park"))
        assert box.evaluate("box => [box.value, box.isFirst, box.selectionStart]") == ["park", True, 3]
        expect(box).to_be_focused()
        assert len(script_requests) == 1

    def test_a_word_that_is_being_composed_is_not_doubled_and_is_searched_once(self, page, hold, script_requests):
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
            assert script_requests == [], "the word is not complete"
        cdp.send("Input.insertText", {"text": "하나"})
        expect(box).to_have_value("하나")
        expect(page).to_have_url(re.compile("keyword=%ED%95%98%EB%82%98$"))
        expect(page.locator(".empty-title")).to_be_visible()
        expect(box).to_have_value("하나")
        assert len(script_requests) == 1

    @pytest.mark.req("AX-02")
    def test_the_first_click_on_a_row_opens_its_panel(self, page, hold):
        page.set_viewport_size({"width": 1280, "height": 800})
        hold_code(page, hold)
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Hana Park"))
        row.locator(".badge").click()
        expect(page.get_by_role("dialog", name="Hana Park")).to_be_visible()

    def test_a_link_is_a_plain_link(self, page, hold, script_requests):
        hold_code(page, hold)
        page.get_by_role("link", name="Next page").click()
        shows(page, LAST_PAGE)
        assert script_requests == []

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


class TestMounting:
    def test_a_choice_of_the_servers_form_that_is_not_saved_stays(self, page, hold):
        paused = hold("/permission-toggles-")
        page.goto(f"{CLINIC}/permissions", wait_until="commit")
        export = page.get_by_role("group", name="Allow exports")
        export.get_by_role("radio", name="Off").check()
        let_go(page, paused)
        page.wait_for_load_state("networkidle")  # the island has everything it needs
        expect(export.get_by_role("radio", name="Off")).to_be_checked()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("switch", name="Allow exports")).not_to_be_checked()

    @pytest.mark.req("AX-02")
    def test_the_focus_moves_from_a_choice_to_its_switch(self, page, hold):
        paused = hold("/permission-toggles-")
        page.goto(f"{CLINIC}/permissions", wait_until="commit")
        page.get_by_role("group", name="Allow exports").get_by_role("radio", name="On").focus()
        let_go(page, paused)
        expect(page.get_by_role("switch", name="Allow exports")).to_be_focused()

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
    @pytest.mark.provokes("net::ERR_FAILED", "dynamically imported module")
    def test_an_island_that_can_not_be_loaded_leaves_the_page_and_offers_one_reload(self, page):
        page.route(re.compile(CODE), lambda route: route.abort())
        page.goto(USERS)
        reload_button = page.get_by_role("button", name="Reload the page")
        expect(page.get_by_role("rowheader")).to_have_count(25)
        reload_button.click()
        expect(page.get_by_text("Part of this page couldn't load.")).to_be_visible()
        expect(reload_button).to_have_count(0)

        page.get_by_role("searchbox").fill("hana park")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.get_by_role("rowheader").get_by_role("link")).to_have_text(["Hana Park"])
