"""Keyed hashes that identify administrators and organizations, so that their data stays separate.

An id may occur in several regions, and a plain hash of an id could be computed by anyone who knows the id.
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
    """Return the identity of an administrator: the same in each session, and different for all other administrators.

    The region counts by its id, because its address may change.
    """
    return keyed_hash(stored.variant, stored.serviceDomainId, _organization(stored), stored.adminId)


def organization_identity(stored: StoredSession) -> str:
    """Return the identity of an organization: the same for all its administrators, and different for all others.

    An administrator without an organization gets an identity that no other administrator has.
    """
    if not (organization := _organization(stored)):
        return keyed_hash("no organization", identity_for(stored))
    return identity_for_organization(stored.variant, stored.serviceDomainId, organization)


def identity_for_organization(variant: str, region: int, organization: str) -> str:
    """Return the identity of an organization by its id, without a login."""
    return keyed_hash("organization", variant, region, organization)


def keyed_hash(*parts: object) -> str:
    """Return a hash that recognizes a value which is not stored itself; it is specific to this installation."""
    return hmac.new(identity_key().encode(), json.dumps(parts).encode(), hashlib.sha256).hexdigest()


def sign_sender(identity: str) -> str:
    """Return the signed identity of the administrator for whom a form is rendered."""
    return _sender_signer().sign(identity)


def read_sender(text: str) -> str:
    """Return the identity of the administrator of a form; "" if the signature is wrong."""
    try:
        return _sender_signer().unsign(text)
    except BadSignature:
        return ""


@lru_cache
def identity_key() -> str:
    """Return the key of this installation, which is created once; each process reads it once.

    It is random, not derived, so that a leaked `SECRET_KEY` that was rotated out doesn't reveal it. It is encrypted
    again with the first of the current keys, so that older ones can be removed. A row that can't be decrypted stays,
    because a process with other keys may still need it; the first readable row is used.
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
        # If several processes create it at the same time, one succeeds, and all read that one.
        number = rows[-1].number + 1 if rows else 1
        row = IdentityKey(number=number, value=encrypt_text(secrets.token_urlsafe(32)))
        IdentityKey.objects.bulk_create([row], ignore_conflicts=True)


def _organization(stored: StoredSession) -> str:
    return str(stored.adminAuthDetail.get("organizationId") or "")


def _sender_signer() -> Signer:
    return Signer(key=identity_key(), salt="console.sender", fallback_keys=[])
