"""Permissions as switches of a clinic, and as choices of a user."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import choose_row_action, visit

pytestmark = pytest.mark.slow

CLINIC = "/user-manage/clinic/g-1"
USERS = f"{CLINIC}/user"
DESKTOP = "Takes effect the next time users log in to the desktop app."
EFFECTS = {
    "Allow orders to listed labs": "Users can order only from the labs selected for their clinic",
    "Allow exports": DESKTOP,
    "Allow case conversion": DESKTOP,
    "Allow Case Talk": "Takes effect immediately on the web, and in the desktop app the next time users log in.",
    "Allow downloads": "Takes effect on the web immediately",
}


class TestPermissions:
    @pytest.mark.req("PM-07", "PM-08", "PM-09", "PM-10", "PM-11", "PM-13", "PM-14", "PM-15", "PM-16", "PM-17", "PM-18")
    def test_a_switch_says_what_it_does_and_keeps_what_was_chosen(self, page):
        visit(page, f"{CLINIC}/permissions")
        chosen = {}
        for label, effect in EFFECTS.items():
            switch = page.get_by_role("switch", name=label)
            expect(switch).to_have_accessible_description(re.compile(re.escape(effect)))
            chosen[label] = not switch.is_checked()
            switch.click()
            message = page.get_by_role("main").get_by_text(f"“{label}” is {'on' if chosen[label] else 'off'} for ")
            expect(message).to_contain_text(re.compile(r"\d+ users in .Seoul Central"))
        visit(page, f"{CLINIC}/permissions")
        assert {label: page.get_by_role("switch", name=label).is_checked() for label in EFFECTS} == chosen
        expect(page.get_by_role("switch")).to_have_count(len(EFFECTS))

    @pytest.mark.req("PM-12", "PM-19", "AX-06")
    def test_a_user_leaves_the_clinic_and_follows_it_again_by_arrow_keys(self, page, console):
        visit(page, USERS)
        choose_row_action(page, "Hana Park", "Permissions")
        console.sandbox.clear_calls()
        export = page.get_by_role("group", name="Allow exports")
        expect(export).to_have_accessible_description(re.compile(r"On \(clinic setting\)"))
        export.get_by_role("radio", name="Clinic setting").focus()
        # However slow the machine, both keys come before the choice counts as made.
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.clock.resume()
        expect(export).to_have_accessible_description(re.compile(r"Off \(own setting\)"))
        expect(export.get_by_role("status")).to_contain_text("Saved.")
        expect(export.get_by_role("radio", name="Off")).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(export).to_have_accessible_description(re.compile(r"On \(clinic setting\)"))
        expect(export.get_by_role("radio", name="Clinic setting")).to_be_checked()
        changes = [c["body"]["permissions"] for c in console.sandbox.calls("permissions$") if c["method"] == "PUT"]
        assert changes == [{"allowExport": False}, {"allowExport": None}], "never on, which only lay between"

    @pytest.mark.req("PM-12", "PM-19")
    @pytest.mark.parametrize("way", ["pointer", "keyboard"])
    def test_a_choice_is_kept_when_the_page_is_left_at_once(self, page, way):
        visit(page, f"{USERS}/u-1/permissions")
        group = page.get_by_role("group", name="Allow exports")
        if way == "pointer":
            group.get_by_role("radio", name="Off").click()
        else:
            group.get_by_role("radio", name="Clinic setting").focus()
            page.keyboard.press("ArrowLeft")
        page.goto(f"{CLINIC}/team")
        page.goto(f"{USERS}/u-1/permissions")
        expect(group.get_by_role("radio", name="Off")).to_be_checked()

    @pytest.mark.req("PM-12", "AX-06")
    def test_tab_leads_from_a_switch_to_its_undo(self, page):
        visit(page, f"{CLINIC}/permissions")
        export = page.get_by_role("switch", name="Allow exports")
        export.focus()
        page.keyboard.press("Space")
        undo = page.get_by_role("button", name="Undo: Allow exports")
        expect(undo).to_be_visible()
        page.keyboard.press("Tab")
        expect(undo).to_be_focused()

    @pytest.mark.req("PM-19", "AX-10")
    def test_copied_permissions_are_saved_without_scrolling_on_a_phone(self, open_browser):
        page = open_browser(viewport={"width": 390, "height": 844})
        page.goto(f"{USERS}/u-1/permissions?copy_from=u-9")
        expect(page.locator(".permission-new")).to_have_count(1)
        expect(page.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)

    @pytest.mark.req("PM-19")
    def test_the_chosen_part_is_in_the_middle_of_its_frame(self, page):
        visit(page, f"{USERS}/u-1/permissions")
        gaps = page.locator(".segment").first.evaluate(
            """(frame) => {
              const outer = frame.getBoundingClientRect();
              const inner = frame.querySelector(":checked + span").getBoundingClientRect();
              return [inner.top - outer.top, outer.bottom - inner.bottom].map(Math.round);
            }"""
        )
        assert gaps[0] == gaps[1]

    @pytest.mark.req("PM-12")
    def test_a_clinics_switch_says_whom_it_reaches_and_leads_to_the_others(self, page):
        visit(page, f"{CLINIC}/permissions")
        export = page.get_by_role("switch", name="Allow exports")
        expect(export).to_have_accessible_description(
            re.compile(r"On for 38 users\. 2 users have their own setting \(on: 1, off: 1\)")
        )
        export.click()
        expect(export).to_have_accessible_description(
            re.compile(r"Off for 38 users\. 2 users have their own setting \(on: 1, off: 1\)")
        )
        page.locator("[data-permission=allow_export]").get_by_role("link", name="own setting").click()
        expect(page.get_by_role("link", name="Remove the “Own setting: Allow exports” filter")).to_be_visible()
        expect(page.get_by_role("rowheader")).to_have_count(2)

    @pytest.mark.req("CO-08")
    @pytest.mark.provokes("net::ERR_FAILED")
    def test_a_refused_change_is_reverted_with_a_message_in_place(self, page):
        visit(page, f"{CLINIC}/permissions")
        page.route(f"**{CLINIC}/permissions", lambda route: route.abort() if route.request.method == "POST" else None)
        export = page.get_by_role("switch", name="Allow exports")
        export.click()
        expect(page.get_by_role("main").get_by_text("Can't reach the console.")).to_be_visible()
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
