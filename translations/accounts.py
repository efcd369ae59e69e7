"""Translators: who they are, how they log in, and which languages are theirs.

They are no administrators, so nothing of the console's own logins is used: a cookie of their own, sent to these pages
only, and a row for each login, so that a logout ends it on the server.
"""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from console.i18n.languages import TABLE, Language
from console.models import Translator, TranslatorLogin
from console.sessions import throttle

COOKIE, PATH = "translate", "/translate/"
LASTS = timedelta(hours=12)
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200


class Refused(Exception):
    """Nobody has this name and this password."""


def translator_of(request: HttpRequest) -> Translator | None:
    """Return who is logged in here; None for everybody else, whatever they are in the console."""
    key = request.COOKIES.get(COOKIE, "")
    if not key:
        return None
    rows = TranslatorLogin.objects.select_related("translator")
    login = rows.filter(pk=_digest(key), ends_at__gt=timezone.now(), translator__is_active=True).first()
    return login.translator if login else None


def log_in(name: str, password: str, *, address: str) -> Translator:
    """Return the translator of this name and password; raise Refused or TooManyAttempts.

    An unknown name takes as long as a wrong password.
    """
    throttle.enter("translate", address=address, email=name)
    translator = Translator.objects.filter(name=name.strip(), is_active=True).first()
    if not check_password(password, translator.password if translator else make_password(None)) or not translator:
        if translator is None:
            make_password(password)
        raise Refused
    throttle.forgive("translate", email=name, address=address)
    return translator


def open_login(request: HttpRequest, response: HttpResponseBase, translator: Translator) -> None:
    """Begin a login in this browser; the one before it ends, and so do those of everybody whose time is over."""
    _end(request)
    key = secrets.token_urlsafe(32)
    TranslatorLogin.objects.filter(ends_at__lte=timezone.now()).delete()
    TranslatorLogin.objects.create(pk=_digest(key), translator=translator, ends_at=timezone.now() + LASTS)
    options: dict[str, Any] = {"path": PATH, "httponly": True, "samesite": "Lax", "secure": settings.CONSOLE_HTTPS}
    response.set_cookie(COOKIE, key, **options)
    # The CSRF token stays the same: a page that is still open, with what was typed there, can be sent after this.


def close_login(request: HttpRequest, response: HttpResponseBase) -> None:
    """End the login of this browser."""
    _end(request)
    response.delete_cookie(COOKIE, path=PATH, samesite="Lax")


def _end(request: HttpRequest) -> None:
    TranslatorLogin.objects.filter(pk=_digest(request.COOKIES.get(COOKIE, ""))).delete()


def set_password(translator: Translator, password: str, *, but: HttpRequest | None = None) -> None:
    """Set a password; all logins end, `but` that of a request."""
    translator.password = make_password(password)
    translator.save(update_fields=["password"])
    kept = _digest(but.COOKIES.get(COOKIE, "")) if but else ""
    TranslatorLogin.objects.filter(translator=translator).exclude(pk=kept).delete()


def languages_of(translator: Translator) -> list[Language]:
    """Return the languages that are a translator's, in the order of the table."""
    tags = set(filter(None, translator.languages.split(",")))
    return [language for language in TABLE if not tags or language.tag in tags]


def is_translator(user: object) -> bool:
    """Tell Rosetta's views whom they may serve (ROSETTA_ACCESS_CONTROL_FUNCTION)."""
    return isinstance(user, Translator)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
