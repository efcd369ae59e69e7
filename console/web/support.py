"""Details that users send to support with a question about an error; a button copies them from the page."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

import console
from console.sessions.browsers import browser_and_version


@dataclass(frozen=True)
class SupportDetails:
    """The ID of a request, and all details that support asks for first.

    The lines have the names of the log's fields, in every language. They contain no personal data: the page is the
    pattern of its path, without IDs and without its query.
    """

    request: HttpRequest

    @property
    def request_id(self) -> str:
        return str(getattr(self.request, "request_id", ""))

    @property
    def text(self) -> str:
        match = self.request.resolver_match
        build = f" ({settings.BUILD_COMMIT})" if settings.BUILD_COMMIT else ""
        browser = browser_and_version(self.request.headers.get("User-Agent", ""))
        lines = {
            "page": f"/{match.route}" if match else "",
            "version": f"{console.__version__}{build}",
            "request_id": self.request_id,
            "browser": browser,
            "language": getattr(self.request, "lng", ""),
        }
        return "\n".join(f"{name}: {value or '-'}" for name, value in lines.items())
