"""The active sessions of one administrator at this console, to list and to end.

Sessions are found by keyed identity, and each is decrypted and compared before it counts, so that no session of another
organization, region or variant is listed or ended.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from console.config.encryption import Unreadable, decrypt_text
from console.sessions.crypto import StoredSession
from console.sessions.deferred_writes import is_removed, remove
from console.sessions.expiry import has_ended
from console.sessions.identity import identity_for
from console.sessions.login import Login
from console.sessions.models import Grant


@dataclass(frozen=True)
class ActiveSession:
    """A session of the administrator; `browser` and `system` are "" if they are unknown."""

    id: str
    browser: str
    system: str
    since: datetime
    last_active: datetime
    is_this: bool
    stored: StoredSession


def list_sessions(login: Login) -> list[ActiveSession]:
    """Return the administrator's sessions: the current one first, then by last use."""
    sessions = [_session(grant, stored, login) for grant, stored in _grants(login)]
    return sorted(sessions, key=lambda session: (not session.is_this, -session.last_active.timestamp()))


def end_sessions(sessions: list[ActiveSession]) -> None:
    """End sessions in this console; each is refused at its next request."""
    for session in sessions:
        remove(Grant, session.id)


def _grants(login: Login) -> Iterator[tuple[Grant, StoredSession]]:
    now = timezone.now()
    for grant in Grant.objects.filter(admin_id_hash=login.identity):
        if has_ended(grant, now) or is_removed(Grant, grant.pk):
            continue
        try:
            stored = StoredSession.decrypt(grant.payload)
        except Unreadable:
            continue
        if stored.isLoggedIn and identity_for(stored) == login.identity:
            yield grant, stored


def _session(grant: Grant, stored: StoredSession, login: Login) -> ActiveSession:
    try:
        browser, system = json.loads(decrypt_text(grant.device))
    except (Unreadable, ValueError):
        browser, system = "", ""
    is_this = grant.pk == login.grant.pk
    return ActiveSession(grant.pk, browser, system, grant.created_at, grant.last_seen_at, is_this, stored)
