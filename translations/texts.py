"""The texts of a language: the shipped ones, the edits of translators, and edits that wait for a decision."""

import copy
import functools
import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import polib

from console.i18n import catalogs, edits, po, publish
from console.i18n.languages import DEFAULT, Language
from console.models import Edit

log = logging.getLogger(__name__)

ATTRIBUTES = ("msgctxt", "msgid", "msgid_plural", "msgstr", "msgstr_plural", "comment", "occurrences", "flags")
"""The attributes of an entry that the translators' pages show and search."""


class Entry(polib.POEntry):
    """An entry of a catalog, with its name in addresses and in the database."""

    def __init__(self, entry: polib.POEntry) -> None:
        super().__init__(**{name: getattr(entry, name) for name in ATTRIBUTES})
        self.name = edits.message_hash(po.key(entry))


@dataclass(frozen=True)
class Progress:
    """The progress of a language; `waiting` edits were kept, and are not published."""

    language: Language
    translated: int
    total: int
    edited: int
    waiting: int


def get_entries(language: Language) -> list[Entry]:
    """Return the entries of a language's live catalog with the edits in them."""
    edited = edits.edited_forms(language.code)
    return [_edited(entry, forms) if (forms := edited.get(po.key(entry))) else entry for entry in shipped(language)]


def get_entry(language: Language, name: str) -> Entry | None:
    return next((entry for entry in get_entries(language) if entry.name == name), None)


def shipped(language: Language) -> tuple[Entry, ...]:
    """Return the entries of a language's live catalog without edits."""
    catalogs.refresh(language.code)
    return _read(language.code, catalogs.signature(language.code))


def get_forms(entry: polib.POEntry) -> list[str]:
    """Return the texts of an entry, one for each plural form; those of a suggestion are none."""
    if entry.msgid_plural:
        return ["" if entry.fuzzy else text for _, text in sorted(entry.msgstr_plural.items())]
    return ["" if entry.fuzzy else entry.msgstr]


def get_suggestion(entry: polib.POEntry) -> list[str]:
    """Return the texts of an entry from before its English text changed, if it has no others."""
    return list(po.translated_texts(entry)) if entry.fuzzy else []


def progress(languages: Iterable[Language]) -> list[Progress]:
    """Count the texts of languages, without reading their catalogs as translators see them."""
    total = len(shipped(DEFAULT))
    waiting = Counter(Edit.objects.filter(state__in=Edit.OPEN).values_list("code", flat=True))
    rows = []
    for language in languages:
        edited = edits.edited_forms(language.code)
        done = _translated(language) | edited.keys()
        translated = total if language is DEFAULT else min(total, len(done))
        rows.append(Progress(language, translated, total, len(edited), waiting[language.code]))
    return rows


def gone(language: Language) -> list[Edit]:
    """Return the edits whose texts no longer exist, the newest first."""
    known = {entry.name for entry in shipped(language)}
    rows = Edit.objects.filter(code=language.code).exclude(state=Edit.State.DISCARDED).order_by("-id")
    return [edit for edit in rows if edit.message not in known]


def _edited(entry: Entry, forms: list[str]) -> Entry:
    entry = copy.copy(entry)
    entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
    entry.msgstr_plural = dict(enumerate(forms)) if entry.msgid_plural else {}
    entry.msgstr = "" if entry.msgid_plural else forms[0]
    return entry


@functools.lru_cache(maxsize=3)
def _read(code: str, _signature: object) -> tuple[Entry, ...]:
    path = po.catalog_path(po.live(), code)
    try:
        catalog = po.read(path) if path.exists() else None
    except (
        OSError,
        ValueError,
    ):  # the next deployment reports it, and the changes are in the database
        log.exception("A catalog can't be read: %s", code)
        catalog = None
    return tuple(map(Entry, publish.current(catalog or po.read(po.catalog_path(po.SHIPPED, code)))))


def _translated(language: Language) -> frozenset[po.Key]:
    catalogs.refresh(language.code)
    return _compiled(language.code, catalogs.signature(language.code))


@functools.lru_cache(maxsize=64)
def _compiled(code: str, _signature: object) -> frozenset[po.Key]:
    try:
        return frozenset(map(po.key, polib.mofile(str(po.catalog_path(po.live(), code, "mo")))))
    except Exception:  # the reader raises whatever its parser happens to raise; catalogs.py logs it
        return frozenset()
