"""Publish catalogs: from the code into the repository (update, check), and from there into use (deploy)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polib
from django.utils.translation import to_locale

from console.i18n import po, suggest, wording
from console.i18n.languages import TABLE, Language

BASE = "shipped.po"  # next to a live catalog: the catalog of its last deployment
FORMAT_FILE = ".format"  # in the live directory: the format of its last deployment
FORMAT = "1"
"""Increase it when merging or compiling changes: every installation then deploys again."""


@dataclass(frozen=True)
class Progress:
    """The progress of a language's translation."""

    language: Language
    translated: int
    total: int

    @property
    def complete(self) -> bool:
        return self.translated == self.total


def update(template: polib.POFile, root: Path = po.SHIPPED, *, drop: bool = False) -> None:
    """Bring the shipped catalogs up to date with the code.

    Translations of changed texts stay as suggestions. A damaged catalog raises ValueError before any is written;
    `drop` accepts that one has lost messages.
    """
    fresh = {path: _updated(template, path, language, drop=drop) for path, language in _paths(root)}
    for path, data in fresh.items():
        po.write(path, data)


def stale(template: polib.POFile, root: Path = po.SHIPPED) -> list[Path]:
    """Return the shipped catalogs that an update would change."""
    return [
        path
        for path, language in _paths(root)
        if not path.exists() or path.read_bytes() != _updated(template, path, language)
    ]


def _paths(root: Path) -> list[tuple[Path, Language]]:
    return [(po.catalog_path(root, language.code), language) for language in TABLE]


def _updated(template: polib.POFile, path: Path, language: Language, *, drop: bool = False) -> bytes:
    former = po.read(path, drop=drop)
    catalog = po.merged(template, po.by_key(former), po.by_key(former, obsolete=True), language=language)
    suggest.keep(catalog, former)
    return po.serialize(catalog)


def faults(language: Language, root: Path = po.SHIPPED) -> Iterator[str]:
    """Return the faults of a catalog, independently of the code."""
    path = po.catalog_path(root, language.code)
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
    entries = current(catalog)
    for twice, times in Counter((entry.msgctxt, entry.msgid) for entry in entries).items():
        if times > 1:
            yield f"{name}: is there {times} times: {twice[1]!r}"
    for entry in entries:
        if entry.msgid_plural and set(entry.msgstr_plural) != forms:
            yield f"{name}: not {len(forms)} plural forms: {entry.msgid!r}"
        for problem in po.problems(entry, language.plural_forms):
            yield f"{name}: {problem}: {entry.msgid!r}"
    yield from (f"{name}: {fault}" for fault in wording.faults(language, catalog, root))


def progress(language: Language, root: Path = po.SHIPPED) -> Progress:
    """Count a language's translations; English is always complete."""
    entries = po.by_key(po.read(po.catalog_path(root, language.code))).values()
    english = language is TABLE[0]
    return Progress(language, sum(english or entry.translated() for entry in entries), len(entries))


def deploy(shipped: Path = po.SHIPPED, live: Path | None = None) -> None:
    """Merge the shipped catalogs into the live ones and compile them; idempotent, and safe while workers run.

    A live text that differs from the last deployment's shipped text was edited in this installation, and wins.
    Otherwise the shipped text wins. Texts that only the previous release has stay until the next release, since its
    processes may still run, here or on another host; edits of removed texts stay as suggestions. A damaged catalog
    raises ValueError.

    Does nothing if the shipped catalogs are those of the last deployment and every live catalog is compiled; so damage
    is noticed only if something has changed.
    """
    root = live or po.live()
    with po.lock(root):
        if _is_deployed(shipped, root):
            return
        templates = {language: po.read(po.catalog_path(shipped, language.code)) for _, language in _paths(root)}
        catalogs = {language: _deployed(path, language, templates[language]) for path, language in _paths(root)}
        # First, because islands' texts are rebuilt once a catalog has changed.
        po.write(po.live_island_messages(root), _island_messages(root, catalogs.values()))
        for path, language in _paths(root):
            po.write(path, po.serialize(catalogs[language]))
            po.write(po.catalog_path(root, language.code, "mo"), po.compiled(catalogs[language]))
            # Last, so that after an interruption the next deployment repeats the merge.
            po.write(path.with_name(BASE), po.serialize(templates[language]))
        po.write(root / FORMAT_FILE, FORMAT.encode())


