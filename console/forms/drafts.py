"""What was typed into a form that could not be carried out: kept for a quarter of an hour, put back into the form.

This is for a session that ended under the form, where the page did not ask to log in again before it sent it: in
browsers without scripts, or where only the upstream service knew of the end. It is for forms whose token is that of
another login, too, and for forms of which the service could not be asked what they need. What is kept is encrypted, and
only its author gets it back.
"""

import hashlib
import json as stdlib_json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

from django.conf import settings
from django.db import DatabaseError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone

from console import models
from console.config.database_errors import log_storage_failure
from console.config.encryption import Unreadable, decrypt_text, encrypt_text
from console.sessions.deferred_writes import write_if_possible
from console.sessions.identity import read_sender
from console.web.request import get_login

COOKIE = "draft"
SENDER = "sender"
"""The field of a form that says for whom it was drawn, signed; the session, which knew it as well, may be gone."""
DRAFT_TTL = timedelta(minutes=15)
MAX_CONTENT_LENGTH = 20_000
MAX_DRAFTS = 10
"""Drafts of one sender at a time; a further one takes the place of the oldest. Nobody is logged in who makes them."""
EXCLUDED_FIELDS = ("password", "token", "form_id", "uploaded", SENDER)
CARRIED = frozenset({"back", "version", "another", "stay", "sent_before", "proof"})
"""Fields that a form carries without showing them."""


@dataclass
class Draft:
    """What was typed, and the address that it was sent to; templates read it as `console.draft`."""

    action: str
    data: QueryDict
    fields: set[str] = field(default_factory=set)

    @property
    def other_values(self) -> list[str]:
        """What was typed that has no place in the form any more."""
        known = self.fields | CARRIED
        return [value for name, values in self.data.lists() if name not in known for value in values if value]


def get_sender(request: HttpRequest) -> str:
    """Return whose form was sent; "" when it does not say so, or we did not write that."""
    return read_sender(request.POST.get(SENDER, ""))


def keep(request: HttpRequest, response: HttpResponse, *, page: str) -> bool:
    """Keep what this POST of a form on `page` sent, if it can be; the response gives the browser the key to it."""
    if key := store(request, page=page):
        give_key(response, key)
    return bool(key)


def store(request: HttpRequest, *, page: str) -> str:
    """Do as `keep` does, for a response that is yet to be made; return the key that it must give, "" for none."""
    sender = get_sender(request)
    fields = {
        name: [str(value) for value in values]
        for name, values in request.POST.lists()
        if not any(part in name.lower() for part in EXCLUDED_FIELDS)
    }
    content = stdlib_json.dumps([sender, page, request.path, fields])
    has_text = any(value.strip() for name in fields.keys() - CARRIED for value in fields[name])
    if not sender or not has_text or request.FILES or len(content) > MAX_CONTENT_LENGTH:
        return ""
    key = secrets.token_urlsafe(32)
    try:
        purge_expired()
        models.Draft.objects.create(key=_digest(key), sender=sender, content=encrypt_text(content))
        newest = models.Draft.objects.filter(sender=sender).order_by("-created_at").values_list("pk", flat=True)
        models.Draft.objects.filter(pk__in=list(newest[MAX_DRAFTS:])).delete()
    except DatabaseError as error:
        log_storage_failure("a draft could not be kept", error)
        return ""
    return key


def give_key(response: HttpResponse, key: str) -> None:
    """Give the browser the key to what was stored."""
    response.set_cookie(
        COOKIE, key, max_age=DRAFT_TTL, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def form_data_or_draft(request: HttpRequest, *, action: str = "") -> QueryDict | None:
    """Return what fills the form that is sent to `action` (this page, when it is not given); None for a new form.

    That is what was sent; else a draft that this administrator typed on this page, which is given back once.
    """
    action = action or request.path
    if request.method == "POST":
        return request.POST if action == request.path else None
    draft = get_draft(request) or _take(request, action)
    return draft.data if draft and draft.action == action else None


def get_draft(request: HttpRequest) -> Draft | None:
    """Return the draft that this request has put back into a form."""
    return cast(Draft | None, getattr(request, "draft", None))


def restore(request: HttpRequest, *forms: BaseForm, extra_fields: Iterable[str] = ()) -> None:
    """Make forms that hold a draft ready to be drawn: what is wrong with them is told when they are sent again.

    `carries` are fields that the page draws without showing them.
    """
    if draft := get_draft(request):
        draft.fields |= set(extra_fields)
        for form in forms:
            draft.fields |= {form.add_prefix(name) for name in form.fields}
            form.errors.clear()


class DraftMiddleware:
    """Take the key away once its draft was given back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if get_draft(request):
            response.delete_cookie(COOKIE, samesite="Lax")
        return response


def _take(request: HttpRequest, action: str) -> Draft | None:
    """Take this browser's draft out of the store, if the one who is logged in typed it here, into this form."""
    login = get_login(request)
    if COOKIE not in request.COOKIES or login is None:
        return None
    write_if_possible(purge_expired)
    row = models.Draft.objects.filter(pk=_digest(request.COOKIES[COOKIE])).first()
    if row is None:
        return None
    try:
        sender, page, sent_to, fields = stdlib_json.loads(decrypt_text(row.content))
    except Unreadable:
        return None
    if (sender, page, sent_to) != (login.identity, request.path, action):
        return None
    write_if_possible(row.delete)
    data = QueryDict(mutable=True)
    for name, values in fields.items():
        data.setlist(name, values)
    draft = cast(Any, request).draft = Draft(sent_to, data)
    return draft


def purge_expired() -> None:
    """Delete the drafts whose time is over."""
    models.Draft.objects.filter(created_at__lt=timezone.now() - DRAFT_TTL).delete()


def _digest(key: str) -> str:
    """The row's key: as with sessions, a stolen database holds no usable cookie."""
    return hashlib.sha256(key.encode()).hexdigest()
