"""Lists that scripts update: their requests, the state that they keep, and the panel next to them."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import open_filters, shows, visit

pytestmark = pytest.mark.slow

CLINIC = "/user-manage/clinic/g-1"
USERS = f"{CLINIC}/user"
ALL, LAST_PAGE = "1 to 25 of 40", "26 to 40 of 40"


class TestUserList:
    @pytest.mark.req("CO-18", "RT-41", "LS-02")
    def test_it_finds_while_one_types_and_the_address_restores_it(self, page, script_requests):
        visit(page, f"{USERS}?page=2")
        page.get_by_role("searchbox").press_sequentially("hana park")
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park hana.park@demo.example"])
        expect(page.get_by_role("searchbox")).to_be_focused()
        assert len(script_requests) == 1
        assert "page=" not in page.url

        page.reload()
        expect(page.get_by_role("rowheader")).to_have_text(["Hana Park hana.park@demo.example"])
        expect(page.get_by_role("searchbox")).to_have_value("hana park")

    @pytest.mark.req("RT-41", "LS-05")
    def test_pages_sorts_and_filters_are_steps_of_the_history(self, page, script_requests):
        visit(page, USERS)
        page.get_by_role("link", name="Next page").click()
        shows(page, LAST_PAGE)
        expect(page.get_by_role("region", name="Users")).to_be_focused()
        page.get_by_role("columnheader", name="Name").get_by_role("link", name="Name").click()
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
        shows(page, ALL)
        open_filters(page)
        page.get_by_role("checkbox", name="Invited", exact=True).check()
        expect(page.get_by_role("link", name="Remove the “Status: Invited” filter")).to_be_visible()
        assert len(script_requests) == 3

        page.go_back()
        shows(page, ALL)
        expect(page.locator("[name=status]:checked")).to_have_count(0)
        page.go_back()
        shows(page, LAST_PAGE)
        page.go_back()
        shows(page, ALL)
        expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
        page.go_forward()
        shows(page, LAST_PAGE)

    @pytest.mark.req("ST-50", "LS-14")
    @pytest.mark.provokes("net::ERR_INTERNET_DISCONNECTED")
    def test_a_read_without_a_connection_says_so_and_is_made_when_the_connection_is_back(self, page, script_requests):
        visit(page, USERS)
        page.context.set_offline(True)
        page.get_by_role("link", name="Next page").click()
        expect(page.get_by_role("main").get_by_text("Can't reach the console.")).to_be_in_viewport()
        expect(page.get_by_role("rowheader")).to_have_count(25)
        script_requests.clear()
        page.context.set_offline(False)
        shows(page, LAST_PAGE)
        assert script_requests == [f"{USERS}?page=2"]

    @pytest.mark.req("RT-36")
    def test_another_page_and_back_reads_the_list_again(self, page, console):
        visit(page, USERS)
        page.get_by_role("link", name="Next page").click()
        shows(page, LAST_PAGE)
        page.get_by_role("link", name="Clinics").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
        console.sandbox.clear_calls()
        page.go_back()
        shows(page, LAST_PAGE)
        assert len(console.sandbox.calls("bizUsers")) == 1

    def test_a_link_with_a_modifier_is_the_browsers_own(self, page):
        visit(page, USERS)
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Next page").click(modifiers=["ControlOrMeta"])
        shows(opened.value, LAST_PAGE)
        shows(page, ALL)


LISTS = ("/user-manage/clinic", f"{USERS}/u-2/permissions/copy")


@pytest.mark.req("CO-18", "RT-41", "DM-01")
@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_searched_while_one_types_and_comes_back_as_it_was(page, script_requests, path):
    visit(page, path)
    before = page.get_by_role("rowheader").all_inner_texts()
    page.locator("[data-results]").evaluate("results => { results.isFirst = true; }")
    wanted = before[-1]
    page.get_by_role("columnheader").get_by_role("link").last.click()
    expect(page).to_have_url(re.compile("sort="))
    page.get_by_role("searchbox").fill(wanted)
    expect(page).to_have_url(re.compile("keyword="))
    expect(page.locator(".list:not([aria-busy])").get_by_role("rowheader").first).to_contain_text(wanted)
    assert len(script_requests) == 2
    page.go_back()
    expect(page.get_by_role("rowheader")).to_have_text(before)
    assert page.locator("[data-results]").evaluate("results => results.isFirst")
    assert len(script_requests) == 2


@pytest.mark.req("AX-02")
def test_the_user_panel_is_open_while_the_address_has_the_user(page, script_requests):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, f"{USERS}?size=25")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Hana Park"))
    row.locator(".badge").click()
    panel = page.get_by_role("dialog", name="Hana Park")
    expect(panel).to_be_visible()
    expect(page.locator("[data-island]")).to_have_attribute("data-island-ready", "")
    expect(page.locator("tr[aria-current]")).to_contain_text("Hana Park")
    wide = page.locator("th", has_text="Team")
    expect(wide).to_be_hidden()

    page.get_by_role("link", name="Next page").click()
    shows(page, LAST_PAGE)
    expect(panel).to_be_hidden()
    expect(wide).to_be_visible()
    assert "user=" not in page.url
    page.go_back()
    shows(page, ALL)
    expect(panel).to_be_visible()
    expect(page.locator("tr[aria-current]")).to_contain_text("Hana Park")

    before = len(script_requests)
    panel.get_by_role("link", name="Close").click()
    expect(panel).to_be_hidden()
    assert "user=" not in page.url
    assert len(script_requests) == before, "it closes without a request"
    page.get_by_role("searchbox").fill("Hana")
    shows(page, "1 to 1 of 1")
    expect(panel).to_be_hidden()


@pytest.mark.req("AX-02")
def test_a_name_opens_the_panel_which_the_arrow_keys_move_and_back_closes(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, USERS)
    names = page.locator("tbody th a").all_inner_texts()
    heading = page.locator(".panel").get_by_role("heading", level=2)
    page.get_by_role("link", name=names[0], exact=True).click()
    expect(heading).to_have_text(names[0])
    for key, name in (("ArrowDown", names[1]), ("ArrowDown", names[2]), ("ArrowUp", names[1])):
        page.keyboard.press(key)
        expect(heading).to_have_text(name)
        expect(heading).to_be_focused()
        expect(page.locator("tr[aria-current]")).to_contain_text(name)
    page.get_by_role("link", name=names[3], exact=True).click()
    expect(heading).to_have_text(names[3])
    page.go_back()
    expect(page.locator(".panel")).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/user$"))

    page.get_by_role("link", name=names[0], exact=True).click()
    page.locator(".panel").get_by_role("link", name="View user").click()
    expect(page).to_have_url(re.compile(r"/user/[^/?]+$"))


@pytest.mark.req("AX-02")
def test_a_name_leads_to_the_page_in_a_new_tab_and_on_a_phone(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, USERS)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Hana Park").click(modifiers=["ControlOrMeta"])
    opened.value.wait_for_url(re.compile(r"/user/u-1$"))
    expect(page.locator(".panel")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("link", name="Hana Park").click()
    expect(page).to_have_url(re.compile(r"/user/u-1$"))


def test_a_click_on_a_row_opens_nothing_where_it_means_something_else(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, USERS)
    navigations: list[str] = []
    page.on("request", lambda request: navigations.append(request.url) if request.is_navigation_request() else None)
    page.locator("td:has(> [name=id])").first.click(position={"x": 2, "y": 2})
    page.locator("tbody [type=checkbox]").first.check()
    page.locator("td.row-actions").first.click(position={"x": 2, "y": 2})
    page.locator("tbody [dir=ltr]").first.dblclick()
    page.get_by_role("link", name="Next page").click()
    shows(page, LAST_PAGE)
    expect(page.locator(".panel")).to_have_count(0)
    assert navigations == []


@pytest.mark.req("AX-04")
def test_the_rows_of_the_next_page_are_in_their_places_at_once(page):
    """A page that still scrolls would move what is under the pointer."""
    visit(page, USERS)
    page.evaluate(
        """() => {
          const top = () => document.querySelector(".list").getBoundingClientRect().top;
          window.top_after_two_frames = new Promise((resolve) => document.addEventListener("focusin", () =>
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(top())))));
        }"""
    )
    link = page.get_by_role("link", name="Next page")
    link.scroll_into_view_if_needed()
    link.evaluate("link => link.click()")
    shows(page, LAST_PAGE)
    assert page.evaluate("window.top_after_two_frames") >= 0


@pytest.mark.provokes("status of 401")
def test_a_session_that_ended_leads_to_the_login_and_back(page, console):
    visit(page, USERS)
    page.context.clear_cookies(name="auth")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("dialog", name="Your session has expired").get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile(r"/login\?next=.*page%3D2"))
