"""Ending a login, in the console and at the service."""

from django.conf import settings

from console.sessions import tokens
from console.sessions.active_sessions import ActiveSession, end_sessions, list_sessions
from console.sessions.crypto import StoredSession
from console.sessions.login import close_login
from console.web.request import ConsoleRequest, attach_client, get_login


def end(request: ConsoleRequest) -> None:
    """End the login of this request in the console and, if the service can be reached, there too."""
    attach_client(request)  # a call of this request may have renewed the tokens
    login = get_login(request)
    close_login(request)
    attach_client(request)
    if login:
        # Best effort, after our own rows are gone: a logout must work while the service is down.
        expire(request, login.stored)


def end_others(request: ConsoleRequest) -> int:
    """End this administrator's other sessions in the console, as `end_each` does; return their number."""
    login = get_login(request)
    others = [session for session in list_sessions(login) if not session.is_this] if login else []
    end_each(request, others)
    return len(others)


def end_each(request: ConsoleRequest, sessions: list[ActiveSession]) -> None:
    """End sessions in the console and, if the service can be reached, there too."""
    end_sessions(sessions)
    for session in sessions:
        expire(request, session.stored)


def expire(request: ConsoleRequest, stored: StoredSession) -> None:
    """Ask the service to expire a pair of tokens; a failure is ignored."""
    tokens.expire(request.upstream.oauth, stored, settings.UPSTREAM)
