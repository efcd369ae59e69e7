"""Publish catalogs: from the code into the repository (update, check), and from there into use (deploy)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.utils.translation import to_locale

from console.i18n import po, wording
from console.i18n.languages import TABLE, Language

BASE = "shipped.po"  # next to a live catalog: what was shipped at its last deployment


@dataclass(frozen=True)
class Progress:
    """How much of a language is translated."""

    language: Language
    translated: int
    total: int

    @property
    def complete(self) -> bool:
        return self.translated == self.total


def update(template: polib.POFile, root: Path = po.SHIPPED) -> None:
    """Bring the shipped catalogs up to date with the code; translations of unchanged texts are kept."""
    for language in TABLE:
        path = po.path_of(root, language.code)
        po.write(path, _text(po.merged(template, po.by_key(po.read(path)), language=language)))


def stale(template: polib.POFile, root: Path = po.SHIPPED) -> list[Path]:
    """Return the shipped catalogs that an update would change."""
    found = []
    for language in TABLE:
        path = po.path_of(root, language.code)
        fresh = _text(po.merged(template, po.by_key(po.read(path)), language=language))
        if not path.exists() or path.read_bytes() != fresh:
            found.append(path)
    return found


def faults(language: Language, root: Path = po.SHIPPED) -> Iterator[str]:
    """Return what is wrong with a catalog, independently of the code."""
    path = po.path_of(root, language.code)
    name = f"{to_locale(language.code)}/{path.name}"
    if not path.exists():
        yield f"{name}: is missing"
        return
    try:
        catalog = po.read(path)
    except ValueError as error:
        yield str(error)
        return
    if catalog.metadata.get("Plural-Forms") != language.plural_forms:
        yield f"{name}: the Plural-Forms are not those of the table"
    if catalog.metadata.get("Language") != to_locale(language.code):
        yield f"{name}: the header names another language"
    forms = set(range(po.plural_count(language.plural_forms)))
    for twice, times in Counter((entry.msgctxt, entry.msgid) for entry in catalog).items():
        if times > 1:
            yield f"{name}: is there {times} times: {twice[1]!r}"
    for entry in catalog:
        if entry.obsolete:
            yield f"{name}: obsolete: {entry.msgid!r}"
        if entry.msgid_plural and set(entry.msgstr_plural) != forms:
            yield f"{name}: not {len(forms)} plural forms: {entry.msgid!r}"
        for problem in po.problems(entry, language.plural_forms):
            yield f"{name}: {problem}: {entry.msgid!r}"
    yield from (f"{name}: {fault}" for fault in wording.faults(language, catalog, root))


def progress(language: Language, root: Path = po.SHIPPED) -> Progress:
    """Count a language's translations; English is always complete."""
    entries = po.by_key(po.read(po.path_of(root, language.code))).values()
    english = language is TABLE[0]
    return Progress(language, sum(english or entry.translated() for entry in entries), len(entries))


def deploy(shipped: Path = po.SHIPPED, live: Path | None = None) -> None:
    """Merge the shipped catalogs into the live ones and compile them; idempotent, and safe while workers run.

    A live text that differs from what was shipped at the last deployment was edited in this installation, and wins.
    Otherwise the shipped text wins, and texts that are no longer in the code are dropped.
    """
    root = live or po.live()
    with po.lock(root):
        for language in TABLE:
            path = po.path_of(root, language.code)
            base_path = path.with_name(BASE)
            template = po.read(po.path_of(shipped, language.code))
            base = po.by_key(po.read(base_path))
            edited = {
                key: entry
                for key, entry in po.by_key(po.read(path)).items()
                if _translation(entry) != _translation(base.get(key))
            }
            catalog = po.merged(template, edited, po.by_key(template), language=language)
            po.write(path, _text(catalog))
            po.write(po.path_of(root, language.code, "mo"), po.compiled(catalog))
            po.write(
                base_path, _text(template)
            )  # last, so that after an interruption the next deployment repeats the merge


def compile_live() -> None:
    """Compile the live catalogs again, for example after restoring a backup."""
    root = po.live()
    with po.lock(root):
        for language in TABLE:
            catalog = po.read(po.path_of(root, language.code))
            po.write(po.path_of(root, language.code, "mo"), po.compiled(catalog))


def _translation(entry: polib.POEntry | None) -> tuple[bool, tuple[str, ...]]:
    if entry is None:
        return False, ()
    texts = entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]
    return entry.fuzzy, tuple(texts) if any(texts) else ()


def _text(catalog: polib.POFile) -> bytes:
    return str(catalog).encode()
