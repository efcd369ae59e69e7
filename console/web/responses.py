"""Responses in two forms: a page for a browser, JSON for an island."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from msgspec import UNSET, UnsetType

from console.l10n.bidi import isolated
from console.web.badges import CountsUpdate, counts_update
from console.web.links import Link
from console.web.message_extras import MessageExtras
from console.web.request import sent_from, wants_json
from console.web.support import SupportDetails


class Answer(msgspec.Struct, frozen=True, rename={"trace_id": "traceId", "undo_label": "undoLabel"}):
    """The body of every JSON response. `goto`: the address to open. `undo`: a POST there undoes the action; its
    button is “Undo”, or `undo_label`. `counts`: the badge counts, for a page that asks for them. `details`: the details
    for support."""

    ok: bool
    message: str = ""
    item: Any = None
    errors: Mapping[str, list[str]] = {}
    goto: str = ""
    trace_id: str = ""
    details: str | UnsetType = UNSET
    undo: str | UnsetType = UNSET
    undo_label: str | UnsetType = UNSET
    counts: CountsUpdate | UnsetType = UNSET


def json(request: HttpRequest, answer: Answer, *, status: int = 200) -> HttpResponse:
    """Return a JSON response with the request's id, and with the badge counts if the request asks for them.

    An error that belongs to no field includes the details for support.
    """
    support, counts = SupportDetails(request), (counts_update(request) if answer.ok else None) or UNSET
    details = UNSET if answer.ok or answer.errors or answer.goto else support.text
    values = {"trace_id": support.request_id, "details": details, "counts": counts}
    body = msgspec.json.encode(msgspec.structs.replace(answer, **values))
    return HttpResponse(body, status=status, content_type="application/json")


def show(request: HttpRequest, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, template, context, status=status)


def done(
    request: HttpRequest,
    *,
    goto: str,
    message: str,
    is_change: bool = True,
    about: Iterable[Link] = (),
    item: Any = None,
    undo: str = "",
    undo_label: str = "",
    undo_fields: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Report a successful write, and the objects it was `about`: the browser goes to `goto`, which shows the message.

    An island that gets the new `item` stays on its page, and shows the message there. If `undo` is given, the message
    has a button that posts `undo_fields` to it, “Undo” or `undo_label`. `is_change` is False if there was nothing to
    change: then the message is neutral.
    """
    if item is None or not wants_json(request):
        section = goto.partition("#")[2]
        extras = MessageExtras(undo, undo_label, dict(undo_fields or {}), section=section)
        level = messages.SUCCESS if is_change else messages.INFO
        messages.add_message(request, level, _with_links(message, about), extra_tags=extras.encode())
    if wants_json(request):
        answer = Answer(
            ok=True,
            message=message,
            item=item,
            goto="" if item else goto,
            undo=undo or UNSET,
            undo_label=undo_label or UNSET,
        )
        return json(request, answer)
    return HttpResponseRedirect(goto, status=303)


def _with_links(message: str, about: Iterable[Link]) -> str:
    """Return a message in which the names of objects with an address are links, since the list may not show them."""
    linked, remaining = SafeString(), message
    for link in about:
        before, named, after = remaining.partition(isolated(link.label) or "\0")  # an empty label never matches
        if named:
            html = '{}<a href="{}"><bdi translate=no>{}</bdi></a>' if link.href else "{0}<bdi translate=no>{2}</bdi>"
            linked, remaining = linked + format_html(html, before, link.href, link.label), after
    return format_html("{}{}", linked, remaining) if linked else message


def is_json(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")


def repeat(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the stored response of a success in the form that this request asks for, which may not be the first one's.

    Its message says that it is the earlier one, because nothing was done again.
    """
    if not is_json(response):
        if not wants_json(request):
            return response
        return json(request, Answer(ok=True, goto=response.headers.get("Location", request.path)))
    answer = msgspec.json.decode(response.content, type=Answer)
    if answer.message:
        # Translators: %(message)s: a sentence, such as “Invitation sent to Ada.”
        text = _(
            "This form was already submitted, so it wasn't processed again. Result of the first submission: %(message)s"
        )
        answer = msgspec.structs.replace(answer, message=text % {"message": answer.message})
    if wants_json(request):
        return HttpResponse(msgspec.json.encode(answer), status=response.status_code, content_type="application/json")
    extras = MessageExtras(undo=answer.undo or "", undo_label=answer.undo_label or "")
    messages.success(request, answer.message, extra_tags=extras.encode())
    return HttpResponseRedirect(answer.goto or sent_from(request) or request.path, status=303)
