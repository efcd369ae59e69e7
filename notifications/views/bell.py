"""The number of unread notifications, for the bell of an open page."""

from contextlib import suppress

from django.http import HttpResponse

from console.web.access import public
from console.web.badges import BellCount, count_text
from console.web.request import ConsoleRequest, get_login
from console.web.responses import Answer, json
from notifications.labels import bell_label
from upstream.errors import UpstreamError


@public
def unread_count(request: ConsoleRequest) -> HttpResponse:
    """Return the number of unread notifications and its label, without extending the session.

    Open pages call this regularly, so the session would otherwise never end.
    """
    count: int | None = None
    if get_login(request) and request.upstream.notifications.has_unread_count:
        with suppress(UpstreamError):  # keep the number on the page; the next page reports the failure
            count = request.upstream.notifications.unread_count(request.admin.id)
    item = None if count is None else BellCount(count_text(count), bell_label(count))
    response = json(request, Answer(ok=item is not None, item=item))
    response.headers["Cache-Control"] = "no-store"
    return response
