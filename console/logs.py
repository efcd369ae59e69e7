"""What the process writes: one JSON object a line, without tokens, e-mails and query strings."""

import json
import logging
import re
from collections.abc import ItemsView
from datetime import UTC, datetime
from typing import Any

from django.views.debug import SafeExceptionReporterFilter

SECRETS = re.compile(r"(?i)bearer\s+[^\s\"']+|eyJ[\w-]+\.[\w.-]+|gAAAA[\w-]+")
EMAILS = re.compile(r"[^\s@\"'<>=&]+(?:@|%40)[^\s@\"'<>&]+")
QUERIES = re.compile(r"\?[^\s\"']*")
FIELDS = ("request_id", "grant", "route", "method", "status", "ms", "upstream_calls", "upstream_ms", "endpoint")


def clean(text: str) -> str:
    """Mask what must not be in a log."""
    return QUERIES.sub("?…", EMAILS.sub("[e-mail]", SECRETS.sub("[secret]", text)))


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": clean(record.getMessage()),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["exception"] = clean(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


class SafeReporterFilter(SafeExceptionReporterFilter):
    """Nothing of a request's body and no variable of a frame reaches an error report: any of them may be a secret."""

    def is_active(self, request: Any) -> bool:
        return True

    def get_post_parameters(self, request: Any) -> dict[str, Any]:
        return {}

    def get_traceback_frame_variables(self, request: Any, tb_frame: Any) -> ItemsView[str, Any]:
        return {}.items()
