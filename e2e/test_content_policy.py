"""No page breaks the content policy, asks another host for anything, logs a complaint of a script, or has what an audit
of a browser would tell."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from e2e import audit
from e2e.pages import BY_NAME, CLINIC_PERMISSIONS, CLINICS, SCREENS, USERS, go, phone, raise_toasts, ready, walk
from e2e.tiers import alternating, named, parts

LANGUAGES = ["en-US", "ar-EG"]


@pytest.fixture
def said() -> list[str]:
    """What watched browsers complained about so far."""
    return []


@pytest.fixture
def watched(open_browser, console, said) -> Callable[..., Page]:
    """Open a browser that writes down what nobody should ever see."""

    def open_one(**options: Any) -> Page:
        page: Page = open_browser(**options)

        def listen(message: ConsoleMessage) -> None:
            # To the browser, a page with status 404 is a "failed resource".
            is_page = message.text.startswith("Failed to load resource") and message.location["url"] == page.url
            if message.type in ("error", "warning") and not is_page:
                said.append(message.text)

        page.on("console", listen)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda r: None if r.url.startswith(console.url + "/") else said.append(f"asked {r.url}"))
        page.add_init_script(
            """addEventListener("securitypolicyviolation", (event) =>
                 console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"""
        )
        audit.watch(page)
        return page

    return open_one


@pytest.mark.req("AX-01", "AX-05", "AX-14", "DM-25", "DM-26")
@pytest.mark.parametrize(("screens", "language"), alternating(parts(SCREENS, len(LANGUAGES)), LANGUAGES), ids=named)
def test_the_screens(watched, said, console, screens, language):
    heard: dict[str, list[str]] = {}
    for screen, page in walk(screens, console, watched, locale=language):
        faults = audit.faults(page)
        heard[screen.name] = said + faults
        said.clear()
    assert {name: what for name, what in heard.items() if what} == {}
    assert len(heard) == len(screens)


@pytest.mark.parametrize("language", ["en-US", pytest.param("ar-EG", marks=pytest.mark.slow)])
def test_what_one_does_on_them(watched, said, console, language):
    page = watched(locale=language)
    page.goto(USERS)
    ready(page)
    page.get_by_role("searchbox").press_sequentially("hana")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("searchbox").press_sequentially("zzz")
    page.locator(".empty a.button").click()
    expect(page.locator("tbody tr")).to_have_count(25)
    page.locator(".filters-button").click()
    page.locator("[name=user_type][value=DOCTOR]").check()
    page.keyboard.press("Escape")
    page.locator(".chips a").click()
    page.locator("a[rel=next]").click()
    expect(page.locator("tbody tr")).to_have_count(15)
    console.sandbox.faults({"path": "/v1/bizUsers$", "status": 500, "times": -1})
    page.locator("thead a").first.click()
    expect(page.locator(".failed")).to_be_visible()
    console.sandbox.no_faults()
    page.locator(".failed button").last.click()
    expect(page.locator(".failed")).to_have_count(0)

    page.goto(CLINIC_PERMISSIONS)
    ready(page)
    page.get_by_role("switch").first.click()
    expect(page.get_by_role("status").get_by_text("Seoul Central Dental")).to_be_visible()
    raise_toasts(page, 5, tone="danger")
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
    page.locator("#language-menu [lang=ko-KR]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ko-KR")
    assert [what for what in said if "status of 502" not in what] == []  # the list that failed to load


@pytest.mark.req("ER-33")
def test_what_support_asks_for_is_copied(watched, said, console):
    page = watched()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go(page, BY_NAME["clinics, fault"], console)
    page.get_by_role("button", name="Copy details").click()
    expect(page.locator(".toast")).to_have_text("Copied")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert f"request_id: {page.locator('.request-id code').text_content()}\n" in copied
    assert "page: /user-manage/clinic\n" in copied
    assert copied.endswith("\nlanguage: en-US")
    assert said == []


def test_the_policy_does_stop_what_it_must(watched, said, console):
    """The tests above prove something only if the policy is enforced, and a breach of it is heard of."""
    page = watched()
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
