"""The maintenance notice in force: the operator's own file, else the notice of the upstream service."""

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
"""Seconds between two polls of one process (contract, section 12)."""

NOTICE_TTL_SECONDS = 600.0
"""The maximum seconds for which the notice of a refused call is used."""

NOTICE_PERIOD = timedelta(hours=24)
"""The time before a planned maintenance from which all pages show it."""
WAIT_TIMEOUT_SECONDS = 0.2
"""The maximum seconds that a finished page waits for the planned maintenance, which the next page shows as well."""

NONE = MaintenanceNotice(active=False)
SIGN_UP, LOGIN = "SIGN_UP", "LOGIN"
NOTICE_KEY = "maintenance"
"""The session key for the notice of a refused call."""
RETURN_KEY = "maintenance_left"
"""The session key for the page to return to."""


class _Cache:
    """The last results of this process: from the service by time, from the file by its modification time."""

    last_poll = float("-inf")
    notice: MaintenanceNotice | None = None
    file_stamp = 0
    file_notice: MaintenanceNotice | None = None


class ReceivedNotice(msgspec.Struct, frozen=True, array_like=True):
    """The notice of a refused call, and the time of that call (seconds since 1970)."""

    at: float
    notice: MaintenanceNotice

    @property
    def is_fresh(self) -> bool:
        """Return True if it is newer than the cached notice may be."""
        return abs(time.time() - self.at) < POLL_INTERVAL_SECONDS  # the clock may have been wrong


def current_notice(request: HttpRequest) -> MaintenanceNotice:
    """Return the notice in force: the operator's file, else the service's notice.

    A failed call means no maintenance, because a broken notice must not close the console. The notice of a refused call
    (503 with code 18001) is valid until the service answers the next poll (contract, section 12).
    """
    if notice := _from_file():
        return notice
    received = _session_notice(request)
    if received and received.is_fresh:
        return received.notice
    return _from_service(getattr(request, "request_id", "")) or (received.notice if received else NONE)


def store_notice(request: HttpRequest, notice: MaintenanceNotice | None, *, page: str) -> None:
    """Store the notice of a refused call in the session, because another process may render the maintenance page.

    `page` is the one to return to.
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
    """Clear the cache, so that the next request polls."""
    _Cache.last_poll, _Cache.notice, _Cache.file_stamp, _Cache.file_notice = float("-inf"), None, 0, None


def start_planned_notice(request: ConsoleRequest) -> None:
    """Start a poll for planned maintenance if it is due, concurrently with the calls of a private page."""
    if _is_due() and _from_file() is None:
        upstream = Upstream(transport, request_id=request.request_id)
        cast(Any, request).planned = upstream.start(lambda: _ask(upstream))


def planned_notice(request: HttpRequest) -> MaintenanceNotice | None:
    """Return the maintenance that begins within a day, if any. Makes no call."""
    if begun := getattr(request, "planned", None):
        begun(WAIT_TIMEOUT_SECONDS)
    notice = _from_file() or _Cache.notice
    planned, now = notice.planned if notice else None, timezone.now()
    start = planned.start_date if planned else None
    return planned if start and now < start <= now + NOTICE_PERIOD else None


def reason_in(notice: MaintenanceNotice, lng: str) -> tuple[str, str]:
    """Return the reason in this language, else in English, else in any language; and the tag of its language."""
    texts = {tag: text for tag, text in notice.reason.items() if text}
    tag = next((tag for tag in (lng, DEFAULT.tag, *texts) if tag in texts), lng)
    return texts.get(tag, ""), tag


def closes(service: str, notice: MaintenanceNotice) -> bool:
    """Return True if this service is unavailable right now."""
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
        _Cache.file_stamp, _Cache.file_notice = 0, None  # restoring the file may not change its time
    except (OSError, msgspec.MsgspecError):
        logger.exception("MAINTENANCE_FILE can't be read; the last notice stays")
    return _Cache.file_notice


def _from_service(request_id: str) -> MaintenanceNotice | None:
    """Return the service's last notice; None if it can't be read."""
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
