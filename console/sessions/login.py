"""Open, find and close the login of a browser: session row, grant row and cookie."""

import json
import random
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from django.utils import timezone

from console.config.encryption import Unreadable, encrypt_text
from console.sessions.browsers import browser_and_system
from console.sessions.crypto import StoredSession
from console.sessions.deferred_writes import can_write, delete_pending, is_removed, remove, write_if_possible
from console.sessions.expiry import KEEP_LOGGED_IN_TTL, has_ended, remove_ended
from console.sessions.identity import identity_for, sign_sender
from console.sessions.models import GRANT, Grant
from console.sessions.store import SessionStore
from console.sessions.tokens import api_url

CLEAN_UP_CHANCE = 500
"""One in this many logins removes expired sessions, so that the tables stay small without a timer."""


_BY_ID = 'SELECT * FROM "grant" WHERE id = %s'
"""Raw SQL because every page reads it."""


@dataclass(frozen=True)
class Login:
    """The decrypted grant of this request."""

    grant: Grant
    stored: StoredSession

    @property
    def detail(self) -> dict[str, Any]:
        return self.stored.adminAuthDetail

    @property
    def identity(self) -> str:
        """The administrator's identity, the same in all their sessions."""
        return self.grant.admin_id_hash

    @property
    def sender(self) -> str:
        """The signed identity in this administrator's forms."""
        return sign_sender(self.identity)


def open_login(request: HttpRequest, stored: StoredSession) -> None:
    """Store a new grant and a session under a new key, then end the previous login of this browser.

    Raises DatabaseError, and changes nothing in that case.
    """
    delete_pending()
    if random.randrange(CLEAN_UP_CHANCE) == 0:  # noqa: S311 - not a secret
        remove_ended()
    identity = identity_for(stored)
    session = SessionStore()
    session.set_expiry(int(KEEP_LOGGED_IN_TTL.total_seconds()) if stored.isAuthPersist else 0)
    device = encrypt_text(json.dumps(browser_and_system(request.headers.get("User-Agent", ""))))
    with transaction.atomic():
        grant = Grant.objects.create(
            payload=stored.encrypt(), persistent=stored.isAuthPersist, admin_id_hash=identity, device=device
        )
        session[GRANT] = grant.pk
        session.create()
    close_login(request)
    request.session = session
    rotate_token(request)


def renew_key(request: HttpRequest) -> None:
    """Give the session of this login a new key, if possible, so that a copied key stops working."""
    key = request.session.session_key
    if not can_write(request.session.cycle_key):
        request.session = SessionStore(key)


def find_login(request: HttpRequest) -> Login | None:
    """Return the login of this request; None if there is none, it has expired, or it can't be used here."""
    grant_id = request.session.get(GRANT)
    grant = (
        next(iter(Grant.objects.raw(_BY_ID, [grant_id])), None)
        if grant_id and not is_removed(Grant, grant_id)
        else None
    )
    now = timezone.now()
    if grant is None or has_ended(grant, now):
        return None
    try:
        stored = StoredSession.decrypt(grant.payload)
    except Unreadable:
        return None
    if not stored.isLoggedIn or stored.variant != settings.CONSOLE_VARIANT or not api_url(stored, settings.UPSTREAM):
        return None
    if grant.admin_id_hash != (identity := identity_for(stored)):
        # The organization was unknown, or an earlier release hashed only the id.
        write_if_possible(lambda: Grant.objects.filter(pk=grant.pk).update(admin_id_hash=identity))
        grant.admin_id_hash = identity
    return Login(grant, stored)


def add_detail(login: Login, detail: dict[str, Any]) -> None:
    """Add details about the administrator to those from the token service."""
    stored = msgspec.structs.replace(login.stored, adminAuthDetail={**login.detail, **detail})
    Grant.objects.filter(pk=login.grant.pk, generation=login.grant.generation).update(payload=stored.encrypt())


def close_login(request: HttpRequest) -> None:
    """Delete grant and session; the response then deletes the cookie."""
    if grant_id := request.session.get(GRANT):
        remove(Grant, grant_id)
    request.session.flush()
