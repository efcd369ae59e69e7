"""The two rows of a login: the browser's session (UI state only) and the grant (the upstream service's tokens).

The key of the administrators' identities is stored here, too.
"""

import secrets

from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from console.config.encryption import EncryptedTextField

GRANT = "grant"
"""The session data's key for the id of the grant."""


def new_grant_id() -> str:
    return secrets.token_hex(16)


class Session(AbstractBaseSession):
    """A session; its key is the SHA-256 of the cookie's value, so that a stolen database contains no usable cookie."""

    session_key = models.CharField(max_length=64, primary_key=True)
    session_data = EncryptedTextField("session data")

    class Meta(AbstractBaseSession.Meta):
        db_table = "session"

    @classmethod
    def get_session_store_class(cls):  # type: ignore[no-untyped-def]  # the engine imports this module
        from console.sessions.store import SessionStore

        return SessionStore


class Grant(models.Model):
    """One administrator's encrypted tokens. The row is also the lock and the fencing token of the refresh."""

    id = models.CharField(max_length=32, primary_key=True, default=new_grant_id)
    payload = EncryptedTextField()
    generation = models.PositiveIntegerField(default=1)
    persistent = models.BooleanField()
    admin_id_hash = models.CharField(max_length=64, db_index=True)
    refreshed_at = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=32, default="", blank=True)
    lease_until = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now, db_index=True)
    device = EncryptedTextField(default="", db_default="", blank=True)

    class Meta:
        db_table = "grant"

    def __str__(self) -> str:
        return f"grant {self.id[:8]}, generation {self.generation}"


class IdentityKey(models.Model):
    """The encrypted key of the administrators' identities; there are several only if older ones can't be decrypted."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    value = EncryptedTextField()

    class Meta:
        db_table = "identity_key"

    def __str__(self) -> str:
        return f"identity key {self.number}"
