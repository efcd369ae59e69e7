"""One answer in two forms: the page for a browser, JSON for an island."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from console.http import sent_from, wants_json


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


def show(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """Draw a page."""
    return render(request, template, context, status=status)


def done(request: HttpRequest, *, goto: str, message: str, item: Any = None) -> HttpResponse:
    """Say that a write went well: the browser goes on to `goto`, where the message is shown.

    An island that gets the new `item` stays where it is, and shows the message itself.
    """
    if item is None or not wants_json(request):
        messages.success(request, message)
    if wants_json(request):
        return json(request, Answer(ok=True, message=message, item=item, goto="" if item else goto))
    return HttpResponseRedirect(goto, status=303)


def repeat(request: HttpRequest, kept: HttpResponse) -> HttpResponse:
    """Give a kept answer of success again, in the form that this request asks for, which the first may not have."""
    is_json = kept.headers.get("Content-Type", "").startswith("application/json")
    if is_json == wants_json(request):
        return kept
    if is_json:
        told = msgspec.json.decode(kept.content, type=Answer)
        messages.success(request, told.message)
        return HttpResponseRedirect(told.goto or sent_from(request) or request.path, status=303)
    return json(request, Answer(ok=True, goto=kept.headers.get("Location", request.path)))
