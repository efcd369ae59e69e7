"""Every screen in every language and in the pseudo-locale, on three widths: nothing is cut off or stays English."""

from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from console.i18n.languages import TABLE
from e2e import chromium, pseudo
from e2e.looks import broken, english_left
from e2e.pages import SCREENS, walk
from e2e.running import Console
from e2e.soak.system import Report, system

WIDTHS = (360, 390, 1280)
STILL: dict[str, Any] = {"bypass_csp": True, "reduced_motion": "reduce"}


def run(count: int) -> Report:
    """Look at the first `count` screens."""
    report = Report()
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        stack.callback(browser.close)
        console = stack.enter_context(system())
        for language in TABLE:
            look(report, console, browser, language.tag, count)
        pseudo.publish(console.data_dir / "locale")
        look(report, console, browser, pseudo.TAG, count, is_pseudo=True)
    return report


def look(report: Report, console: Console, browser: Browser, tag: str, count: int, *, is_pseudo: bool = False) -> None:
    """Look at the first screens in one language."""
    contexts: list[BrowserContext] = []

    def open_browser(*, logged_in: bool, **options: Any) -> Page:
        context = browser.new_context(base_url=console.url, locale=tag, **options)
        contexts.append(context)
        if logged_in:
            # A login of its own: hours later, the tokens that others shared have been refreshed.
            context.add_cookies([{"name": "auth", "value": console.log_in(), "url": console.url}])
        return context.new_page()

    name = "pseudo" if is_pseudo else tag
    for screen, page in walk(SCREENS[:count], console, open_browser, **STILL):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            report.wrong += [f"{name}, {screen}, {width} px: {text}" for text in broken(page)]
            report.counts["pages"] += 1
        texts = pseudo.unmarked(page) if is_pseudo else english_left(page, tag)
        report.wrong += [f"{name}, {screen}: {text}" for text in texts]
    for context in contexts:
        context.close()
