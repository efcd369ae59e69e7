"""The check of the current password, which works like a login: with a second pair of tokens."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from accounts.ending import expire
from accounts.views.login import to_stored_session
from console.errors import UnusableResponse, WrongPassword
from console.sessions import throttle
from console.sessions.crypto import StoredSession
from console.web.request import ConsoleRequest, require_login
from upstream.errors import Code, NotFound, Refused
from upstream.resources.regions import Region


@contextmanager
def counted_attempt(request: ConsoleRequest) -> Iterator[None]:
    """Count an attempt with a current password like a login attempt; only wrong passwords stay counted."""
    email, address = request.admin.identity, request.client_ip
    throttle.enter("current-password", email=email, address=address)
    try:
        yield
    except Refused as error:
        if Code.CURRENT_PASSWORD_WRONG not in (error.code, *(row.code for row in error.fields)):
            throttle.forgive("current-password", email=email, address=address)
        raise
    throttle.forgive("current-password", email=email, address=address)


def check_password(request: ConsoleRequest, email: str, password: str) -> None:
    """Raise WrongPassword unless this is the password of the email.

    The second pair of tokens is expired at once; the current session is never touched.
    """
    login = require_login(request)
    region = _region(login.stored)
    try:
        info = request.upstream.oauth.request_token(email, password, region=region)
    except (Refused, NotFound) as error:
        raise WrongPassword("wrong password") from error
    expire(request, to_stored_session(info, region, keep=False))
    if info.admin_id and info.admin_id != login.stored.adminId:
        raise UnusableResponse("the email is of another administrator")


def _region(stored: StoredSession) -> Region | None:
    """Return the region of this session's calls."""
    return None if settings.CONSOLE_VARIANT == "china" else Region(stored.serviceDomainId, stored.domainUrls)
