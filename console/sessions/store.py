"""Django's database sessions, except that a row's key is the hash of the cookie's key."""

import hashlib
from contextlib import suppress
from typing import Any, cast

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.utils import timezone

from console.config.database_errors import is_unusable
from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.sessions.deferred_writes import can_write, delete_pending, is_removed, remove
from console.sessions.models import GRANT, Session

_VALID = 'SELECT * FROM "session" WHERE session_key = %s AND expire_date > %s'
"""Raw SQL because each request reads it: Django takes longer to compose its query than the database to answer it."""


def digest(session_key: str) -> str:
    return hashlib.sha256(session_key.encode()).hexdigest()


class SessionStore(DatabaseSessionStore):
    is_loaded = False

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def load(self) -> dict[str, Any]:
        """Return the data of a valid session. Unknown keys are never adopted: without a login nothing is stored."""
        row = None
        if self.session_key and not is_removed(Session, key := digest(self.session_key)):
            row = next(iter(Session.objects.raw(_VALID, [key, timezone.now()])), None)
        self.is_loaded = True
        return self.decode(row.session_data) if row else {}

    def encode(self, session_dict: dict[str, Any]) -> str:
        """Encrypt the data, because messages name users and clinics."""
        return encrypt_text(super().encode(session_dict))

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        # Rows from before the encryption are read as they are; remove this 30 days after the update.
        with suppress(Unreadable):
            session_data = decrypt_text(session_data)
        return super().decode(session_data)

    def is_empty(self) -> bool:
        """Return True without a login: anonymous traffic must not create rows."""
        is_read = self.is_loaded or not self.session_key
        return super().is_empty() or (is_read and GRANT not in self)

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(session_key=digest(session_key)).exists()

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast(Session, super().create_model_instance(data))
        row.session_key = digest(row.session_key)
        return row

    def save(self, must_create: bool = False) -> None:
        """Require the write only of a new session; a page works without the messages of an existing one."""
        if must_create or self.session_key is None:
            super().save(must_create)
        elif can_write(self._update):  # also after a failed write: the success message must be shown
            delete_pending()

    def _update(self) -> None:
        try:
            super().save()
        except UpdateError as error:
            # Django reports a deleted row, whatever the database error was.
            if (reason := error.__context__) and is_unusable(reason):
                raise reason from None
            raise

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            remove(Session, digest(key))
