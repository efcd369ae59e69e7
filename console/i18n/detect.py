"""Language detection: query `lng`, cookie, mirror of the browser's storages, Accept-Language, default."""

import re
from collections.abc import Callable
from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

from console.i18n import catalogs, edits
from console.i18n.languages import CODES, DEFAULT, TAGS

Source = Literal["query", "cookie", "storage", "browser", "default"]

COOKIE = "i18next"
# What local and session storage contain, with a dot between them, set by lng-boot.ts; in the `i18next` cookie it would
# outrank the storages.
MIRROR = "lng-storage"
_YEAR = 365 * 24 * 3600
_EXTENSION = r"[-_][A-Za-z0-9](?:[-_][A-Za-z0-9]{2,8})+"
_SHAPE = re.compile(rf"([A-Za-z]{{2,8}}(?:[-_][A-Za-z0-9]{{2,8}}){{0,3}})(?:{_EXTENSION})*")
# Responses that are the same in every language; without Vary they can be cached.
_WITHOUT_LANGUAGE = ("/i18n/", "/static/", "/healthz", "/readyz", "/metrics")


def match(raw: str | None) -> str | None:
    """Return the supported tag closest to what a client sent, or None, also for hostile values.

    Extensions about numbers or calendars (`-u-nu-latn`) are ignored.
    """
    result = _SHAPE.fullmatch(raw) if raw and len(raw) <= 35 else None
    if not result:
        return None
    try:
        # Lowercase: Django compares case-sensitively, and would give zh-TW the simplified script.
        return TAGS[translation.get_supported_language_variant(result[1].replace("_", "-").lower())]
    except LookupError:
        return None


def detect(request: HttpRequest) -> tuple[str, Source]:
    """Return a request's language and the source that decided it, in the order of the specification, section 2."""
    stored = request.COOKIES.get(MIRROR, "").split(".", 1)
    candidates: list[tuple[Source, str | None]] = [
        ("query", request.GET.get("lng")),
        ("cookie", request.COOKIES.get(COOKIE)),
        *(("storage", raw) for raw in stored),
    ]
    for source, raw in candidates:
        if tag := match(raw):
            return tag, source
    for raw, quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if quality and (tag := match(raw)):
            return tag, "browser"
    return DEFAULT.tag, "default"


class LanguageMiddleware:
    """Activates the language and attaches it to the request: `lng` (tag), `lng_source`, `lng_dir`.

    Before that, its catalog is loaded again if it has changed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        catalogs.refresh()  # loads all languages before the first request, and reports broken ones

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(_WITHOUT_LANGUAGE):
            _activate(request, DEFAULT.tag, "default")
            return self.get_response(request)
        edits.sync()
        tag, source = detect(request)
        _activate(request, tag, source)
        response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", tag)
        if source == "query":  # remembers the choice where scripts don't run
            _set_cookie(response, MIRROR, tag, secure=request.is_secure())
            if COOKIE in request.COOKIES:  # otherwise the next page would return to it
                _set_cookie(response, COOKIE, tag, secure=request.is_secure())
        return response


def _activate(request: HttpRequest, tag: str, source: Source) -> None:
    catalogs.refresh(CODES[tag])
    translation.activate(CODES[tag])
    direction = "rtl" if translation.get_language_bidi() else "ltr"
    for name, value in (("LANGUAGE_CODE", CODES[tag]), ("lng", tag), ("lng_source", source), ("lng_dir", direction)):
        setattr(request, name, value)


def _set_cookie(response: HttpResponse, name: str, tag: str, *, secure: bool) -> None:
    response.set_cookie(name, tag, max_age=_YEAR, samesite="Lax", secure=secure)
