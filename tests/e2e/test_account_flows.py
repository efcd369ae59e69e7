"""The life of an account, in every way of using the console: from the sign-up to the end of its other sessions."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.flows import expect_message, sent, submit
from tests.e2e.http_client import logged_in, reset_attempts
from tests.e2e.pages import CLINICS, NEW_PASSWORD
from tests.e2e.running import Console
from tests.e2e.ways import Way

EMAIL, NEW_EMAIL = "ada.park@new.example", "ada@park.example"
OTHER_EMAIL = "other@demo.example"
FIRST, SECOND, THIRD = "Demo123!", "Demo456?", "Demo789*"


@pytest.mark.req("UC-02", "UC-15", "RT-02", "RT-03", "RT-04", "RT-05", "RT-16", "VA-12", "VA-13", "VA-25")
@pytest.mark.req("ST-45", "ST-46", "ST-47", "CA-08", "CA-18", "CA-19", "CA-20", "CA-21", "DM-21", "AX-05", "AX-06")
def test_the_whole_life_of_an_account(way, console):
    way.page.context.clear_cookies()
    reset_attempts(console)
    _sign_up(way, console)
    way.go(_mailed(console, EMAIL))
    _log_in(way, EMAIL, FIRST)
    _change_name(way, console)
    _change_email(way, console)
    _log_in(way, NEW_EMAIL, FIRST)
    _change_password(way, console)
    _log_out(way)
    link = _reset_password(way, console)
    _log_in(way, NEW_EMAIL, THIRD)
    _end_other_sessions(way, console)
    _log_out(way)
    _reuse_link(way, link)


def _sign_up(way: Way, console: Console) -> None:
    page = way.page
    way.go("/login")
    way.fill(page.locator("[name=email]"), EMAIL)
    way.press(page.locator("[formaction='/create-account']"))
    way.at("/create-account")
    expect(page.locator("[name=email]")).to_have_value(EMAIL)
    way.fill(page.locator("[name=organization_name]"), "Ada Dental")
    _check_availability(way, "organization_name")
    way.choose(page.locator("[name=country_code]"), "DE")
    way.choose(page.locator("[name=server_location]"), "EU")
    way.fill(page.locator("main [name=name]"), "Ada Park")
    _check_availability(way, "email")
    for name in ("password", "confirm_password"):
        way.fill(page.locator(f"[name={name}]"), FIRST)
    for name in ("terms", "privacy"):
        way.tick(page.locator(f"[name={name}]"))
    submit(way)
    way.at("/login", reason="created")
    expect_message(way)
    (body,) = sent(console, "POST", "signUpWithOrganization$")
    assert (body["email"], body["organization"]["serverLocation"]) == (EMAIL, "EU")
    expect(page.locator("[name=email]")).to_have_value(EMAIL)


def _change_name(way: Way, console: Console) -> None:
    page = way.page
    way.press(page.locator("[popovertarget=account-menu]"))
    way.press(page.locator("#account-menu a[href='/my-account']"))
    way.at("/my-account")
    way.press(page.locator("main a[href='/my-account/organization-name']"))
    way.fill(page.locator("main [name=name]"), "Park Dental")
    _check_availability(way, "name")
    submit(way)
    way.at("/my-account")
    expect_message(way)
    expect(page.locator(".header-organization")).to_have_text("Park Dental")
    (body,) = sent(console, "PUT", "bizOrganizations/")
    assert body == {"name": "Park Dental"}


def _change_email(way: Way, console: Console) -> None:
    page = way.page
    way.press(page.locator("main a[href='/my-account/email']"))
    way.fill(page.locator("main [name=email]"), NEW_EMAIL)
    way.fill(page.locator("main [name=current_password]"), FIRST)
    submit(way)
    way.at("/my-account")
    expect_message(way)
    way.go(_mailed(console, NEW_EMAIL))
    assert sent(console, "PUT", "changeEmail/activate/") == []
    way.press(page.locator("main [name=activate]"))
    way.at("/login", reason="email")
    expect_message(way)
    expect(page.locator("main [name=email]")).to_have_value(NEW_EMAIL)


def _change_password(way: Way, console: Console) -> None:
    page, other = way.page, logged_in(console, email=NEW_EMAIL, password=FIRST)
    way.go("/my-account/password")
    way.fill(page.locator("main [name=current_password]"), FIRST)
    for name in ("new_password", "confirm_password"):
        way.fill(page.locator(f"main [name={name}]"), SECOND)
    submit(way)
    way.at("/my-account")
    expect_message(way)
    assert other.get("/my-account").status_code == 302


def _reset_password(way: Way, console: Console) -> str:
    page = way.page
    way.fill(page.locator("[name=email]"), NEW_EMAIL)
    way.press(page.locator("[formaction='/confirm-password']"))
    way.at("/confirm-password")
    submit(way)
    way.at("/confirm-password", sent="1")
    expect_message(way, "info")
    link = _mailed(console, NEW_EMAIL)
    way.go(link)
    for name in ("new_password", "confirm_password"):
        way.fill(page.locator(f"[name={name}]"), THIRD)
    submit(way)
    way.at("/login", reason="reset")
    expect_message(way)
    return link


def _end_other_sessions(way: Way, console: Console) -> None:
    page, other = way.page, logged_in(console, email=NEW_EMAIL, password=THIRD)
    way.go("/my-account/sessions")
    way.press(page.locator("main a[href='/my-account/sessions/end-others']"))
    submit(way)
    way.at("/my-account/sessions")
    expect_message(way)
    assert other.get("/my-account").status_code == 302


def _reuse_link(way: Way, link: str) -> None:
    way.go(link)
    for name in ("new_password", "confirm_password"):
        way.fill(way.page.locator(f"[name={name}]"), FIRST)
    submit(way)
    expect_message(way, "danger")
    way.press(way.page.locator("main a[data-primary]"))
    way.at("/confirm-password")


def _check_availability(way: Way, name: str) -> None:
    way.press(way.page.locator(f"[name=check][value={name}]"))
    way.sees(way.page.locator(f"[data-availability={name}] .availability[data-state=free]"))


def _log_in(way: Way, email: str, password: str) -> None:
    way.at("/login")
    way.fill(way.page.locator("main [name=email]"), email)
    way.fill(way.page.locator("main [name=password]"), password)
    submit(way)
    way.at(CLINICS)


def _log_out(way: Way) -> None:
    way.press(way.page.locator("[popovertarget=account-menu]"))
    way.press(way.page.locator("[data-logout] button"))
    way.at("/login")


def _mailed(console: Console, email: str) -> str:
    """The path of the link in the newest mail to this address."""
    link = urlsplit(next(mail["link"] for mail in console.sandbox.mails() if mail["to"] == email))
    return f"{link.path}?{link.query}"


@pytest.mark.slow
@pytest.mark.req("VA-12", "VA-14", "VA-09", "VA-37")
def test_while_one_types_the_page_checks_what_must_be_free_and_ticks_off_the_rules(open_browser, console):
    reset_attempts(console)
    page = open_browser(logged_in=False)
    page.goto("/create-account")
    status = page.locator("[data-availability=email] [role=status]")
    page.locator("[name=email]").fill("admin@demo.example")
    page.locator("[name=password]").fill("Demo12")
    expect(status).to_have_text("This email is already in use")
    expect(page.locator("[name=email]")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".rules [data-done]")).to_have_count(4)
    page.locator("[name=password]").press("End")
    page.locator("[name=password]").press_sequentially("3!")
    expect(page.locator(".rules [data-done]")).to_have_count(6)
    expect(page.locator("[data-rules-status=id_password]")).to_have_text("6 of 6 requirements met")
    page.locator("[name=email]").press_sequentially("x")
    expect(status).to_have_text("")
    page.locator("[name=organization_name]").focus()
    expect(status).to_have_text("This email is available")
    assert sent(console, "POST", "signUpWithOrganization$") == []


@pytest.mark.slow
@pytest.mark.req("RT-29")
@pytest.mark.parametrize("scripts", [True, False])
def test_terms_open_next_to_a_half_filled_form(open_browser, console, scripts):
    page = open_browser(logged_in=False, java_script_enabled=scripts)
    page.goto("/create-account")
    page.locator("[name=organization_name]").fill("Ada Dental")
    for link in (page.locator(".agreements a[href='/terms']"), page.locator(".footer a[href='/privacy']")):
        with page.expect_popup() as opened:
            link.click()
        expect(opened.value.locator("h1")).to_be_visible()
        opened.value.close()
    expect(page.locator("[name=organization_name]")).to_have_value("Ada Dental")


@pytest.mark.slow
@pytest.mark.req("VA-19", "VA-14")
def test_another_name_of_the_organization_is_checked_when_its_field_is_left(open_browser, console):
    reset_attempts(console)
    page = open_browser()
    page.goto("/my-account/organization-name")
    status = page.locator("[data-availability=name] [role=status]")
    for name, answer in (("Other Dental Care", "already in use"), ("Ada Dental", "is available")):
        page.locator("main [name=name]").fill(name)
        page.keyboard.press("Tab")
        expect(status).to_contain_text(answer)
    assert sent(console, "PUT", "bizOrganizations/") == []


@pytest.mark.slow
@pytest.mark.req("VA-23")
def test_a_concurrent_change_of_the_dashboard_url_shows_both_values_below_one_another(open_browser, console):
    page, other = open_browser(separate_login=True), open_browser(separate_login=True)
    for browser in (page, other):
        browser.goto("/my-account/dashboard-url")
    for browser, path in ((other, "theirs"), (page, "mine")):
        browser.locator("main [name=dashboard_url]").fill(f"https://dashboard.demo.example/{path}")
        browser.locator("main [data-primary]").click()
    values = page.locator(".conflict bdi")
    expect(values).to_have_text([re.compile("mine$"), re.compile("theirs$")])
    labels = page.locator(".conflict .muted")
    edges = labels.evaluate_all("(labels) => labels.map((label) => label.getBoundingClientRect().left)")
    assert edges[0] == edges[1]
    page.locator("main [data-primary]").click()
    page.wait_for_url("**/my-account")
    expect(page.locator("main")).to_contain_text("dashboard.demo.example/mine")


@pytest.mark.slow
@pytest.mark.req("AX-05")
def test_a_password_manager_fills_and_keeps_each_form_of_a_password(open_browser, console):
    reset_attempts(console)
    page = open_browser(logged_in=False)

    page.goto("/login")
    _fill_as_a_manager_does(page, {"username": OTHER_EMAIL, "current-password": "Other123!"})
    page.locator("main [data-primary]").click()
    page.wait_for_url("**" + CLINICS)

    page.goto("/my-account/password")
    expect(page.locator("main [autocomplete=username]")).to_have_value(OTHER_EMAIL)
    _fill_as_a_manager_does(page, {"current-password": "Other123!", "new-password": FIRST})
    expect(page.locator(".rules [data-done]")).to_have_count(6)
    page.locator("main [data-primary]").click()
    page.wait_for_url("**/my-account")

    page.context.clear_cookies(name="auth")
    page.goto("/login")
    _fill_as_a_manager_does(page, {"username": OTHER_EMAIL})
    page.locator("[formaction='/confirm-password']").click()
    page.locator("main [data-primary]").click()
    expect(page.locator(".alert[data-tone=info]")).to_be_visible()
    page.goto(_mailed(console, OTHER_EMAIL))
    _fill_as_a_manager_does(page, {"new-password": SECOND})
    page.locator("main [data-primary]").click()
    page.wait_for_url("**/login?reason=reset")

    page.goto("/create-account")
    _fill_as_a_manager_does(page, {"username": EMAIL, "new-password": THIRD})
    expect(page.locator("[data-availability=email] .availability[data-state=free]")).to_be_visible()
    expect(page.locator("[data-rules-status=id_password]")).to_have_text("6 of 6 requirements met")


def _fill_as_a_manager_does(page: Page, known: dict[str, str]) -> None:
    """Set values by what the fields say they are for, without a key, a focus or a press."""
    for purpose, value in known.items():
        fields = page.locator(f"main [autocomplete='{purpose}']")
        expect(fields).not_to_have_count(0)
        fields.evaluate_all(
            """(fields, value) => fields.forEach((field) => {
              field.value = value;
              for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
            })""",
            value,
        )


@pytest.mark.slow
@pytest.mark.req("AX-05")
@pytest.mark.parametrize("path", ["/create-account", NEW_PASSWORD])
def test_a_password_is_pasted(open_browser, console, path):
    page = open_browser(logged_in=False)
    page.goto("/login")
    page.locator("[name=email]").fill(FIRST)
    page.locator("[name=email]").press("ControlOrMeta+A")
    page.keyboard.press("ControlOrMeta+C")
    page.goto(path)
    for field in page.locator("main [type=password]").all():
        field.focus()
        page.keyboard.press("ControlOrMeta+V")
        expect(field).to_have_value(FIRST)
