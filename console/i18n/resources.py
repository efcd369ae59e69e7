"""The texts of islands, made with Django's own gettext functions, so that server and client agree."""

import functools
import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation

# Under other names, because their arguments are not literals here: the literals are in the islands.
from django.utils.translation import gettext as translate
from django.utils.translation import ngettext as translate_plural
from django.utils.translation import npgettext as translate_plural_in_context
from django.utils.translation import pgettext as translate_in_context

from console.i18n import catalogs, po
from console.i18n.languages import CODES, DEFAULT

FOLDER = Path(__file__).parent
CONTEXT = "\x04"  # the separators of lib/i18n.ts, which no text can contain
PLURAL = "\x05"
MAX_UNKNOWN_VERSIONS = 256
_unknown_versions: OrderedDict[str, None] = OrderedDict()

# Tag -> CLDR category -> a number in it; written by static_src/plural-samples.mjs.
SAMPLES: dict[str, dict[str, int]] = json.loads((FOLDER / "plural_samples.json").read_text("utf-8"))


def island_messages() -> list[po.Message]:
    """Return the messages that islands of all running releases use, as stored by the deployment."""
    return po.island_messages(po.live_island_messages(po.live())) or po.island_messages(po.ISLAND_MESSAGES)


def texts(tag: str, messages: Iterable[po.Message]) -> dict[str, str]:
    """Look up messages in one language, leaving out those that equal the English text or are not translated."""
    result: dict[str, str] = {}
    with translation.override(CODES[tag]):
        for context, one, many in messages:
            name = one if context is None else f"{one}{CONTEXT}{context}"
            if many is None:
                text = translate(one) if context is None else translate_in_context(context, one)
                if text != one:
                    result[name] = text
            else:
                forms = _plural_forms(tag, context, one, many)
                result |= {f"{name}{PLURAL}{category}": text for category, text in forms.items()}
    return result


def resources(tag: str) -> tuple[str, bytes]:
    """Return a language's resources as (content hash, JSON); rebuilt only when its catalog was loaded again."""
    return _build(tag, catalogs.signature(CODES[tag]), catalogs.signature(DEFAULT.code))


def resources_url(tag: str) -> str:
    """Return the URL of a language's resources, which changes with their content."""
    return _address(tag, resources(tag)[0])


@functools.lru_cache(maxsize=64)
def _address(tag: str, version: str) -> str:
    return reverse("i18n-resources", kwargs={"tag": tag, "version": version})


def island_resources(request: HttpRequest, tag: str, version: str) -> HttpResponse:
    """GET /i18n/<tag>/<version>.json; an old version gets the current content, uncached."""
    if tag not in CODES:
        raise Http404
    catalogs.refresh(CODES[tag])
    current, body = resources(tag)
    if version != current and _is_first_request(version):
        catalogs.sync(at_once=True)  # another process may have newer texts than this one
        catalogs.refresh(CODES[tag])
        current, body = resources(tag)
    response = HttpResponse(body, content_type="application/json")
    response["ETag"] = f'"{current}"'
    response["Cache-Control"] = "public, max-age=31536000, immutable" if version == current else "no-store"
    return response


def _is_first_request(version: str) -> bool:
    """Return True if no request has named this unknown version before; anonymous users may send any, repeatedly."""
    if version in _unknown_versions:
        return False
    while len(_unknown_versions) >= MAX_UNKNOWN_VERSIONS:
        _unknown_versions.popitem(last=False)
    _unknown_versions[version] = None
    return True


@functools.lru_cache(maxsize=64)
def _build(tag: str, catalog: object, default: object) -> tuple[str, bytes]:
    body = json.dumps(texts(tag, island_messages()), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(body).hexdigest()[:12], body


def _plural_forms(tag: str, context: str | None, one: str, many: str) -> dict[str, str]:
    """Look up a text per plural category; none if all are the same as in English, which is the islands' fallback."""

    def text_for(number: int) -> str:
        if context is None:
            return translate_plural(one, many, number)
        return translate_plural_in_context(context, one, many, number)

    # A sample is 1 only if its category has no other number: together with 1 the samples represent every number.
    if all(text_for(number) == (one if number == 1 else many) for number in (1, *SAMPLES[tag].values())):
        return {}
    return {category: text_for(number) for category, number in SAMPLES[tag].items()}
