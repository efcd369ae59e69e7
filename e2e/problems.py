"""The problems that browsers report while a test uses them, which a user never sees but which fail the test."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Request

RESOURCE = "Failed to load resource"
_REPORT = """
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
    console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`));
  new ReportingObserver((reports) => reports.forEach(({ type, body }) => console.error(`${type}: ${body.message}`)),
    { types: ["deprecation", "intervention"], buffered: true }).observe();
"""


class PageProblems:
    """Errors and warnings of scripts and of the browser, breaches of the policy, and requests to other hosts."""

    def __init__(self) -> None:
        self._messages: list[tuple[str, str]] = []
        """Texts, each with the address of what could not be loaded."""
        self._pages: set[str] = set()
        self._allowed: list[str] = []

    def allow(self, *texts: str) -> None:
        """Ignore answers that the test provokes, such as `status of 502`; nothing else can be ignored."""
        self._allowed += texts

    def take(self) -> list[str]:
        """Return the problems so far, and forget them."""
        problems = [text for text, url in self._messages if not self._is_expected(text, url)]
        self._messages.clear()
        return problems

    def watch(self, context: BrowserContext, origin: str) -> None:
        """Listen to all pages of a browser context that may ask only this origin."""

        def read_message(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self._messages.append((message.text, message.location["url"]))

        def check_host(request: Request) -> None:
            if request.is_navigation_request():
                self._pages.add(request.url)
            if not request.url.startswith(origin + "/"):
                self._messages.append((f"request to {request.url}", ""))

        context.on("console", read_message)
        context.on("weberror", lambda error: self._messages.append((str(error.error), "")))
        context.on("request", check_host)
        context.add_init_script(_REPORT)

    def _is_expected(self, text: str, url: str) -> bool:
        # To a browser, a page with status 404 is a failed resource.
        return text.startswith(RESOURCE) and (url in self._pages or any(part in text for part in self._allowed))
