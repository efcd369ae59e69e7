"""The language of a page in a real browser: query, cookie, storage, browser, default; at most one reload."""

from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from console.i18n.languages import TABLE

pytestmark = pytest.mark.slow

PAGE = "/login"


class Visitor:
    """A fresh browser that counts how often it loads a page."""

    def __init__(self, context: BrowserContext, url: str, *, scripts: bool) -> None:
        self.context = context
        self.settled: Literal["networkidle", "load"] = "networkidle" if scripts else "load"
        self.url = url
        context.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # requested by pages without a head
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.loads = 0
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._count)

    def _count(self, request) -> None:
        self.loads += request.resource_type == "document"

    def cookie(self, name: str) -> str | None:
        found = {cookie["name"]: cookie["value"] for cookie in self.context.cookies(self.url)}
        return found.get(name)

    def has_cookie(self, tag: str) -> None:
        self.context.add_cookies([{"name": "i18next", "value": tag, "url": self.url}])

    def has_stored(self, tag: str, *, local: bool = True) -> None:
        """Store a language, on a page of the console that runs no scripts."""
        self.page.goto(f"{self.url}/healthz")
        storage = "localStorage" if local else "sessionStorage"
        self.page.evaluate(f"tag => {storage}.setItem('i18nextLng', tag)", tag)

    def opens(self, path: str = PAGE) -> str:
        """Open a page, wait until nothing is loading, and return its language."""
        self.loads = 0
        self.page.goto(self.url + path, wait_until=self.settled)
        return self.language()

    def language(self) -> str:
        return str(self.page.locator("html").get_attribute("lang"))

    def stored(self) -> str | None:
        value: str | None = self.page.evaluate("() => localStorage.getItem('i18nextLng')")
        return value


@pytest.fixture
def visitor(browser: Browser, console) -> Iterator[Callable[..., Visitor]]:
    """Make visitors, each in a browser context of its own with this browser language."""
    contexts: list[BrowserContext] = []

    def make(locale: str = "en-US", *, scripts: bool = True, **options) -> Visitor:
        contexts.append(browser.new_context(locale=locale, java_script_enabled=scripts, **options))
        return Visitor(contexts[-1], console.url, scripts=scripts)

    yield make
    for context in contexts:
        context.close()


@pytest.mark.req("LN-22", "LN-28")
def test_the_query_beats_all(visitor):
    someone = visitor("de-DE")
    someone.has_cookie("fr-FR")
    someone.has_stored("ko-KR")

    assert someone.opens(f"{PAGE}?lng=ja-JP") == "ja-JP"
    assert (someone.loads, someone.stored(), someone.errors) == (1, "ja-JP", [])


@pytest.mark.req("LN-23", "LN-28")
def test_the_cookie_beats_the_storages(visitor):
    someone = visitor("de-DE")
    someone.has_cookie("fr-FR")
    someone.has_stored("ko-KR")

    assert someone.opens() == "fr-FR"
    assert (someone.loads, someone.stored(), someone.errors) == (1, "fr-FR", [])


@pytest.mark.req("LN-24", "LN-30")
def test_local_storage_beats_session_storage_with_one_reload(visitor):
    someone = visitor("de-DE")
    someone.has_stored("it-IT", local=False)
    someone.has_stored("ko-KR")

    assert someone.opens() == "ko-KR"
    assert (someone.loads, someone.stored(), someone.errors) == (2, "ko-KR", [])

    assert someone.opens() == "ko-KR"
    assert someone.loads == 1


@pytest.mark.req("LN-25", "LN-30")
def test_session_storage_beats_the_browser(visitor):
    someone = visitor("de-DE")
    someone.has_stored("it-IT", local=False)

    assert someone.opens() == "it-IT"
    assert (someone.loads, someone.stored(), someone.errors) == (2, "it-IT", [])


@pytest.mark.req("LN-26", "LN-27", "LN-28", "LN-31")
@pytest.mark.parametrize(("locale", "tag"), [("de-AT", "de-DE"), ("zh-HK", "zh-TW"), ("is-IS", "en-US")])
def test_the_browser_decides_or_the_page_as_it_is(visitor, locale, tag):
    someone = visitor(locale)

    assert someone.opens() == tag
    assert (someone.loads, someone.stored(), someone.errors) == (1, tag, [])


@pytest.mark.req("LN-31")
def test_languages_that_are_not_ours_are_passed_over_and_forgotten(visitor):
    someone = visitor("vi-VN")
    someone.has_cookie("xx")
    someone.has_stored("yy-YY")

    assert someone.opens(f"{PAGE}?lng=zz") == "vi-VN"
    assert (someone.loads, someone.stored(), someone.errors) == (2, "vi-VN", [])


