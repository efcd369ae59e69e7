"""Opening, finding and closing the login of a browser: the session row, the grant row and the cookie together."""

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
from console.grants.tokens import api_url

GRANT = "grant"
"""Name of the grant's id in the session's data."""
CLEAN_UP_CHANCE = 500
"""One login in so many removes what has ended, so that an install without a timer stays small."""


@dataclass(frozen=True)
class Login:
    """The grant of this request, read and decrypted."""

    grant: Grant
    stored: StoredSession

    @property
    def detail(self) -> dict[str, Any]:
        return self.stored.adminAuthDetail


def open_login(request: HttpRequest, stored: StoredSession) -> None:
    """Store a new grant under a new session key; the former login of this browser ends."""
    if former := request.session.get(GRANT):
        Grant.objects.filter(pk=former).delete()
    if random.randrange(CLEAN_UP_CHANCE) == 0:  # noqa: S311 - a chance, not a secret
        remove_ended()
    grant = Grant.objects.create(
        payload=stored.encrypt(), persistent=stored.isAuthPersist, admin_id_hash=admin_hash(stored.adminId)
    )
    request.session.flush()
    request.session[GRANT] = grant.pk
    request.session.set_expiry(int(KEPT.total_seconds()) if stored.isAuthPersist else 0)


def find_login(request: HttpRequest) -> Login | None:
    """The usable login of this request; None when there is none, it has ended, or it can't be used here."""
    grant_id = request.session.get(GRANT)
    grant = next(iter(Grant.objects.filter(pk=grant_id)), None) if grant_id else None
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
    """Complete what the token service said of the administrator."""
    stored = msgspec.structs.replace(login.stored, adminAuthDetail={**login.detail, **detail})
    Grant.objects.filter(pk=login.grant.pk, generation=login.grant.generation).update(payload=stored.encrypt())


def close_login(request: HttpRequest) -> None:
    """Delete grant and session; the response deletes the cookie."""
    if grant_id := request.session.get(GRANT):
        Grant.objects.filter(pk=grant_id).delete()
    request.session.flush()


def admin_hash(admin_id: str) -> str:
    return hashlib.sha256(admin_id.encode()).hexdigest()
