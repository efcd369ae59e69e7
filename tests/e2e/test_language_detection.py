"""The language of a page in a real browser: query, cookie and storage; at most one reload."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request

from tests.e2e.running import Console

pytestmark = pytest.mark.slow

PATH = "/login"


class Visitor:
    """A browser that counts how often it loads a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.loads = 0
        page.on("request", self._count)
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # requested by pages without a head

    def _count(self, request: Request) -> None:
        self.loads += request.resource_type == "document"

    def has_stored(self, tag: str, *, local: bool = True) -> None:
        """Store a language, on a page of the console that runs no scripts."""
        self.page.goto("/healthz")
        storage = "localStorage" if local else "sessionStorage"
        self.page.evaluate(f"tag => {storage}.setItem('i18nextLng', tag)", tag)

    def opens(self, path: str = PATH) -> str:
        """Open a page, wait until nothing is loading, and return its language."""
        self.loads = 0
        self.page.goto(path, wait_until="networkidle")
        return str(self.page.locator("html").get_attribute("lang"))

    def stored(self) -> str | None:
        value: str | None = self.page.evaluate("() => localStorage.getItem('i18nextLng')")
        return value


@pytest.fixture
def visitor(open_browser: Callable[..., Page], console: Console) -> Callable[..., Visitor]:
    """Make visitors, each in a browser context of its own with this browser language and cookie."""

    def make(locale: str, *, cookie: str = "") -> Visitor:
        page = open_browser(logged_in=False, locale=locale)
        if cookie:
            page.context.add_cookies([{"name": "i18next", "value": cookie, "url": console.url}])
        return Visitor(page)

    return make


@pytest.mark.req("LN-22", "LN-28")
def test_the_query_beats_all(visitor):
    browser = visitor("de-DE", cookie="fr-FR")
    browser.has_stored("ko-KR")
    assert browser.opens(f"{PATH}?lng=ja-JP") == "ja-JP"
    assert (browser.loads, browser.stored()) == (1, "ja-JP")


@pytest.mark.req("LN-23", "LN-28")
def test_the_cookie_beats_the_storages(visitor):
    browser = visitor("de-DE", cookie="fr-FR")
    browser.has_stored("ko-KR")
    assert browser.opens() == "fr-FR"
    assert (browser.loads, browser.stored()) == (1, "fr-FR")


@pytest.mark.req("LN-24", "LN-30")
def test_local_storage_beats_session_storage_with_one_reload(visitor):
    browser = visitor("de-DE")
    browser.has_stored("it-IT", local=False)
    browser.has_stored("ar-EG")
    assert browser.opens(f"{PATH}#main") == "ar-EG"
    assert (browser.loads, browser.stored()) == (2, "ar-EG")
    assert browser.page.url.endswith("#main")
    assert browser.page.locator("html").get_attribute("dir") == "rtl"

    assert browser.opens() == "ar-EG"
    assert browser.loads == 1


@pytest.mark.req("LN-30")
def test_blocked_cookies_lead_to_no_loop(visitor):
    browser = visitor("en-US")
    browser.page.add_init_script("Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })")
    browser.has_stored("ko-KR")
    assert browser.opens() == "en-US"
    assert browser.loads == 1
