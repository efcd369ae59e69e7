"""The islands' texts: resources made with Django's own gettext functions, so that both sides agree."""

import functools
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation

# Under other names, because what they look up here are not literals: the literals stand in the islands.
from django.utils.translation import gettext as look_up
from django.utils.translation import ngettext as look_up_plural
from django.utils.translation import npgettext as look_up_plural_in_context
from django.utils.translation import pgettext as look_up_in_context

from console.i18n import catalogs
from console.i18n.languages import CODES, DEFAULT

Message = tuple[str | None, str, str | None]  # context, text, plural

HERE = Path(__file__).parent
CONTEXT = "\x04"  # the separators of lib/i18n.ts: no text can hold these
PLURAL = "\x05"

# Tag -> CLDR category -> one number of it; written by static_src/plural-samples.mjs.
SAMPLES: dict[str, dict[str, int]] = json.loads((HERE / "plural_samples.json").read_text("utf-8"))


@functools.cache
def island_messages() -> tuple[Message, ...]:
    """Read which messages the islands use; written by the extraction."""
    rows = json.loads((HERE / "island_messages.json").read_text("utf-8"))
    return tuple((context, one, many) for context, one, many in rows)


def texts(tag: str, messages: Iterable[Message]) -> dict[str, str]:
    """Look up messages in one language; what is left out is the same as the English, or not translated."""
    found: dict[str, str] = {}
    with translation.override(CODES[tag]):
        for context, one, many in messages:
            name = one if context is None else f"{one}{CONTEXT}{context}"
            if many is None:
                text = look_up(one) if context is None else look_up_in_context(context, one)
                if text != one:
                    found[name] = text
            else:
                forms = _plural_forms(tag, context, one, many)
                found |= {f"{name}{PLURAL}{category}": text for category, text in forms.items()}
    return found


def resources(tag: str) -> tuple[str, bytes]:
    """Give a language's resources as (content hash, JSON); built again only when its catalogue changes."""
    return _build(tag, catalogs.signature(CODES[tag]), catalogs.signature(DEFAULT.code))


def resources_url(tag: str) -> str:
    """Give the address of a language's resources; it changes with their content."""
    return reverse("i18n-resources", kwargs={"tag": tag, "version": resources(tag)[0]})


def island_resources(request: HttpRequest, tag: str, version: str) -> HttpResponse:
    """GET /i18n/<tag>/<version>.json; an old version gets the present content, which nobody keeps."""
    if tag not in CODES:
        raise Http404
    current, body = resources(tag)
    response = HttpResponse(body, content_type="application/json")
    response["ETag"] = f'"{current}"'
    response["Cache-Control"] = "public, max-age=31536000, immutable" if version == current else "no-store"
    return response


@functools.lru_cache(maxsize=64)
def _build(tag: str, catalogue: object, default: object) -> tuple[str, bytes]:
    body = json.dumps(texts(tag, island_messages()), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(body).hexdigest()[:12], body


def _plural_forms(tag: str, context: str | None, one: str, many: str) -> dict[str, str]:
    """Look up one text per plural category; none where every number reads as in English, the islands' fallback."""

    def text_for(number: int) -> str:
        if context is None:
            return look_up_plural(one, many, number)
        return look_up_plural_in_context(context, one, many, number)

    # Besides 1, a sample is never 1 where its category has another number: together they speak for every number.
    if all(text_for(number) == (one if number == 1 else many) for number in (1, *SAMPLES[tag].values())):
        return {}
    return {category: text_for(number) for category, number in SAMPLES[tag].items()}
