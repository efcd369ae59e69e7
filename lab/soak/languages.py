"""Every screen in every language and in the pseudo-locale, light and dark, at three widths.

axe finds nothing, nothing is cut off or too small to be hit, and no text stays English.
"""

from contextlib import ExitStack
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from console.i18n.languages import TABLE
from lab.soak.system import Report, system
from tests.e2e import axe, browsers, pseudo
from tests.e2e.pages import SCREENS, walk
from tests.e2e.rendering import broken, resize, small_targets, untranslated_texts
from tests.e2e.running import Console

WIDTHS = (360, 390, 1280)
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def run(count: int) -> Report:
    """Look at the first `count` screens."""
    report = Report()
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browsers.find(), args=browsers.ARGUMENTS)
        stack.callback(browser.close)
        console = stack.enter_context(system())
        for theme in THEMES:
            for language in TABLE:
                check_pages(report, console, browser, language.tag, count, theme)
            with pseudo.published(console.data_dir / "locale"):
                check_pages(report, console, browser, pseudo.TAG, count, theme, is_pseudo=True)
    return report


def check_pages(
    report: Report,
    console: Console,
    browser: Browser,
    tag: str,
    count: int,
    theme: Theme = "light",
    *,
    is_pseudo: bool = False,
) -> None:
    """Look at the first screens in one language and theme."""
    contexts: list[BrowserContext] = []

    def open_browser(*, logged_in: bool, **options: Any) -> Page:
        context = browser.new_context(base_url=console.url, locale=tag, **options)
        contexts.append(context)
        if logged_in:
            # A login of its own: hours later, the tokens that others shared have been refreshed.
            context.add_cookies([{"name": "auth", "value": console.log_in(), "url": console.url}])
        return context.new_page()

    name = f"{'pseudo' if is_pseudo else tag}, {theme}"
    for screen, page in walk(SCREENS[:count], console, open_browser, color_scheme=theme, reduced_motion="reduce"):
        for width in WIDTHS:
            resize(page, width)
            faults = broken(page) + small_targets(page) + axe.violations(page)
            report.wrong += [f"{name}, {screen}, {width} px: {text}" for text in faults]
            report.counts["pages"] += 1
        texts = pseudo.unmarked(page) if is_pseudo else untranslated_texts(page, tag)
        report.wrong += [f"{name}, {screen}: {text}" for text in texts]
    for context in contexts:
        context.close()
