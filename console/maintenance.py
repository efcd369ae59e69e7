"""Which maintenance notice is in force: the operator's own file, else what the upstream service says."""

import logging
import os
import time
from pathlib import Path

import msgspec
from django.conf import settings

from console.http import transport
from console.upstream.client import Upstream
from console.upstream.errors import UpstreamError
from console.upstream.maintenance import MaintenanceNotice

logger = logging.getLogger(__name__)

ASKED_EVERY = 30.0
"""Seconds between two questions of one process (contract, section 12)."""

NONE = MaintenanceNotice(active=False)
SIGN_UP, LOGIN = "SIGN_UP", "LOGIN"


class _Cache:
    """The last answers of this process: of the service by time, of the file by its modification."""

    asked_at = float("-inf")
    notice = NONE
    file_stamp = 0
    file_notice: MaintenanceNotice | None = None


def current_notice(*, request_id: str = "") -> MaintenanceNotice:
    """The notice in force. A call that fails means no maintenance: a broken notice must not close the console."""
    return _from_file() or _from_service(request_id)


def forget() -> None:
    """Ask anew at the next occasion."""
    _Cache.asked_at, _Cache.notice, _Cache.file_stamp, _Cache.file_notice = float("-inf"), NONE, 0, None


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
        _Cache.file_notice = None
    except (OSError, msgspec.MsgspecError):
        logger.exception("MAINTENANCE_FILE can't be read; the last notice stays")
    return _Cache.file_notice


def _from_service(request_id: str) -> MaintenanceNotice:
    now = time.monotonic()
    if now - _Cache.asked_at >= ASKED_EVERY and settings.UPSTREAM.handler_url:
        _Cache.asked_at = now
        try:
            _Cache.notice = Upstream(transport, request_id=request_id).maintenance.notice()
        except UpstreamError:
            _Cache.notice = NONE
    return _Cache.notice
