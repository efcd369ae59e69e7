"""The own account, in every way of using the console: name, email by the mail's link, password, the other sessions."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from e2e.flows import sent, submit, told
from e2e.http_client import forget_attempts, logged_in
from e2e.pages import CLINICS

FORMER, NEW_EMAIL = "other@demo.example", "ada.park@new.example"
FIRST, SECOND = "Other123!", "Demo456?"


@pytest.mark.req("UC-15", "RT-16", "RT-04", "ST-45", "ST-46", "ST-47", "CA-18", "CA-19", "CA-20", "CA-21", "DM-21")
def test_an_administrator_changes_name_email_and_password_and_ends_the_other_sessions(way, console):
    page = way.page
    page.context.clear_cookies()
    forget_attempts(console)
    _log_in(way, FORMER, FIRST)

    way.press(page.locator("[popovertarget=account-menu]"))
    way.press(page.locator("#account-menu a[href='/my-account']"))
    way.at("/my-account")
    way.press(page.locator("main a[href='/my-account/organization-name']"))
    way.fill(page.locator("main [name=name]"), "Ada Dental")
    way.press(page.locator("[name=check][value=name]"))
    way.sees(page.locator("[data-availability=name] .availability[data-state=free]"))
    submit(way)
    way.at("/my-account")
    told(way)
    expect(page.locator(".header-organization")).to_have_text("Ada Dental")
    (body,) = sent(console, "PUT", "bizOrganizations/")
    assert body == {"name": "Ada Dental"}

    way.press(page.locator("main a[href='/my-account/email']"))
    way.fill(page.locator("main [name=email]"), NEW_EMAIL)
    way.fill(page.locator("main [name=current_password]"), FIRST)
    submit(way)
    way.at("/my-account/email")
    told(way)
    link = urlsplit(next(mail["link"] for mail in console.sandbox.mails() if mail["to"] == NEW_EMAIL))
    way.go(f"{link.path}?{link.query}")
    assert sent(console, "PUT", "changeEmail/activate/") == []
    way.press(page.locator("main [name=activate]"))
    way.at("/login", reason="email")
    told(way)
    expect(page.locator("main [name=email]")).to_have_value(NEW_EMAIL)

    _log_in(way, NEW_EMAIL, FIRST)
    other = logged_in(console, email=NEW_EMAIL, password=FIRST)
    way.go("/my-account/password")
    way.fill(page.locator("main [name=current_password]"), FIRST)
    for name in ("new_password", "confirm_password"):
        way.fill(page.locator(f"main [name={name}]"), SECOND)
    submit(way)
    way.at("/my-account")
    told(way)
    assert other.get("/my-account").status_code == 302

    other = logged_in(console, email=NEW_EMAIL, password=SECOND)
    way.press(page.locator("main a[href='/my-account/sessions']"))
    way.press(page.locator("main a[href='/my-account/sessions/end-others']"))
    submit(way)
    way.at("/my-account/sessions")
    told(way)
    assert other.get("/my-account").status_code == 302


def _log_in(way, email: str, password: str) -> None:
    way.go("/login")
    way.fill(way.page.locator("main [name=email]"), email)
    way.fill(way.page.locator("main [name=password]"), password)
    submit(way)
    way.at(CLINICS)
