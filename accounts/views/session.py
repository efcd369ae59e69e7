"""Whether the session goes on: asked by an open page before it sends a form, and before the session ends; its end."""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone

from console.access import public
from console.grants.limits import time_left, touch
from console.grants.opening import close_login
from console.grants.payload import StoredSession
from console.grants.tokens import DEFAULT_SERVICE_ID, api_url
from console.http import ConsoleRequest, attach_client, login_of
from console.respond import Answer, json
from console.upstream.errors import UpstreamError


@public(methods=("GET", "POST"))
def session(request: ConsoleRequest) -> HttpResponse:
    """401 when it has ended; the token for forms in either case. The upstream service is not asked.

    Asking is no use of the session: else a page left open would keep it for ever. A POST is, and so extends it.
    """
    login = login_of(request)
    if login and request.method == "POST":
        touch(login.grant, timezone.now())
    response = json(request, Answer(ok=login is not None, item=state_of(request)), status=200 if login else 401)
    response.headers["Cache-Control"] = "no-store"
    return response


def end(request: ConsoleRequest) -> None:
    """End the login of this request: here at once, at the service if it can be reached."""
    login = login_of(request)
    close_login(request)
    attach_client(request)
    if login:
        # Best effort, after our own rows are gone: an upstream that is down must not keep anybody logged in.
        expire(request, login.stored)


def expire(request: ConsoleRequest, stored: StoredSession) -> None:
    """Have the service end a pair of tokens, if it can be reached."""
    with suppress(UpstreamError):
        request.upstream.oauth.expire(
            stored.refreshToken,
            access_token=stored.accessToken,
            api_url=api_url(stored, settings.UPSTREAM),
            service_id=stored.serviceDomainId or DEFAULT_SERVICE_ID,
        )


def state_of(request: ConsoleRequest) -> dict[str, Any]:
    """What an open page needs to go on: for whom (nobody when the session has ended), the token for its forms, and
    the seconds that the session lasts unless it is used."""
    login = login_of(request)
    left = time_left(login.grant, timezone.now()) if login else None
    return {
        "sender": login.sender if login else "",
        "csrf_token": get_token(request),
        "seconds_left": left.seconds if left else 0,
        "can_be_extended": left.can_be_extended if left else False,
    }
