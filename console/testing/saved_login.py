"""A login that tests share: made once in a process through the form, and stored again for each test that needs one."""

import time
from http.cookies import SimpleCookie
from typing import Any

from django.test import Client

from console import maintenance
from console.grants.engine import SessionStore
from console.grants.identity import identity_key
from console.grants.models import GRANT, Grant, Session

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
OF_EACH = ("id", "created_at", "last_seen_at", "lease_until")
"""The columns of a grant that are not copied: ids that are not shared, and times of now."""


class SavedLogin:
    """The rows and the cookies of a login, as they were right after it."""

    def __init__(self) -> None:
        self._identity_key = ""
        self._grant: dict[str, Any] = {}
        self._session: dict[str, Any] = {}
        self._cookies = SimpleCookie()

    def restore(self, client: Client) -> None:
        """Log this browser in; the service must be ready for a login."""
        # Some tests make another key, and with it the administrators have other identities.
        if self._identity_key != identity_key():
            self._log_in()
        session = SessionStore()
        session.update({**self._session, GRANT: Grant.objects.create(**self._grant).pk})
        session.create()
        for name, morsel in self._cookies.items():
            client.cookies[name] = str(session.session_key) if name == "auth" else morsel.value
            client.cookies[name].update(morsel)
        # The login asked for it, so that its first page needn't.
        maintenance._Cache.asked_at, maintenance._Cache.notice = time.monotonic(), maintenance.NONE

    def _log_in(self) -> None:
        browser = Client()
        response = browser.post("/login", FORM)
        assert response.status_code == 303, response.content[:2000]
        self._identity_key, self._cookies, self._session = identity_key(), browser.cookies, dict(browser.session)
        self._grant = {name: value for name, value in Grant.objects.values().get().items() if name not in OF_EACH}
        Grant.objects.all().delete()
        Session.objects.all().delete()
