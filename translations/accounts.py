"""Translators: accounts, logins and languages.

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
LOGIN_TTL = timedelta(hours=12)
MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 12, 200


class Refused(Exception):
    """No translator has this name and this password."""


def get_translator(request: HttpRequest) -> Translator | None:
    """Return the translator who is logged in; None for all other users, including those of the console."""
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
    """Start a login in this browser; its previous login and all expired logins end."""
    _end(request)
    key = secrets.token_urlsafe(32)
    TranslatorLogin.objects.filter(ends_at__lte=timezone.now()).delete()
    TranslatorLogin.objects.create(pk=_digest(key), translator=translator, ends_at=timezone.now() + LOGIN_TTL)
    options: dict[str, Any] = {"path": PATH, "httponly": True, "samesite": "Lax", "secure": settings.CONSOLE_HTTPS}
    response.set_cookie(COOKIE, key, **options)
    # The CSRF token stays the same, so that a form in an open page can still be sent.


def close_login(request: HttpRequest, response: HttpResponseBase) -> None:
    """End the login of this browser."""
    _end(request)
    response.delete_cookie(COOKIE, path=PATH, samesite="Lax")


def _end(request: HttpRequest) -> None:
    TranslatorLogin.objects.filter(pk=_digest(request.COOKIES.get(COOKIE, ""))).delete()


def set_password(translator: Translator, password: str, *, except_for: HttpRequest | None = None) -> None:
    """Set a password; all logins end, except that of the request `except_for`."""
    translator.password = make_password(password)
    translator.save(update_fields=["password"])
    current = _digest(except_for.COOKIES.get(COOKIE, "")) if except_for else ""
    TranslatorLogin.objects.filter(translator=translator).exclude(pk=current).delete()


def get_languages(translator: Translator) -> list[Language]:
    """Return the languages of a translator, in the order of the table."""
    tags = set(filter(None, translator.languages.split(",")))
    return [language for language in TABLE if not tags or language.tag in tags]


def is_translator(user: object) -> bool:
    """Return whether Rosetta's views may serve this user (ROSETTA_ACCESS_CONTROL_FUNCTION)."""
    return isinstance(user, Translator)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
