"""The sessions that one administrator has at this console: to be listed, and to be ended.

They are found by the keyed identity, and each is read before it counts: nobody of another organization, region or
variant is shown or ended.
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
    """A session of the administrator; `browser` and `system` are "" where they are not known."""

    id: str
    browser: str
    system: str
    since: datetime
    last_active: datetime
    is_this: bool
    stored: StoredSession


def list_sessions(login: Login) -> list[ActiveSession]:
    """Return the sessions of whoever is logged in: this one first, then the last used."""
    sessions = [_session(grant, stored, login) for grant, stored in _grants(login)]
    return sorted(sessions, key=lambda session: (not session.is_this, -session.last_active.timestamp()))


def end_sessions(sessions: list[ActiveSession]) -> None:
    """End sessions here: each is over with its next request."""
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
