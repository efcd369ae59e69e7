"""A session that ends while a page is open: the message to the user, and the return to the same page."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e import browsers
from tests.e2e.http_client import end_access
from tests.e2e.pages import CLINICS, USERS, ready
from tests.e2e.running import EMAIL, PASSWORD, Console, database

pytestmark = pytest.mark.slow

FILTERED_LIST = f"{USERS}?status=ACTIVE&size=10&page=2"


def end(console: Console) -> None:
    """End all logins in the console, as an operator or a cleanup does."""
    database(console, 'DELETE FROM "grant"')


def log_in(form: Locator) -> None:
    form.get_by_label("Email").fill(EMAIL)
    form.get_by_label("Password", exact=True).fill(PASSWORD)
    form.get_by_role("button", name="Log in").click()


@pytest.mark.req("ER-09", "ER-10", "RT-32", "RT-33", "ST-17")
def test_a_page_leads_to_the_login_and_back(open_browser, console):
    page = open_browser()
    page.goto(CLINICS)
    end(console)
    page.goto(FILTERED_LIST)
    expect(page).to_have_url(re.compile("/login\\?"))
    message = page.get_by_role("main").get_by_role("status").filter(has_text="Your session has expired")
    expect(message).to_contain_text("Log in again")
    log_in(page.get_by_role("main"))
    expect(page).to_have_url(console.url + FILTERED_LIST)
    expect(page.get_by_role("link", name="Remove the “Status: Active” filter")).to_be_visible()


@pytest.mark.req("ER-09", "ER-10", "ER-11", "RT-33")
@pytest.mark.provokes("status of 401")
def test_a_list_reads_on_after_a_login_over_the_page(open_browser, console):
    page = open_browser()
    page.goto(f"{USERS}?size=10")
    ready(page)
    end_access(console)
    console.sandbox.advance(60 * 24 * 3600)  # the service forgets the refresh token, too
    page.get_by_role("link", name="Next page").click()
    dialog = page.get_by_role("dialog", name="Your session has expired")
    expect(dialog).to_contain_text("Log in again")
    log_in(dialog)
    expect(page).to_have_url(re.compile(rf"{USERS}\?.*page=2"))
    expect(page.locator(".list-status")).to_have_text("11 to 20 of 40")


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/login$"))


@pytest.mark.req("ST-20", "ST-21", "ER-11")
@pytest.mark.provokes("status of 401")
def test_logging_out_in_one_tab_asks_to_log_in_again_in_the_others(open_browser):
    first = open_browser()
    first.goto(CLINICS)
    second, third, public = (first.context.new_page() for _ in range(3))
    second.goto(f"{CLINICS}/new")
    second.get_by_label("Name").fill("Half a clinic")
    third.goto(f"{USERS}?size=10")
    ready(third)
    public.goto("/maintenance")
    log_out(first)
    for page in (second, third):
        expect(page.get_by_role("dialog", name="Your session has expired")).to_be_visible()
    expect(public).to_have_url(re.compile("/maintenance$"))

    log_in(second.get_by_role("dialog"))
    expect(second.get_by_role("dialog")).to_have_count(0)
    expect(second.get_by_label("Name")).to_have_value("Half a clinic")
    second.get_by_label("Country", exact=True).select_option("KR")
    second.locator("[data-primary]").click()
    expect(second.get_by_text("was created.").first).to_be_visible()

    third.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the user comes back to this tab
    expect(third.get_by_role("dialog")).to_have_count(0)
    third.get_by_role("link", name="Next page").click()
    expect(third.locator(".list-status")).to_have_text("11 to 20 of 40")


@pytest.mark.req("ST-20", "ST-21")
@pytest.mark.provokes("status of 401")
def test_who_does_not_log_in_again_leaves_the_page_and_comes_back_to_it_later(open_browser):
    first = open_browser()
    first.goto(CLINICS)
    second = first.context.new_page()
    second.goto(FILTERED_LIST)
    log_out(first)
    second.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(second).to_have_url(re.compile(r"/login\?next="))
    expect(second.locator("table")).to_have_count(0)
    log_in(second.get_by_role("main"))
    expect(second).to_have_url(first.url.partition("/login")[0] + FILTERED_LIST)


@pytest.fixture
def remembering(browser: Browser, browser_type_launch_args, console: Console):
    """A page in a browser with a back/forward cache, which real browsers have and Playwright turns off."""
    path = browsers.find_whole()
    if not path:
        pytest.fail(browsers.MISSING, pytrace=False)
    options = {**browser_type_launch_args, "executable_path": path}
    caching_browser = browser.browser_type.launch(**options, ignore_default_args=["--disable-back-forward-cache"])
    context = caching_browser.new_context(base_url=console.url, locale="en-US")
    context.add_cookies([{"name": "auth", "value": console.log_in(), "url": console.url}])
    page = context.new_page()
    for name in ("one", "two"):
        page.route(f"**/{name}", lambda route: route.fulfill(body="<p>", content_type="text/html"))
        page.goto(f"/{name}")
        page.evaluate("window.kept = true")
    page.unroute_all()
    page.go_back(wait_until="commit")
    expect(page).to_have_url(re.compile("/one$"))
    assert page.evaluate("window.kept"), "this browser has no back/forward cache"
    yield page
    caching_browser.close()


@pytest.mark.req("ST-20", "RT-36")
def test_back_after_the_logout_shows_no_private_page(remembering):
    page = remembering
    page.goto(CLINICS)
    page.goto(USERS)
    ready(page)
    log_out(page)
    page.go_back(wait_until="commit")
    expect(page).to_have_url(re.compile("/login"))
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    expect(page.locator("table")).to_have_count(0)


@pytest.mark.req("RT-36")
def test_back_from_a_public_page_reads_a_private_one_again(remembering, console):
    page = remembering
    page.goto(CLINICS)
    page.goto("/version")
    console.sandbox.clear_calls()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clinics")
    assert len(console.sandbox.calls("/bizMainGroups$")) >= 1


def nearly_idle(console: Console) -> None:
    """Let twelve hours less four minutes pass without a request."""
    moved = "strftime('%Y-%m-%d %H:%M:%f', last_seen_at, '-716 minutes')"
    database(console, f'UPDATE "grant" SET last_seen_at = {moved}')  # noqa: S608 - no value from outside


@pytest.mark.req("AX-09", "AX-02")
def test_a_session_that_ends_soon_is_announced_and_extended_by_one_key(open_browser, console):
    page = open_browser()
    page.clock.install()
    page.goto(f"{CLINICS}/new")
    page.get_by_label("Name").fill("Half a clinic")
    nearly_idle(console)
    page.clock.fast_forward("11:56:00")
    dialog = page.get_by_role("dialog", name="Your session is about to end")
    expect(dialog).to_contain_text("You've been inactive")
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Stay logged in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_value("Half a clinic")
    ((used,),) = database(console, "SELECT MIN(julianday('now') - julianday(last_seen_at)) * 1440 FROM \"grant\"")
    assert used < 2  # minutes ago
