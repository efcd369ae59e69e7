"""Who an administrator or an organization is: a keyed hash of what tells them apart, for what must not be another's.

An id may repeat between regions, and a plain hash of one can be computed by anybody who knows it.
"""

import hashlib
import hmac
import json
import logging
import secrets
from contextlib import suppress
from functools import lru_cache, partial

from django.core.signing import BadSignature, Signer

from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.sessions.crypto import StoredSession
from console.sessions.deferred_writes import write_if_possible
from console.sessions.models import IdentityKey

logger = logging.getLogger(__name__)


def identity_for(stored: StoredSession) -> str:
    """Return what is the same for one administrator in each of their sessions, and differs for everybody else.

    The region is its id, not its address: an address may move.
    """
    return keyed_hash(stored.variant, stored.serviceDomainId, _organization(stored), stored.adminId)


def organization_identity(stored: StoredSession) -> str:
    """Return what is the same for all administrators of one organization, and differs for all others.

    Who is told to have none shares it with nobody.
    """
    if not (organization := _organization(stored)):
        return keyed_hash("no organization", identity_for(stored))
    return identity_for_organization(stored.variant, stored.serviceDomainId, organization)


def identity_for_organization(variant: str, region: int, organization: str) -> str:
    """Return the same of an organization for which nobody is logged in."""
    return keyed_hash("organization", variant, region, organization)


def keyed_hash(*parts: object) -> str:
    """Return by what this installation knows something again that it does not store as it is."""
    return hmac.new(identity_key().encode(), json.dumps(parts).encode(), hashlib.sha256).hexdigest()


def sign_sender(identity: str) -> str:
    """Return what a form carries of the administrator for whom it was drawn: nobody else can write it."""
    return _sender_signer().sign(identity)


def read_sender(text: str) -> str:
    """Return whose form this was; "" when we did not write that."""
    try:
        return _sender_signer().unsign(text)
    except BadSignature:
        return ""


@lru_cache
def identity_key() -> str:
    """Return the key of this installation, which is made once; the process reads it once.

    It is random rather than derived: whoever learns a `SECRET_KEY` that was rotated out must not know it. It is
    encrypted anew with the first of the present keys, so that those that are rotated out may go. A row that can't be
    decrypted stays, because a process with other keys may still need it; the first that can be is in force.
    """
    while True:
        rows = list(IdentityKey.objects.order_by("number"))
        for row in rows:
            with suppress(Unreadable):
                key = decrypt_text(row.value)
                same = IdentityKey.objects.filter(pk=row.pk, value=row.value)
                write_if_possible(partial(same.update, value=encrypt_text(key)))
                return key
        if rows:
            logger.error("no key fits the identity key: this process makes another, and finds nothing of the others'")
        # Of several processes that make it at the same time one succeeds, and all read that one.
        number = rows[-1].number + 1 if rows else 1
        row = IdentityKey(number=number, value=encrypt_text(secrets.token_urlsafe(32)))
        IdentityKey.objects.bulk_create([row], ignore_conflicts=True)


def _organization(stored: StoredSession) -> str:
    return str(stored.adminAuthDetail.get("organizationId") or "")


def _sender_signer() -> Signer:
    return Signer(key=identity_key(), salt="console.sender", fallback_keys=[])
