"""The problems that browsers report while a test uses them: a user never sees them, but they fail the test."""

from collections import Counter

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

_REPORT = """
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
    console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`));
  new ReportingObserver((reports) => reports.forEach(({ type, body }) => console.error(`${type}: ${body.message}`)),
    { types: ["deprecation", "intervention"], buffered: true }).observe();
"""
_NEVER_ALLOWED = ("policy:", "deprecation:", "intervention:")
_ABOUT_SPEED = "was preloaded using link preload but not used within"
"""A script took more than three seconds to start: a warning about the machine, and not about the page."""


class PageProblems:
    """Uncaught errors, logged errors and warnings, breaches of the policy, and requests to other hosts."""

    def __init__(self) -> None:
        self._problems: list[str] = []
        self._logged: list[tuple[str, str]] = []
        """Messages of the console, each with the address that it is about."""
        self._failed_pages: Counter[str] = Counter()
        """Pages of an address with an error status that isn't in a message yet."""
        self._allowed = [_ABOUT_SPEED]

    def allow(self, *texts: str) -> None:
        """Ignore logged messages with these texts, which the test provokes, such as `status of 502`."""
        self._allowed += texts

    def take(self) -> list[str]:
        """Return the problems so far, and forget them."""
        logged = [text for text, url in self._logged if not self._is_expected(text, url)]
        problems = self._problems + logged
        self._problems, self._logged = [], []
        return problems

    def watch(self, context: BrowserContext, origin: str) -> None:
        """Listen to all pages of a browser context, which may ask only this origin."""

        def read_message(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self._logged.append((message.text, message.location["url"]))

        def read_error(error: WebError) -> None:
            self._problems.append(f"uncaught: {error.error}")

        def check_host(request: Request) -> None:
            if not request.url.startswith(origin + "/"):
                self._problems.append(f"request to {request.url}")

        def count_failed_page(response: Response) -> None:
            if response.request.is_navigation_request() and response.status >= 400:
                self._failed_pages[response.url] += 1

        context.on("console", read_message)
        context.on("weberror", read_error)
        context.on("request", check_host)
        context.on("response", count_failed_page)
        context.add_init_script(_REPORT)

    def _is_expected(self, text: str, url: str) -> bool:
        if text.startswith(_NEVER_ALLOWED):
            return False
        # To a browser, a page with status 404 is a failed resource. A script may request the same address later.
        if text.startswith("Failed to load resource") and self._failed_pages[url]:
            self._failed_pages[url] -= 1
            return True
        return any(part in text for part in self._allowed)
