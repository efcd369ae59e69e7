"""What was typed into a form when the session ended under it: kept for a quarter of an hour, put back after the login.

This is for browsers without scripts, and for sessions that only the upstream service knows to be over; elsewhere the
page asks to log in again before it sends the form. What is kept is encrypted, and only its author gets it back.
"""

import hashlib
import json as stdlib_json
import secrets
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone

from console.grants.payload import Unreadable, decrypt_text, encrypt_text
from console.http import login_of
from console.models import Draft
from console.refill import refill

COOKIE = "draft"
SENDER = "sender"
"""The field of a form that says for whom it was drawn; the session, which knew it as well, may be gone."""
KEPT = timedelta(minutes=15)
LONGEST = 20_000
MOST = 500
"""Drafts at a time. Nobody is logged in who makes them, so that without an end they could fill the database."""
NEVER_KEPT = ("password", "token", "form_id", SENDER)

Fields = dict[str, list[str]]


def keep(request: HttpRequest, response: HttpResponse, *, page: str) -> None:
    """Keep what this POST of a form on `page` brought; the response gives the browser the key to it."""
    sender = request.POST.get(SENDER, "")
    fields: Fields = {
        name: [str(value) for value in values]
        for name, values in request.POST.lists()
        if not any(part in name.lower() for part in NEVER_KEPT)
    }
    content = stdlib_json.dumps([sender, page, request.path, fields])
    _forget_old()
    if not sender or request.FILES or len(content) > LONGEST or Draft.objects.count() >= MOST:
        return
    key = secrets.token_urlsafe(32)
    Draft.objects.create(key=_digest(key), content=encrypt_text(content))
    response.set_cookie(COOKIE, key, max_age=KEPT, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)


class DraftMiddleware:
    """Put a draft back into its form, when its author sees that page again. Nothing is sent by this."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.status_code == 200 and response.headers.get("Content-Type", "").startswith("text/html")
        if request.method == "GET" and is_page and COOKIE in request.COOKIES and isinstance(response, HttpResponse):
            _put_back(request, response)
        return response


def _put_back(request: HttpRequest, response: HttpResponse) -> None:
    key = _digest(request.COOKIES[COOKIE])
    if (found := _find(request, key)) is None:
        return
    page = refill(
        response.content.decode(),
        *found,
        lambda rest: render_to_string("components/draft.html", {"rest": rest}, request),
    )
    if page is None:
        return
    Draft.objects.filter(pk=key).delete()
    response.content = page.encode()
    response.delete_cookie(COOKIE, samesite="Lax")


def _find(request: HttpRequest, key: str) -> tuple[str, Fields] | None:
    """The action and the fields of this draft, if the one who is logged in typed it, on this page."""
    _forget_old()
    draft, login = Draft.objects.filter(pk=key).first(), login_of(request)
    if draft is None or login is None:
        return None
    try:
        sender, page, action, fields = stdlib_json.loads(decrypt_text(draft.content))
    except Unreadable:
        return None
    return (action, fields) if sender == login.grant.admin_id_hash and page == request.path else None


def _forget_old() -> None:
    Draft.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


def _digest(key: str) -> str:
    """The row's key: as with sessions, a stolen database holds no usable cookie."""
    return hashlib.sha256(key.encode()).hexdigest()
