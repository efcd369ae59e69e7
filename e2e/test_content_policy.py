"""The content policy is never broken, nothing is asked of another host, and no script complains, whatever one does."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from e2e.pages import BY_NAME, CLINIC_PERMISSIONS, CLINICS, PLACES, USERS, go, phone, raise_toasts, ready

LANGUAGES = pytest.mark.parametrize("language", ["en-US", "ar-EG"])


@pytest.fixture
def watched(open_browser, console) -> Callable[..., tuple[Page, list[str]]]:
    """Open a browser that writes down what nobody should ever see."""

    def open_one(**options) -> tuple[Page, list[str]]:
        page = open_browser(**options)
        heard: list[str] = []

        def listen(message: ConsoleMessage) -> None:
            # A page that says 404 is "a failed resource" of itself.
            is_page = message.text.startswith("Failed to load resource") and message.location["url"] == page.url
            if message.type in ("error", "warning") and not is_page:
                heard.append(message.text)

        page.on("console", listen)
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith(console.url + "/") else heard.append(f"asked {r.url}"))
        page.add_init_script(
            """addEventListener("securitypolicyviolation", (event) =>
                 console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"""
        )
        return page, heard

    return open_one


@LANGUAGES
def test_the_pages(watched, console, language):
    heard: dict[str, list[str]] = {}
    for logged_in in (False, True):
        page, said = watched(logged_in=logged_in, locale=language)
        for place in [place for place in PLACES if place.logged_in is logged_in]:
            go(page, place, console)
            heard[place.name] = said[:]
            said.clear()
    assert {name: what for name, what in heard.items() if what} == {}
    assert len(heard) == len(PLACES)


@LANGUAGES
def test_what_one_does_on_them(watched, console, language):
    page, said = watched(locale=language)
    page.goto(USERS)
    ready(page)
    page.get_by_role("searchbox").press_sequentially("hana")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("searchbox").press_sequentially("zzz")
    page.locator(".empty a.button").click()
    expect(page.locator("tbody tr")).to_have_count(25)
    page.locator("select[name=user_type]").select_option("DOCTOR")
    page.locator(".chips a").click()
    page.locator("a[rel=next]").click()
    expect(page.locator("tbody tr")).to_have_count(15)
    console.sandbox.faults({"path": "/v1/bizUsers$", "status": 500, "times": -1})
    page.locator("thead a").first.click()
    expect(page.locator(".failed")).to_be_visible()
    console.sandbox.no_faults()
    page.locator(".failed button").click()
    expect(page.locator(".failed")).to_have_count(0)

    page.goto(CLINIC_PERMISSIONS)
    ready(page)
    page.get_by_role("switch").first.click()
    expect(page.locator(".toast")).to_have_count(1)
    raise_toasts(page, 4, tone="danger")
    page.locator(".toast button").last.click()
    expect(page.locator(".toast")).to_have_count(4)
    page.keyboard.press("Escape")

    for _ in range(3):
        page.locator("[data-theme-switch]").click()
    phone(page)
    page.locator("[popovertarget=navigation]").first.click()
    page.locator("#navigation li a").first.click()
    expect(page).to_have_url(re.compile(f"{CLINICS}$"))

    page.locator("[popovertarget=account-menu]").click()
    page.locator("#account-menu button").click()
    page.locator("[data-password-eye]").click()
    page.locator("[name=password]").press("Enter")
    expect(page.locator(".error-summary")).to_be_focused()
    page.locator("[popovertarget=language-menu]").click()
    page.locator("[hreflang=ko-KR]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ko-KR")
    assert [what for what in said if "status of 502" not in what] == []  # the list that could not be read


@pytest.mark.req("ER-33")
def test_a_request_id_is_copied(watched, console):
    page, said = watched()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go(page, BY_NAME["clinics, fault"], console)
    page.get_by_role("button", name="Copy the request id").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied == page.locator(".request-id code").text_content()
    assert said == []


def test_the_policy_does_stop_what_it_must(watched, console):
    """The tests above mean something only if the policy is at work, and heard of when it is broken."""
    page, said = watched()
    page.goto(CLINICS)
    for trick in (
        "document.body.innerHTML = '<b>x</b>'",
        "document.body.setAttribute('style', 'color: red')",
        "document.body.append(Object.assign(document.createElement('img'), { src: '//elsewhere.example/x' }))",
        "fetch('https://elsewhere.example/').catch(() => {})",
    ):
        said.clear()
        with page.expect_console_message(lambda message: message.text.startswith("policy:")):
            page.evaluate(f"() => {{ try {{ {trick} }} catch {{ }} }}")
        assert said, trick
    assert urlsplit(page.url).path == CLINICS
