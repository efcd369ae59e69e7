"""Django's database sessions, except that a row's key is the hash of the cookie's key."""

import hashlib
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.utils import timezone

from console.grants.models import Session
from console.grants.reading import OneRow

_VALID = OneRow(Session, "session_key = %s AND expire_date > %s")


def digest(session_key: str) -> str:
    return hashlib.sha256(session_key.encode()).hexdigest()


class SessionStore(DatabaseSessionStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        row = None
        if self.session_key:
            row = _VALID.find(digest(self.session_key), timezone.now())
        if row is None:
            self._session_key = None  # never adopt an unknown key
        return row

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(session_key=digest(session_key)).exists()

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        return Session(
            session_key=digest(self._get_or_create_session_key()),  # type: ignore[attr-defined]  # stubs lack it
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
        )

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            Session.objects.filter(session_key=digest(key)).delete()
