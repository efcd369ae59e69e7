"""The end of a login: here, and at the service."""

from django.conf import settings

from console.sessions import tokens
from console.sessions.active_sessions import ActiveSession, end_sessions, list_sessions
from console.sessions.crypto import StoredSession
from console.sessions.login import close_login
from console.web.request import ConsoleRequest, attach_client, get_login


def end(request: ConsoleRequest) -> None:
    """End the login of this request: here at once, at the service if it can be reached."""
    attach_client(request)  # a call of this request may have renewed the tokens
    login = get_login(request)
    close_login(request)
    attach_client(request)
    if login:
        # Best effort, after our own rows are gone: a logout must work while the service is down.
        expire(request, login.stored)


def end_others(request: ConsoleRequest) -> int:
    """End the other sessions of this administrator at this console, as `end_each` does; return their number."""
    login = get_login(request)
    others = [session for session in list_sessions(login) if not session.is_this] if login else []
    end_each(request, others)
    return len(others)


def end_each(request: ConsoleRequest, sessions: list[ActiveSession]) -> None:
    """End sessions of this console: here at once, at the service if it can be reached."""
    end_sessions(sessions)
    for session in sessions:
        expire(request, session.stored)


def expire(request: ConsoleRequest, stored: StoredSession) -> None:
    """Have the service end a pair of tokens, if it can be reached."""
    tokens.expire(request.upstream.oauth, stored, settings.UPSTREAM)
