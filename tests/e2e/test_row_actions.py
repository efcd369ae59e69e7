"""An act on a row, which stays in its list."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.pages import let_go, phone, visit
from tests.e2e.ways import step_to

pytestmark = pytest.mark.slow

USERS = "/user-manage/clinic/g-1/user"


class TestRowAction:
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
    def test_by_keyboard_it_runs_in_place_and_is_announced_once(self, page, console, script_requests):
        visit(page, self.INVITED)
        before = self.row(page).inner_text()
        for presses in (1, 2):  # in the server's rows, then in those of the island
            self.press(page)
            expect(self.opener(page)).to_be_focused()
            expect(page.locator(".toast")).to_have_text(re.compile("^Invitation sent to .* It expires"))
            expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
            assert len(script_requests) == 2 * presses
            expect(self.opener(page)).to_be_focused()
            expect(page.locator(":popover-open")).to_have_count(0)
        assert self.row(page).inner_text() != before
        assert page.locator(".list > [role=status]").text_content() == "", "only the toast is announced"
        assert len(console.sandbox.mails()) == 2
        expect(page).to_have_url(re.compile(r"/user\?status=INVITED$"))
        page.reload()
        expect(page.get_by_text("Invitation sent")).to_have_count(0)

    @pytest.mark.req("ER-20", "AX-08")
    @pytest.mark.provokes("status of 409")
    def test_a_refusal_is_shown_at_the_row(self, page, console):
        visit(page, self.INVITED)
        console.sandbox.faults({"path": "/invitation/resend", "status": 409, "code": 13009})
        self.press(page)
        # The row was read again, and the message is at its new state.
        message = self.row(page).get_by_role("rowheader").get_by_role("paragraph")
        expect(message).to_have_text("Failed to send the invitation. This user has no pending invitation.")
        expect(self.opener(page)).to_be_focused()
        expect(page.locator(".toast")).to_have_count(0)
        self.press(page)
        expect(page.locator(".toast")).to_have_count(1)
        expect(message).to_have_count(0)

    @pytest.mark.req("LS-18", "ER-05")
    @pytest.mark.provokes("net::ERR_FAILED")
    def test_what_was_done_is_not_done_twice_when_its_answer_was_lost(self, page, console):
        def lose(route: Route) -> None:
            route.fetch()
            route.abort()

        visit(page, self.INVITED)
        page.route(self.RESEND, lose, times=1)
        self.press(page)
        expect(self.row(page).get_by_role("alert")).to_contain_text("Can't reach the console.")
        self.press(page)
        expect(page.locator(".toast")).to_have_count(1)
        assert len(console.sandbox.mails()) == 1

    def test_a_second_press_while_the_first_is_under_way_does_nothing(self, page, hold, script_requests):
        visit(page, self.INVITED)
        paused = hold("/invitation/resend$")
        self.press(page)
        button = self.row(page).get_by_role("button", name="Resend invitation")
        expect(button).to_have_attribute("aria-busy", "true")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        self.press(page)
        assert len(script_requests) == 1
        let_go(page, paused)
        expect(page.locator(".toast")).to_have_count(1)
        expect(button).to_have_count(0)

    @pytest.mark.req("DM-28")
    def test_on_a_phone_it_looks_like_the_other_actions_and_keeps_the_focus(self, page):
        phone(page)
        visit(page, self.INVITED)
        self.row(page).get_by_role("button", name="Actions for").click()
        button = self.row(page).get_by_role("button", name="Resend invitation")
        style = """(action) => {
          const { color, font, border, blockSize } = getComputedStyle(action);
          return [color, font, border, blockSize];
        }"""
        assert button.evaluate(style) == self.row(page).get_by_role("link", name="Edit").evaluate(style)
        button.click()
        expect(page.locator(".toast")).to_have_count(1)
        expect(page.locator(".list")).not_to_have_attribute("aria-busy", "true")
        expect(self.opener(page)).to_be_focused()
