"""Open, find and close the login of a browser: session row, grant row and cookie."""

import hashlib
import random
from dataclasses import dataclass
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from console.grants.limits import KEPT, has_ended, remove_ended
from console.grants.models import Grant
from console.grants.payload import StoredSession, Unreadable
from console.grants.reading import OneRow
from console.grants.tokens import api_url

GRANT = "grant"
"""Key of the grant's id in the session data."""
CLEAN_UP_CHANCE = 500
"""One in this many logins removes ended sessions, so that an installation without a timer stays small."""


_BY_ID = OneRow(Grant, "id = %s")


@dataclass(frozen=True)
class Login:
    """The grant of this request, read and decrypted."""

    grant: Grant
    stored: StoredSession

    @property
    def detail(self) -> dict[str, Any]:
        return self.stored.adminAuthDetail


def open_login(request: HttpRequest, stored: StoredSession) -> None:
    """Store a new grant under a new session key; the previous login of this browser ends."""
    if former := request.session.get(GRANT):
        Grant.objects.filter(pk=former).delete()
    if random.randrange(CLEAN_UP_CHANCE) == 0:  # noqa: S311 - not a secret
        remove_ended()
    grant = Grant.objects.create(
        payload=stored.encrypt(), persistent=stored.isAuthPersist, admin_id_hash=admin_hash(stored.adminId)
    )
    request.session.flush()
    request.session[GRANT] = grant.pk
    request.session.set_expiry(int(KEPT.total_seconds()) if stored.isAuthPersist else 0)


def find_login(request: HttpRequest) -> Login | None:
    """Return the login of this request; None if there is none, it has ended, or it can't be used here."""
    grant_id = request.session.get(GRANT)
    grant = _BY_ID.find(grant_id) if grant_id else None
    now = timezone.now()
    if grant is None or has_ended(grant, now):
        return None
    try:
        stored = StoredSession.decrypt(grant.payload)
    except Unreadable:
        return None
    if not stored.isLoggedIn or stored.variant != settings.CONSOLE_VARIANT or not api_url(stored, settings.UPSTREAM):
        return None
    return Login(grant, stored)


def add_detail(login: Login, detail: dict[str, Any]) -> None:
    """Add details about the administrator to those from the token service."""
    stored = msgspec.structs.replace(login.stored, adminAuthDetail={**login.detail, **detail})
    Grant.objects.filter(pk=login.grant.pk, generation=login.grant.generation).update(payload=stored.encrypt())


def close_login(request: HttpRequest) -> None:
    """Delete grant and session; the response then deletes the cookie."""
    if grant_id := request.session.get(GRANT):
        Grant.objects.filter(pk=grant_id).delete()
    request.session.flush()


def admin_hash(admin_id: str) -> str:
    return hashlib.sha256(admin_id.encode()).hexdigest()
