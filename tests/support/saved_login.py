"""A login that tests share: made once in a process through the form, and stored again for each test that needs one."""

import time
from http.cookies import SimpleCookie
from typing import Any

from django.test import Client

from console.sessions.identity import identity_key
from console.sessions.models import GRANT, Grant
from console.sessions.store import SessionStore
from console.web import maintenance

FORM = {"email": "admin@demo.example", "password": "Demo123!"}
NOT_COPIED = ("id", "created_at", "last_seen_at", "lease_until")
"""Columns that each grant sets itself: its id and its times."""


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
        # A login asks for the maintenance notice; the first page doesn't ask again.
        maintenance._Cache.last_poll, maintenance._Cache.notice = time.monotonic(), maintenance.NONE

    def _log_in(self) -> None:
        browser = Client()
        response = browser.post("/login", FORM)
        assert response.status_code == 303, response.content[:2000]
        self._identity_key, self._cookies, self._session = identity_key(), browser.cookies, dict(browser.session)
        grant = Grant.objects.filter(pk=browser.session[GRANT])
        self._grant = {name: value for name, value in grant.values().get().items() if name not in NOT_COPIED}
        grant.delete()
        browser.session.delete()
