"""The log of the process: one JSON object per line, without tokens, emails and query strings."""

import json
import logging
import re
from collections.abc import ItemsView
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.views.debug import SafeExceptionReporterFilter

# Each takes time in proportion to the text: a token is masked with all that follows it, and an address is only looked
# for where a word starts.
SECRETS = re.compile(r"(?i:bearer)\s+[^\s\"']+|eyJ[\w.-]+|gAAAA[\w-]+")
EMAILS = re.compile(r"(?<![^\s@\"'<>=&])[^\s@\"'<>=&]+(?:[@＠﹫]|%40|(?i:%ef%bc%a0))[^\s@\"'<>&]+")
QUERIES = re.compile(r"\?[^\s\"']*")
FIELDS = (
    "request_id",
    "grant",
    "route",
    "method",
    "status",
    "refused",
    "failed",
    "ms",
    "upstream_calls",
    "upstream_ms",
    "audit",
)
MAX_LINE_LENGTH = 2000
MAX_LINES = 200
"""Maximum lines of an exception; the last ones are kept, because they name the error."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The ID of the current request, which each log line includes."""


def clean(text: str) -> str:
    """Mask secrets, emails and queries, in the last lines of a text and the beginning of each."""
    text = "\n".join(map(_start, text.splitlines()[-MAX_LINES:]))
    return QUERIES.sub("?…", EMAILS.sub("[e-mail]", SECRETS.sub("[secret]", text)))


def _without_path(record: logging.LogRecord) -> str:
    """Return the message with the route instead of the path, in which anonymous users may send anything."""
    message, request = record.getMessage(), getattr(record, "request", None)
    if path := getattr(request, "path", ""):
        match = getattr(request, "resolver_match", None)
        for spelling in (path, path.encode("unicode_escape").decode("ascii")):
            message = message.replace(spelling, match.view_name if match else "an unknown path")
    return message


def _start(line: str) -> str:
    """Cut a line between two words, because half a token or address would not be recognized."""
    return line if len(line) <= MAX_LINE_LENGTH else line[:MAX_LINE_LENGTH].rpartition(" ")[0] + " …"


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": clean(_without_path(record)),
        }
        line |= {"request_id": id} if (id := request_id.get()) else {}
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["exception"] = clean(self.formatException(record.exc_info))
        return json.dumps(line, default=str)


class WithoutContent(logging.Filter):
    """Remove quotes of a request from gunicorn's lines: a bad request may contain anything, others their query."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        record.msg = "Invalid request" if text.startswith("Invalid request") else QUERIES.sub("?…", text)
        record.args = ()
        return True


def is_unexpected(record: logging.LogRecord) -> bool:
    """Return True if Django's line about a 5xx adds to the line of the request, which has no traceback.

    A 503 is intended, and while the database is down, each request would add the same traceback.
    """
    return bool(record.exc_info) and getattr(record, "status_code", 500) != 503


class SafeReporterFilter(SafeExceptionReporterFilter):
    """Keep a request's body and the variables of frames out of error reports: they may contain secrets."""

    def is_active(self, request: Any) -> bool:
        return True

    def get_post_parameters(self, request: Any) -> dict[str, Any]:
        return {}

    def get_traceback_frame_variables(self, request: Any, tb_frame: Any) -> ItemsView[str, Any]:
        return {}.items()
