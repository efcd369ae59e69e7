"""The session state for an open page, before it sends a form and before the session ends."""

from typing import Any

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone

from console.sessions.expiry import remaining_time, touch
from console.web.access import public
from console.web.request import ConsoleRequest, get_login
from console.web.responses import Answer, json, show


@public(methods=("GET", "POST"))
def session(request: ConsoleRequest) -> HttpResponse:
    """Return 401 when the session has ended; the token for forms in either case, without a call to the service.

    A GET does not extend the session, because a page left open would keep it alive forever. A POST does.
    """
    login = get_login(request)
    if login and request.method == "POST":
        touch(login.grant, timezone.now())
    response = json(request, Answer(ok=login is not None, item=session_state(request)), status=200 if login else 401)
    response.headers["Cache-Control"] = "no-store"
    return response


@public
def session_dialogs_show(request: ConsoleRequest) -> HttpResponse:
    """Return the dialogs about the session, which an open page loads when it needs one."""
    return show(request, "accounts/session_dialogs.html")


def session_state(request: ConsoleRequest) -> dict[str, Any]:
    """Return the session's state for an open page.

    `sender` identifies the administrator and is "" when the session has ended; `seconds_left` is the time until an
    unused session ends.
    """
    login = get_login(request)
    remaining = remaining_time(login.grant, timezone.now()) if login else None
    return {
        "sender": login.sender if login else "",
        "csrf_token": get_token(request),
        "seconds_left": remaining.seconds if remaining else 0,
        "can_be_extended": remaining.can_be_extended if remaining else False,
    }
