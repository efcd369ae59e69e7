"""One answer in two forms: the page for a browser, JSON for an island."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from console.http import wants_json


class Answer(msgspec.Struct, frozen=True, rename={"trace_id": "traceId"}):
    """What every JSON answer of the console looks like. `goto`: the browser goes there."""

    ok: bool
    message: str = ""
    item: Any = None
    errors: Mapping[str, list[str]] = {}
    goto: str = ""
    trace_id: str = ""


def json(request: HttpRequest, answer: Answer, *, status: int = 200) -> HttpResponse:
    """Send an answer as JSON, with the id of this request."""
    body = msgspec.json.encode(msgspec.structs.replace(answer, trace_id=getattr(request, "request_id", "")))
    return HttpResponse(body, status=status, content_type="application/json")


def done(request: HttpRequest, *, goto: str, message: str = "", item: Any = None) -> HttpResponse:
    """A write went well: the page goes on to `goto`, the island gets the new item."""
    if wants_json(request):
        return json(request, Answer(ok=True, message=message, item=item))
    return HttpResponseRedirect(goto, status=303)
