"""What translators have changed: rows of the database, which every process lays over its catalogs.

A number in the database rises with each change. A process reads it at most once a second. Nothing is written to the
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
"""How old the number may be that a page uses."""
UNTIL_RETRY = 10.0
"""Seconds without a look after one that failed: pages do not wait for a database that does not answer."""

Forms = dict[po.Key, list[str]]


@dataclass
class _Known:
    """What this process knows."""

    number: int = -1
    next_check: float = float("-inf")
    forms: dict[str, Forms] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)


known = _Known()
_lock = threading.Lock()


def sync(*, at_once: bool = False) -> bool:
    """Read the number, unless the last look was a moment ago. Return whether texts have changed."""
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
    """Load the edits if the number isn't the known one. Return whether texts have changed.

    What can't be read leaves everything as it is.
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
    """Return what is edited of a language."""
    return known.forms.get(code, {})


def digest(code: str) -> str:
    """Identify what is edited of a language; nothing is ""."""
    return known.digests.get(code, "")


def translations(code: str) -> GNUTranslations | None:
    """Return the edits of a language as a catalog to lay over the compiled one; None without any.

    What a later release no longer lets be published is left out, as it is in every catalog.
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
    """Return the name of a message in addresses and in the database: a hash of its context and its texts."""
    return hashlib.sha256(json.dumps(key).encode()).hexdigest()


def clear_cache() -> None:
    """Know nothing any more; for tests."""
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