@pytest.mark.req("LN-24", "LN-25", "LN-31")
def test_a_language_that_is_not_ours_in_local_storage_hides_none_in_session_storage(visitor):
    someone = visitor("de-DE")
    someone.has_stored("it-IT-u-nu-latn", local=False)
    someone.has_stored("xx-XX")

    assert someone.opens() == "it-IT"
    assert (someone.loads, someone.stored(), someone.errors) == (2, "it-IT", [])

    assert someone.opens() == "it-IT"
    assert someone.loads == 1


@pytest.mark.req("LN-31")
def test_a_hostile_language_is_ignored(visitor):
    someone = visitor("en-US")

    assert someone.opens(f"{PAGE}?lng=%22%3E%3Cscript%3Ealert(1)%3C/script%3E") == "en-US"
    assert (someone.loads, someone.errors) == (1, [])


def test_an_address_with_a_fragment_is_loaded_again_too(visitor):
    someone = visitor("en-US")
    someone.has_stored("ar-EG")

    assert someone.opens(f"{PAGE}#main") == "ar-EG"
    assert (someone.loads, someone.page.locator("html").get_attribute("dir")) == (2, "rtl")
    assert someone.page.url.endswith("#main")


@pytest.mark.req("LN-30", "LN-34")
def test_without_scripts_a_choice_in_the_menu_is_kept(visitor):
    someone = visitor("en-US", scripts=False)
    someone.opens(f"{PAGE}?next=%2Fuser-manage")

    href = someone.page.locator('a[lang="th-TH"]').first.get_attribute("href")
    chosen = urljoin(someone.page.url, href)

    assert chosen == f"{someone.url}{PAGE}?next=%2Fuser-manage&lng=th-TH"
    assert someone.opens(chosen.removeprefix(someone.url)) == "th-TH"
    assert someone.opens() == "th-TH"


@pytest.mark.req("LN-31")
def test_a_stored_language_is_understood_however_it_is_spelt(visitor):
    someone = visitor("de-DE")
    someone.has_stored("pt-br")

    assert someone.opens() == "pt-BR"
    assert (someone.loads, someone.stored()) == (2, "pt-BR")


def test_a_choice_survives_the_next_page_though_a_cookie_says_otherwise(visitor):
    someone = visitor("en-US")
    someone.has_cookie("de-DE")

    someone.opens(f"{PAGE}?lng=cs-CZ")

    assert someone.opens() == "cs-CZ"


def test_a_change_of_local_storage_counts_at_the_next_page(visitor):
    someone = visitor("en-US")
    someone.opens()
    someone.page.evaluate("() => localStorage.setItem('i18nextLng', 'ru-RU')")

    assert someone.opens() == "ru-RU"
    assert someone.loads == 2


def test_a_cookie_keeps_the_script_of_its_language(visitor):
    someone = visitor("en-US")
    someone.has_cookie("zh-TW")

    assert someone.opens() == "zh-TW"


@pytest.mark.req("LN-30")
def test_blocked_cookies_lead_to_no_loop(visitor):
    someone = visitor("en-US")
    someone.context.add_init_script("Object.defineProperty(document, 'cookie', { get: () => '', set: () => {} })")
    someone.has_stored("ko-KR")

    assert someone.opens() == "en-US"
    assert someone.loads == 1


def test_the_answer_to_a_form_is_not_loaded_again(visitor):
    someone = visitor("en-US")
    someone.opens()
    someone.page.evaluate("() => localStorage.setItem('i18nextLng', 'ko-KR')")
    someone.loads = 0

    with someone.page.expect_navigation(wait_until="networkidle"):
        someone.page.evaluate("() => HTMLFormElement.prototype.submit.call(document.querySelector('main form'))")

    assert (someone.language(), someone.loads) == ("en-US", 1)


def test_the_browsers_time_zone_is_told(visitor):
    someone = visitor("en-US", timezone_id="Asia/Seoul")

    someone.opens()

    assert someone.cookie("tz") == "Asia/Seoul"


@pytest.mark.req(
    "LN-01",
    "LN-02",
    "LN-03",
    "LN-04",
    "LN-05",
    "LN-06",
    "LN-07",
    "LN-08",
    "LN-09",
    "LN-10",
    "LN-11",
    "LN-12",
    "LN-13",
    "LN-14",
    "LN-15",
    "LN-16",
    "LN-17",
    "LN-18",
    "LN-19",
    "LN-20",
    "LN-21",
)
@pytest.mark.parametrize("language", TABLE, ids=lambda language: language.tag)
def test_each_language_can_be_asked_for(visitor, language):
    someone = visitor("en-US", scripts=False)

    assert someone.opens(f"{PAGE}?lng={language.tag}") == language.tag

    current = someone.page.locator("nav.language-menu a[aria-current=true]")
    assert current.first.text_content() == language.name
    assert current.first.get_attribute("lang") == language.tag
    direction = "rtl" if language.tag == "ar-EG" else "ltr"
    assert someone.page.locator("html").get_attribute("dir") == direction
