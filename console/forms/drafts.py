"""Drafts: the input of a form that could not be processed is stored for 15 minutes and put back into the form.

A draft is stored if the session ended before the form was sent and the page did not ask to log in again: in browsers
without scripts, or if only the upstream service knew that the session had ended. Forms with the CSRF token of another
login get one, too, and so do forms whose data could not be read from the service. Drafts are encrypted, and only their
author gets them back.
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
"""The field with the signed identity of the user for whom a form was rendered; the session may have ended."""
DRAFT_TTL = timedelta(minutes=15)
MAX_CONTENT_LENGTH = 20_000
MAX_DRAFTS = 10
"""Drafts of one sender at a time; another one replaces the oldest. Senders are not logged in."""
EXCLUDED_FIELDS = ("password", "token", "form_id", SENDER)
CARRIED = frozenset({"back", "version", "another", "stay", "sent_before", "proof"})
"""Hidden fields of forms."""


@dataclass
class Draft:
    """The input of a form, and the address that it was sent to; templates read it as `console.draft`."""

    action: str
    data: QueryDict
    fields: set[str] = field(default_factory=set)

    @property
    def other_values(self) -> list[str]:
        """Input for which the form no longer has a field."""
        known = self.fields | CARRIED
        return [value for name, values in self.data.lists() if name not in known for value in values if value]


def get_sender(request: HttpRequest) -> str:
    """Return the user for whom the sent form was rendered; "" without a valid signature."""
    return read_sender(request.POST.get(SENDER, ""))


def keep(request: HttpRequest, response: HttpResponse, *, page: str) -> bool:
    """Store the input of this POST of a form on `page` if possible, and set its key as a cookie of the response."""
    if key := store(request, page=page):
        give_key(response, key)
    return bool(key)


def store(request: HttpRequest, *, page: str) -> str:
    """Store a draft as `keep` does, and return the key for a later response; "" if nothing was stored."""
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
    """Set the key of a draft as a cookie."""
    response.set_cookie(
        COOKIE, key, max_age=DRAFT_TTL, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def form_data_or_draft(request: HttpRequest, *, action: str = "") -> QueryDict | None:
    """Return the data of the form that is sent to `action`, by default this page; None for a new form.

    The data is that of the POST, else this administrator's draft from this page, which is restored only once.
    """
    action = action or request.path
    if request.method == "POST":
        return request.POST if action == request.path else None
    draft = get_draft(request) or _take(request, action)
    return draft.data if draft and draft.action == action else None


def get_draft(request: HttpRequest) -> Draft | None:
    """Return the draft that this request has restored."""
    return cast(Draft | None, getattr(request, "draft", None))


def restore(request: HttpRequest, *forms: BaseForm, extra_fields: Iterable[str] = ()) -> None:
    """Prepare forms with a draft for rendering. Their errors are only shown when they are sent again.

    `extra_fields` are hidden fields of the page.
    """
    if draft := get_draft(request):
        draft.fields |= set(extra_fields)
        for form in forms:
            draft.fields |= {form.add_prefix(name) for name in form.fields}
            form.errors.clear()


class DraftMiddleware:
    """Delete the cookie once its draft is restored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if get_draft(request):
            response.delete_cookie(COOKIE, samesite="Lax")
        return response


def _take(request: HttpRequest, action: str) -> Draft | None:
    """Return and delete this browser's draft if the current administrator typed it on this page, into this form."""
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
    """Delete the expired drafts."""
    models.Draft.objects.filter(created_at__lt=timezone.now() - DRAFT_TTL).delete()


def _digest(key: str) -> str:
    """Return the key of the row. As with sessions, a stolen database has no usable cookie."""
    return hashlib.sha256(key.encode()).hexdigest()
