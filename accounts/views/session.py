"""Whether the session goes on: asked by a page before it sends a form, so that what was typed is not lost."""

from django.http import HttpResponse
from django.middleware.csrf import get_token

from console.access import public
from console.http import ConsoleRequest, login_of
from console.respond import Answer, json


@public
def session(request: ConsoleRequest) -> HttpResponse:
    """401 when it has ended; the token for forms in either case. The upstream service is not asked."""
    is_open = login_of(request) is not None
    response = json(request, Answer(ok=is_open, item=state_of(request)), status=200 if is_open else 401)
    response.headers["Cache-Control"] = "no-store"
    return response


def state_of(request: ConsoleRequest) -> dict[str, str]:
    """What an open page needs to go on: for whom (nobody when the session has ended), and the token for its forms."""
    login = login_of(request)
    return {"sender": login.grant.admin_id_hash if login else "", "csrf_token": get_token(request)}
