"""Logging in and out without JavaScript; the way `plain` of the flows proves the rest."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import USERS, shows


@pytest.mark.req("UC-03", "ST-01", "ST-20", "RT-32")
def test_logging_in_and_out(open_browser):
    page = open_browser(logged_in=False, java_script_enabled=False)
    page.goto(f"{USERS}?page=2")
    page.get_by_label("Email").fill("admin@demo.example")
    page.get_by_label("Password", exact=True).fill("Wrong123!")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("main").get_by_role("alert")).to_contain_text(
        "Login failed. Check your ID and password again."
    )
    expect(page.get_by_label("Email")).to_have_value("admin@demo.example")
    expect(page.get_by_label("Password", exact=True)).to_have_value("")
    page.get_by_label("Password", exact=True).fill("Demo123!")
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(re.compile(rf"{USERS}\?page=2$"))
    shows(page, "26 to 40 of 40")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/login$"))
    page.goto(USERS)
    expect(page).to_have_url(re.compile("/login"))