def _is_deployed(shipped: Path, root: Path) -> bool:
    """Return whether these catalogs were merged by an earlier deployment, and compiled after each edit since."""
    stored_format = root / FORMAT_FILE
    if not stored_format.exists() or stored_format.read_bytes() != FORMAT.encode():
        return False
    messages = po.island_messages(po.ISLAND_MESSAGES)
    if po.island_messages(po.live_island_messages(root))[: len(messages)] != messages:
        return False
    for path, language in _paths(root):
        base, compiled = path.with_name(BASE), po.catalog_path(root, language.code, "mo")
        if not (path.exists() and base.exists() and compiled.exists()):
            return False
        if base.read_bytes() != po.catalog_path(shipped, language.code).read_bytes():
            return False
        if compiled.stat().st_mtime_ns < path.stat().st_mtime_ns:
            return False
    return True


def _deployed(path: Path, language: Language, template: polib.POFile) -> polib.POFile:
    base_path, former = path.with_name(BASE), po.read(path)
    base, edited = po.by_key(po.read(base_path)), po.by_key(former, obsolete=True)
    edited |= {
        key: entry for key, entry in po.by_key(former).items() if _translation(entry) != _translation(base.get(key))
    }
    catalog = po.merged(current(template), edited, po.by_key(template), language=language)
    is_same_release = base_path.exists() and base_path.read_bytes() == po.serialize(template)
    catalog.extend(_leaving(former, po.by_key(template), None if is_same_release else base))
    suggest.keep(catalog, edited.values())
    return catalog


def _island_messages(root: Path, catalogs: Iterable[polib.POFile]) -> bytes:
    """Return the messages of this release's islands, and those of the previous release that catalogs still have."""
    shipped, former = po.island_messages(po.ISLAND_MESSAGES), po.island_messages(po.live_island_messages(root))
    present = {key for catalog in catalogs for key in po.by_key(catalog)}
    leaving = [row for row in former if row not in shipped and (row[0], row[1], row[2] or "") in present]
    return json.dumps([*shipped, *leaving], ensure_ascii=False).encode()


def export(language: Language, forms: Mapping[po.Key, list[str]], root: Path, shipped: Path = po.SHIPPED) -> int:
    """Write a language's shipped catalog with these translations in it; return how many differ."""
    catalog, changed = po.read(po.catalog_path(shipped, language.code)), 0
    for key, entry in po.by_key(catalog).items():
        texts = forms.get(key)
        if not texts or texts == po.translated_texts(entry):
            continue
        entry.msgstr_plural = dict(enumerate(texts)) if entry.msgid_plural else {}
        entry.msgstr = "" if entry.msgid_plural else texts[0]
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
        entry.previous_msgid = entry.previous_msgid_plural = entry.previous_msgctxt = None
        changed += 1
    po.write(po.catalog_path(root, language.code), po.serialize(catalog))
    return changed


def current(catalog: polib.POFile) -> list[polib.POEntry]:
    """Return the entries of a catalog whose texts are in the code."""
    return [entry for entry in catalog if not entry.obsolete]


def _leaving(
    former: polib.POFile, template: dict[po.Key, polib.POEntry], base: dict[po.Key, polib.POEntry] | None
) -> list[polib.POEntry]:
    """Return the live entries that only the previous release has: those of `base`, or all if it is the same release."""
    return [
        entry
        for key, entry in po.by_key(former).items()
        if key not in template and entry.translated() and (base is None or key in base)
    ]


def compile_live() -> None:
    """Compile the live catalogs again, for example after restoring a backup."""
    root = po.live()
    with po.lock(root):
        for language in TABLE:
            catalog = po.read(po.catalog_path(root, language.code))
            po.write(po.catalog_path(root, language.code, "mo"), po.compiled(catalog))


def _translation(entry: polib.POEntry | None) -> tuple[bool, tuple[str, ...]]:
    if entry is None:
        return False, ()
    return entry.fuzzy, tuple(po.translated_texts(entry))
