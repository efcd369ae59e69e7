"""Which maintenance notice is in force: the operator's own file, else what the upstream service says."""

import logging
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import msgspec
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from console.i18n.languages import DEFAULT
from console.web.request import ConsoleRequest, get_login, transport
from upstream.client import Upstream
from upstream.errors import MaintenanceNotice, UpstreamError

logger = logging.getLogger(__name__)

POLL_INTERVAL_SECONDS = 30.0
"""Seconds between two questions of one process (contract, section 12)."""

NOTICE_TTL_SECONDS = 600.0
"""Seconds for which the notice of a refused call is believed at the longest."""

NOTICE_PERIOD = timedelta(hours=24)
"""A planned maintenance is told on all pages from then on."""
WAIT_TIMEOUT_SECONDS = 0.2
"""Seconds that a finished page waits for what is planned at most; it is told on the next page as well."""

NONE = MaintenanceNotice(active=False)
SIGN_UP, LOGIN = "SIGN_UP", "LOGIN"
NOTICE_KEY = "maintenance"
"""Where a session keeps the notice that came with a refused call."""
RETURN_KEY = "maintenance_left"
"""Where it keeps the page to go back to."""


class _Cache:
    """The last answers of this process: of the service by time, of the file by its modification."""

    last_poll = float("-inf")
    notice: MaintenanceNotice | None = None
    file_stamp = 0
    file_notice: MaintenanceNotice | None = None


class ReceivedNotice(msgspec.Struct, frozen=True, array_like=True):
    """A notice that came with a refused call, and when (seconds since 1970)."""

    at: float
    notice: MaintenanceNotice

    @property
    def is_fresh(self) -> bool:
        """Whether it is newer than an answer to the question might be."""
        return abs(time.time() - self.at) < POLL_INTERVAL_SECONDS  # the clock may have been wrong


def current_notice(request: HttpRequest) -> MaintenanceNotice:
    """Return the notice in force: the operator's file, else what the service says.

    A call that fails means no maintenance, because a broken notice must not close the console; but what came with a
    refused call (503 with code 18001) holds until the service answers the question again (contract, section 12).
    """
    if notice := _from_file():
        return notice
    received = _session_notice(request)
    if received and received.is_fresh:
        return received.notice
    return _from_service(getattr(request, "request_id", "")) or (received.notice if received else NONE)


def store_notice(request: HttpRequest, notice: MaintenanceNotice | None, *, page: str) -> None:
    """Keep the notice of a refused call in the session: another process may make the page that it leads to.

    `page` is the one to go back to.
    """
    if get_login(request) is None:
        return
    request.session[RETURN_KEY] = page
    if notice is not None:
        request.session[NOTICE_KEY] = msgspec.json.encode(ReceivedNotice(time.time(), notice)).decode()


def _session_notice(request: HttpRequest) -> ReceivedNotice | None:
    try:
        received = msgspec.json.decode(request.session.get(NOTICE_KEY, "null"), type=ReceivedNotice | None)
    except msgspec.MsgspecError:
        return None
    if received is None or abs(time.time() - received.at) > NOTICE_TTL_SECONDS:
        return None
    return None if received.notice.end_date and received.notice.end_date < timezone.now() else received


def clear_cache() -> None:
    """Ask again next time."""
    _Cache.last_poll, _Cache.notice, _Cache.file_stamp, _Cache.file_notice = float("-inf"), None, 0, None


def start_planned_notice(request: ConsoleRequest) -> None:
    """Begin to ask what is planned, if that is due: a private page doesn't wait for it among its own calls."""
    if _is_due() and _from_file() is None:
        upstream = Upstream(transport, request_id=request.request_id)
        cast(Any, request).planned = upstream.start(lambda: _ask(upstream))


def planned_notice(request: HttpRequest) -> MaintenanceNotice | None:
    """Return the maintenance that begins within a day; None for none. The service is not asked here."""
    if begun := getattr(request, "planned", None):
        begun(WAIT_TIMEOUT_SECONDS)
    notice = _from_file() or _Cache.notice
    planned, now = notice.planned if notice else None, timezone.now()
    start = planned.start_date if planned else None
    return planned if start and now < start <= now + NOTICE_PERIOD else None


def reason_in(notice: MaintenanceNotice, lng: str) -> tuple[str, str]:
    """Return why, in this language, else in English, else in whatever there is; and the language that it is in."""
    texts = {tag: text for tag, text in notice.reason.items() if text}
    tag = next((tag for tag in (lng, DEFAULT.tag, *texts) if tag in texts), lng)
    return texts.get(tag, ""), tag


def closes(service: str, notice: MaintenanceNotice) -> bool:
    """Whether this service is unavailable right now."""
    return notice.active and service in notice.unavailable_services


def _from_file() -> MaintenanceNotice | None:
    if not settings.MAINTENANCE_FILE:
        return None
    path = Path(settings.MAINTENANCE_FILE)
    try:
        stamp = os.stat(path).st_mtime_ns
        if stamp != _Cache.file_stamp:
            _Cache.file_notice = msgspec.json.decode(path.read_bytes(), type=MaintenanceNotice)
            _Cache.file_stamp = stamp
    except FileNotFoundError:
        _Cache.file_stamp, _Cache.file_notice = 0, None  # who puts it back does not change its time
    except (OSError, msgspec.MsgspecError):
        logger.exception("MAINTENANCE_FILE can't be read; the last notice stays")
    return _Cache.file_notice


def _from_service(request_id: str) -> MaintenanceNotice | None:
    """What the service said last; None while it can't be asked."""
    if _is_due():
        _ask(Upstream(transport, request_id=request_id))
    return _Cache.notice


def _is_due() -> bool:
    return time.monotonic() - _Cache.last_poll >= POLL_INTERVAL_SECONDS and bool(settings.UPSTREAM.handler_url)


def _ask(upstream: Upstream) -> None:
    _Cache.last_poll = time.monotonic()
    try:
        _Cache.notice = upstream.maintenance.notice()
    except UpstreamError:
        _Cache.notice = None
