"""Translators' edits: rows of the database that every process merges over its catalogs.

A number in the database increases with each change. A process reads it at most once a second. Nothing is written to the
catalogs of a host.
"""

import hashlib
import json
import logging
import threading
import time
from dataclasses import dataclass, field
from gettext import GNUTranslations
from io import BytesIO

import polib
from django.db import DatabaseError

from console.config.database_errors import reason
from console.i18n import po
from console.i18n.languages import TABLE
from console.models import Edit, EditVersion

log = logging.getLogger(__name__)

SECONDS = 1.0
"""The maximum age of the number that a page uses."""
UNTIL_RETRY = 10.0
"""Seconds without a check after one that failed, so that pages do not wait for a database that does not answer."""

Forms = dict[po.Key, list[str]]


@dataclass
class _Known:
    """The cached edits of this process."""

    number: int = -1
    next_check: float = float("-inf")
    forms: dict[str, Forms] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)


known = _Known()
_lock = threading.Lock()


def sync(*, at_once: bool = False) -> bool:
    """Read the number, unless that happened within the last second. Return True if texts have changed."""
    if not at_once and time.monotonic() < known.next_check:
        return False
    known.next_check = time.monotonic() + SECONDS
    try:
        number = EditVersion.objects.values_list("number", flat=True).first()
    except DatabaseError as error:
        _failed(error)
        return False
    return _load(number)


def _load(number: int | None) -> bool:
    """Load the edits if the number is new. Return True if texts have changed.

    If they can't be read, nothing changes.
    """
    if (number or 0) == known.number:
        return False
    with _lock:
        if (number or 0) == known.number:
            return False
        try:
            forms = _read()
        except DatabaseError as error:
            _failed(error)
            return False
        known.forms, known.number = forms, number or 0
        known.digests = {code: _digest(texts) for code, texts in forms.items()}
    return True


def edited_forms(code: str) -> Forms:
    """Return the edited texts of a language."""
    return known.forms.get(code, {})


def digest(code: str) -> str:
    """Return a digest of a language's edits; "" without any."""
    return known.digests.get(code, "")


def translations(code: str) -> GNUTranslations | None:
    """Return the edits of a language as a catalog to merge over the compiled one; None without any.

    Edits that a later release would not publish are left out, as in every catalog.
    """
    if not (forms := edited_forms(code)):
        return None
    catalog = polib.POFile()
    catalog.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": next(language.plural_forms for language in TABLE if language.code == code),
    }
    catalog.extend(build_entry(key, texts) for key, texts in forms.items())
    return GNUTranslations(BytesIO(po.compiled(catalog)))


def build_entry(key: po.Key, texts: list[str]) -> polib.POEntry:
    """Return an entry of a catalog with these texts."""
    context, text, plural = key
    entry = polib.POEntry(msgctxt=context, msgid=text, msgid_plural=plural)
    if plural:
        entry.msgstr_plural = dict(enumerate(texts))
    else:
        entry.msgstr = texts[0]
    return entry


def message_hash(key: po.Key) -> str:
    """Return the name of a message in URLs and in the database: a hash of its context and its texts."""
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()


def clear_cache() -> None:
    """Clear the cache; for tests."""
    known.__dict__.update(_Known().__dict__)


def _read() -> dict[str, Forms]:
    forms_by_code: dict[str, Forms] = {}
    columns = ("code", "context", "text", "plural", "forms")
    rows = Edit.objects.filter(state=Edit.State.PUBLISHED).order_by("id").values_list(*columns)
    for code, context, text, plural, forms in rows:
        forms_by_code.setdefault(code, {})[context or None, text, plural] = forms
    return forms_by_code


def _digest(forms: Forms) -> str:
    return hashlib.sha256(json.dumps(sorted(map(repr, forms.items()))).encode()).hexdigest()


def _failed(error: DatabaseError) -> None:
    known.next_check = time.monotonic() + UNTIL_RETRY
    log.warning("edits can't be read: %s", reason(error))
