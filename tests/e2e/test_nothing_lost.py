"""Nothing typed is lost, by following a link or when the session ends."""

import re
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.http_client import end_access, reset_attempts
from tests.e2e.pages import CLINIC_PERMISSIONS, CLINICS, phone, ready
from tests.e2e.running import EMAIL, PASSWORD, Console, database

pytestmark = pytest.mark.slow

NEW = f"{CLINICS}/new"
NAME = "Seaside Dental"


def end(console: Console) -> None:
    database(console, 'DELETE FROM "grant"')


def end_at_the_service(console: Console) -> None:
    """End the session where only the service knows of it."""
    end_access(console)
    console.sandbox.advance(60 * 24 * 3600)


def creations(console: Console) -> list[dict[str, Any]]:
    """The calls that create clinics."""
    return [call for call in console.sandbox.calls("/bizMainGroups$") if call["method"] == "POST"]


def type_clinic(page: Page, name: str = NAME) -> None:
    page.goto(NEW, wait_until="networkidle")  # the script that asks before leaving has arrived
    page.get_by_label("Name").fill(name)
    page.get_by_label("Country", exact=True).select_option("KR")


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def login_dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Your session has expired")


def log_in(form: Locator, email: str = EMAIL, password: str = PASSWORD) -> None:
    form.get_by_label("Email").fill(email)
    form.get_by_label("Password", exact=True).fill(password)
    form.get_by_role("button", name="Log in").click()


@pytest.mark.req("DM-23")
def test_a_page_is_not_left_before_the_user_agrees(open_browser):
    page = open_browser()
    questions: list[str] = []

    def answer(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    type_clinic(page)
    page.reload()
    assert questions == ["beforeunload"]
    type_clinic(page)
    page.get_by_role("link", name="Cancel").click()
    dialog = page.get_by_role("dialog", name="Leave this page?")
    expect(dialog).to_contain_text("Your changes haven't been saved.")
    expect(dialog.get_by_role("button", name="Stay")).to_be_focused()
    dialog.get_by_role("button", name="Stay").click()
    expect(page.get_by_label("Name")).to_have_value(NAME)
    assert page.url.endswith(NEW)

    questions.clear()
    page.get_by_role("link", name="Cancel").click()
    dialog.get_by_role("button", name="Leave").click()
    expect(page).to_have_url(re.compile(f"{CLINICS}$"))
    type_clinic(page)
    save(page)
    expect(page.get_by_role("main").get_by_text("was created.")).to_be_visible()
    assert questions == []


@pytest.mark.provokes("status of 401")
class TestDialog:
    @pytest.mark.req("ER-09", "ER-10", "ER-11", "ER-12", "ER-35", "AX-09")
    @pytest.mark.provokes("status of 422")
    def test_the_form_is_sent_after_a_login(self, open_browser, console):
        reset_attempts(console)
        page = open_browser()
        type_clinic(page)
        end(console)
        save(page)
        expect(login_dialog(page)).to_contain_text("Log in again")
        expect(login_dialog(page).get_by_label("Email")).to_be_focused()
        log_in(login_dialog(page), password="Wrong123!")
        alert = login_dialog(page).get_by_role("alert")
        expect(alert).to_have_text("Login failed. Check your ID and password again.")
        expect(login_dialog(page).get_by_label("Password", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(login_dialog(page)).to_have_count(0)
        expect(page.get_by_label("Name")).to_have_value(NAME)
        save(page)
        log_in(login_dialog(page))
        expect(page.get_by_role("main").get_by_text("was created.")).to_be_visible()
        assert len(creations(console)) == 1

    @pytest.mark.req("ER-09", "ER-11", "AX-09")
    def test_a_switch_that_was_refused_is_switched_after_the_login(self, open_browser, console):
        page = open_browser()
        page.goto(CLINIC_PERMISSIONS)
        ready(page)
        switch = page.get_by_role("switch", name="Allow exports")
        before = switch.is_checked()
        end(console)
        switch.click()
        log_in(login_dialog(page))
        expect(page.get_by_role("main").get_by_text("“Allow exports” is off for ")).to_be_visible()
        page.reload()
        ready(page)
        expect(switch).to_be_checked(checked=not before)

    @pytest.mark.req("ER-11", "AX-10")
    @pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
    def test_it_fits_a_phone(self, open_browser, console, locale):
        page = open_browser(locale=locale)
        phone(page)
        page.goto(NEW, wait_until="networkidle")  # the script that asks before leaving has arrived
        page.locator("[name=name]").fill(NAME)
        end(console)
        page.locator("main form [data-primary]").click()
        dialog = page.locator("#log-in-again")
        expect(dialog).to_be_visible()
        box = dialog.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390

    @pytest.mark.req("AX-01", "AX-12", "ER-11")
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_axe_finds_nothing_in_the_two_dialogs(self, open_browser, console, theme):
        page = open_browser(color_scheme=theme, reduced_motion="reduce")
        type_clinic(page)
        page.get_by_role("link", name="Cancel").click()
        assert violations(page) == []
        page.keyboard.press("Escape")
        end(console)
        save(page)
        expect(login_dialog(page)).to_be_visible()
        assert violations(page) == []


@pytest.mark.req("AX-09", "ER-11", "DM-23")
def test_with_scripts_it_comes_back_when_only_the_service_knew(open_browser, console):
    page = open_browser()
    type_clinic(page)
    end_at_the_service(console)
    save(page)
    expect(page).to_have_url(re.compile("/login\\?"))
    log_in(page.get_by_role("main"))
    expect(page.get_by_label("Name")).to_have_value(NAME)
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("dialog", name="Leave this page?")).to_be_visible()
