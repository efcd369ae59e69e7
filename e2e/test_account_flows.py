"""The life of an account without a login, in every way of using the console: sign-up, log in, forgotten, reset."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from e2e.flows import sent, submit, told
from e2e.http_client import forget_attempts
from e2e.pages import CLINICS

EMAIL, FIRST, SECOND = "ada.park@new.example", "Demo123!", "Demo456?"


@pytest.mark.req("UC-02", "RT-02", "RT-03", "RT-05", "VA-12", "VA-13", "VA-25", "AX-05", "AX-06", "CA-08")
def test_somebody_signs_up_loses_the_password_and_gets_in_again(way, console):
    page = way.page
    page.context.clear_cookies()
    forget_attempts(console)

    way.go("/login")
    way.fill(page.locator("[name=email]"), EMAIL)
    way.press(page.locator("[formaction='/create-account']"))
    way.at("/create-account")
    expect(page.locator("[name=email]")).to_have_value(EMAIL)
    way.fill(page.locator("[name=organization_name]"), "Ada Dental")
    way.press(page.locator("[name=check][value=organization_name]"))
    way.sees(page.locator("[data-availability=organization_name] .availability[data-state=free]"))
    way.choose(page.locator("[name=country_code]"), "DE")
    way.choose(page.locator("[name=server_location]"), "EU")
    way.fill(page.locator("main [name=name]"), "Ada Park")
    way.press(page.locator("[name=check][value=email]"))
    way.sees(page.locator("[data-availability=email] .availability[data-state=free]"))
    for name in ("password", "confirm_password"):
        way.fill(page.locator(f"[name={name}]"), FIRST)
    for name in ("terms", "privacy"):
        way.tick(page.locator(f"[name={name}]"))
    submit(way)
    way.at("/login", reason="created")
    told(way)
    (body,) = sent(console, "POST", "signUpWithOrganization$")
    assert (body["email"], body["organization"]["serverLocation"]) == (EMAIL, "EU")

    expect(page.locator("[name=email]")).to_have_value(EMAIL)
    way.fill(page.locator("[name=password]"), FIRST)
    submit(way)
    way.at(CLINICS)

    page.context.clear_cookies(name="auth")
    way.go("/login")
    way.fill(page.locator("[name=email]"), EMAIL)
    way.press(page.locator("[formaction='/confirm-password']"))
    way.at("/confirm-password")
    submit(way)
    way.at("/confirm-password", sent="1")
    told(way, "info")
    link = urlsplit(next(mail["link"] for mail in console.sandbox.mails() if mail["to"] == EMAIL))
    way.go(f"{link.path}?{link.query}")
    for name in ("new_password", "confirm_password"):
        way.fill(page.locator(f"[name={name}]"), SECOND)
    submit(way)
    way.at("/login", reason="reset")
    told(way)
    way.fill(page.locator("[name=email]"), EMAIL)
    way.fill(page.locator("[name=password]"), SECOND)
    submit(way)
    way.at(CLINICS)

    page.context.clear_cookies(name="auth")
    way.go(f"{link.path}?{link.query}")
    for name in ("new_password", "confirm_password"):
        way.fill(page.locator(f"[name={name}]"), FIRST)
    submit(way)
    told(way, "danger")
    way.press(page.locator("main a[data-primary]"))
    way.at("/confirm-password")


@pytest.mark.req("VA-12", "VA-14", "VA-09", "VA-37")
def test_while_one_types_the_page_checks_what_must_be_free_and_ticks_off_the_rules(open_browser, console):
    forget_attempts(console)
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
    expect(page.locator("[data-rules-status=id_password]")).to_have_text("Rules kept: 6 of 6")
    page.locator("[name=email]").press_sequentially("x")
    expect(status).to_have_text("")
    page.locator("[name=organization_name]").focus()
    expect(status).to_have_text("This email is available")
    assert sent(console, "POST", "signUpWithOrganization$") == []


@pytest.mark.req("RT-29")
@pytest.mark.parametrize("scripts", [True, False])
def test_terms_open_beside_a_form_that_is_half_filled(open_browser, console, scripts):
    page = open_browser(logged_in=False, java_script_enabled=scripts)
    page.goto("/create-account")
    page.locator("[name=organization_name]").fill("Ada Dental")
    for link in (page.locator(".agreements a[href='/terms']"), page.locator(".footer a[href='/privacy']")):
        with page.expect_popup() as opened:
            link.click()
        expect(opened.value.locator("h1")).to_be_visible()
        opened.value.close()
    expect(page.locator("[name=organization_name]")).to_have_value("Ada Dental")
